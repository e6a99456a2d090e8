/**
 * The access control of a resource that trusts test authorization servers: the response to a request without a good
 * token, and the metadata outside the endpoint. The resource behind it may be anything.
 */
import type { AuthorizationServer } from './authorization-server.ts';
import type { Deviation } from './deviations.ts';
import { jsonReply, type AuthReply, type AuthRequest } from './exchange.ts';
import { resourceDocument, scopes, serverContent } from './metadata.ts';

export interface GuardedResource {
  /** The metadata that lies at the address of a request; undefined where none does. */
  document(request: AuthRequest): AuthReply | undefined;
  /**
   * The refusal of a request at the endpoint; undefined when it may pass.
   *
   * @param method of the message in it, where it can be read
   */
  refuse(request: AuthRequest, method: string | undefined): Promise<AuthReply | undefined>;
}

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
  const has = (deviation: Deviation): boolean => named.has(deviation);
  const address = new URL(resource);
  let isKnown = false;
  let first: string | undefined;
  let isRevoked = false;

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
      has('challenge-absent') ? {} : { 'www-authenticate': `Bearer ${text.join(', ')}`.trim() },
    );
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
    async refuse({ headers }, method) {
      const given = headers.authorization;
      if (given === undefined) return unauthorized({});
      const token = /^bearer +(\S+)$/i.exec(given)?.[1];
      const granted = token === undefined ? undefined : await grantedBy(token, servers, resource);
      if (granted === undefined) return unauthorized({ error: 'invalid_token' });
      isKnown = true;
      first ??= token;
      isRevoked ||= has('token-revoked') && method === 'tools/call';
      if (isRevoked && token === first) return unauthorized({ error: 'invalid_token' });
      const needed = has('insufficient-scope-always')
        ? scopes.never
        : has('insufficient-scope-once')
          ? scopes.tools
          : undefined;
      if (needed === undefined || method !== 'tools/call' || granted.split(' ').includes(needed)) return undefined;
      return challenge(403, { error: 'insufficient_scope', scope: needed });
    },
  };
}

async function grantedBy(
  token: string,
  servers: readonly AuthorizationServer[],
  resource: string,
): Promise<string | undefined> {
  for (const { keys } of servers) {
    const good = await keys.verify(token, resource);
    if (good !== undefined) return good.scope;
  }
  return undefined;
}
