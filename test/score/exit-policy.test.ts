import { describe, expect, it } from 'vitest';
import { runOf, type PartReport } from '../../src/core/model/reports/run-parts.ts';
import type { ReportVerdict, RunReport } from '../../src/core/model/reports/run-report.ts';
import { exitVerdict } from '../../src/core/score/exit-policy.ts';
import type { ExitOptions } from '../../src/core/score/exit-policy.ts';
import { defaultScoring } from '../../src/core/score/scoring.ts';
import { scoreVerdicts } from '../../src/core/score/scorecard.ts';
import { sampleReport } from '../support/sample-report.ts';
import { verdictWith } from '../support/verdicts.ts';

const { bands } = defaultScoring;

function reportOf(verdicts: ReportVerdict[], more: Partial<PartReport> = {}): RunReport {
  const { baseline: _none, ...base } = sampleReport();
  return runOf({ ...base, ...scoreVerdicts(verdicts, defaultScoring), verdicts, ...more });
}

const pass = verdictWith({ rule: 'a/pass' });
const breach = verdictWith({ rule: 'a/breach', status: 'fail' });
const warning = verdictWith({ rule: 'a/warning', status: 'fail', level: 'SHOULD', severity: 'warning' });
const broken = verdictWith({ rule: 'a/broken', status: 'error' });
const open = verdictWith({ rule: 'a/open', status: 'not-exercised' });
const foreign = verdictWith({ rule: 'a/foreign', status: 'not-applicable' });
const lists = (more: Partial<NonNullable<PartReport['baseline']>>) => ({
  baseline: { file: 'b.json', known: [], fresh: [], stale: [], ...more },
});

describe('exit code', () => {
  it.each<[string, RunReport, Partial<ExitOptions>, number, RegExp]>([
    ['all pass', reportOf([pass]), {}, 0, /No MUST-level violations/],
    ['a warning only', reportOf([pass, warning]), {}, 0, /No MUST-level violations/],
    ['one violation', reportOf([pass, breach]), {}, 1, /1 requirement violated: a\/breach/],
    ['our own error', reportOf([pass, broken]), {}, 4, /failed to judge 1 rule: a\/broken/],
    ['a violation beside our own error', reportOf([breach, broken]), {}, 1, /violated/],
    ['nothing decided', reportOf([open, foreign]), {}, 1, /Nothing was decided/],
    ['no verdicts', reportOf([]), {}, 1, /Nothing was decided/],
    ['nothing applies', reportOf([foreign]), {}, 0, /No requirement applies/],
    [
      'cut short',
      reportOf([pass], { incomplete: 'the target went away.' }),
      {},
      1,
      /incomplete: the target went away\.$/,
    ],
    [
      'known failure',
      reportOf([pass, breach], lists({ known: ['a/breach'] })),
      {},
      0,
      /Within the baseline: 1 known failure/,
    ],
    [
      'fresh failure',
      reportOf([pass, breach], lists({ fresh: ['a/breach'] })),
      {},
      1,
      /violated and not in the baseline/,
    ],
    ['fresh warning', reportOf([pass, warning], lists({ fresh: ['a/warning'] })), {}, 0, /No MUST-level violations/],
    ['stale entry', reportOf([pass], lists({ stale: ['a/pass'] })), {}, 1, /1 baseline entry passing now.*a\/pass/],
    [
      'known failure beside our own error',
      reportOf([breach, broken], lists({ known: ['a/breach'] })),
      {},
      4,
      /failed to judge/,
    ],
    ['score reached', reportOf([pass]), { minScore: 100 }, 0, /No MUST-level violations/],
    ['score missed', reportOf([pass, warning]), { minScore: 99 }, 1, /score 76\.9 is below 99/],
    ['no score', reportOf([foreign]), { minScore: 1 }, 1, /no score/],
    ['grade reached', reportOf([pass]), { minGrade: 'A' }, 0, /No MUST-level violations/],
    ['grade missed', reportOf([pass, warning]), { minGrade: 'B' }, 1, /grade C is below B/],
    ['no grade', reportOf([foreign]), { minGrade: 'F' }, 1, /no grade/],
  ])('%s', (_name, report, options, code, why) => {
    const verdict = exitVerdict(report, { bands, ...options });
    expect(verdict.why).toMatch(why);
    expect(verdict.code).toBe(code);
  });

  it('names at most five rules', () => {
    const many = Array.from({ length: 8 }, (_, i) => verdictWith({ rule: `a/r${i}`, status: 'fail' }));
    expect(exitVerdict(reportOf(many), { bands }).why).toBe(
      '8 requirements violated: a/r0, a/r1, a/r2, a/r3, a/r4 and 3 more.',
    );
  });

  it.each<[Partial<ExitOptions>, RegExp]>([
    [{ minScore: 101 }, /between 0 and 100/],
    [{ minScore: Number.NaN }, /between 0 and 100/],
    [{ minGrade: 'Z' }, /"Z" is no grade; use one of A, B, C, D, E, F/],
  ])('refuses %o', (options, message) => {
    expect(() => exitVerdict(reportOf([pass]), { bands, ...options })).toThrow(message);
  });
});

it('tells every cause of a code that is not 0, the first one first', () => {
  const report = reportOf([breach, broken, warning], {
    ...lists({ stale: ['a/gone'] }),
    incomplete: 'the target went away',
  });
  const { code, why, causes } = exitVerdict(report, { bands, minScore: 99 });
  expect(code).toBe(1);
  expect(causes).toEqual([
    '1 requirement violated and not in the baseline: a/breach.',
    '1 baseline entry passing now; remove with --update-baseline: a/gone.',
    'mcpc failed to judge 1 rule: a/broken.',
    'The run is incomplete: the target went away.',
    'The score 0 is below 99.',
  ]);
  expect(why).toBe(causes[0]);
  expect(exitVerdict(reportOf([pass]), { bands }).causes).toEqual([]);
});
