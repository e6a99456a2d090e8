/** How long probes take beside each other, estimated: the longest go first, so that no long one is left to run alone at the end. */
import { isObject } from '../../../core/model/json.ts';
import type { Step } from '../../../core/model/rules/rule.ts';
import { ownTraits, stepsWithin, traitsOfSteps } from '../../steps/table.ts';
import type { Probe } from './probe.ts';

/** A wait for what may never come takes as long as so many answers of a server that is not slow, or longer. */
const waitsFor = 20;

export function longestFirst(probes: readonly Probe[]): Probe[] {
  return [...probes].sort((a, b) => durationOf(b) - durationOf(a));
}

/** For processes, which start one after another: those with more to wait for go first, so that others start meanwhile. */
export function mostWaitsFirst(probes: readonly Probe[]): Probe[] {
  const waits = new Map(
    probes.map((probe) => [probe, [probe, ...(probe.then ?? [])].reduce((sum, { steps }) => sum + waitsIn(steps), 0)]),
  );
  return [...probes].sort((a, b) => waits.get(b)! - waits.get(a)!);
}

function durationOf({ steps }: Probe): number {
  const { waits, takesTime } = traitsOfSteps(steps);
  return answersTo(steps) + (waits === true || takesTime === true ? waitsFor : 0);
}

/** How many waits for what may never come the steps go through one after another, at most. */
export function waitsIn(steps: readonly Step[]): number {
  // Those for the answers to odd messages go on together.
  const first = steps.some(isOddMessage) ? 1 : 0;
  return steps.reduce((sum, step) => sum + (isOddMessage(step) ? 0 : waitsOfStep(step)), first);
}

function isOddMessage(step: Step): boolean {
  return isObject(step) && 'message' in step && step.brief === true;
}

function waitsOfStep(step: Step): number {
  // What needs quiet waits where a hint gives it something to see, and goes before all others then.
  if (!isObject(step)) return traitsOfSteps([step]).waits === true && traitsOfSteps([step]).needsQuiet !== true ? 1 : 0;
  const within = stepsWithin(step).map(waitsIn);
  const own = step.wait !== false && ownTraits(step).waits === true ? 1 : 0;
  return within.reduce((one, other) => ('parallel' in step ? Math.max(one, other) : one + other), own);
}

/** Answers that steps get. What is repeated counts each time; other steps within a step depend on what the target offers: they count a sixth, and as often as the step may find something. */
function answersTo(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + 1 + (typeof step === 'string' ? 0 : answersWithin(step)), 0);
}

function answersWithin(step: Exclude<Step, string>): number {
  const within = answersTo(stepsWithin(step).flat());
  return typeof step.repeat === 'number' ? step.repeat * within : (Number(step.each ?? 1) * (1 + within) - 1) / 6;
}
