/**
 * Authorization requests with the redirects that followed them, until the redirect URI, a page or a refusal. It makes no
 * judgement.
 */
import type { TraceEvent } from '../../../model/trace.ts';
import { header } from '../../values/header.ts';
import { hostOf, type Leg } from '../grants/legs.ts';

export interface Approval {
  leg: Leg;
  /** Milliseconds since the trace began. */
  at: number;
  /** Status of the last reply, and where it redirects to. */
  status?: number;
  location?: string;
  events: number[];
}

const mostApprovals = 500;

export interface Approvals {
  readonly all: readonly Approval[];
  begin(leg: Leg, event: TraceEvent): void;
  /** Takes an event of a request that a redirect led to; false for any other. */
  follow(event: TraceEvent): boolean;
  /** The reply to the request itself. */
  answered(leg: Leg, event: TraceEvent): void;
}

export function createApprovals(): Approvals {
  const all: Approval[] = [];
  /** By the exchange of a redirected request. */
  const hops = new Map<string, Approval>();

  function reply(approval: Approval, event: TraceEvent): void {
    if (event.kind !== 'http-response') return;
    approval.status = event.http?.status ?? 0;
    const location = header(event.http?.headers, 'location');
    if (location === undefined) delete approval.location;
    else approval.location = location;
  }

  return {
    all,
    begin(leg, event) {
      if (all.length < mostApprovals) all.push({ leg, at: event.t, events: [event.seq] });
    },
    answered(leg, event) {
      const approval = all.find((one) => one.leg === leg);
      if (approval === undefined) return;
      approval.events.push(event.seq);
      reply(approval, event);
    },
    follow(event) {
      if (event.exchange === undefined) return false;
      const known = hops.get(event.exchange);
      if (known !== undefined) {
        if (known.events.length < 100) known.events.push(event.seq);
        reply(known, event);
        return true;
      }
      if (event.kind !== 'http-request' || event.from !== 'client' || event.http?.method !== 'GET') return false;
      const [path] = (event.http.path ?? '/').split('?');
      const place = `${hostOf(event.http.origin, event.http.headers ?? {})}${path}`;
      const from = all.findLast((one) => placeOf(one) === place);
      if (from === undefined) return false;
      from.events.push(event.seq);
      hops.set(event.exchange, from);
      return true;
    },
  };
}

/** Host and path that the last reply redirects to. */
function placeOf({ leg, location }: Approval): string | undefined {
  const base = `http://${leg.host}${leg.path}`;
  if (location === undefined || !URL.canParse(location, base)) return undefined;
  const { host, pathname } = new URL(location, base);
  return `${host}${pathname}`;
}

/** Parameters that came to the redirect URI; undefined where nothing came there. */
export function cameBack({ leg, location, status = 0 }: Approval): URLSearchParams | undefined {
  const asked = leg.query.get('redirect_uri');
  if (status < 300 || status >= 400 || asked === null || !URL.canParse(asked)) return undefined;
  if (location === undefined || !URL.canParse(location)) return undefined;
  const [to, wanted] = [new URL(location), new URL(asked)];
  return to.origin === wanted.origin && to.host === wanted.host && to.pathname === wanted.pathname
    ? to.searchParams
    : undefined;
}

/** Statuses by which a server, or something before it, says nothing of the request. */
const passing = new Set([408, 425, 429]);

/** `refused` and `unclear` go by the status of the last reply. */
export function outcomeOf(approval: Approval): 'code' | 'error' | 'refused' | 'page' | 'unclear' {
  const { status = 0 } = approval;
  const back = cameBack(approval);
  if (back?.has('code') === true) return 'code';
  if (back?.has('error') === true) return 'error';
  if (status >= 200 && status < 300) return 'page';
  return isRefusal(status) ? 'refused' : 'unclear';
}

export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !passing.has(status);
}
