/**
 * The scoring table of rules/language/scoring.json: its shape, and the checks that a JSON Schema cannot make.
 * It must not score anything itself.
 */
import type { Level, Severity } from '../model/rules/requirement.ts';
import { usageError } from '../model/errors.ts';
import table from '../../../rules/language/scoring.json' with { type: 'json' };

export interface GradeBand {
  grade: string;
  /** The lowest score (0 to 100) that earns the grade. */
  min: number;
}

export interface Scoring {
  version: 1;
  /** Weight of one decided verdict. */
  levels: Record<Level, number>;
  /** The most that a verdict of the severity can weigh. */
  severityCaps: Record<Severity, number>;
  /** Factor by area; 1 for areas that are not named. */
  areas: Record<string, number>;
  /** Best grade first; the last band starts at 0. */
  bands: GradeBand[];
  /** Best grade of a target that is not compliant, by how many violations there are at least; fewest first. */
  violationCaps: { violations: number; grade: string }[];
  /** Best grade where less than that share (0 to 1) of what applies was decided, or tools are listed and none was called. */
  thin: { decided: number; grade: string };
}

/**
 * Checks that bands fall strictly and end at 0, that grades are unique, and that every cap is a grade below the best and
 * below the one before it.
 * @throws McpcError (usage) naming what is wrong.
 */
export function checkScoring(scoring: Scoring): Scoring {
  const { bands, violationCaps, thin } = scoring;
  for (let i = 1; i < bands.length; i++) {
    if (bands[i]!.min >= bands[i - 1]!.min) {
      throw usageError(`Scoring: grade ${bands[i]!.grade} must start below grade ${bands[i - 1]!.grade}.`);
    }
  }
  if (bands.at(-1)?.min !== 0) throw usageError('Scoring: the last grade band must start at 0.');
  if (new Set(bands.map((band) => band.grade)).size !== bands.length)
    throw usageError('Scoring: a grade stands twice.');
  const place = (grade: string): number => bands.findIndex((band) => band.grade === grade);
  if (place(thin.grade) < 1) throw usageError('Scoring: thin.grade must be a grade below the best.');
  violationCaps.forEach(({ violations, grade }, at) => {
    const before = violationCaps[at - 1];
    if (place(grade) < 1 || (before !== undefined && place(grade) <= place(before.grade)))
      throw usageError(`Scoring: violationCaps[${at}].grade must be a grade below ${before?.grade ?? 'the best'}.`);
    if (violations <= (before?.violations ?? 0))
      throw usageError(`Scoring: violationCaps[${at}].violations must be more than ${before?.violations ?? 0}.`);
  });
  return scoring;
}

/** The table that ships with mcpc. */
export const defaultScoring: Scoring = checkScoring(table as Scoring);
