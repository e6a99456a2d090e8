/** Compares the server of a suite with the lock next to it. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usageError } from '../../../core/model/errors.ts';
import type { DriftReport } from '../../../report/drift/drift-text.ts';
import { failingClasses } from '../../../core/drift/failing-classes.ts';
import { usualLock } from '../../../files/locks/lock-file.ts';
import { oneTarget } from '../../run/connect/override.ts';
import type { PreparedRun } from './run.ts';

/** The lock next to the suites, in the folder itself or that of the file. */
export function suiteLock(suites: readonly string[]): string | undefined {
  return suites
    .map((suite) => join(existsSync(suite) && statSync(suite).isDirectory() ? suite : dirname(suite), usualLock))
    .find((path) => existsSync(path));
}

/** @throws McpcError usage for a lock that is not valid, or cases of several servers; target */
export async function compareSuiteServer(
  { options, all }: PreparedRun,
  path: string,
  failOn: string,
  signal: AbortSignal,
): Promise<DriftReport> {
  const failsOn = failingClasses(failOn, '--drift-fail-on');
  const target = oneTarget({ ...options, cases: all });
  if (target === undefined)
    throw usageError(
      `${path} cannot be compared: the cases do not have one server in common.`,
      'Run "mcpc drift check" for each server, and keep the lock in another folder.',
    );
  const { compareWithLock } = await import('../../../check/drift/gate.ts');
  const { report } = await compareWithLock(
    { path, failsOn },
    {
      target,
      name: path,
      fallback: true,
      secrets: [...options.secrets],
      spec: options.spec,
      timing: {},
      toolVersion: options.toolVersion,
      signal,
    },
  );
  return report;
}
