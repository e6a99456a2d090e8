/** A check that also compares the server with its lock. */
import { exitCodes } from '../../core/model/errors.ts';
import { failingClasses } from '../../core/drift/failing-classes.ts';
import { driftShortfall, githubText, terminalText, type DriftReport } from '../../report/drift/drift-text.ts';
import { compareWithLock } from './gate.ts';
import type { ReadOptions } from './read-offer.ts';

export interface CheckWithLockOptions {
  lock: string;
  'drift-fail-on': string;
  lockName: string | undefined;
}

/**
 * Compares with the lock, then checks, then prints the changes.
 * @returns the exit code: that of the check, or 1 for a change that fails
 * @throws McpcError usage for a lock that is not valid, or holds several servers and none of the name; target
 */
export async function checkWithLock(
  { lock, lockName, 'drift-fail-on': failOn }: CheckWithLockOptions,
  reach: ReadOptions,
  work: {
    once(): Promise<number>;
    within<T>(promise: Promise<T>): Promise<T | undefined>;
    talk(line: string): void;
  },
): Promise<number> {
  const failsOn = failingClasses(failOn, '--drift-fail-on');
  const compared = await work.within(compareWithLock({ path: lock, lockName, failsOn }, reach));
  if (compared === undefined) return exitCodes.interrupted;
  const code = await work.once();
  const failing = printDrift(compared.report, work.talk);
  return code === exitCodes.compliant && failing.length > 0 ? exitCodes.notCompliant : code;
}

/** Prints the changes. @returns a sentence for each thing that fails */
export function printDrift(report: DriftReport, talk: (line: string) => void): string[] {
  talk(terminalText(report).trimEnd());
  const annotations = githubText(report).trimEnd();
  if (process.env['GITHUB_ACTIONS'] === 'true' && annotations !== '') talk(annotations);
  return driftShortfall(report);
}
