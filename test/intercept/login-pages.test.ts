/** How the proxy changes the documents and pages of a login, and what it leaves alone. */
import { createServer, get as request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpRecording } from '../../src/client/intercept/http-recording.ts';
import { startHttpProxy } from '../../src/client/intercept/http-proxy.ts';
import {
  rewriteChallenge,
  rewriteCookie,
  rewriteParameters,
  rewriteRedirect,
} from '../../src/client/intercept/authorization/rewrite.ts';
import { defaultTransportLimits } from '../../src/client/transport/limits.ts';
import { metadataFacts } from '../../src/core/facts/authorization/metadata-facts.ts';
import type { EventInput } from '../../src/core/model/trace.ts';

const move = (address: string): string | undefined =>
  address.startsWith('https://auth.example')
    ? address.replace('https://auth.example', 'http://127.0.0.1:9')
    : undefined;

test.each([
  [
    'Bearer resource_metadata="https://auth.example/m", scope="a"',
    'Bearer resource_metadata="http://127.0.0.1:9/m", scope="a"',
  ],
  [
    'Bearer scope="a", resource_metadata = https://auth.example/m',
    'Bearer scope="a", resource_metadata = "http://127.0.0.1:9/m"',
  ],
  ['Bearer resource_metadata="https://other.example/m"', 'Bearer resource_metadata="https://other.example/m"'],
  ['Basic realm="https://auth.example"', 'Basic realm="https://auth.example"'],
])('the challenge %s', (challenge, turned) => {
  expect(rewriteChallenge(challenge, move).value).toBe(turned);
});

test.each([
  ['https://auth.example/next?a=%2F&b=1', 'http://127.0.0.1:9/next?a=%2F&b=1'],
  [
    'http://127.0.0.1:7/cb?code=c&iss=https%3A%2F%2Fauth.example',
    'http://127.0.0.1:7/cb?code=c&iss=http%3A%2F%2F127.0.0.1%3A9',
  ],
  [
    'http://127.0.0.1:7/cb#iss=https://auth.example/&code=c',
    'http://127.0.0.1:7/cb#iss=http%3A%2F%2F127.0.0.1%3A9%2F&code=c',
  ],
  ['http://127.0.0.1:7/cb?code=c&iss=https://evil.example', 'http://127.0.0.1:7/cb?code=c&iss=https://evil.example'],
  ['/interaction/1', '/interaction/1'],
  ['http://127.0.0.1:7/cb?iss=%E0', 'http://127.0.0.1:7/cb?iss=%E0'],
])('the redirect %s', (location, turned) => {
  expect(rewriteRedirect(location, move).value).toBe(turned);
});

test('of parameters only those that name a resource change, and the others keep their bytes', () => {
  const text =
    'redirect_uri=https%3A%2F%2Fauth.example%2F&scope=a+b&resource=https%3A%2F%2Fauth.example%2Fmcp&x=%7E&resource=urn:x';
  const { rewritten, value } = rewriteParameters(text, 'query', move);
  expect(value).toBe(text.replace('resource=https%3A%2F%2Fauth.example', 'resource=http%3A%2F%2F127.0.0.1%3A9'));
  expect(rewritten).toEqual({ 'query.resource': 'http://127.0.0.1:9/mcp' });
});

test.each([
  ['s=1; Domain=auth.example; Path=/; Secure; HttpOnly; SameSite=None', 's=1; Path=/; HttpOnly'],
  ['__Host-s=1; Path=/; Secure', '__Host-s=1; Path=/; Secure'],
])('the cookie %s', (cookie, turned) => {
  expect(rewriteCookie(cookie)).toBe(turned);
});

interface Documents {
  resource: string;
  authorization_servers: string[];
  token_endpoint: string;
}

type Route = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function serve(route: Route, host = '127.0.0.1'): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => route(request, response, Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

test('a login over pages with a form goes through the proxy to its end', async () => {
  const seen: { path: string; body: string; headers: IncomingMessage['headers'] }[] = [];
  const json = (response: ServerResponse, value: unknown): void =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const tokens = await serve(({ headers, url }, response, body) => {
    seen.push({ path: url!, body, headers });
    json(response, { access_token: 'a-token-4711-of-nobody', token_type: 'Bearer' });
  }, 'localhost');
  const auth = await serve(({ headers, url }, response, body) => {
    const path = url!.split('?')[0]!;
    seen.push({ path: url!, body, headers });
    if (path.startsWith('/.well-known/'))
      return void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(
        gzipSync(
          JSON.stringify({
            issuer: `${auth}/tenant`,
            authorization_endpoint: `${auth}/authorize`,
            token_endpoint: `${tokens}/token`,
            registration_endpoint: 'http://10.1.2.3/register',
            service_documentation: `${auth}/help`,
            signed_metadata: 'x.y.z',
          }),
        ),
      );
    if (path === '/authorize')
      return void response
        .writeHead(200, {
          'content-type': 'text/html',
          'set-cookie': 'login=1; Secure; Domain=auth.example',
          'content-security-policy': `form-action ${auth}`,
        })
        .end(`<form action="${auth}/login" method="post">`);
    response
      .writeHead(303, {
        location: `http://127.0.0.1:7/cb?code=c0de-4711-0815&iss=${encodeURIComponent(`${auth}/tenant`)}`,
      })
      .end();
  });
  const server = await serve(({ headers, url }, response) => {
    if (url!.startsWith('/.well-known/'))
      return json(response, { resource: `${server}/mcp`, authorization_servers: [`${auth}/tenant`] });
    if (headers.authorization === undefined)
      return void response
        .writeHead(401, {
          'www-authenticate': `Bearer resource_metadata="${server}/.well-known/oauth-protected-resource/mcp"`,
        })
        .end();
    json(response, { jsonrpc: '2.0', id: 1, result: { link: `${server}/mcp` } });
  });

  const events: EventInput[] = [];
  const recording = createHttpRecording((event) => events.push(event), defaultTransportLimits);
  const refused: string[] = [];
  const proxy = await startHttpProxy({
    ...{ upstream: new URL(`${server}/mcp`), host: '127.0.0.1', port: 0 },
    tell: (tap) => void ('exchange' in tap && recording.take(tap)),
    logins: { allowed: [], onRelay: () => {}, onRefused: (origin, why) => void refused.push(`${origin} ${why}`) },
  });
  onTestFinished(() => proxy.close());
  const local = new URL(proxy.url).origin;
  const get = async (address: string) => JSON.parse(await (await fetch(address)).text()) as Documents;

  const challenge = (await fetch(proxy.url, { method: 'POST', body: '{}' })).headers.get('www-authenticate')!;
  expect(challenge).toBe(`Bearer resource_metadata="${local}/.well-known/oauth-protected-resource/mcp"`);
  const resource = await get(/"(.*)"/.exec(challenge)![1]!);
  expect(resource.resource).toBe(proxy.url);
  const issuer = resource.authorization_servers[0]!;
  expect(issuer).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/tenant$/);
  const own = new URL(issuer).origin;
  const metadata = await get(`${own}/.well-known/oauth-authorization-server/tenant`);
  expect(metadata).toEqual({
    issuer,
    authorization_endpoint: `${own}/authorize`,
    token_endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/token$/),
    registration_endpoint: 'http://10.1.2.3/register',
    service_documentation: `${auth}/help`,
  });
  expect(metadata.token_endpoint).not.toContain(own);
  expect(refused).toEqual(['http://10.1.2.3 it is plain HTTP to another host']);

  const page = await fetch(
    `${own}/authorize?response_type=code&client_id=c&resource=${encodeURIComponent(proxy.url)}&state=%7E`,
  );
  expect(page.headers.get('set-cookie')).toBe('login=1');
  expect(page.headers.get('content-security-policy')).toBe(`form-action ${own}`);
  expect(await page.text()).toBe(`<form action="${own}/login" method="post">`);
  expect(seen.at(-1)!.path).toBe(
    `/authorize?response_type=code&client_id=c&resource=${encodeURIComponent(`${server}/mcp`)}&state=%7E`,
  );
  const login = await fetch(`${own}/login`, {
    ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ user: 'ada', pin: '4711-0815' }) },
    headers: { origin: own, referer: `${own}/authorize` },
  });
  expect(login.headers.get('location')).toBe(
    `http://127.0.0.1:7/cb?code=c0de-4711-0815&iss=${encodeURIComponent(issuer)}`,
  );
  expect(seen.at(-1)).toMatchObject({
    body: 'user=ada&pin=4711-0815',
    headers: { origin: auth, referer: `${auth}/authorize` },
  });
  await fetch(metadata.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', resource: proxy.url }),
  });
  expect(new URLSearchParams(seen.at(-1)!.body).get('resource')).toBe(`${server}/mcp`);
  // What the server itself says of its address passes.
  const result = await fetch(proxy.url, { method: 'POST', body: '{}', headers: { authorization: 'Bearer t' } });
  expect(await result.json()).toMatchObject({ result: { link: `${server}/mcp` } });

  await proxy.close();
  await recording.settled();
  expect(JSON.stringify(events)).not.toContain('4711-0815"');
  expect(JSON.stringify(events)).not.toContain('<form');
  const beside = events.filter(({ kind, session }) => kind === 'http-request' && session === 'auth');
  expect(beside.map(({ http }) => http!.path!.split('?')[0])).toEqual([
    '/.well-known/oauth-authorization-server/tenant',
    '/authorize',
    '/login',
    '/token',
  ]);
  expect(events.filter(({ http }) => http?.rewritten !== undefined).map(({ http }) => http!.rewritten)).toEqual([
    { 'www-authenticate.resource_metadata': `${server}/.well-known/oauth-protected-resource/mcp` },
    { resource: `${server}/mcp`, 'authorization_servers[0]': `${auth}/tenant` },
    {
      issuer: `${auth}/tenant`,
      authorization_endpoint: `${auth}/authorize`,
      token_endpoint: `${tokens}/token`,
      signed_metadata: 'left out',
    },
    { 'query.resource': `${server}/mcp` },
    { body: auth },
    { 'location.iss': `${auth}/tenant` },
    { 'form.resource': `${server}/mcp` },
  ]);
});

test('a page of another site cannot use the address of an authorization server', async () => {
  const auth = await serve((_request, response) => void response.end('never'));
  const server = await serve(
    (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ resource: 'x', authorization_servers: [auth] })),
  );
  const relays: string[] = [];
  const proxy = await startHttpProxy({
    ...{ upstream: new URL(`${server}/mcp`), host: '127.0.0.1', port: 0, tell: () => {} },
    logins: { allowed: [], onRelay: (_origin, local) => void relays.push(local), onRefused: () => {} },
  });
  onTestFinished(() => proxy.close());
  await fetch(`${new URL(proxy.url).origin}/.well-known/oauth-protected-resource/mcp`);
  expect(relays).toHaveLength(1);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    request(`${relays[0]}/token`, { headers: { host: 'evil.example' } }, (reply) =>
      resolve(reply.resume().statusCode),
    ).once('error', reject);
  });
  expect(status).toBe(403);
});

test.each([
  ['https://auth.example/token', { plain: false, insecure: false }],
  ['http://auth.example/token', { plain: true, insecure: true }],
])('an endpoint at %s is judged as the server names it, not as the proxy does', (named, sort) => {
  const facts = metadataFacts({
    ...{ kind: 'oauth', host: '127.0.0.1:9', path: '/.well-known/oauth-authorization-server', subject: '127.0.0.1:9' },
    ...{ status: 200, awaitsBody: false, unread: false, events: [1, 2] },
    content: { token_endpoint: 'http://127.0.0.1:9/token' },
    rewritten: { token_endpoint: named },
  });
  expect(facts.endpoints).toEqual([{ name: 'token_endpoint', ...sort }]);
});
