/**
 * The lanes of suites that no SDK runs, and the commands that do. One list: mcpc prints the same words for the lanes that
 * `mcpc run` leaves out.
 */

import { quoted } from './quote.ts';

/** Keys of a suite that have no request in the coprocess protocol. Report each that a suite declares as skipped, with `laneSkipReason`. */
export const UNSUPPORTED_SDK_LANES = ['agents', 'compliance', 'security', 'evals'] as const;

export type UnsupportedLane = (typeof UNSUPPORTED_SDK_LANES)[number];

const commands: Readonly<Record<UnsupportedLane, (suite: string) => string>> = {
  agents: (suite) => `mcpc run ${suite}`,
  compliance: (suite) => `mcpc compliance run --from-suite ${suite}`,
  security: (suite) => `mcpc run ${suite}`,
  evals: (suite) => `mcpc eval ${suite}`,
};

/** The command that runs a lane. @param suite path of the suite; a placeholder when absent */
export function laneCliHint(lane: UnsupportedLane, suite?: string): string {
  return commands[lane](suite === undefined ? '<suite>' : quoted(suite));
}

/** One line for a report: why a lane is skipped, and what runs it. */
export function laneSkipReason(lane: UnsupportedLane, suite?: string): string {
  return `lane "${lane}" is not drivable over the coprocess; run it with: ${laneCliHint(lane, suite)}`;
}

/** One line of `mcpc run` about a lane that it leaves out, with the command that is meant for it. */
export function laneModelReason(lane: 'agents' | 'evals', suite: string): string {
  return `lane "${lane}" needs a model, and mcpc calls none; its command is: ${laneCliHint(lane, suite)}`;
}

/** The lanes among the keys of a suite that have to be reported as skipped. @param suite a parsed suite */
export function unsupportedLanes(suite: Readonly<Record<string, unknown>>): UnsupportedLane[] {
  return UNSUPPORTED_SDK_LANES.filter((lane) => suite[lane] !== undefined && suite[lane] !== null);
}
