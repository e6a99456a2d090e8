/**
 * Verdicts become a scorecard: compliance, score, grade, counts. Pure; it must not look at anything but the
 * verdicts and the scoring table, and it must not decide exit codes (see exit-policy.ts).
 */
import { byCodeUnit } from '../model/json.ts';
import type { Level } from '../model/rules/requirement.ts';
import type { LevelScore, ReportPart, ReportVerdict } from '../model/reports/run-report.ts';
import { isDecided } from '../model/reports/verdict.ts';
import type { Status } from '../model/reports/verdict.ts';
import { gradeLimits, worst, type Ground } from './grade-limits.ts';
import type { GradeBand, Scoring } from './scoring.ts';

/** Summary of the verdicts of one revision; the members of a report's part explain each. */
export type Scorecard = Pick<
  ReportPart,
  | 'compliant'
  | 'score'
  | 'grade'
  | 'gradeLimits'
  | 'counts'
  | 'decided'
  | 'applicable'
  | 'conditional'
  | 'notReached'
  | 'areas'
  | 'levels'
>;

const levelOrder: readonly Level[] = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY'];

const tallyKeys = {
  pass: 'pass',
  fail: 'fail',
  'not-exercised': 'notExercised',
  'not-applicable': 'notApplicable',
  error: 'error',
} as const satisfies Record<Status, keyof LevelScore>;

/**
 * Weight of one decided verdict: the weight of its level, at most the cap of its severity, times the factor of its
 * area. So a MUST from prose (severity `warning`) has the weight of a SHOULD, and `info` has none.
 */
export function weightOf(verdict: Pick<ReportVerdict, 'level' | 'severity' | 'area'>, scoring: Scoring): number {
  const base = Math.min(scoring.levels[verdict.level], scoring.severityCaps[verdict.severity]);
  const factor = Object.hasOwn(scoring.areas, verdict.area) ? scoring.areas[verdict.area]! : 1;
  return base * factor;
}

/**
 * Rounds a share (0 to 1) to a score with one decimal, halves up. Only a whole share gives 100 and only an
 * empty one gives 0: 99.97 becomes 99.9 and 0.01 becomes 0.1, so neither end can hide a verdict.
 */
export function roundScore(share: number): number {
  if (share >= 1) return 100;
  if (share <= 0) return 0;
  const tenths = Math.floor(share * 1000 + 0.5 + 1e-9);
  return Math.min(999, Math.max(1, tenths)) / 10;
}

/** The grade of a score (0 to 100). */
export function gradeOf(score: number, bands: readonly GradeBand[]): string {
  return (bands.find((band) => score >= band.min) ?? bands.at(-1)!).grade;
}

/**
 * Counts, compliance, score and grade of all verdicts of a run. The order of the verdicts does not matter. What an
 * extension demands is counted, and scored in its area; compliance and score are those of the revision.
 *
 * @param ground what the verdicts stand on beyond themselves
 */
export function scoreVerdicts(
  verdicts: readonly ReportVerdict[],
  scoring: Scoring,
  ground: Pick<Ground, 'calledNone'> = { calledNone: false },
): Scorecard {
  const core = verdicts.filter(({ extension }) => extension === undefined);
  const counts: Record<Status, number> = { fail: 0, error: 0, 'not-exercised': 0, pass: 0, 'not-applicable': 0 };
  for (const verdict of verdicts) counts[verdict.status] += 1;

  const compliant = !core.some(
    (verdict) => verdict.status === 'error' || (verdict.status === 'fail' && verdict.severity === 'error'),
  );
  const score = weightedScore(core, scoring);
  const open = (kind: ReportVerdict['open']): number => verdicts.filter((verdict) => verdict.open === kind).length;
  const conditional = open('conditional');
  const decided = counts.pass + counts.fail;
  const applicable = verdicts.length - counts['not-applicable'];
  const earned = score === null ? null : gradeOf(score, scoring.bands);
  const limits =
    earned === null
      ? []
      : gradeLimits(
          {
            ...ground,
            compliant,
            violations: core.filter(isViolation).length,
            decided,
            applies: applicable - conditional,
          },
          scoring,
        ).filter(({ grade }) => worst([grade, earned], scoring.bands) !== earned);

  const areas = [...new Set(verdicts.map((verdict) => verdict.area))].sort(byCodeUnit).map((area) => {
    const own = verdicts.filter((verdict) => verdict.area === area);
    const extension = own[0]?.extension;
    return {
      area,
      extension,
      score: weightedScore(own, scoring),
      ...tally(own),
    };
  });
  const levels = levelOrder
    .map((level) => ({ level, own: verdicts.filter((verdict) => verdict.level === level) }))
    .filter(({ own }) => own.length > 0)
    .map(({ level, own }) => ({ level, ...tally(own) }));

  return {
    compliant,
    score,
    grade: earned === null ? null : worst([earned, ...limits.map(({ grade }) => grade)], scoring.bands),
    ...(limits.length === 0 ? {} : { gradeLimits: limits }),
    counts,
    decided,
    applicable,
    conditional,
    notReached: open('not-reached'),
    areas,
    levels,
  };
}

/** A failure that counts against compliance, each cause once. */
function isViolation({ status, severity, cause }: ReportVerdict): boolean {
  return status === 'fail' && severity === 'error' && cause === undefined;
}

function weightedScore(verdicts: readonly ReportVerdict[], scoring: Scoring): number | null {
  let decided = 0;
  let passed = 0;
  let flawless = true;
  for (const verdict of verdicts) {
    // A cause counts once, by the rule that names it.
    if (!isDecided(verdict.status) || verdict.cause !== undefined) continue;
    const weight = weightOf(verdict, scoring);
    decided += weight;
    if (verdict.status === 'pass') passed += weight;
    else if (weight > 0) flawless = false;
  }
  if (decided === 0) return null;
  // The sums may differ in the last bit; whether anything failed may not.
  return roundScore(flawless ? 1 : passed / decided);
}

function tally(verdicts: readonly ReportVerdict[]): Omit<LevelScore, 'level'> {
  const result = { pass: 0, fail: 0, notExercised: 0, notApplicable: 0, error: 0 };
  for (const verdict of verdicts) result[tallyKeys[verdict.status]] += 1;
  return result;
}
