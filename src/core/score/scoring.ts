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
  /** Best grade of a target that is not compliant. */
  nonCompliantCap: string;
}

/**
 * Checks that bands fall strictly and end at 0, that grades are unique, and that the cap is a grade below the best.
 * @throws McpcError (usage) naming what is wrong.
 */
export function checkScoring(scoring: Scoring): Scoring {
  const { bands, nonCompliantCap } = scoring;
  for (let i = 1; i < bands.length; i++) {
    if (bands[i]!.min >= bands[i - 1]!.min) {
      throw usageError(`Scoring: grade ${bands[i]!.grade} must start below grade ${bands[i - 1]!.grade}.`);
    }
  }
  if (bands.at(-1)?.min !== 0) throw usageError('Scoring: the last grade band must start at 0.');
  if (new Set(bands.map((band) => band.grade)).size !== bands.length)
    throw usageError('Scoring: a grade stands twice.');
  const cap = bands.findIndex((band) => band.grade === nonCompliantCap);
  if (cap < 1) throw usageError('Scoring: nonCompliantCap must be a grade below the best.');
  return scoring;
}

/** The table that ships with mcpc. */
export const defaultScoring: Scoring = checkScoring(table as Scoring);
