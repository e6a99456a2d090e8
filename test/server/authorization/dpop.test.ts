/** Tokens that are bound to a key: a client of its own library uses them, with nonces as well, and every fault of a proof is refused. */
import { generateKeyPair, SignJWT, exportJWK, type CryptoKey } from 'jose';
import { createHash, randomUUID } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { expect, onTestFinished, test } from 'vitest';
import { discover, insecure, logIn, register, startGuarded } from './support.ts';

async function start(deviation: 'dpop' | 'dpop-nonce') {
  const lab = await startGuarded([deviation]);
  onTestFinished(() => lab.close());
  const as = await discover(lab.first.issuer);
  return { lab, as, client: await register(as) };
}

test('oauth4webapi gets a bound token and shows it, with the nonces of both servers', async () => {
  for (const deviation of ['dpop', 'dpop-nonce'] as const) {
    const { as, client, lab } = await start(deviation);
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
    const token = await logIn(as, client, lab.resource, undefined, { DPoP }).catch((error: unknown) => {
      // The library has the nonce now; a code that was refused for it is still good, and so is a new one.
      if (!oauth.isDPoPNonceError(error)) throw error;
      return logIn(as, client, lab.resource, undefined, { DPoP });
    });
    expect(token.tokens.token_type).toBe('dpop');
    const show = (): Promise<Response> =>
      oauth.protectedResourceRequest(
        token.tokens.access_token,
        'POST',
        new URL(lab.resource),
        new Headers(),
        '{"method":"tools/list"}',
        { DPoP, ...insecure },
      );
    const response = await show().catch((error: unknown) => {
      if (!oauth.isDPoPNonceError(error)) throw error;
      return show();
    });
    expect([deviation, response.status]).toEqual([deviation, 200]);
  }
});

interface Changes {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: CryptoKey;
  scheme?: string;
}

test('each fault of a proof is refused by name', async () => {
  const { as, client, lab } = await start('dpop');
  const pair = await generateKeyPair('ES256', { extractable: true });
  const other = await generateKeyPair('ES256', { extractable: true });
  const { tokens } = await logIn(as, client, lab.resource, undefined, {
    DPoP: oauth.DPoP(client, { privateKey: pair.privateKey, publicKey: pair.publicKey }),
  });
  const ath = createHash('sha256').update(tokens.access_token).digest('base64url');
  const jwk = await exportJWK(pair.publicKey);
  const prove = async ({ claims = {}, header = {}, key = pair.privateKey }: Changes = {}): Promise<string> =>
    new SignJWT({ htm: 'POST', htu: lab.resource, jti: randomUUID(), iat: Date.now() / 1000, ath, ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
      .sign(key);
  const show = async (proof: string | undefined, scheme = 'DPoP'): Promise<string> => {
    const response = await fetch(lab.resource, {
      method: 'POST',
      headers: {
        authorization: `${scheme} ${tokens.access_token}`,
        ...(proof === undefined ? {} : { dpop: proof }),
      },
      body: '{"method":"tools/list"}',
    });
    const challenge = response.headers.get('www-authenticate') ?? '';
    return response.status === 200 ? 'served' : (/error="([a-z_]+)"/.exec(challenge)?.[1] ?? challenge);
  };
  const good = await prove();
  expect(await show(good)).toBe('served');
  expect(await show(good)).toBe('invalid_dpop_proof');
  expect(await show(await prove(), 'Bearer')).toBe('invalid_token');
  expect(await show(undefined)).toBe('invalid_dpop_proof');
  const hour = 3600;
  const faults: Changes[] = [
    { claims: { htm: 'GET' } },
    { claims: { htu: `${lab.resource}?a=b` } },
    { claims: { htu: lab.origin } },
    { claims: { iat: Date.now() / 1000 - hour } },
    { claims: { ath: 'other' } },
    { claims: { jti: undefined } },
    { header: { typ: 'JWT' } },
    { header: { jwk: undefined } },
    { key: other.privateKey },
    { key: other.privateKey, header: { jwk: await exportJWK(other.publicKey) } },
    { header: { jwk: await exportJWK(pair.privateKey) } },
  ];
  for (const fault of faults) expect([fault, await show(await prove(fault))]).toEqual([fault, 'invalid_dpop_proof']);
});
