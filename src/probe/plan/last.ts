/** Probes that end the server come when all others are done, and only where the checker can start it again. */
import { traitsOfSteps } from '../steps/table.ts';
import type { Probe, ProbePlan } from './probe.ts';

/** @param mayEnd the checker started the server */
export function splitLast(plan: ProbePlan, mayEnd: boolean): { plan: ProbePlan; last: Probe[] } {
  const ends = (probe: Probe): boolean => [probe, ...(probe.then ?? [])].some(({ steps }) => traitsOfSteps(steps).endsServer === true);
  return { plan: { ...plan, isolated: plan.isolated.filter((probe) => !ends(probe)) }, last: mayEnd ? plan.isolated.filter(ends) : [] };
}
