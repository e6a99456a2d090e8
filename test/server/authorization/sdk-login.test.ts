/**
 * Both generations of the SDK log in at the test authorization server, and at one that is not ours (`oidc-provider`), for
 * a resource that checks tokens by neither: issuer, audience, signature and expiry.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAuthorizationServer } from '../../../src/server/authorization/authorization-server.ts';
import type { AuthExchange } from '../../../src/server/authorization/exchange.ts';
import { browse } from '../../support/browse.ts';
import { freePort } from '../../support/free-port.ts';
import { startOidcProvider } from '../../support/oidc-provider.ts';
import { redirectUri } from './support.ts';

const guarded = fileURLToPath(new URL('../../support/jwt-server.mjs', import.meta.url));

interface Issuer {
  issuer: string;
  jwks: string;
  /** Of our own server: what it was asked. */
  exchanges?: AuthExchange[];
  close(): Promise<void>;
}

const issuers: Record<string, (resource: string) => Promise<Issuer>> = {
  async 'the test authorization server'(resource) {
    const exchanges: AuthExchange[] = [];
    const server = await startAuthorizationServer({ resource, onExchange: (one) => exchanges.push(one) });
    return { issuer: server.issuer, jwks: server.jwksUri, exchanges, close: () => server.close() };
  },
  'oidc-provider': () => startOidcProvider({ id: 'unused', secret: 'unused-secret' }),
};

async function startResource(port: number, { issuer, jwks }: Issuer, resource: string): Promise<void> {
  const words = ['--port', `${port}`, '--issuer', issuer, '--jwks', jwks, '--audience', resource];
  const child: ChildProcess = spawn(process.execPath, [guarded, ...words], { stdio: 'inherit' });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  });
  for (let attempts = 0; attempts < 500; attempts += 1) {
    const reply = await fetch(resource).catch(() => undefined);
    if (reply?.status === 401) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the resource does not listen');
}

/** A client without a browser: it keeps what it is given, and follows the redirects itself. */
function createProvider() {
  const kept = new Map<string, unknown>();
  let returned: URL | undefined;
  return {
    redirectUrl: redirectUri,
    clientMetadata: {
      client_name: 'sdk',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      scope: 'mcpc:use',
    },
    clientInformation: () => kept.get('client') as never,
    saveClientInformation: (value: unknown) => void kept.set('client', value),
    tokens: () => kept.get('tokens') as never,
    saveTokens: (value: unknown) => void kept.set('tokens', value),
    codeVerifier: () => kept.get('verifier') as string,
    saveCodeVerifier: (value: string) => void kept.set('verifier', value),
    saveDiscoveryState: (value: unknown) => void kept.set('discovery', value),
    discoveryState: () => kept.get('discovery') as never,
    async redirectToAuthorization(address: URL) {
      ({ address: returned } = await browse(address.href, (at) => at.href.startsWith(redirectUri)));
    },
    returned: () => returned!.searchParams,
  };
}

const clients: Record<string, (resource: string) => Promise<string | undefined>> = {
  async 'SDK 1.32'(resource) {
    const authProvider = createProvider();
    const first = new Transport1(new URL(resource), { authProvider });
    await expect(new Client1({ name: 'sdk-1', version: '1' }).connect(first)).rejects.toThrow('Unauthorized');
    await first.finishAuth(authProvider.returned().get('code')!);
    const client = new Client1({ name: 'sdk-1', version: '1' });
    await client.connect(new Transport1(new URL(resource), { authProvider }));
    await client.listTools();
    const name = client.getServerVersion()?.name;
    await client.close();
    return name;
  },
  async 'SDK 2.4'(resource) {
    const authProvider = createProvider();
    const first = new Transport2(new URL(resource), { authProvider });
    await expect(new Client2({ name: 'sdk-2', version: '1' }).connect(first)).rejects.toThrow('Unauthorized');
    await first.finishAuth(authProvider.returned());
    const client = new Client2({ name: 'sdk-2', version: '1' });
    await client.connect(new Transport2(new URL(resource), { authProvider }));
    await client.listTools();
    const name = client.getServerVersion()?.name;
    await client.close();
    return name;
  },
};

describe.each(Object.entries(issuers))('at %s', (_name, start) => {
  test.each(Object.entries(clients))('%s logs in', async (_client, logIn) => {
    const port = await freePort();
    const resource = `http://127.0.0.1:${port}/mcp`;
    const issuer = await start(resource);
    onTestFinished(() => issuer.close());
    await startResource(port, issuer, resource);
    expect(await logIn(resource)).toBe('jwt-server');
    if (issuer.exchanges === undefined) return;
    const authorized = issuer.exchanges.find(({ request }) => request.url.pathname === '/authorize')!;
    expect(Object.fromEntries(authorized.request.url.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      resource,
    });
    const granted = issuer.exchanges.find(({ request }) => request.url.pathname === '/token')!;
    expect(Object.fromEntries(new URLSearchParams(granted.request.body))).toMatchObject({
      grant_type: 'authorization_code',
      resource,
    });
    expect(granted.reply.status).toBe(200);
  });
});
