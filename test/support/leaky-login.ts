/**
 * A resource and its authorization server that say every secret again wherever they can: in results, errors, headers and
 * descriptions. All values are made here or noted as they come in, so that a test can look for them in what was written.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface LeakyLogin {
  url: string;
  /** Every secret that was made or seen, by a name for the reader. */
  planted: Map<string, string>;
  /** A value that is known from here on to be secret. */
  plant(name: string): string;
  /** The server says no more what was planted so far: another check does not know it. */
  forget(): void;
  close(): Promise<void>;
}

export async function startLeakyLogin(): Promise<LeakyLogin> {
  const planted = new Map<string, string>();
  let current: string[] = [];
  const plant = (name: string): string => {
    const value = `${name}-${randomBytes(12).toString('hex')}`;
    note(name, value);
    return value;
  };
  const note = (name: string, value: string | null | undefined): void => {
    if (!value) return;
    planted.set(`${name} ${planted.size}`, value);
    current.push(value);
  };
  const good = new Set<string>();
  const server = createServer((request, response) => {
    reply(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { pathname, searchParams } = new URL(request.url!, origin);
    const send = (status: number, value?: unknown, headers: Record<string, string> = {}): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(value === undefined ? undefined : JSON.stringify(value));
    if (pathname === '/.well-known/oauth-protected-resource/mcp')
      return send(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (pathname === '/.well-known/oauth-authorization-server')
      return send(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      });
    if (pathname === '/register')
      return send(201, {
        ...(JSON.parse(body) as object),
        client_id: 'registered',
        client_secret: plant('registered-secret'),
        client_secret_expires_at: 0,
        registration_access_token: plant('registration-token'),
      });
    if (pathname === '/authorize') {
      note('state', searchParams.get('state'));
      const back = new URL(searchParams.get('redirect_uri')!);
      back.searchParams.set('code', plant('code'));
      back.searchParams.set('state', searchParams.get('state')!);
      return send(302, undefined, { location: back.href, 'set-cookie': `login=${plant('cookie')}` });
    }
    if (pathname === '/token') return giveToken(new URLSearchParams(body), request.headers.authorization, send);
    if (pathname !== '/mcp') return send(404);
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!good.has(token))
      return send(401, undefined, {
        'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
      });
    return answer(body, token, send);
  }

  function giveToken(
    form: URLSearchParams,
    authorization: string | undefined,
    send: (status: number, value: unknown) => void,
  ): void {
    const basic = authorization?.replace('Basic ', '');
    note('basic', basic);
    note('verifier', form.get('code_verifier'));
    if (basic !== undefined && Buffer.from(basic, 'base64').toString().startsWith('refused:'))
      return send(400, {
        error: 'invalid_client',
        error_description: `no client with ${decodeURIComponent(Buffer.from(basic, 'base64').toString().slice(8))} or ${basic}`,
      });
    const token = plant('access');
    good.add(token);
    return send(200, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: plant('refresh'),
    });
  }

  /** Says the token, and everything else that is secret, in whatever a report may show. */
  function answer(body: string, token: string, send: (status: number, value?: unknown) => void): void {
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return send(202);
    const all = current.join(' and ');
    if (method === 'initialize')
      return send(200, {
        jsonrpc: '2.0',
        id,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'leaky', version: '1.0.0', title: `for ${token}` },
          instructions: `You came with ${token}.`,
        },
      });
    if (method === 'tools/list')
      return send(200, {
        jsonrpc: '2.0',
        id,
        // No schema at all, so that a failed rule shows the message.
        result: { tools: [{ name: 'echo', description: `Token ${token}, or one of ${all}` }] },
      });
    return send(200, { jsonrpc: '2.0', id, error: { code: -32601, message: `nothing for ${token}` } });
  }

  return {
    url: `${origin}/mcp`,
    planted,
    plant,
    forget: () => void (current = []),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
