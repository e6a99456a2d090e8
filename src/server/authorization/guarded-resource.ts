/**
 * The access control of a resource that trusts test authorization servers: the response to a request without a good
 * token, and the metadata outside the endpoint. The resource behind it may be anything.
 */
import type { AuthorizationServer } from './authorization-server.ts';
import type { Deviation, Difference } from './deviations.ts';
import { bindsTokens, createProofTester } from './dpop.ts';
import { jsonReply, type AuthReply, type AuthRequest } from './exchange.ts';
import { resourceDocument, scopes, serverContent } from './metadata.ts';
import type { GoodToken } from './token-keys.ts';

export interface GuardedResource {
  /** The metadata that lies at the address of a request; undefined where none does. */
  document(request: AuthRequest): AuthReply | undefined;
  /** True where the path is one of an authorization server of 2025-03-26, at which `servers` are to answer. */
  isDefaultEndpoint(path: string): boolean;
  /**
   * The refusal of a request at the endpoint; undefined when it may pass.
   *
   * @param method of the message in it, where it can be read
   */
  refuse(request: AuthRequest, method: string | undefined): Promise<AuthReply | undefined>;
}

/** Requests without a sufficient scope that are answered; a client that never gives up gets 410 then. */
const mostScopeRefusals = 10;
const defaultEndpoints = ['/authorize', '/token', '/register'];

/**
 * @param resource address of the endpoint, as clients know it
 * @param servers whose tokens are valid; the metadata adds a second one once a first token was used
 * (`other-issuer-later`)
 */
export function createGuardedResource(
  resource: string,
  servers: readonly [AuthorizationServer, ...AuthorizationServer[]],
  deviations: readonly Deviation[] = [],
): GuardedResource {
  const named = new Set(deviations);
  const has = (deviation: Difference): boolean => named.has(deviation as Deviation);
  const address = new URL(resource);
  let isKnown = false;
  let first: string | undefined;
  let isRevoked = false;
  let scopeRefusals = 0;
  const proofs = createProofTester();
  const scheme = bindsTokens(has) ? 'DPoP' : 'Bearer';

  const current = (): AuthorizationServer =>
    has('other-issuer-later') && isKnown ? (servers[1] ?? servers[0]) : servers[0];

  function challenge(status: number, parameters: Record<string, string>): AuthReply {
    const { announced } = resourceDocument(address, current().issuer, has);
    const all = {
      ...parameters,
      ...(announced === undefined ? {} : { resource_metadata: announced }),
    };
    const text = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
    return jsonReply(
      status,
      { error: parameters.error ?? 'unauthorized' },
      has('challenge-absent') ? {} : { 'www-authenticate': `${scheme} ${text.join(', ')}`.trim() },
    );
  }

  function withoutScope(needed: string): AuthReply {
    scopeRefusals += 1;
    return scopeRefusals > mostScopeRefusals
      ? jsonReply(410, { error: 'gone', error_description: 'This server has refused often enough' })
      : challenge(403, { error: 'insufficient_scope', scope: needed });
  }

  /** Tests the proof that comes with a token which is bound to a key. */
  async function refusedProof(request: AuthRequest, token: string, good: GoodToken): Promise<AuthReply | undefined> {
    if (!bindsTokens(has)) return undefined;
    const proof = await proofs.test(request, token);
    const wrong =
      typeof proof === 'string' ? proof : proof.thumbprint === good.boundTo ? undefined : 'The token is of another key';
    if (wrong !== undefined) return unauthorized({ error: 'invalid_dpop_proof', error_description: wrong });
    if (!has('dpop-nonce') || (proof as { hasNonce: boolean }).hasNonce) return undefined;
    const refused = unauthorized({ error: 'use_dpop_nonce' });
    return { ...refused, headers: { ...refused.headers, 'dpop-nonce': proofs.nonce } };
  }

  function unauthorized(error: Record<string, string>): AuthReply {
    const isScoped = !has('scope-nowhere') && !has('scope-in-metadata');
    return challenge(401, { ...error, ...(isScoped ? { scope: scopes.use } : {}) });
  }

  return {
    document({ method, url }) {
      if (method !== 'GET') return undefined;
      const server = current();
      const { content, paths } = resourceDocument(address, server.issuer, has);
      if (paths.includes(url.pathname)) return jsonReply(200, content);
      return has('resource-metadata-absent') && url.pathname === '/.well-known/oauth-authorization-server'
        ? jsonReply(200, serverContent(address.origin, server.origin, has))
        : undefined;
    },
    isDefaultEndpoint: (path) => has('default-paths') && defaultEndpoints.includes(path),
    async refuse(request, method) {
      const given = request.headers.authorization;
      if (given === undefined) return unauthorized({});
      const token = tokenIn(given, scheme) ?? (has('lenient') ? tokenIn(given, 'Bearer') : undefined);
      const good = token === undefined ? undefined : await goodToken(token, servers, resource);
      if (token === undefined || good === undefined) return unauthorized({ error: 'invalid_token' });
      const refused = await refusedProof(request, token, good);
      if (refused !== undefined) return refused;
      isKnown = true;
      first ??= token;
      isRevoked ||= has('token-revoked') && method === 'tools/call';
      if (isRevoked && token === first) return unauthorized({ error: 'invalid_token' });
      const needed = scopeFor(method, has);
      if (needed === undefined || good.scope.split(' ').includes(needed)) return undefined;
      return withoutScope(needed);
    },
  };
}

/** The scope that a method needs beyond that of every token. */
function scopeFor(method: string | undefined, has: (deviation: Deviation) => boolean): string | undefined {
  if (method?.endsWith('/list') === true) return has('insufficient-scope-lists') ? scopes.never : undefined;
  if (method !== 'tools/call') return undefined;
  if (has('insufficient-scope-always')) return scopes.never;
  return has('insufficient-scope-once') ? scopes.tools : undefined;
}

/** The token of an Authorization header of the scheme; undefined for any other. */
function tokenIn(header: string, scheme: string): string | undefined {
  const [name = '', token, ...rest] = header.split(' ').filter((part) => part !== '');
  return name.toLowerCase() === scheme.toLowerCase() && rest.length === 0 ? token : undefined;
}

async function goodToken(
  token: string,
  servers: readonly AuthorizationServer[],
  resource: string,
): Promise<GoodToken | undefined> {
  for (const { keys } of servers) {
    const good = await keys.verify(token, resource);
    if (good !== undefined) return good;
  }
  return undefined;
}
