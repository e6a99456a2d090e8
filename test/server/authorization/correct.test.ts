/** The test authorization server without deviations does what a strict client expects, and refuses what it must refuse. */
import { exportJWK, generateKeyPair } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, expect, test } from 'vitest';
import { siblingOf, tokenFaults } from '../../../src/server/authorization/token-keys.ts';
import { approve, discover, insecure, logIn, redirectUri, register, startGuarded } from './support.ts';

const keyPair = await generateKeyPair('ES256', { extractable: true });
const lab = await startGuarded(
  [],
  [
    { clientId: 'machine', secret: 'machine-secret-1', redirectUris: [] },
    {
      clientId: 'signer',
      jwks: { keys: [{ ...(await exportJWK(keyPair.publicKey)), alg: 'ES256' }] },
      redirectUris: [],
    },
  ],
);
afterAll(() => lab.close());
const as = await discover(lab.first.issuer);

test('a token from the code flow opens the resource, and refresh tokens are good once', async () => {
  const client = await register(as);
  const { tokens } = await logIn(as, client, lab.resource);
  expect((await lab.call(tokens.access_token)).status).toBe(200);
  expect(tokens.scope).toBe('mcpc:use');

  const refresh = (token: string) =>
    oauth
      .refreshTokenGrantRequest(as, client, oauth.None(), token, insecure)
      .then((response) => oauth.processRefreshTokenResponse(as, client, response));
  const next = await refresh(tokens.refresh_token!);
  expect(next.refresh_token).not.toBe(tokens.refresh_token);
  expect((await lab.call(next.access_token)).status).toBe(200);
  await expect(refresh(tokens.refresh_token!)).rejects.toThrow();
  // The family of a token that was used twice is ended.
  await expect(refresh(next.refresh_token!)).rejects.toThrow();
});

test('a code is good once, for its verifier, and a challenge by S256 alone', async () => {
  const client = await register(as);
  const { parameters, verifier } = await logIn(as, client, lab.resource);
  const redeem = (with_: string) =>
    oauth
      .authorizationCodeGrantRequest(as, client, oauth.None(), parameters, redirectUri, with_, insecure)
      .then((response) => response.status);
  expect(await redeem(verifier)).toBe(400);

  const state = 'state-1';
  const callback = await approve(as, client, {
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
  });
  const fresh = oauth.validateAuthResponse(as, client, callback, state);
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.None(),
    fresh,
    redirectUri,
    oauth.generateRandomCodeVerifier(),
    insecure,
  );
  expect(response.status).toBe(400);
  const plain = await approve(as, client, { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' });
  expect(plain.searchParams.get('error')).toBe('invalid_request');
  await expect(approve(as, client, { redirect_uri: 'http://127.0.0.1:7/elsewhere' })).rejects.toThrow('400');
  await expect(approve(as, { client_id: 'nobody' }, {})).rejects.toThrow('400');
});

test('clients prove who they are by Basic, in the body, or by a signed assertion', async () => {
  const tokenBy = async (client: oauth.Client, how: oauth.ClientAuth) => {
    const response = await oauth.clientCredentialsGrantRequest(
      as,
      client,
      how,
      { resource: lab.resource, scope: 'mcpc:use mcpc:tools' },
      insecure,
    );
    return oauth.processClientCredentialsResponse(as, client, response);
  };
  const machine = { client_id: 'machine' };
  for (const [client, how] of [
    [machine, oauth.ClientSecretBasic('machine-secret-1')],
    [machine, oauth.ClientSecretPost('machine-secret-1')],
    [{ client_id: 'signer' }, oauth.PrivateKeyJwt(keyPair.privateKey)],
  ] as const) {
    const tokens = await tokenBy(client, how);
    expect((await lab.call(tokens.access_token)).status).toBe(200);
    expect(tokens.refresh_token).toBeUndefined();
  }
  await expect(tokenBy(machine, oauth.ClientSecretPost('wrong'))).rejects.toThrow();
  await expect(tokenBy(machine, oauth.None())).rejects.toThrow();
  const stranger = await generateKeyPair('ES256');
  await expect(tokenBy({ client_id: 'signer' }, oauth.PrivateKeyJwt(stranger.privateKey))).rejects.toThrow();
});

test('the resource takes a good token, and none that differs in one thing', async () => {
  const grant = { audience: lab.resource, clientId: 'machine', scope: 'mcpc:use', lifetimeSeconds: 60 };
  expect((await lab.call(await lab.first.keys.issue(grant))).status).toBe(200);
  for (const fault of tokenFaults) {
    const token = await lab.first.keys.issue(grant, fault);
    expect([fault, (await lab.call(token)).status]).toEqual([fault, fault === 'scope' ? 200 : 401]);
  }
  const missing = await lab.call(undefined);
  expect(missing.status).toBe(401);
  expect(missing.headers.get('www-authenticate')).toBe(
    `Bearer scope="mcpc:use", resource_metadata="${lab.origin}/.well-known/oauth-protected-resource/mcp"`,
  );
});

test('a sibling is another path of the same host', () => {
  expect(siblingOf('https://a.example/mcp')).toBe('https://a.example/mcp-mcpc-sibling');
  expect(siblingOf('https://a.example/')).toBe('https://a.example/mcpc-sibling');
  expect(siblingOf('urn:a')).toBe('urn:a-sibling');
});
