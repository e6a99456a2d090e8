/** The subjects of kind `issuance`: requests for codes, for tokens, and with made-up tokens. */
import { madeUpClient, madeUpVerifier } from '../../../model/made-up-tokens.ts';
import type { Subject } from '../../state/subject.ts';
import { isToken } from '../grants/attempt.ts';
import type { Leg } from '../grants/legs.ts';
import { authenticationOf, clientIdSort, isSameRedirect, textsOf } from '../grants/requests.ts';
import { presenceOf, type MetadataExchange } from '../metadata-exchange.ts';
import { withoutEndSlashes } from '../../../model/end-slashes.ts';
import { cameBack, isRefusal, outcomeOf, type Approval } from './approvals.ts';
import type { ServedDocuments } from './served-documents.ts';

export interface ResourceRequest {
  status: number;
  events: number[];
}

/** The parts of a trace that show an authorization server at work. */
export interface Conversation {
  approvals: readonly Approval[];
  documents: ServedDocuments;
  registrations: Leg[];
  metadata: MetadataExchange[];
  tokens: Leg[];
  resources: ResourceRequest[];
}

export function subjectsOf(seen: Conversation): Subject[] {
  const made = [
    ...seen.approvals.map((one, index) => approvalSubject(one, seen, seen.approvals[index + 1]?.leg.seq ?? Infinity)),
    ...seen.tokens.map((one) => tokenSubject(one, seen)),
    ...seen.resources.map(({ events, status }) => ({
      facts: {
        form: 'resource',
        outcome: status === 404 || status === 405 ? 'unclear' : outcomeBy(status),
        fault: 'none',
      },
      events,
    })),
  ];
  return made.map(({ events, facts }) => ({
    kind: 'issuance' as const,
    facts,
    events: [...new Set(events)].sort((a, b) => a - b),
  }));
}

interface Issuance {
  facts: Record<string, unknown>;
  events: number[];
}

function approvalSubject(approval: Approval, seen: Conversation, next: number): Issuance {
  const { documents, metadata } = seen;
  const id = idOf(approval);
  const outcome = outcomeOf(approval);
  const sort = sortOf(approval, seen);
  const sound = soundOf(approval, sort, seen);
  const fetched = sort === 'document' ? documents.between(id, approval.leg.seq, next) : [];
  const kept = sort === 'document' ? documents.keptAt(id, approval.leg.seq, approval.at) : undefined;
  const server = metadata.findLast((one) => one.kind !== 'resource' && presenceOf(one) === 'found');
  return {
    facts: {
      form: 'authorization',
      outcome,
      fault: !approval.leg.query.has('code_challenge') && outcome !== 'code' ? 'challenge-absent' : 'none',
      client: sort,
      public: isPublic(id, seen),
      redirect: redirectOf(approval, seen),
      iss: issOf(approval, server),
      ...(server === undefined
        ? {}
        : { issAnnounced: server.content?.authorization_response_iss_parameter_supported === true }),
      sound: sound === undefined ? 'none' : outcomeOf(sound),
      ...(sort === 'document'
        ? {
            document: documents.stateOf(id),
            secure: /^https:/i.test(id),
            fetched: fetched.length > 0,
            kept: kept !== undefined,
          }
        : {}),
    },
    events: [
      ...approval.events,
      ...registrationOf(id, seen).flatMap(({ events }) => events),
      ...(sound?.events ?? []),
      ...[...fetched, ...(kept === undefined ? [] : [kept])].flatMap(({ events }) => events),
      ...(server?.events ?? []),
    ],
  };
}

function idOf({ leg }: Approval): string {
  return leg.query.get('client_id') ?? '';
}

function registrationOf(id: string, { registrations }: Conversation): Leg[] {
  return registrations.filter(({ reply }) => id !== '' && reply?.client_id === id);
}

function sortOf(approval: Approval, seen: Conversation): 'registered' | 'document' | 'given' | 'unknown' {
  const id = idOf(approval);
  if (id === madeUpClient) return 'unknown';
  if (registrationOf(id, seen).length > 0) return 'registered';
  return ['url', 'unfit-url'].includes(clientIdSort(id)) ? 'document' : 'given';
}

/** No secret of the client shows, in its registration or in a request for a token. */
function isPublic(id: string, seen: Conversation): boolean {
  const registration = registrationOf(id, seen)[0];
  if (registration !== undefined) return registration.reply?.client_secret === undefined;
  return seen.tokens.every((leg) => authenticationOf(leg) === 'none');
}

/** Redirect URIs that the client may be sent to; undefined where they are not known. */
function knownRedirects(approval: Approval, seen: Conversation): string[] | undefined {
  const id = idOf(approval);
  const sort = sortOf(approval, seen);
  if (sort === 'unknown') return undefined;
  if (sort === 'registered')
    return registrationOf(id, seen).flatMap(({ reply, sent }) => textsOf(reply?.redirect_uris ?? sent?.redirect_uris));
  if (sort === 'document') return seen.documents.redirectsOf(id);
  // A client that was registered elsewhere: addresses that led to a code, else that of its first request.
  const own = seen.approvals.filter((one) => idOf(one) === id);
  const led = own.filter((one) => outcomeOf(one) === 'code');
  return (led.length > 0 ? led : own.slice(0, 1)).map(({ leg }) => leg.query.get('redirect_uri') ?? '');
}

function redirectOf(approval: Approval, seen: Conversation): 'known' | 'altered' | 'foreign' | 'unclear' {
  const asked = approval.leg.query.get('redirect_uri');
  const known = knownRedirects(approval, seen) ?? [];
  if (asked === null || !URL.canParse(asked) || known.length === 0) return 'unclear';
  if (known.some((one) => isSameRedirect(one, asked))) return 'known';
  const { host } = new URL(asked);
  return known.some((one) => URL.canParse(one) && new URL(one).host === host) ? 'altered' : 'foreign';
}

/** The first request of the same client, or of one with a sound document, in which nothing is wrong. */
function soundOf(approval: Approval, sort: string, seen: Conversation): Approval | undefined {
  return seen.approvals.find((one) => {
    const { query } = one.leg;
    if (query.get('response_type') !== 'code' || !query.has('code_challenge')) return false;
    if (redirectOf(one, seen) !== 'known') return false;
    return sort === 'document'
      ? sortOf(one, seen) === 'document' && seen.documents.stateOf(idOf(one)) === 'good'
      : idOf(one) === idOf(approval);
  });
}

function issOf(approval: Approval, server: MetadataExchange | undefined): string {
  const back = cameBack(approval);
  if (back === undefined) return 'unknown';
  const iss = back.get('iss');
  if (iss === null) return 'absent';
  const issuer = server?.content?.issuer;
  if (typeof issuer !== 'string') return 'unknown';
  if (iss === issuer) return 'same';
  return withoutEndSlashes(iss) === withoutEndSlashes(issuer) ? 'slash' : 'other';
}

function tokenSubject(leg: Leg, seen: Conversation): Issuance {
  const { form, reply, status = 0 } = leg;
  const grant = form?.get('grant_type') ?? '';
  const granted = isToken(leg);
  const { events, fault } = faultOf(leg, seen);
  const again = grant === 'refresh_token' ? nextRefresh(leg, seen) : undefined;
  const sound = seen.tokens.find((one) => one.form?.get('grant_type') === grant && isToken(one));
  const brought = reply?.refresh_token;
  return {
    facts: {
      form: 'token',
      outcome: granted ? 'granted' : outcomeBy(status),
      fault,
      grant,
      sound: sound === undefined ? 'none' : 'granted',
      public: authenticationOf(leg) === 'none',
      type: tokenType(reply?.token_type),
      ...(typeof reply?.expires_in === 'number' ? { lifetime: reply.expires_in } : {}),
      ...(grant === 'refresh_token' && granted
        ? {
            refresh: typeof brought !== 'string' ? 'absent' : brought === form?.get('refresh_token') ? 'same' : 'new',
            reuse: again === undefined ? 'untried' : isToken(again) ? 'granted' : outcomeBy(again.status ?? 0),
          }
        : {}),
    },
    events: [...leg.events, ...events, ...(sound?.events ?? []), ...(again?.events ?? [])],
  };
}

/** The fault of a request with a code, and the events that show it. */
function faultOf(leg: Leg, seen: Conversation): { fault: string; events: number[] } {
  const code = leg.form?.get('code');
  if (leg.form?.get('grant_type') !== 'authorization_code' || code === undefined || code === null)
    return { fault: 'none', events: [] };
  const before = seen.tokens.find((one) => one.seq < leg.seq && one.form?.get('code') === code && isToken(one));
  if (before !== undefined) return { fault: 'code-again', events: before.events };
  const from = seen.approvals.find((one) => cameBack(one)?.get('code') === code);
  if (from === undefined) return { fault: 'none', events: [] };
  const { events } = from;
  if (!from.leg.query.has('code_challenge')) return { fault: 'challenge-absent', events };
  return { fault: leg.form.get('code_verifier') === madeUpVerifier ? 'verifier-wrong' : 'none', events };
}

/** The next refresh with the same token. */
function nextRefresh({ form, seq }: Leg, { tokens }: Conversation): Leg | undefined {
  const token = form?.get('refresh_token');
  return tokens.find((one) => one.seq > seq && one.form?.get('refresh_token') === token);
}

function outcomeBy(status: number): 'granted' | 'refused' | 'unclear' {
  if (status >= 200 && status < 300) return 'granted';
  return isRefusal(status) ? 'refused' : 'unclear';
}

function tokenType(type: unknown): string {
  if (typeof type !== 'string') return 'absent';
  return type.toLowerCase() === 'bearer' ? 'bearer' : 'other';
}
