/** What a check asks of a target: probes, each a list of steps, and the connections on which they run. */
import type { Step } from '../../../core/model/rules/rule.ts';

export interface Probe {
  steps: Step[];
  /** Rules that asked for it, for progress and debugging; verdicts never depend on it. */
  rules: string[];
}

/** Probes that run one after another on one connection, with the same handshake. Never empty. */
export type Chain = readonly Probe[];

export interface ProbePlan {
  /** Probes for one session with the usual handshake; their steps begin behind it. Those that begin alike are neighbours. */
  shared: Probe[];
  /** A chain that goes on with the session of the shared probes; it begins with the usual handshake. */
  ending?: Chain;
  /** Each on a connection of its own. */
  chains: Chain[];
}

/** Every probe of the plan. */
export function everyProbe({ shared, ending = [], chains }: ProbePlan): Probe[] {
  return [...shared, ...ending, ...chains.flat()];
}
