/**
 * Limits of a grade besides the score: violations, too few decided requirements, no called tool. A grade is read alone,
 * so it must not be better than its evidence.
 */
import { largest } from '../model/lists.ts';
import type { GradeLimit } from '../model/reports/run-report.ts';
import type { GradeBand, Scoring } from './scoring.ts';

export interface Ground {
  compliant: boolean;
  /** Failures that count against compliance, each cause once. */
  violations: number;
  decided: number;
  /** Requirements that apply in any case: all except inapplicable and conditional ones. */
  applies: number;
  /** Tools are listed, and none of them was called. */
  calledNone: boolean;
}

/** Every limit that holds, the lowest first. */
export function gradeLimits(
  { compliant, violations, decided, applies, calledNone }: Ground,
  { violationCaps, thin, bands }: Scoring,
): GradeLimit[] {
  const cap = violationCaps.findLast((one) => violations >= one.violations) ?? violationCaps[0];
  const percent = (share: number): string => `${Math.floor(100 * share)} %`;
  return [
    ...(compliant || cap === undefined
      ? []
      : [{ grade: cap.grade, why: violations === 0 ? 'not all could be judged' : `${violations} violated` }]),
    ...(applies > 0 && decided / applies < thin.decided
      ? [
          {
            grade: thin.grade,
            why: `${percent(decided / applies)} of what applies was decided, and an ${bands[0]!.grade} needs ${percent(thin.decided)}`,
          },
        ]
      : []),
    ...(calledNone ? [{ grade: thin.grade, why: 'no tool was called' }] : []),
  ].sort((a, b) => place(b.grade, bands) - place(a.grade, bands));
}

/** The worst of some grades. */
export function worst(grades: readonly string[], bands: readonly GradeBand[]): string {
  return bands[largest(grades.map((grade) => place(grade, bands)))]!.grade;
}

function place(grade: string, bands: readonly GradeBand[]): number {
  return bands.findIndex((band) => band.grade === grade);
}
