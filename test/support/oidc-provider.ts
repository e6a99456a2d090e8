/**
 * An authorization server that is not ours (`oidc-provider`), in this process: discovery, registration, PKCE, `iss`,
 * client credentials, and tokens for the resource that is asked for. It approves every authorization at once.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPair, exportJWK } from 'jose';
import { Provider } from 'oidc-provider';

export interface OidcProvider {
  issuer: string;
  jwks: string;
  close(): Promise<void>;
}

/**
 * @param client the one client of the grant of client credentials
 * @param refreshes it takes clients that register for refresh tokens
 */
export async function startOidcProvider(
  client: { id: string; secret: string },
  { refreshes = false }: { refreshes?: boolean } = {},
): Promise<OidcProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'key', alg: 'RS256', use: 'sig' }] },
    scopes: ['openid', 'mcpc:use', ...(refreshes ? ['offline_access'] : [])],
    cookies: { keys: ['a key of cookies in tests'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    features: {
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          audience: resource,
          scope: 'mcpc:use',
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url!.startsWith('/interaction/')) return void handle(request, response);
    approve(provider, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  return {
    issuer,
    jwks: `${issuer}/jwks`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Logs somebody in and consents to everything that is asked for. */
async function approve(
  provider: Provider,
  request: Parameters<Provider['interactionDetails']>[0],
  response: Parameters<Provider['interactionDetails']>[1],
): Promise<void> {
  const { params, prompt } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: 'somebody' } });
  const grant = new provider.Grant({ accountId: 'somebody', clientId: String(params.client_id) });
  // Clients may register with the scope, so that it is one of the server as well as one of the resource.
  grant.addOIDCScope('openid mcpc:use offline_access');
  if (params.resource !== undefined) grant.addResourceScope(String(params.resource), 'mcpc:use');
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}
