/** Whether a case is skipped, and why. Pure. */
import type { SuiteCase } from './model.ts';

/** Reason for a skipped case; undefined for one that runs. */
export function skipReason(one: SuiteCase, env: NodeJS.ProcessEnv): string | undefined {
  if (one.skip !== undefined) return one.skip.reason;
  return one.skipUnlessEnv !== undefined && (env[one.skipUnlessEnv] ?? '') === ''
    ? `environment variable ${one.skipUnlessEnv} is not set`
    : undefined;
}
