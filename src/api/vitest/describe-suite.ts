/** Cases of YAML suites as tests of vitest. */
import { describe, test } from 'vitest';
import { listCases, runSuite, type SuiteCaseInfo, type SuiteCaseReport, type SuiteOptions } from '../index.ts';

export interface DescribeSuiteOptions extends SuiteOptions {
  /** Name of the group; the paths when absent. */
  name?: string;
}

/**
 * Makes a group with a test for each case of suites. They run in this process, and share servers as the suites say.
 * @param paths a file or folder, or several
 */
export function describeSuite(paths: string | readonly string[], options: DescribeSuiteOptions = {}): void {
  const { name = typeof paths === 'string' ? paths : paths.join(', '), ...how } = options;
  describe(name, async () => {
    const cases = await listCases(paths, how);
    const run = createRun(paths, how, cases);
    for (const one of cases)
      test(one.name, { timeout: 0 }, async ({ skip, task }) => {
        // Tests that the command line of vitest excludes are not run.
        const modes = task.suite?.tasks.map(({ mode }) => mode) ?? [];
        run.begin(cases.filter((_case, at) => modes[at] !== 'skip' && modes[at] !== 'todo'));
        const report = await run.of(one);
        if (report.status === 'skip') skip(report.detail);
        if (report.status === 'fail' || report.status === 'undecided') throw failureOf(report);
      });
  });
}

interface Waiting {
  promise: Promise<SuiteCaseReport>;
  resolve(report: SuiteCaseReport): void;
  reject(error: unknown): void;
}

function createRun(paths: string | readonly string[], how: SuiteOptions, cases: readonly SuiteCaseInfo[]) {
  const waiting = new Map<string, Waiting>();
  let begun = false;
  for (const { id } of cases) waiting.set(id, deferred());
  return {
    /** Starts the run, once. */
    begin(chosen: readonly SuiteCaseInfo[]): void {
      if (begun) return;
      begun = true;
      const done = runSuite(paths, {
        ...how,
        filter: chosen.map(({ id }) => id),
        onCase(report) {
          waiting.get(report.id)?.resolve(report);
          how.onCase?.(report);
        },
      });
      const end = (error: unknown): void => {
        for (const one of waiting.values()) one.reject(error);
      };
      done.then(({ incomplete }) => end(new Error(`the case was not run: ${incomplete ?? 'it was not chosen'}`)), end);
    },
    of: ({ id }: SuiteCaseInfo): Promise<SuiteCaseReport> => waiting.get(id)!.promise,
  };
}

function deferred(): Waiting {
  let resolve: Waiting['resolve'] = () => {};
  let reject: Waiting['reject'] = () => {};
  const promise = new Promise<SuiteCaseReport>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // The caller gets the error.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** An error that shows the place of the case. */
function failureOf({ detail, file, line, trials, rerun }: SuiteCaseReport): Error {
  const [failure] = trials.find(({ status }) => status !== 'pass')?.failures ?? [];
  const exchange = (failure?.evidence ?? []).map(({ from, body }) => `  ${from === 'client' ? '→' : '←'} ${body}`);
  const error = new Error([detail, ...exchange, `  alone: ${rerun}`].join('\n'));
  error.stack = `${error.name}: ${error.message}\n    at ${file}:${failure?.line ?? line}:${failure?.column ?? 1}`;
  return error;
}
