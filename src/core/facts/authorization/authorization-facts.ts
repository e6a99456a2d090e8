/**
 * The known authorization of a target, and the facts of the `authorization` subject at the end of a trace. A refusal is
 * due to missing credentials only if the same method was answered differently with credentials, or if the status says
 * so.
 */
import { BoundedSet } from '../../model/bounded.ts';
import { withoutEndSlashes } from '../../model/end-slashes.ts';
import { bearerChallenge, type Challenge } from '../values/challenge.ts';
import type { Credentials } from '../values/credentials.ts';
import {
  addressKey,
  fitOf,
  presenceOf,
  type DocumentKind,
  type MetadataExchange,
  type Presence,
} from './metadata-exchange.ts';
import { asText } from '../../model/json.ts';
import { scopesIn } from './grants/requests.ts';

export interface GuardedExchange {
  method: unknown;
  /** With port. */
  host: string;
  path: string;
  credentials: Credentials;
  /** `good`, or what is wrong with the token of the test authorization server that it shows. */
  testToken: string | undefined;
  /** It has the id of the session that is open. */
  inSession: boolean;
  status: number;
  /** A result came. */
  result: boolean;
  replied: boolean;
  challenges: Challenge[];
  events: number[];
  posted: boolean;
}

export interface AuthorizationNotes {
  exchange(exchange: GuardedExchange): void;
  document(exchange: MetadataExchange): void;
  readonly hasDocuments: boolean;
  readonly exchanges: readonly GuardedExchange[];
  readonly documents: readonly MetadataExchange[];
  /** The authorization server that the trace is about. */
  readonly issuer: string | undefined;
}

/** Most that is kept of each sort; what is without interest is not kept at all. */
const kept = 500;
/** Statuses by which a server or something before it says nothing of the request. */
const passing = new Set([408, 429, 502, 503, 504]);
/** In the order in which attempts with them are reported. */
const badCredentials: readonly Credentials[] = ['made-up', 'foreign', 'query', 'malformed'];
/** Methods that open a connection: no state of the session can be why they are refused. */
const openers = new Set<unknown>(['initialize', 'server/discover']);

export function createAuthorizationNotes(issuer: string | undefined): AuthorizationNotes {
  const exchanges: GuardedExchange[] = [];
  const documents: MetadataExchange[] = [];
  /** Of what goes well one example for each method and sort of credentials is enough. */
  const usual = new BoundedSet<string>(kept);
  return {
    exchanges,
    documents,
    issuer,
    get hasDocuments() {
      return documents.length > 0;
    },
    exchange(exchange) {
      if (exchange.status < 400 && !openers.has(exchange.method)) {
        const { credentials, inSession, method, result, testToken = '' } = exchange;
        const key = `${credentials} ${testToken} ${inSession} ${asText(method)} ${result}`;
        if (usual.has(key)) return;
        usual.add(key);
      }
      if (exchanges.length < kept) exchanges.push(exchange);
    },
    document(exchange) {
      if (documents.length < kept) documents.push(exchange);
    },
  };
}

export function authorizationFacts(notes: AuthorizationNotes): { facts: Record<string, unknown>; events: number[] } {
  const { exchanges, documents } = notes;
  const refused = exchanges.filter(({ status }) => status === 401);
  const missing = missingCredentials(exchanges);
  // Methods served without credentials are open in any case; a session may have been taken for a token.
  const open = new Set(exchanges.flatMap((one) => (isOpenTo(one) ? [one.method] : [])));
  const guarded = new Set(
    missing.flatMap(({ method, status }) => (status === 401 && !open.has(method) ? [method] : [])),
  );
  const bad = exchanges.filter((one) => guarded.has(one.method) && !passing.has(one.status));
  const withBad = badCredentials.flatMap((sort) => bad.filter(({ credentials }) => credentials === sort));
  const tests = testsIn(exchanges, guarded);
  const { issuers, ...resource } = resourceFacts(notes);
  const ownHost = ownHostFacts(documents, endpointOf(exchanges));
  const cited = [
    ...refused,
    ...exchanges.filter(isInsufficient),
    ...missing,
    ...bad,
    ...tests.exchanges,
    ...exchanges.filter(({ method, result }) => openers.has(method) && result),
  ];
  return {
    events: [...new Set([...cited, ...documents].flatMap(({ events }) => events))].sort((a, b) => a - b),
    facts: {
      required: guarded.size > 0,
      attempts: [...missing, ...withBad].map((one) => ({
        credentials: one.credentials,
        method: one.method ?? null,
        opener: openers.has(one.method),
        status: one.status,
        result: one.result,
        ...bearerOf(one),
        namesAudience: /audience|\baud\b/i.test(bearerChallenge(one.challenges)?.parameters.error_description ?? ''),
      })),
      tests: tests.facts,
      scopes: [...new Set(exchanges.flatMap(challengedScopes))],
      refused: refused.map((one) => ({ schemes: one.challenges.map(({ scheme }) => scheme), ...bearerOf(one) })),
      oauthSigns: signsOf(refused, resource.documents.length, ownHost),
      resource,
      issuers: issuerFacts(documents, issuers),
      ownHost,
    },
  };
}

function isOpenTo({ credentials, inSession, result }: GuardedExchange): boolean {
  return credentials === 'none' && result && !inSession;
}

/** Kind of a test token's fault; a server may leave those of `claims` to the signature. */
const sorts: Readonly<Record<string, string>> = {
  'audience-foreign': 'audience',
  'audience-sibling': 'audience',
  'audience-list': 'audience',
  'audience-absent': 'audience',
  'audience-uppercase': 'spelling',
  key: 'validity',
  'alg-none': 'validity',
  expired: 'validity',
  issuer: 'claims',
  'not-yet-valid': 'claims',
  scope: 'scope',
  challenged: 'step-up',
};

/**
 * Results of requests with test tokens, and of those with a session id alone. A test token decides only if the same
 * method is refused without one and was served with the good one, so that its single difference is the reason.
 */
function testsIn(exchanges: readonly GuardedExchange[], guarded: ReadonlySet<unknown>) {
  const wanted = exchanges.filter((one) => one.posted && guarded.has(one.method) && !passing.has(one.status));
  const tried = wanted.filter(({ testToken }) => testToken !== undefined);
  const good = new Set(
    tried.flatMap(({ method, result, testToken }) => (testToken === 'good' && result ? [method] : [])),
  );
  const bare = wanted.filter((one) => one.credentials === 'none' && one.inSession);
  return {
    exchanges: [...tried, ...bare],
    facts: [
      ...tried.flatMap(({ method, result, status, testToken }) =>
        testToken === 'good' || testToken === 'challenged' || !good.has(method)
          ? []
          : [{ token: testToken, sort: sorts[testToken!] ?? '', method, status, result }],
      ),
      ...stepUpsIn(tried).filter(({ method }) => good.has(method)),
      ...bare.map(({ method, result, status }) => ({ token: 'absent', sort: 'session', method, status, result })),
    ],
  };
}

/**
 * Requests with a token that got the scopes of a challenge. Each follows one without them, which was refused for their want
 * alone; any other has no challenge to obey.
 */
function stepUpsIn(tried: readonly GuardedExchange[]) {
  return tried.flatMap((one, index) => {
    if (one.testToken !== 'challenged') return [];
    const before = tried
      .slice(0, index)
      .findLast(({ method, testToken }) => method === one.method && testToken === 'scope');
    const asked = before === undefined ? [] : lackingIn(before);
    if (asked.length === 0) return [];
    const { method, result, status } = one;
    const again = lackingIn(one);
    return [
      {
        token: 'challenged',
        sort: sorts.challenged!,
        method,
        status,
        result,
        asked,
        outcome: result ? 'served' : isInsufficient(one) ? 'refused' : 'unclear',
        more: again.filter((scope) => !asked.includes(scope)),
      },
    ];
  });
}

function isInsufficient({ challenges, status }: GuardedExchange): boolean {
  return status === 403 && bearerChallenge(challenges)?.parameters.error === 'insufficient_scope';
}

/** The scopes that a refusal for the want of them names. */
function lackingIn(one: GuardedExchange): string[] {
  return isInsufficient(one) ? challengedScopes(one) : [];
}

function challengedScopes({ challenges }: GuardedExchange): string[] {
  return scopesIn(bearerChallenge(challenges)?.parameters.scope);
}

function bearerOf({ challenges }: GuardedExchange): { bearer?: object } {
  const challenge = bearerChallenge(challenges);
  return challenge ? { bearer: { scope: '', error: '', ...challenge.parameters } } : {};
}

/** True when some request was refused because it lacked credentials, by whatever status. */
export function wantsCredentials({ exchanges }: AuthorizationNotes): boolean {
  return missingCredentials(exchanges).length > 0;
}

/**
 * Requests without credentials that were refused for want of them: by the status itself, or because the same
 * method got its result with a token, later on as well.
 */
function missingCredentials(exchanges: readonly GuardedExchange[]): GuardedExchange[] {
  return exchanges.filter((one, index) => {
    if (one.credentials !== 'none' || !one.posted || passing.has(one.status)) return false;
    if (one.status === 401) return true;
    if (one.result || !openers.has(one.method) || (one.status < 300 && !one.replied)) return false;
    return exchanges
      .slice(index + 1)
      .some(({ method, credentials, result }) => method === one.method && credentials === 'bearer' && result);
  });
}

/** Where requests go; the path without a slash at its end. */
interface Endpoint {
  host: string;
  path: string;
}

function endpointOf(exchanges: readonly GuardedExchange[]): Endpoint {
  const { host, path } = exchanges.find(({ posted, method }) => posted && method !== undefined) ?? {
    host: '',
    path: '/',
  };
  return { host: host.toLowerCase(), path: withoutEndSlashes(path.split(/[?#]/)[0]!) };
}

/** `absent` only where the server said so for all; `unclear` where none was asked for. */
function together(all: readonly Presence[]): Presence {
  if (all.includes('found')) return 'found';
  return all.length > 0 && all.every((one) => one === 'absent') ? 'absent' : 'unclear';
}

function resourceFacts({ exchanges, documents, issuer }: AuthorizationNotes) {
  const asked = documents.filter(({ kind }) => kind === 'resource');
  const announced = exchanges.flatMap(
    ({ challenges }) => bearerChallenge(challenges)?.parameters.resource_metadata ?? [],
  );
  const { host, path } = endpointOf(exchanges);
  const at = (place: string): Presence =>
    together(
      asked
        .filter((one) => withoutEndSlashes(one.path) === `/.well-known/oauth-protected-resource${place}`)
        .map(presenceOf),
    );
  const atWellKnown = together([at(path), at('')]);
  const atAnnounced = announced.map((address) =>
    together(
      asked.filter((one) => addressKey(address) === addressKey(`http://${one.host}${one.path}`)).map(presenceOf),
    ),
  );
  const found = asked.filter((one) => presenceOf(one) === 'found');
  const listed = found.flatMap(({ content }) =>
    Array.isArray(content?.authorization_servers) ? (content.authorization_servers as unknown[]) : [],
  );
  return {
    issuers: [...new Set([...listed, issuer].filter((one) => typeof one === 'string'))],
    metadata: together([atWellKnown, ...atAnnounced]),
    atWellKnown,
    announced: announced.length > 0,
    ...(announced.length > 0 ? { atAnnounced: announcedPresence(atAnnounced) } : {}),
    documents: found.map(({ content }) => ({
      ...(typeof content?.resource === 'string'
        ? { resource: content.resource, fit: fitOf(content.resource, { host, path }) }
        : {}),
      scopes: Array.isArray(content?.scopes_supported) ? (content.scopes_supported as unknown[]) : [],
    })),
  };
}

/** One address that leads nowhere is enough: a client takes that of the challenge that it got, and no other. */
function announcedPresence(all: readonly Presence[]): Presence {
  if (all.includes('absent')) return 'absent';
  return all.every((one) => one === 'found') ? 'found' : 'unclear';
}

function issuerFacts(documents: readonly MetadataExchange[], issuers: readonly string[]) {
  const about = (issuer: string): MetadataExchange[] =>
    documents.filter(({ kind, subject }) => (kind === 'oauth' || kind === 'openid') && subject === addressKey(issuer));
  /** Places where the metadata of an issuer may be: three for one with a path, else two. */
  const places = (issuer: string): number => ((addressKey(issuer) ?? '').includes('/') ? 3 : 2);
  const stateOf = (issuer: string): Presence => {
    const all = about(issuer).map(presenceOf);
    return all.includes('found') || new Set(about(issuer).map(({ path }) => path)).size >= places(issuer)
      ? together(all)
      : 'unclear';
  };
  const lacksPkce = (issuer: string, kind: DocumentKind): boolean | undefined => {
    const one = about(issuer).find((document) => document.kind === kind && presenceOf(document) === 'found');
    return one && !Array.isArray(one.content?.code_challenge_methods_supported);
  };
  return issuers.map((issuer) => {
    const lacks = lacksPkce(issuer, 'openid');
    // A server that declares it in its other document does not do what the clause excludes.
    const without = lacks === true && lacksPkce(issuer, 'oauth') !== false;
    return {
      issuer,
      metadata: stateOf(issuer),
      ...(lacks === undefined ? {} : { openid: without ? 'without' : 'with PKCE' }),
    };
  });
}

/** 2025-03-26: metadata at the root of the target's own host, or default endpoints there. */
function ownHostFacts(documents: readonly MetadataExchange[], { host, path }: Endpoint) {
  const own = documents.filter((one) => one.host === host);
  const at = (kind: DocumentKind, ...paths: string[]): Presence =>
    together(own.filter((one) => one.kind === kind && paths.includes(one.path)).map(presenceOf));
  const below = [`/.well-known/oauth-authorization-server${path}`, `${path}/.well-known/oauth-authorization-server`];
  return {
    root: at('oauth', '/.well-known/oauth-authorization-server'),
    below: path === '' ? 'absent' : at('oauth', ...below),
    authorize: at('endpoint', '/authorize'),
    token: at('endpoint', '/token'),
  };
}

/** Evidence that the target means OAuth, and not a key of its own. */
function signsOf(
  refused: readonly GuardedExchange[],
  documents: number,
  own: ReturnType<typeof ownHostFacts>,
): string[] {
  const parameter = (name: string): boolean =>
    refused.some(({ challenges }) => bearerChallenge(challenges)?.parameters[name] !== undefined);
  const signs: Record<string, boolean> = {
    'resource metadata': documents > 0,
    'resource_metadata in the challenge': parameter('resource_metadata'),
    'scope in the challenge': parameter('scope'),
    'authorization server metadata': own.root === 'found' || own.below === 'found',
    'default endpoints': own.authorize === 'found' && own.token === 'found',
  };
  return Object.entries(signs).flatMap(([name, shown]) => (shown ? [name] : []));
}
