/** A SuiteReport with every kind of case, and texts that no format may take for its own. */
import type { SuiteCaseReport, SuiteReport } from '../../src/core/model/reports/suite-report.ts';

const nasty = `<script>alert(1)</script> ]]> & "quotes" {{braces}} | pipe #tag ::error:: \u001b[31mred\u0007 \u202e`;

function caseOf(
  number: number,
  status: SuiteCaseReport['status'],
  more: Partial<SuiteCaseReport> = {},
): SuiteCaseReport {
  const detail =
    status === 'fail'
      ? `expected result to contain "x", got: ${nasty}`
      : status === 'skip'
        ? 'environment variable TOKEN is not set'
        : status === 'undecided'
          ? 'secrets were taken out'
          : '';
  return {
    id: `evals/case-${number}.yaml#1`,
    name: `case ${number}: ${nasty}`,
    file: `evals/case-${number}.yaml`,
    line: 1,
    form: 'assert',
    block: 'assert',
    about: 'read_file',
    tags: ['smoke'],
    status,
    durationMs: 12.5,
    detail,
    flaky: false,
    trials: [
      {
        trial: 1,
        status,
        durationMs: 12.5,
        detail,
        failures:
          status === 'fail'
            ? [
                {
                  step: 'assert',
                  title: 'tools/call read_file',
                  expectation: 'contains',
                  detail,
                  expected: 'x',
                  actual: nasty,
                  line: 7,
                  column: 5,
                  evidence: [
                    {
                      seq: 4,
                      t: 10,
                      session: 's1',
                      from: 'client',
                      kind: 'message',
                      label: 'request 2 tools/call',
                      body: '{"id": 2}',
                    },
                    { seq: 5, t: 12, session: 's1', from: 'server', kind: 'message', label: 'result 2', body: nasty },
                  ],
                },
              ]
            : [],
        stderr: status === 'fail' ? [`warning ${nasty}`] : [],
      },
    ],
    rerun: `mcpc run evals/case-${number}.yaml`,
    ...more,
  };
}

/** @param size how many cases it has */
export function sampleSuite(size = 5): SuiteReport {
  const kinds = ['pass', 'fail', 'skip', 'undecided', 'pass'] as const;
  const cases = Array.from({ length: size }, (_one, index) =>
    caseOf(index + 1, kinds[index % kinds.length]!, index % 5 === 4 ? { flaky: true } : {}),
  );
  const count = (status: string): number => cases.filter((one) => one.status === status).length;
  return {
    format: 'mcpc-suite-report',
    version: 1,
    tool: { name: 'mcpc', version: '1.2.3' },
    suites: ['evals'],
    startedAt: '2026-11-22T10:00:00.000Z',
    durationMs: 1500,
    counts: {
      total: size,
      passed: count('pass'),
      failed: count('fail'),
      skipped: count('skip'),
      undecided: count('undecided'),
      flaky: cases.filter(({ flaky }) => flaky).length,
    },
    reliability: { trials: 3, cases: size, capable: size - 2, reliable: size - 3 },
    cases,
    baseline: {
      file: 'base.json',
      regressions: [{ name: nasty, was: 'PASS', is: 'FAIL' }],
      gone: ['gone'],
      mended: ['mended'],
    },
    notices: [nasty],
    incomplete: null,
  };
}
