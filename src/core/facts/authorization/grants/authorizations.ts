/** The authorization requests of an attempt, what came back of each, and whether the client redeemed it. */
import { withoutEndSlashes } from '../../../model/end-slashes.ts';
import { resourceContent } from './searches.ts';
import type { Attempt } from './attempt.ts';
import type { Leg } from './legs.ts';
import {
  clientIdSort,
  isSameRedirect,
  keyOf,
  namedResource,
  redirected,
  redirectSort,
  scopesIn,
  textsOf,
  type NamedResource,
} from './requests.ts';
import { serverDocuments, type ServerDocument } from './server-documents.ts';

export interface AuthorizationRequest {
  type: string;
  /** code_challenge is there. */
  challenge: boolean;
  /** code_challenge_method; absent where there is none. */
  method?: string;
  resource: NamedResource;
  /** Sort of the client id. */
  client: string;
  /** `own`: of this attempt or an earlier one at the same authorization server, `elsewhere`: of another one, `unknown`. */
  clientFrom: string;
  redirect: string;
  /** `yes`, `no`, or `unknown` where the registration was not seen. */
  registered: string;
  /** `named` by the metadata, `default` (/authorize on the host of the resource), `other`, `unknown` without metadata. */
  endpoint: string;
  asked: string[];
  /** Where the specification has the scopes from: `challenge`, `metadata`, `none`, `unknown`. */
  scopeSource: string;
  /** Scopes of that source that were not asked for, and such as were asked for in addition, but for offline_access. */
  missing: string[];
  extra: string[];
  /** Scopes that earlier attempts asked for and this one does not. */
  dropped: string[];
  offline: boolean;
  /** `code`, `error`, `refused` (no redirect) or `none`. */
  outcome: string;
  /** `none` was sent, `returned`, or `foreign`: another one came back. */
  state: string;
  /** The iss that came back: `absent`, `same`, `other`, `slash` (it differs by one at the end), `unknown`. */
  iss: string;
  /** The metadata announces iss: true or false; absent where there is none. */
  issAnnounced?: boolean;
  /** A token request with its code followed. */
  redeemed: boolean;
}

export function authorizationsOf(attempt: Attempt): AuthorizationRequest[] {
  const legs = attempt.legs.filter(({ kind }) => kind === 'authorization');
  return legs.map((leg, index) => requestOf(attempt, leg, legs[index + 1]?.seq ?? Infinity));
}

function requestOf(attempt: Attempt, leg: Leg, next: number): AuthorizationRequest {
  const { query } = leg;
  const metadata = resourceContent(attempt);
  const server = serverOf(attempt, leg);
  const back = redirected(
    leg,
    attempt.legs.filter(({ seq }) => seq > leg.seq && seq < next),
  );
  const asked = scopesIn(query.get('scope'));
  const { source, expected } = expectedScopes(attempt, metadata);
  const method = query.get('code_challenge_method');
  const redirect = query.get('redirect_uri');
  return {
    type: query.get('response_type') ?? '',
    challenge: query.has('code_challenge'),
    ...(method === null ? {} : { method }),
    resource: namedResource(query, attempt.resource, metadata),
    client: clientIdSort(query.get('client_id')),
    clientFrom: clientFrom(attempt, leg),
    redirect: redirectSort(redirect),
    registered: isRegistered(attempt, leg),
    endpoint: endpointOf(attempt, leg),
    asked,
    scopeSource: source,
    missing: expected.filter((scope) => !asked.includes(scope)),
    extra: asked.filter((scope) => !expected.includes(scope) && scope !== 'offline_access'),
    dropped: droppedScopes(attempt, asked),
    offline: asked.includes('offline_access'),
    outcome: outcomeOf(leg, back),
    state: stateOf(query.get('state'), back),
    iss: issOf(back, server),
    ...(server === undefined ? {} : { issAnnounced: server.iss }),
    redeemed: isRedeemed(attempt, back?.get('code') ?? undefined, leg.seq, next),
  };
}

function outcomeOf({ status = 0 }: Leg, back: URLSearchParams | undefined): string {
  if (back?.has('code')) return 'code';
  if (back?.has('error')) return 'error';
  return status >= 400 ? 'refused' : 'none';
}

function stateOf(sent: string | null, back: URLSearchParams | undefined): string {
  if (sent === null) return 'none';
  if (back === undefined) return 'unknown';
  return back.get('state') === sent ? 'returned' : 'foreign';
}

function issOf(back: URLSearchParams | undefined, server: ServerDocument | undefined): string {
  if (back === undefined) return 'unknown';
  const iss = back.get('iss');
  if (iss === null) return 'absent';
  if (typeof server?.issuer !== 'string') return 'unknown';
  if (iss === server.issuer) return 'same';
  return withoutEndSlashes(iss) === withoutEndSlashes(server.issuer) ? 'slash' : 'other';
}

/** The scopes that the challenge names, else those of the metadata of the resource. */
function expectedScopes({ challenge }: Attempt, metadata: Record<string, unknown> | undefined) {
  if (challenge?.scope !== undefined) return { source: 'challenge', expected: scopesIn(challenge.scope) };
  if (metadata === undefined) return { source: 'unknown', expected: [] };
  const supported = textsOf(metadata.scopes_supported);
  return supported.length > 0 ? { source: 'metadata', expected: supported } : { source: 'none', expected: [] };
}

function droppedScopes({ before }: Attempt, asked: readonly string[]): string[] {
  const earlier = before?.legs.filter(({ kind }) => kind === 'authorization') ?? [];
  const scopes = earlier.flatMap(({ query }) => scopesIn(query.get('scope')));
  return [...new Set(scopes)].filter((scope) => !asked.includes(scope));
}

/** The document whose authorization endpoint the request went to. */
export function serverOf(attempt: Attempt, { host, path }: Leg): ServerDocument | undefined {
  const key = keyOf(`http://${host}${path}`);
  return documentWhere(attempt, ({ endpoints }) => endpoints.authorization === key);
}

/** The newest such document of this attempt or of one before it. */
function documentWhere(attempt: Attempt, is: (document: ServerDocument) => boolean): ServerDocument | undefined {
  for (const one of withThoseBefore(attempt)) {
    const found = serverDocuments(one).findLast(is);
    if (found) return found;
  }
  return undefined;
}

/** The attempt and those before it at the same resource, at most 20. */
export function withThoseBefore(attempt: Attempt): Attempt[] {
  const found: Attempt[] = [];
  for (let one: Attempt | undefined = attempt; one !== undefined && found.length < 20; one = one.before)
    found.push(one);
  return found;
}

function endpointOf(attempt: Attempt, leg: Leg): string {
  if (serverOf(attempt, leg) !== undefined) return 'named';
  if (leg.host === attempt.resource.host && leg.path === '/authorize') return 'default';
  return serverDocuments(attempt).length === 0 ? 'unknown' : 'other';
}

/** The registrations of this attempt and those before it. */
export function registrationsBefore(attempt: Attempt): Leg[] {
  return withThoseBefore(attempt).flatMap(({ legs }) => legs.filter(({ kind }) => kind === 'registration'));
}

/** Compares issuers; where one is not known, hosts. */
function clientFrom(attempt: Attempt, leg: Leg): string {
  const id = leg.query.get('client_id');
  const given = registrationsBefore(attempt).find(({ reply }) => reply?.client_id === id);
  if (given === undefined) return 'unknown';
  const key = keyOf(`http://${given.host}${given.path}`);
  const giver = documentWhere(attempt, ({ endpoints }) => endpoints.registration === key)?.issuer;
  const asked = serverOf(attempt, leg)?.issuer;
  if (typeof giver === 'string' && typeof asked === 'string') return giver === asked ? 'own' : 'elsewhere';
  return given.host === leg.host ? 'own' : 'unknown';
}

function isRegistered(attempt: Attempt, { query }: Leg): string {
  const redirect = query.get('redirect_uri');
  const given = registrationsBefore(attempt).find(({ reply }) => reply?.client_id === query.get('client_id'));
  if (redirect === null || given === undefined) return 'unknown';
  const known = textsOf(given.sent?.redirect_uris);
  return known.some((one) => isSameRedirect(one, redirect)) ? 'yes' : 'no';
}

/** The code is compared where both legs show it, hidden alike; else the next token request for a code counts. */
function isRedeemed({ legs }: Attempt, code: string | undefined, from: number, to: number): boolean {
  return legs.some(
    ({ form, kind, seq }) =>
      kind === 'token' &&
      form?.get('grant_type') === 'authorization_code' &&
      seq > from &&
      (seq < to || (code !== undefined && form.get('code') === code)),
  );
}
