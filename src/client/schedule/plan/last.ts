/** Probes that end the server, or might, come when all others are done; those that end it only where the checker can start it again. */
import { traitsOfSteps } from '../../steps/table.ts';
import type { Probe, ProbePlan } from './probe.ts';

/** @param mayEnd the checker started the server */
export function splitLast(plan: ProbePlan, mayEnd: boolean): { plan: ProbePlan; last: Probe[] } {
  const has = (probe: Probe, trait: 'comesLast' | 'endsServer'): boolean =>
    [probe, ...(probe.then ?? [])].some(({ steps }) => traitsOfSteps(steps)[trait] === true);
  const late = plan.isolated.filter((probe) => has(probe, 'comesLast') && !has(probe, 'endsServer'));
  const ends = plan.isolated.filter((probe) => has(probe, 'endsServer'));
  return {
    plan: { ...plan, isolated: plan.isolated.filter((probe) => !late.includes(probe) && !ends.includes(probe)) },
    last: mayEnd ? [...late, ...ends] : late,
  };
}

/** Whether work is cancelled on the connection of a probe, or of those that follow it: what a server sends all the same may come late. */
export function cancelsWork(probe: Probe): boolean {
  return [probe, ...(probe.then ?? [])].some(({ steps }) => traitsOfSteps(steps).cancels === true);
}
