/** A resource behind the door of the test authorization server, and clients that get tokens for it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as oauth from 'oauth4webapi';
import { startAuthorizationServer } from '../../../src/server/authorization/authorization-server.ts';
import type { AuthClient } from '../../../src/server/authorization/clients.ts';
import type { Deviation } from '../../../src/server/authorization/deviations.ts';
import type { AuthExchange, AuthRequest } from '../../../src/server/authorization/exchange.ts';
import { createGuardedResource } from '../../../src/server/authorization/guarded-resource.ts';

export const insecure = { [oauth.allowInsecureRequests]: true };
export const redirectUri = 'http://127.0.0.1:7/callback';

/** An endpoint that answers every request that may pass with what was posted. */
export async function startGuarded(deviations: readonly Deviation[] = [], clients: readonly AuthClient[] = []) {
  const exchanges: AuthExchange[] = [];
  let door: ReturnType<typeof createGuardedResource> | undefined;
  const server = createServer((incoming, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part);
      const request: AuthRequest = {
        method: incoming.method!,
        url: new URL(incoming.url!, origin),
        headers: incoming.headers as Record<string, string>,
        body: Buffer.concat(parts).toString(),
      };
      const method = /"method":"([^"]+)"/.exec(request.body)?.[1];
      const reply =
        door!.document(request) ??
        (request.url.pathname === '/mcp'
          ? await door!.refuse(request, method)
          : { status: 404, headers: {}, body: '' });
      if (reply) response.writeHead(reply.status, reply.headers).end(reply.body);
      else response.end(request.body);
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const resource = `${origin}/mcp`;
  const options = { deviations, clients, resource, onExchange: (one: AuthExchange) => exchanges.push(one) };
  const [first, second] = await Promise.all([
    startAuthorizationServer(options),
    startAuthorizationServer({ ...options, host: 'localhost' }),
  ]);
  door = createGuardedResource(resource, [first, second], deviations);
  return {
    resource,
    origin,
    first,
    second,
    exchanges,
    call: (token: string | undefined, method = 'tools/list') =>
      fetch(resource, {
        method: 'POST',
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
      }),
    async close() {
      await Promise.all([first.close(), second.close()]);
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

export async function discover(issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  const response = await oauth.discoveryRequest(url, { algorithm: 'oauth2', ...insecure });
  return oauth.processDiscoveryResponse(url, response);
}

export async function register(as: oauth.AuthorizationServer): Promise<oauth.Client> {
  const response = await oauth.dynamicClientRegistrationRequest(
    as,
    { redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
    insecure,
  );
  return oauth.processDynamicClientRegistrationResponse(response);
}

/** The address that the authorization endpoint sends a client back to. */
export async function approve(
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  parameters: Record<string, string>,
): Promise<URL> {
  const url = new URL(as.authorization_endpoint!);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge_method: 'S256',
    ...parameters,
  }).toString();
  const response = await fetch(url, { redirect: 'manual' });
  await response.text();
  const location = response.headers.get('location');
  if (location === null) throw new Error(`no redirect: ${response.status}`);
  return new URL(location);
}

/** Goes through the code flow as a strict client does. */
export async function logIn(
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  resource: string,
  scope?: string,
  more: Pick<oauth.TokenEndpointRequestOptions, 'DPoP'> = {},
) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const callback = await approve(as, client, {
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    state,
    resource,
    ...(scope === undefined ? {} : { scope }),
  });
  const parameters = oauth.validateAuthResponse(as, client, callback, state);
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.None(),
    parameters,
    redirectUri,
    verifier,
    { additionalParameters: { resource }, ...insecure, ...more },
  );
  return { tokens: await oauth.processAuthorizationCodeResponse(as, client, response), parameters, verifier };
}
