/** The exit code by the way in which an intercepted server ended. */
import type { Intercepted } from './intercept.ts';

/** Something for which the exit code is not 0. */
export interface Ending {
  code: number;
  why: string;
}

/** A server's own exit code is that of the command. */
export function endingOf({ code, signal }: NonNullable<Intercepted['exit']>): Ending[] {
  if (code === 0) return [];
  if (code !== null) return [{ code, why: `The server ended with exit code ${code}, which is passed on.` }];
  // Exit code of a signal, as in a shell; 15 for signals without a number in Node.
  const numbers: Partial<Record<NodeJS.Signals, number>> = {
    SIGHUP: 1,
    SIGINT: 2,
    SIGKILL: 9,
    SIGSEGV: 11,
    SIGTERM: 15,
  };
  return [
    { code: 128 + (numbers[signal ?? 'SIGTERM'] ?? 15), why: `The server was ended by ${signal ?? 'a signal'}.` },
  ];
}
