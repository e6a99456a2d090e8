/** Whether a case is left out, and why. Pure. */
import type { SuiteCase } from './model.ts';

/** Words for a case that is not run; undefined for one that is. */
export function skipReason(one: SuiteCase, env: NodeJS.ProcessEnv): string | undefined {
  if (one.skip !== undefined) return one.skip.reason;
  return one.skipUnlessEnv !== undefined && (env[one.skipUnlessEnv] ?? '') === ''
    ? `environment variable ${one.skipUnlessEnv} is not set`
    : undefined;
}
