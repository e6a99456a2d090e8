/**
 * A client of the extensions of authorization: client credentials, enterprise-managed authorization, workload identity and
 * DPoP. It does everything right but for one fault by name, and sends bare requests of MCP.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importPKCS8, SignJWT } from 'jose';
import type { ClientFunctions, ClientServer } from '../../../src/stage/drive/functions-driver.ts';

export type ExtensionFault =
  | 'other-grant'
  | 'other-authentication'
  | 'no-audience'
  | 'no-assertion'
  | 'wrong-audience'
  | 'expired'
  | 'malformed'
  | 'grant-fallback'
  | 'retry'
  | 'bearer'
  | 'replay'
  | 'no-token-proof'
  | 'no-as-nonce'
  | 'no-rs-nonce';

type Json = Record<string, unknown>;
type Prove = (method: string, address: string, more?: Json) => Promise<string>;

const redirectUri = 'http://127.0.0.1:7/callback';
const grantOf = (name: string): string => `urn:ietf:params:oauth:grant-type:${name}`;
const typeOf = (name: string): string => `urn:ietf:params:oauth:token-type:${name}`;

/** Requests with the token, and what every login needs. */
interface Login {
  context: Record<string, string>;
  server: Record<string, string>;
  resource: string;
  has(fault: ExtensionFault): boolean;
  post(address: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
}

interface Access {
  token: string;
  prove?: Prove;
}

export function extensionClient(fault?: ExtensionFault): ClientFunctions<undefined> {
  return {
    async connect(place: ClientServer) {
      const login = await openLogin(place, fault);
      const name = place.context.name.replace('auth/', '');
      const access = name.startsWith('dpop')
        ? await boundToken(login)
        : name.startsWith('wif')
          ? await workloadToken(login)
          : name.startsWith('client-credentials')
            ? await ownToken(login)
            : await enterpriseToken(login);
      await useToken(place.url, access, login);
      return undefined;
    },
  };
}

async function openLogin({ context, signal, url }: ClientServer, fault: ExtensionFault | undefined): Promise<Login> {
  const get = async (address: string): Promise<Json> => (await (await fetch(address, { signal })).json()) as Json;
  const { origin, pathname } = new URL(url);
  const { authorization_servers: servers, resource } = await get(
    `${origin}/.well-known/oauth-protected-resource${pathname}`,
  );
  const server = await get(`${(servers as string[])[0]}/.well-known/oauth-authorization-server`);
  return {
    context: context as Record<string, string>,
    server: server as Record<string, string>,
    resource: String(resource),
    has: (one) => one === fault,
    post: (address, form, headers = {}) =>
      fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(form),
        signal,
      }),
  };
}

async function tokenIn(response: Response): Promise<string> {
  const reply = (await response.json()) as Json;
  if (typeof reply.access_token !== 'string') throw new Error(`no token: ${String(reply.error)}`);
  return reply.access_token;
}

function basicOf({ client_id: id, client_secret: secret }: Record<string, string>): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

async function ownToken({ context, has, post, resource, server }: Login): Promise<Access> {
  const form: Record<string, string> = {
    grant_type: has('other-grant') ? 'refresh_token' : 'client_credentials',
    resource,
  };
  const { client_id: id = '', client_secret: secret, private_key_pem: pem } = context;
  if (pem === undefined) {
    return has('other-authentication')
      ? { token: await tokenIn(await post(server.token_endpoint!, { ...form, client_id: id, client_secret: secret! })) }
      : { token: await tokenIn(await post(server.token_endpoint!, form, basicOf(context))) };
  }
  const assertion = await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: context.signing_algorithm! })
    .setIssuer(id)
    .setSubject(id)
    .setAudience(has('no-audience') ? 'https://other.mcpc.invalid' : server.issuer!)
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(await importPKCS8(pem, context.signing_algorithm!));
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  const response = await post(server.token_endpoint!, {
    ...form,
    client_assertion: assertion,
    client_assertion_type: type,
  });
  return { token: await tokenIn(response) };
}

async function enterpriseToken({ context, has, post, resource, server }: Login): Promise<Access> {
  const exchanged = await post(context.idp_token_endpoint!, {
    grant_type: grantOf('token-exchange'),
    requested_token_type: typeOf('id-jag'),
    subject_token_type: typeOf('id_token'),
    subject_token: context.idp_id_token!,
    client_id: context.idp_client_id!,
    ...(has('no-audience') ? {} : { audience: server.issuer! }),
    resource,
  });
  const assertion = await tokenIn(exchanged);
  const form = {
    grant_type: grantOf('jwt-bearer'),
    assertion: has('other-grant') ? context.idp_id_token! : assertion,
  };
  return { token: await tokenIn(await post(server.token_endpoint!, form, basicOf(context))) };
}

async function workloadToken({ context, has, post, server }: Login): Promise<Access> {
  const jwt = has('wrong-audience')
    ? context.wrong_audience_jwt!
    : has('expired')
      ? context.expired_jwt!
      : has('malformed')
        ? `${context.valid_jwt!}x`
        : context.valid_jwt!;
  const fallsBack = has('grant-fallback') || has('retry');
  const form: Record<string, string> = {
    grant_type: grantOf('jwt-bearer'),
    client_id: context.client_id!,
    ...(has('no-assertion') ? {} : { assertion: jwt }),
    ...(fallsBack ? { scope: 'wif.trigger-unauthorized' } : {}),
  };
  const response = await post(server.token_endpoint!, form);
  if (!fallsBack) return { token: await tokenIn(response) };
  await response.body?.cancel();
  const { scope: _scope, ...again } = form;
  const other = { grant_type: 'authorization_code', code: 'none', client_id: context.client_id! };
  return { token: await tokenIn(await post(server.token_endpoint!, has('retry') ? again : other)) };
}

async function boundToken({ has, post, resource, server }: Login): Promise<Access> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const prove: Prove = (htm, htu, more = {}) =>
    new SignJWT({ htm, htu, jti: randomUUID(), ...more })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt()
      .sign(privateKey);
  const registration = await fetch(server.registration_endpoint!, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [redirectUri],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    }),
  });
  const { client_id: id } = (await registration.json()) as { client_id: string };
  const verifier = randomBytes(32).toString('base64url');
  const address = new URL(server.authorization_endpoint!);
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: redirectUri,
    state: randomUUID(),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
  }).toString();
  const approved = await fetch(address, { redirect: 'manual' });
  await approved.body?.cancel();
  const form = {
    grant_type: 'authorization_code',
    code: new URL(approved.headers.get('location')!).searchParams.get('code')!,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    client_id: id,
    resource,
  };
  const ask = async (more: Json = {}): Promise<Response> =>
    post(
      server.token_endpoint!,
      form,
      has('no-token-proof') ? {} : { dpop: await prove('POST', server.token_endpoint!, more) },
    );
  const first = await ask();
  const nonce = first.headers.get('dpop-nonce');
  const token = await tokenIn(nonce === null || has('no-as-nonce') ? first : await ask({ nonce }));
  const ath = createHash('sha256').update(token).digest('base64url');
  const last: { proof?: string } = {};
  const proveOnce: Prove = async (htm, htu, more = {}) => {
    if (!has('replay')) return prove(htm, htu, { ath, ...more });
    return (last.proof ??= await prove(htm, htu, { ath, ...more }));
  };
  return { token, prove: proveOnce };
}

/** Initializes, lists the tools and calls one. */
async function useToken(url: string, { prove, token }: Access, { has }: Login): Promise<void> {
  let nonce: string | undefined;
  let session: Record<string, string> = {};
  const scheme = prove === undefined || has('bearer') ? 'Bearer' : 'DPoP';
  const send = async (body: Json): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `${scheme} ${token}`,
        ...session,
        ...(prove === undefined ? {} : { dpop: await prove('POST', url, nonce === undefined ? {} : { nonce }) }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    });
  const ask = async (body: Json): Promise<void> => {
    let response = await send(body);
    const asked = response.headers.get('dpop-nonce');
    if (response.status === 401 && asked !== null && !has('no-rs-nonce')) {
      await response.body?.cancel();
      nonce = asked;
      response = await send(body);
    }
    await response.text();
    if (response.status >= 400) throw new Error(`refused with ${response.status}`);
    const id = response.headers.get('mcp-session-id');
    if (id !== null) session = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
  };
  const clientInfo = { name: 'extension-client', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  await ask({ id: 1, method: 'initialize', params });
  await ask({ method: 'notifications/initialized' });
  await ask({ id: 2, method: 'tools/list' });
  await ask({ id: 3, method: 'tools/call', params: { name: 'test-tool', arguments: {} } });
}
