/** What a check asks of a target: probes, each a list of steps, on a shared connection or one of their own. */
import type { Step } from '../../../core/model/rules/rule.ts';

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
  /** Run one after another on one session, all of which begins with a plain handshake; steps without it. Those that begin alike are neighbours. */
  shared: Probe[];
  /** Goes on with the shared session when all else on it is done, with those that follow it; begins as that does. */
  ending?: Probe;
  /** Each on a session of its own, with those that follow it there. */
  isolated: Probe[];
  /** The same, run one after another before anything else. */
  quiet?: Probe[];
}

/** Every probe of the plan by itself, those that follow others too. */
export function everyProbe({ shared, ending, isolated, quiet = [] }: ProbePlan): Probe[] {
  const chains = ending === undefined ? isolated : [ending, ...isolated];
  return [...quiet, ...shared, ...chains.flatMap((probe) => [probe, ...(probe.then ?? [])])];
}
