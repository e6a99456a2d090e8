/** The results of a run for scripts. Pure. */
import type { CaseStatus, SuiteReport } from '../../core/model/reports/suite-report.ts';

const plainStatus: Record<CaseStatus, string> = {
  pass: 'PASS',
  fail: 'FAIL',
  skip: 'SKIP',
  undecided: 'UNDECIDED',
  empty: 'EMPTY',
};

/** Output of `--json`: an entry for each trial, in the form that scripts around mcp-assert read. */
export function plainResults(report: SuiteReport): object[] {
  return report.cases.flatMap(({ name, trials, language }) =>
    trials
      .filter(({ repeated }) => repeated !== true)
      .map(({ trial, status, detail, durationMs }) => ({
        name,
        status: plainStatus[status],
        ...(detail === '' ? {} : { detail }),
        duration_ms: Math.round(durationMs),
        language,
        trial,
      })),
  );
}
