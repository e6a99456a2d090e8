/** Requests by which a client only begins. */
export const openers: ReadonlySet<unknown> = new Set(['initialize', 'server/discover', 'ping']);
