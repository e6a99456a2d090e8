/** What a check asks of a target: probes, each a list of steps, on a shared connection or one of their own. */
import type { Step } from '../../model/rules/rule.ts';

export interface Probe {
  steps: Step[];
  /** Rules that asked for it, for progress and debugging; verdicts never depend on it. */
  rules: string[];
  /** Probes that begin as this one does, and follow it on its connection for as long as that one is in order. */
  then?: Probe[];
  /** Shared probes that spend their time waiting, and go on beside each other here when the steps are over. */
  beside?: readonly Probe[];
}

export interface ProbePlan {
  /** Run one after another on one session, all of which begins with a plain handshake; steps without it. */
  shared: Probe[];
  /** Each on a session of its own, with those that follow it there. */
  isolated: Probe[];
}

/** Every probe of the plan by itself, those that follow others too. */
export function everyProbe({ shared, isolated }: ProbePlan): Probe[] {
  return [...shared, ...isolated.flatMap((probe) => [probe, ...(probe.then ?? [])])];
}

/** JSON of a step with members in order, so that equal steps have equal text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(',')}}`;
}
