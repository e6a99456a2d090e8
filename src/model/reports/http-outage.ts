/** HTTP statuses by which a server, or what stands before it, says that it cannot serve now. Values only. */

const busy = new Set([429, 503]);
const outage = new Set([429, 502, 503, 504]);

/** Too many requests, or not available at the moment: the request may be sent once more later (RFC 9110, RFC 6585). */
export function isBusy(status: number): boolean {
  return busy.has(status);
}

/** The request did not reach the server, or was turned away unread, whatever the body says. */
export function isOutage(status: number): boolean {
  return outage.has(status);
}
