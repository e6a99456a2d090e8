/** Outcome of a rule of level MAY: whether a permitted feature was used, with the first subject that shows it. */
import type { FeatureStatus } from '../model/reports/verdict.ts';
import type { OutcomeCase } from './outcome-cases.ts';
import type { RuleOutcome } from './rule-tally.ts';

export interface FeatureOutcome extends Omit<RuleOutcome, 'status' | 'cases'> {
  status: FeatureStatus;
  /** Number of uses. */
  judged: number;
  /** The first use; absent where none was seen. */
  shown?: OutcomeCase;
}

/** @param outcome of the rule as it is judged: each use passes, and nothing else is judged */
export function featureOutcome({ cases, status, ...outcome }: RuleOutcome): FeatureOutcome {
  const [shown] = cases;
  return status === 'pass'
    ? { ...outcome, status: 'used', ...(shown === undefined ? {} : { shown }) }
    : { ...outcome, status: 'not-seen' };
}
