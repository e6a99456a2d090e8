/**
 * Errors that end a command, each with the exit code and the remedy. A server's error reply is data and
 * never one of these.
 */

/** 0 compliant, 1 not, 2 wrong usage or rule file, 3 target not reachable or not speaking MCP, 4 our bug, 130 interrupted. */
export const exitCodes = { compliant: 0, notCompliant: 1, usage: 2, target: 3, internal: 4, interrupted: 130 } as const;

export type ErrorStage = 'usage' | 'target' | 'internal' | 'interrupted';

export class McpcError extends Error {
  readonly stage: ErrorStage;
  /** Remedy for the reader, one sentence. */
  readonly remedy: string | undefined;

  constructor(stage: ErrorStage, message: string, options: { remedy?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'McpcError';
    this.stage = stage;
    this.remedy = options.remedy;
  }

  get exitCode(): number {
    return exitCodes[this.stage];
  }
}

/** Wrong flag, unreadable or invalid file, broken rule. */
export function usageError(message: string, remedy?: string, cause?: unknown): McpcError {
  return new McpcError('usage', message, { remedy, cause });
}

/** The target could not be started or reached, or does not speak MCP. */
export function targetError(message: string, remedy?: string, cause?: unknown): McpcError {
  return new McpcError('target', message, { remedy, cause });
}

/** @throws McpcError interrupted once the signal was given: what ends because the user stopped it is no fault of the target */
export function stopIfInterrupted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new McpcError('interrupted', 'Interrupted.');
}
