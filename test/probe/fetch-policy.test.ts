/** What a target may make the checker fetch: never a network that only the checker can reach. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import type { EventInput } from '../../src/core/model/trace.ts';
import { isPublicAddress, publicLookup, reachOf } from '../../src/client/peer/beside/fetch-policy.ts';
import { createSideFetch } from '../../src/client/peer/beside/side-fetch.ts';

const remote = new URL('https://mcp.example.com/mcp');
const local = new URL('http://127.0.0.1:3000/mcp');
const told = (address: string, target: URL, allowed?: string[]): unknown => {
  const reach = reachOf(new URL(address), target, allowed);
  return typeof reach === 'object' ? 'refused' : reach;
};

describe('a target on the internet', () => {
  test.each([
    ['https://mcp.example.com/.well-known/oauth-protected-resource', 'own'],
    ['https://auth.example.com/.well-known/openid-configuration', 'public'],
    ['https://8.8.8.8/x', 'public'],
    ['https://[2606:4700::1111]/x', 'public'],
    ['http://auth.example.com/x', 'refused'],
    ['https://localhost/x', 'refused'],
    ['https://127.0.0.1/x', 'refused'],
    ['https://127.1/x', 'refused'],
    ['https://2130706433/x', 'refused'],
    ['https://[::1]/x', 'refused'],
    ['https://[::ffff:127.0.0.1]/x', 'refused'],
    ['https://10.1.2.3/x', 'refused'],
    ['https://169.254.169.254/latest/meta-data', 'refused'],
    ['https://[fd00::1]/x', 'refused'],
    ['https://intranet/x', 'refused'],
    ['https://user:secret@auth.example.com/x', 'refused'],
    ['ftp://auth.example.com/x', 'refused'],
    ['file:///etc/passwd', 'refused'],
  ])('%s is %s', (address, reach) => {
    expect(told(address, remote)).toBe(reach);
  });

  test('an origin that the user allows may be anywhere', () => {
    expect(told('http://10.1.2.3:8080/x', remote, ['http://10.1.2.3:8080'])).toBe('near');
    expect(told('http://10.1.2.3:8081/x', remote, ['http://10.1.2.3:8080'])).toBe('refused');
  });
});

describe('a target on the own machine', () => {
  test.each([
    ['http://127.0.0.1:3000/x', 'own'],
    ['http://localhost:4000/x', 'near'],
    ['http://[::1]:4000/x', 'near'],
    ['https://auth.example.com/x', 'public'],
    ['http://10.1.2.3/x', 'refused'],
    ['https://192.168.0.1/x', 'refused'],
  ])('%s is %s', (address, reach) => {
    expect(told(address, local)).toBe(reach);
  });
});

test.each([
  '0.0.0.0',
  '100.64.0.1',
  '172.31.255.255',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  'fe80::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '64:ff9b::7f00:1',
  'no address',
])('%s is no public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test('a name that leads to the own machine is refused when it is looked up', async () => {
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) =>
    publicLookup('localhost', { all: true }, (problem) => resolve(problem)),
  );
  expect(error?.code).toBe('ENOTPUBLIC');
});

describe('what is fetched', () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function fetched(origin: string, listenTo: string) {
    const events: EventInput[] = [];
    const side = createSideFetch(
      { kind: 'http', url: `${origin}/mcp`, headers: [['Authorization', 'Bearer secret-of-the-user']] },
      's1',
      (event) => events.push(event),
    );
    const exchange = side.send(new URL(listenTo), {
      method: 'GET',
      headers: [['Accept', 'application/json']],
      timeoutMs: 5000,
    });
    await exchange?.done;
    await side.close();
    return events;
  }

  test('carries no credentials, and follows no redirect', async () => {
    const seen: string[] = [];
    const elsewhere = await serve((request, response) => {
      seen.push(`elsewhere ${request.url}`);
      response.end('{}');
    });
    const origin = await serve((request, response) => {
      seen.push(`${request.url} ${request.headers.authorization ?? 'no credentials'}`);
      response.writeHead(302, { location: `${elsewhere}/inner` }).end();
    });
    const events = await fetched(origin, `${origin}/.well-known/oauth-protected-resource`);
    expect(seen).toEqual(['/.well-known/oauth-protected-resource no credentials']);
    expect(events.find(({ kind }) => kind === 'http-response')?.http?.status).toBe(302);
  });

  test('is bounded', async () => {
    const origin = await serve(
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(1024 * 1024)}"`),
    );
    const events = await fetched(origin, `${origin}/.well-known/oauth-protected-resource`);
    expect(events.some(({ kind }) => kind === 'limit')).toBe(true);
    expect(JSON.stringify(events).length).toBeLessThan(16_000);
  });

  test('is recorded with its origin where that is not the target', async () => {
    const [origin, other] = await Promise.all([
      serve((_request, response) => void response.end('{}')),
      serve((_request, response) => void response.end('{}')),
    ]);
    const [own] = await fetched(origin, `${origin}/a`);
    const [foreign] = await fetched(origin, `${other}/a`);
    expect(own?.http).not.toHaveProperty('origin');
    expect(foreign?.http?.origin).toBe(other);
  });
});
