/** Cases that failed last, by the folder and the suites of a run; stored with the other caches of the user. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeWhole } from '../../files/output/draft.ts';
import { usageError } from '../../core/model/errors.ts';
import type { SuiteReport } from '../../core/model/reports/suite-report.ts';
import { cacheFolder } from '../../files/config/cache-folder.ts';
import { makeFolder } from '../../files/output/make-folder.ts';

/** Ids of cases, as in the report. */
interface LastRun {
  failed: string[];
}

/** @throws McpcError usage when no run is known */
export function failedLast(suites: readonly string[], env: NodeJS.ProcessEnv): ReadonlySet<string> {
  const failed = readFailed(suites, env);
  if (failed === undefined)
    throw usageError('No run of these suites from this folder is known.', 'Run them once without --failed.');
  return new Set(failed);
}

/** Undefined when no run is known, whatever the reason. */
function readFailed(suites: readonly string[], env: NodeJS.ProcessEnv): readonly string[] | undefined {
  try {
    const { failed } = JSON.parse(readFileSync(fileOf(suites, env), 'utf8')) as Partial<LastRun>;
    return Array.isArray(failed) ? failed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Keeps what failed; of cases that were not run what was known of them stays. A cache that cannot be written is no
 * fault of the run.
 */
export function noteFailed({ cases, suites }: SuiteReport, env: NodeJS.ProcessEnv): void {
  const run = new Set(cases.map(({ id }) => id));
  const before = (readFailed(suites, env) ?? []).filter((id) => !run.has(id));
  const failed = [...before, ...cases.filter(({ status }) => status === 'fail').map(({ id }) => id)];
  try {
    const file = fileOf(suites, env);
    makeFolder(dirname(file));
    writeWhole(file, JSON.stringify({ failed } satisfies LastRun), { sync: false });
  } catch {
    // No place to keep it.
  }
}

function fileOf(suites: readonly string[], env: NodeJS.ProcessEnv): string {
  const key = createHash('sha256')
    .update(JSON.stringify([process.cwd(), suites.map((one) => resolve(one))]))
    .digest('hex')
    .slice(0, 32);
  return join(cacheFolder(env), 'suites', `${key}.json`);
}
