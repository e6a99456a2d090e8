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
 * Why nothing decided a requirement: it applies and the run did not come to it, or it applies only to a target that
 * does something, which this one was not seen to do.
 */
export const openKinds = ['not-reached', 'conditional'] as const;
export type OpenKind = (typeof openKinds)[number];

/**
 * What a rule of level MAY says: that what is permitted was used, or that no use of it was seen, which proves nothing.
 */
export const featureStatuses = ['used', 'not-seen'] as const;
export type FeatureStatus = (typeof featureStatuses)[number];

/** Statuses that settle a requirement one way or the other. */
export function isDecided(status: Status): boolean {
  return status === 'pass' || status === 'fail';
}
