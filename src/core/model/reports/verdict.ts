/** Verdicts: their statuses and order. Shapes only. */

/**
 * - `pass`, `fail`: decided by what was observed.
 * - `not-applicable`: the requirement does not bind this target (capability not declared, other transport).
 * - `not-exercised`: it binds, but nothing observed could decide it.
 * - `error`: mcpc itself failed to judge.
 */
export const statuses = ['fail', 'error', 'not-exercised', 'pass', 'not-applicable'] as const;
export type Status = (typeof statuses)[number];

/**
 * Why a requirement is undecided: it applies and the run did not reach it, or it applies only to a target that does
 * something that was not observed.
 */
export const openKinds = ['not-reached', 'conditional'] as const;
export type OpenKind = (typeof openKinds)[number];

/** Result of a rule of level MAY: the permitted feature was used, or no use of it was seen, which proves nothing. */
export const featureStatuses = ['used', 'not-seen'] as const;
export type FeatureStatus = (typeof featureStatuses)[number];

/** Statuses that settle a requirement one way or the other. */
export function isDecided(status: Status): boolean {
  return status === 'pass' || status === 'fail';
}
