/** Estimates of how long probes take, from their steps alone, so that two runs agree on the order. */
import { isObject } from '../../../core/model/json.ts';
import type { Step } from '../../../core/model/rules/rule.ts';
import { ownTraits, stepsWithin, traitsOfSteps } from '../../steps/table.ts';
import type { Probe } from './probe.ts';

/** A wait for a message that may never come takes as long as this many replies of a fast server, or longer. */
const repliesOfWait = 20;

/** Probes in the order in which they start: no long one is left to run alone at the end. */
export function longestFirst(probes: readonly Probe[]): Probe[] {
  return [...probes].sort((a, b) => durationOf(b) - durationOf(a));
}

function durationOf({ steps }: Probe): number {
  const { waits, takesTime } = traitsOfSteps(steps);
  return repliesTo(steps) + (waits === true || takesTime === true ? repliesOfWait : 0);
}

/** Replies that steps get. Steps within a step depend on what the target offers, so they count a sixth; repeated ones count each time. */
function repliesTo(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + 1 + (typeof step === 'string' ? 0 : repliesWithin(step)), 0);
}

function repliesWithin(step: Exclude<Step, string>): number {
  const within = repliesTo(stepsWithin(step).flat());
  return typeof step.repeat === 'number' ? step.repeat * within : (Number(step.each ?? 1) * (1 + within) - 1) / 6;
}

/** Number of times, one after another, that the steps wait for a message that may never come. */
export function waitsIn(steps: readonly Step[]): number {
  // Waits for answers to odd messages go on together.
  const odd = steps.some(isOddMessage) ? 1 : 0;
  return steps.reduce((sum, step) => sum + (isOddMessage(step) ? 0 : waitsOfStep(step)), odd);
}

function isOddMessage(step: Step): boolean {
  return isObject(step) && 'message' in step && step.brief === true;
}

function waitsOfStep(step: Step): number {
  if (!isObject(step)) return ownTraits(step).waits === true ? 1 : 0;
  const within = stepsWithin(step).map(waitsIn);
  const own = step.wait !== false && ownTraits(step).waits === true ? 1 : 0;
  return within.reduce((one, other) => ('parallel' in step ? Math.max(one, other) : one + other), own);
}
