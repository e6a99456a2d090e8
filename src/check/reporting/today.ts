/** The day of the clock, for what holds until a day. */

/** Today by UTC, YYYY-MM-DD, so that every machine ends on the same day. */
export function today(now = new Date()): string {
  return now.toISOString().slice(0, 10);
}
