/** Finds credentials and tokens that a client takes along to another authorization server. */
import { tokenSeqOf, type Attempt, type Call } from './attempt.ts';
import { registrationsBefore, serverOf, withThoseBefore } from './authorizations.ts';
import type { Leg } from './legs.ts';
import { clientIdSort, redirected } from './requests.ts';
import { issuersOf } from './searches.ts';

export interface Former {
  /** The metadata names none of the servers that gave codes before, or leaves some of them out. */
  left: boolean;
  /**
   * The client id that such a server knew, without a registration in the trace: `unused`, `refused`, `taken` or `unclear`;
   * `none` where there was none.
   */
  client: string;
  /** Requests to the resource with a token of such a server, although there is one of the new server. */
  tokens: number;
}

export function formerOf(attempt: Attempt): Former {
  const issuers = issuersOf(attempt);
  const left = issuers.length === 0 ? [] : earlierCodes(attempt).filter(({ issuer }) => !issuers.includes(issuer));
  return {
    left: left.length > 0,
    client: clientOf(attempt, left),
    tokens: left.length > 0 ? oldTokens(attempt, left) : 0,
  };
}

interface EarlierCode {
  attempt: Attempt;
  leg: Leg;
  issuer: string;
}

/** Authorization requests before this attempt that led to a code, with the issuer that they were sent to. */
function earlierCodes(attempt: Attempt): EarlierCode[] {
  return withThoseBefore(attempt)
    .slice(1)
    .flatMap((one) =>
      one.legs.flatMap((leg) => {
        if (leg.kind !== 'authorization') return [];
        const issuer = serverOf(one, leg)?.issuer;
        const later = one.legs.filter(({ seq }) => seq > leg.seq);
        const hasCode = redirected(leg, later)?.has('code') === true;
        return typeof issuer === 'string' && hasCode ? [{ attempt: one, leg, issuer }] : [];
      }),
    );
}

function clientOf(attempt: Attempt, left: readonly EarlierCode[]): string {
  const registered = new Set(registrationsBefore(attempt).map(({ reply }) => reply?.client_id));
  const ids = new Set(
    left
      .map(({ leg }) => leg.query.get('client_id'))
      .filter((id) => clientIdSort(id) === 'plain' && !registered.has(id!)),
  );
  if (ids.size === 0) return 'none';
  const again = attempt.legs.filter(({ kind, query }) => kind === 'authorization' && ids.has(query.get('client_id')));
  if (again.length === 0) return 'unused';
  const statuses = again.map(({ status = 0 }) => status);
  if (statuses.some((status) => status >= 400 && status < 500)) return 'refused';
  return statuses.some((status) => status >= 300 && status < 400) ? 'taken' : 'unclear';
}

/**
 * Requests that were under way when the new token came do not count: only the refused one, sent again, and those behind a
 * first use of the new token.
 */
function oldTokens(attempt: Attempt, left: readonly EarlierCode[]): number {
  const { calls, refused } = attempt;
  if (tokenSeqOf(attempt) === undefined) return 0;
  const isBearer = ({ credentials }: Call): boolean => credentials === 'bearer';
  const old = new Set(left.flatMap((one) => one.attempt.calls.filter(isBearer).map(({ shown }) => shown)));
  const shown = calls.filter(isBearer);
  const fresh = shown.find((one) => !old.has(one.shown));
  return shown.filter((one) => {
    if (!old.has(one.shown)) return false;
    const isRepeated = one.content !== undefined && one.content === refused?.content;
    return isRepeated || (fresh !== undefined && one.seq > fresh.seq);
  }).length;
}
