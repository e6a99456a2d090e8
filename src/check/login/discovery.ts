/**
 * Finds the authorization server of a target as the specification says: by the challenge, the metadata of the resource,
 * and the metadata of the issuer that it names; for servers of 2025-03-26 on the host of the target itself.
 */
import type { AuthorizationServer } from 'oauth4webapi';
import { bearerChallenge, challengesIn } from '../../core/facts/values/challenge.ts';
import { withoutEndSlashes } from '../../core/model/end-slashes.ts';
import { targetError } from '../../core/model/errors.ts';
import { pathOf, resourcePlaces, serverPlaces } from '../../client/peer/beside/metadata-places.ts';
import type { LoginExchanges } from './exchanges.ts';

export interface Discovered {
  server: AuthorizationServer;
  /** Identifier of the resource, for which tokens are asked. */
  resource: string;
  /** Scopes that the challenge or the metadata of the resource names, with blanks between. */
  scope: string | undefined;
}

/** @throws McpcError target where there is no authorization server, or its metadata is another's */
export async function discover(endpoint: string, exchanges: LoginExchanges): Promise<Discovered> {
  const { resource_metadata: announced, scope: wanted } = await challengeOf(endpoint, exchanges);
  const places = announced === undefined ? resourcePlaces(new URL(endpoint)) : [announced];
  const found = await firstOf(places, exchanges);
  const listed = found?.scopes_supported;
  const scope =
    wanted ?? (Array.isArray(listed) ? listed.filter((one) => typeof one === 'string').join(' ') : undefined);
  const resource = found === undefined ? endpoint : resourceOf(found, endpoint);
  const issuers = (Array.isArray(found?.authorization_servers) ? found.authorization_servers : []).filter(
    (one): one is string => typeof one === 'string',
  );
  const issuer = issuers[0];
  const server =
    issuer === undefined ? await legacyServer(new URL(endpoint), exchanges) : await serverOf(issuer, exchanges);
  return { server, resource, scope: scope === '' ? undefined : scope };
}

/** The parameters with which the target asks for a token. A ping opens no session where none is asked for. */
async function challengeOf(endpoint: string, exchanges: LoginExchanges): Promise<Record<string, string | undefined>> {
  const reply = await exchanges.ask(endpoint, {
    method: 'POST',
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
    ],
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  return bearerChallenge(challengesIn(reply.headers))?.parameters ?? {};
}

async function firstOf(
  places: readonly string[],
  exchanges: LoginExchanges,
): Promise<Record<string, unknown> | undefined> {
  for (const place of places) {
    const found = await exchanges.document(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A token must not be asked for in the name of another resource: the metadata may name the endpoint, or what it is a part of. */
function resourceOf({ resource }: Record<string, unknown>, endpoint: string): string {
  const own = new URL(endpoint);
  const named = typeof resource === 'string' && URL.canParse(resource) ? new URL(resource) : undefined;
  const path = named === undefined ? '' : withoutEndSlashes(named.pathname);
  const holds = pathOf(own) === path || own.pathname.startsWith(`${path}/`);
  if (named === undefined || named.origin !== own.origin || !holds)
    throw targetError(
      `The metadata of the protected resource is that of ${JSON.stringify(resource)}, not of ${endpoint}, so that no token is asked for.`,
      'Name the target as its metadata does, correct the metadata, or give a token with --token.',
    );
  return resource as string;
}

async function serverOf(issuer: string, exchanges: LoginExchanges): Promise<AuthorizationServer> {
  const found = await firstOf(serverPlaces(issuer), exchanges);
  if (found === undefined)
    throw targetError(
      `The authorization server ${issuer} has no metadata that can be read.`,
      'See that it can be reached from here; a private address is allowed with --auth-server.',
    );
  if (found.issuer !== issuer)
    throw targetError(
      `The metadata of the authorization server ${issuer} names another issuer, ${JSON.stringify(found.issuer)}, so that nothing is sent there.`,
      'Let the metadata of the resource name the issuer letter by letter.',
    );
  return { ...found, issuer };
}

/** 2025-03-26: metadata at the root of the host, or default paths. */
async function legacyServer({ origin }: URL, exchanges: LoginExchanges): Promise<AuthorizationServer> {
  const found = await exchanges.document(`${origin}/.well-known/oauth-authorization-server`);
  if (typeof found?.issuer === 'string') return { ...found, issuer: found.issuer };
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    code_challenge_methods_supported: ['S256'],
  };
}
