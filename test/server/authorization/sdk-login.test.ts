/**
 * Both generations of the SDK and the reference client log in at the test authorization server, and at one that is not ours (`oidc-provider`), for
 * a resource that checks tokens by neither: issuer, audience, signature and expiry.
 */
import { describe, expect, test } from 'vitest';
import { referenceClient } from '../../reference-client/client.ts';
import { startOidcProvider } from '../../support/oidc-provider.ts';
import { issuers, startProtected } from '../../support/protected-server.ts';
import { logIn, sdks } from '../../support/sdk-login.ts';

describe.each(Object.entries(issuers))('at %s', (_name, start) => {
  test.each(sdks)('%s logs in', async (sdk) => {
    const { issuer, resource } = await startProtected(start);
    expect((await logIn(sdk, resource)).name).toBe('jwt-server');
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

describe.each([
  ['the test authorization server', issuers['the test authorization server']!],
  ['oidc-provider', () => startOidcProvider({ id: 'unused', secret: 'unused-secret' }, { refreshes: true })],
])('at %s', (_name, start) => {
  test('the reference client logs in', async () => {
    const { resource } = await startProtected(start);
    const { connect, listTools, close } = referenceClient({ revision: '2025-06-18' });
    const acts = [{ act: 'list', of: 'tools' }] as const;
    const server = { transport: 'http', url: resource, command: [], start: 'c1', acts } as const;
    const client = await connect({ ...server, context: { name: 'initialize' }, signal: AbortSignal.timeout(20_000) });
    await listTools!(client);
    await close!(client);
  });
});
