/**
 * Requirements and messages of a guarded server: tokens, challenges, metadata, and the seams at which mutations change
 * them. Must not import transports.
 */
import { testTokenIn } from '../../core/model/made-up-tokens.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';

/**
 * `framework`: protected resource metadata, and an authorization server on the same host; `legacy`: 2025-03-26, with
 * authorization server metadata at the root; `default-endpoints`: the same without metadata.
 */
export const guardKinds = ['framework', 'legacy', 'default-endpoints'] as const;
export type GuardKind = (typeof guardKinds)[number];

/** The one token that is good, and whose scope suffices for all but one tool. */
export const goodToken = 'reference-token-7c1d0a3e';
/** The tool that needs a scope which the token lacks. */
export const scopedTool = 'about';
export const grantedScope = 'mcp:use';
export const neededScope = 'mcp:about';

export type Refusal = 'missing' | 'malformed' | 'invalid' | 'scope';
export type DocumentName = 'resource' | 'oauth' | 'openid' | 'authorize' | 'token' | 'register';

export interface GuardSeams {
  /** True if a request needs a token; `method` is that of a readable POST, `inSession` that it has a session id. */
  protects(method: string | undefined, inSession: boolean): boolean;
  /** Accepted tokens in addition to the good one. */
  accepts(token: string, inSession: boolean): boolean;
  /** True if a token of this server has the scopes of every request; undefined for other tokens. */
  suffices(token: string): boolean | undefined;
  /** The parameters of a challenge; undefined for no challenge. */
  challenge(parameters: Record<string, string>, why: Refusal, token?: string): Record<string, string> | undefined;
  status(status: number, why: Refusal): number;
  /** A document as it is served; undefined for none. An endpoint is an empty document. */
  document(content: JsonObject, name: DocumentName): JsonObject | undefined;
  /** Paths at which a document is served. */
  places(paths: readonly string[], name: DocumentName): readonly string[];
}

export const compliantGuard: GuardSeams = {
  protects: () => true,
  accepts: () => false,
  suffices(token) {
    const name = testTokenIn(token);
    return name === 'scope' ? false : name === 'challenged' || name === 'audience-uppercase' ? true : undefined;
  },
  challenge: (parameters) => parameters,
  status: (status) => status,
  document: (content) => content,
  places: (paths) => paths,
};

/** The documents of a guarded server, by name, with the paths at which they lie. */
export function documentsOf(
  kind: GuardKind,
  seams: GuardSeams,
  origin: string,
  endpoint: string,
): { name: DocumentName; paths: readonly string[]; content: JsonObject }[] {
  const server: JsonObject = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    scopes_supported: [grantedScope, neededScope],
  };
  const resource: JsonObject = {
    resource: `${origin}${endpoint}`,
    authorization_servers: [origin],
    scopes_supported: [grantedScope, neededScope],
    bearer_methods_supported: ['header'],
  };
  const known = '/.well-known/';
  const all: { name: DocumentName; paths: readonly string[]; content: JsonObject; kinds: readonly GuardKind[] }[] = [
    {
      name: 'resource',
      paths: [`${known}oauth-protected-resource${endpoint}`, `${known}oauth-protected-resource`],
      content: resource,
      kinds: ['framework'],
    },
    { name: 'oauth', paths: [`${known}oauth-authorization-server`], content: server, kinds: ['framework', 'legacy'] },
    { name: 'openid', paths: [`${known}openid-configuration`], content: server, kinds: ['framework'] },
    ...(['authorize', 'token', 'register'] as const).map((name) => ({
      name,
      paths: [`/${name}`],
      content: {},
      kinds: guardKinds,
    })),
  ];
  return all.flatMap(({ kinds, name, paths, content }) => {
    const served = kinds.includes(kind) ? seams.document(content, name) : undefined;
    return served === undefined ? [] : [{ name, paths: seams.places(paths, name), content: served }];
  });
}
