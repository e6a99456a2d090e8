/** Mutations of a guarded server: what it answers to missing and bad tokens, its challenges and its metadata. */
import { foreignToken, testTokenIn, testTokenPrefix } from '../../../../core/model/made-up-tokens.ts';
import { compliantGuard, type DocumentName, type GuardSeams, type Refusal } from '../../../../server/session/guard.ts';
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import type { Revision } from '../../../../server/protocol/revisions.ts';
import type { Mutation } from '../mutation.ts';
import { from, httpOnly, mutation } from '../mutation.ts';

type Given = Omit<Parameters<typeof mutation>[0], 'change'> & { guarded: Partial<GuardSeams> };

/** From 2025-06-18 on there is metadata of the protected resource. */
const withMetadata: readonly Revision[] = [...from('2025-06-18'), '2026-07-28'];
const anyGuarded: readonly Revision[] = [...from('2025-03-26'), '2026-07-28'];
const newest: readonly Revision[] = ['2025-11-25', '2026-07-28'];

function guarded({ guarded: guard, ...given }: Given): Mutation {
  return mutation({ transports: httpOnly, revisions: anyGuarded, guard: 'framework', ...given, change: { guard } });
}

/** Documents without some of them. */
function lacking(...names: DocumentName[]): GuardSeams['document'] {
  return (content, name) => (names.includes(name) ? undefined : content);
}

/** Authorization server metadata with other members; undefined leaves one out. */
function serverSaying(members: JsonObject): GuardSeams['document'] {
  return (content, name) => {
    if (name !== 'oauth' && name !== 'openid') return content;
    return Object.fromEntries(Object.entries({ ...content, ...members }).filter(([, value]) => value !== undefined));
  };
}

function without(parameter: string, ...reasons: Refusal[]): GuardSeams['challenge'] {
  return (parameters, why) => {
    if (reasons.length > 0 && !reasons.includes(why)) return parameters;
    const { [parameter]: _left, ...rest } = parameters;
    return rest;
  };
}

const isJwt = (token: string): boolean => token.split('.').length === 3;

/** Both test tokens of a step-up lack scopes. */
const lacksScopes: GuardSeams['suffices'] = (token) =>
  ['scope', 'challenged'].includes(testTokenIn(token) ?? '') ? false : compliantGuard.suffices(token);

export const authorizationMutations: readonly Mutation[] = [
  guarded({
    rule: 'authorization/scope-http-conformance',
    description: 'Requests without a token get 401, without a hint where to get one.',
    guarded: { challenge: () => undefined, document: () => undefined },
  }),
  guarded({
    rule: 'authorization/legacy-server-metadata',
    revisions: ['2025-03-26'],
    guard: 'legacy',
    description: 'There is no authorization server metadata, though the default endpoints are there.',
    guarded: { document: lacking('oauth') },
  }),
  guarded({
    rule: 'authorization/legacy-server-default-paths',
    revisions: ['2025-03-26'],
    guard: 'default-endpoints',
    description: 'There is no metadata, and no /token.',
    alsoBreaks: ['authorization/legacy-server-metadata'],
    guarded: { document: lacking('token') },
  }),
  guarded({
    rule: 'authorization/legacy-metadata-location',
    revisions: ['2025-03-26'],
    guard: 'legacy',
    description: 'The metadata lies below the path of the endpoint.',
    alsoBreaks: ['authorization/legacy-server-metadata'],
    guarded: { places: (paths, name) => (name === 'oauth' ? paths.map((path) => `${path}/mcp`) : paths) },
  }),
  guarded({
    rule: 'authorization/status-missing-401',
    revisions: ['2025-03-26'],
    description: 'A missing token gets 403.',
    alsoBreaks: ['authorization/status-code-choice'],
    guarded: { status: (status, why) => (why === 'missing' ? 403 : status) },
  }),
  guarded({
    rule: 'authorization/status-code-choice',
    description: 'A malformed header gets 500.',
    guarded: { status: (status, why) => (why === 'malformed' ? 500 : status) },
  }),
  guarded({
    id: 'authorization/status-code-choice@error-200',
    rule: 'authorization/status-code-choice',
    description: 'An invalid token gets 200 with a JSON-RPC error without an id.',
    alsoBreaks: ['authorization/token-invalid-401', 'jsonrpc/base-lifecycle-support', 'jsonrpc/response-error-id'],
    guarded: { status: (status, why) => (why === 'invalid' ? 200 : status) },
  }),
  guarded({
    rule: 'authorization/prm-publication',
    revisions: withMetadata,
    description: 'The metadata of the protected resource does not name the resource.',
    guarded: {
      document: (content, name) =>
        name === 'resource' ? { authorization_servers: content.authorization_servers } : content,
    },
  }),
  guarded({
    id: 'authorization/prm-publication@absent',
    rule: 'authorization/prm-publication',
    revisions: withMetadata,
    description: 'The challenge names metadata that is not there.',
    alsoBreaks: ['authorization/prm-discovery-mechanism', 'authorization/prm-challenge-header'],
    guarded: { document: lacking('resource') },
  }),
  guarded({
    id: 'authorization/prm-publication@other-path',
    rule: 'authorization/prm-publication',
    revisions: withMetadata,
    description: 'The metadata is about another path of the host.',
    guarded: {
      document: (content, name) =>
        name === 'resource' ? { ...content, resource: `${String(content.resource)}-other` } : content,
    },
  }),
  guarded({
    rule: 'authorization/prm-authorization-servers',
    revisions: withMetadata,
    description: 'The metadata lists no authorization server.',
    guarded: {
      document: (content, name) => (name === 'resource' ? { ...content, authorization_servers: [] } : content),
    },
  }),
  guarded({
    rule: 'authorization/prm-challenge-header',
    revisions: ['2025-06-18'],
    description: 'The refusal of an invalid token names no metadata.',
    guarded: { challenge: without('resource_metadata', 'invalid') },
  }),
  guarded({
    rule: 'authorization/prm-discovery-mechanism',
    revisions: newest,
    description: 'Neither a challenge nor a well-known address leads to metadata.',
    alsoBreaks: ['authorization/prm-publication', 'authorization/step-up-insufficient-scope-403'],
    guarded: { challenge: without('resource_metadata'), document: lacking('resource') },
  }),
  guarded({
    id: 'authorization/prm-discovery-mechanism@dead',
    rule: 'authorization/prm-discovery-mechanism',
    revisions: newest,
    description: 'The challenge names an address without metadata, while the well-known one has it.',
    guarded: {
      challenge: ({ resource_metadata: address = '', ...parameters }) => ({
        ...parameters,
        resource_metadata: `${address}/nowhere`,
      }),
    },
  }),
  guarded({
    rule: 'authorization/scopes-challenge-parameter',
    revisions: newest,
    description: 'The challenge to a request without a token names no scope.',
    guarded: { challenge: without('scope', 'missing') },
  }),
  guarded({
    rule: 'authorization/as-metadata-publication',
    revisions: withMetadata,
    description: 'The authorization server has no metadata.',
    guarded: { document: lacking('oauth', 'openid') },
  }),
  guarded({
    rule: 'authorization/cimd-server-acceptance',
    revisions: newest,
    description: 'The authorization server does not say that it takes client metadata documents.',
    guarded: { document: serverSaying({ client_id_metadata_document_supported: undefined }) },
  }),
  guarded({
    rule: 'authorization/oauth-dynamic-registration-server',
    revisions: ['2025-03-26', '2025-06-18'],
    description: 'The authorization server has no registration endpoint.',
    guarded: { document: serverSaying({ registration_endpoint: undefined }) },
  }),
  guarded({
    rule: 'authorization/security-https-endpoints',
    description: 'The token endpoint is plain HTTP on another host.',
    guarded: { document: serverSaying({ token_endpoint: 'http://auth.example/token' }) },
  }),
  guarded({
    rule: 'authorization/pkce-oidc-advertisement',
    revisions: newest,
    description: 'The authorization server does not mention PKCE.',
    guarded: { document: serverSaying({ code_challenge_methods_supported: undefined }) },
  }),
  guarded({
    rule: 'authorization/token-validation',
    description: 'Any token without a form of its own is taken.',
    alsoBreaks: [
      'authorization/token-audience',
      'authorization/token-invalid-401',
      'authorization/token-transit',
      'authorization/token-validation-precedence',
    ],
    guarded: { accepts: (token) => !isJwt(token) },
  }),
  guarded({
    rule: 'authorization/token-invalid-401',
    description: 'An invalid token gets 403.',
    guarded: { status: (status, why) => (why === 'invalid' ? 403 : status) },
  }),
  guarded({
    rule: 'authorization/token-validation-error',
    description: 'The refusal of an invalid token has no challenge.',
    alsoBreaks: ['authorization/prm-challenge-header'],
    guarded: { challenge: (parameters, why) => (why === 'invalid' ? undefined : parameters) },
  }),
  guarded({
    rule: 'authorization/token-transit',
    revisions: withMetadata,
    description: 'A token is taken for what it says of itself, without a look at its signature.',
    alsoBreaks: ['authorization/token-validation', 'authorization/token-invalid-401'],
    guarded: { accepts: (token) => token === foreignToken },
  }),
  guarded({
    rule: 'authorization/token-audience',
    revisions: withMetadata,
    description: 'The signature of a token is checked, and not its audience.',
    guarded: { accepts: (token) => token.startsWith(`${testTokenPrefix}audience`) },
  }),
  guarded({
    id: 'authorization/token-validation@expired',
    rule: 'authorization/token-validation',
    description: 'Tokens that have expired are taken.',
    guarded: { accepts: (token) => token === `${testTokenPrefix}expired` },
  }),
  guarded({
    rule: 'best-practices/session-authentication',
    revisions: ['2025-06-18', '2025-11-25'],
    description: 'A request with the id of a session needs no token.',
    guarded: { protects: (_method, inSession) => !inSession },
  }),
  guarded({
    rule: 'authorization/token-validation-precedence',
    revisions: from('2025-06-18'),
    description: 'The token is checked at the beginning of a session only.',
    alsoBreaks: ['authorization/token-validation', 'authorization/token-transit', 'authorization/token-invalid-401'],
    guarded: { accepts: (_token, inSession) => inSession },
  }),
  guarded({
    rule: 'authorization/step-up-insufficient-scope-403',
    revisions: newest,
    description: 'The refusal of a scope that does not suffice does not say which one would.',
    guarded: { challenge: without('scope', 'scope') },
  }),
  guarded({
    rule: 'authorization/step-up-challenged-scopes',
    revisions: newest,
    description: 'The scopes that a challenge names do not suffice.',
    guarded: { suffices: lacksScopes },
  }),
  guarded({
    rule: 'authorization/scopes-single-challenge',
    revisions: ['2026-07-28'],
    description: 'A second challenge names a scope that the first one left out.',
    alsoBreaks: ['authorization/step-up-challenged-scopes'],
    guarded: {
      suffices: lacksScopes,
      challenge: (parameters, _why, token) =>
        testTokenIn(token ?? '') === 'challenged' ? { ...parameters, scope: 'mcp:more' } : parameters,
    },
  }),
  guarded({
    rule: 'authorization/resource-uppercase-acceptance',
    revisions: withMetadata,
    description: 'A token that names the server in upper case is refused.',
    guarded: {
      suffices: (token) => (testTokenIn(token) === 'audience-uppercase' ? undefined : compliantGuard.suffices(token)),
    },
  }),
  guarded({
    rule: 'authorization/refresh-offline-access-advertisement',
    revisions: ['2026-07-28'],
    description: 'The metadata of the resource lists offline_access.',
    guarded: {
      document: (content, name) =>
        name === 'resource' ? { ...content, scopes_supported: ['mcp:use', 'mcp:about', 'offline_access'] } : content,
    },
  }),
  guarded({
    id: 'authorization/refresh-offline-access-advertisement@challenge',
    rule: 'authorization/refresh-offline-access-advertisement',
    revisions: ['2026-07-28'],
    description: 'The challenge names offline_access.',
    guarded: {
      challenge: (parameters) => ({ ...parameters, scope: `${parameters.scope ?? ''} offline_access`.trim() }),
    },
  }),
];
