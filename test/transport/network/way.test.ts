/** The ways to a server with real peers: proxies, certificates, IPv6, Unix sockets. What a proxy does is never the server's. */
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, describe, expect, test } from 'vitest';
import {
  openHttpConnection,
  type HttpConnectionOptions,
  type HttpOutcome,
} from '../../../src/client/transport/http/http-exchange.ts';
import { createAuthority } from '../../support/certificates.ts';
import { startForwardProxy, type ForwardProxy, type ProxyHabits } from '../../support/forward-proxy.ts';
import { listening, smallMcp } from '../../support/small-mcp.ts';
import { tape, type Tape } from '../harness.ts';

const authority = createAuthority();
const server = authority.sign('server', 'DNS:mcp.test,IP:127.0.0.1,IP:::1');
const client = authority.sign('client');
const locked = authority.sign('locked', 'DNS:client', 'open sesame');
afterAll(() => authority.remove());

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

async function post(
  url: string,
  options: Partial<HttpConnectionOptions> = {},
  headers: [string, string][] = [],
): Promise<{ outcome: HttpOutcome; recorded: Tape }> {
  const recorded = tape();
  const connection = openHttpConnection({ url, session: 's1', sink: recorded.sink, ...options });
  const exchange = connection.exchange({
    method: 'POST',
    headers: [['Content-Type', 'application/json'], ...headers],
    body: ping,
    readTimeoutMs: 20_000,
  });
  const outcome = await exchange.response;
  await exchange.done;
  await connection.close();
  return { outcome, recorded };
}

async function proxied<T>(habits: ProxyHabits, run: (proxy: ForwardProxy) => Promise<T>): Promise<T> {
  const proxy = await startForwardProxy({ 'mcp.test': '127.0.0.1' }, habits);
  try {
    return await run(proxy);
  } finally {
    await proxy.close();
  }
}

const settings = (url: string) => ({ http: url, https: url });
/** What a server did: nothing of the kind may come of a proxy. */
const ofServer = ({ events }: Tape) => events.filter(({ from }) => from === 'server');

describe('an http address through a proxy', () => {
  test('the proxy gets the whole address, the server the headers as they were written, twice where they came twice', async () => {
    let seen: IncomingMessage | undefined;
    await listening(
      createServer((request, response) => smallMcp((seen = request), response)),
      (port) =>
        proxied({ credentials: 'user:p@ss' }, async (proxy) => {
          const { outcome, recorded } = await post(
            `http://mcp.test:${port}/mcp?q=1`,
            { proxies: settings(proxy.url.replace('//', '//user:p%40ss@')) },
            [
              ['X-Twice', 'a'],
              ['x-tWICE', 'b'],
              ['Host', 'odd.test'],
            ],
          );
          expect(outcome).toMatchObject({ status: 200 });
          expect(proxy.asked).toEqual([`POST http://mcp.test:${port}/mcp?q=1`]);
          expect(proxy.rawHeaders.slice(0, 8)).toEqual([
            'Content-Type',
            'application/json',
            'X-Twice',
            'a',
            'x-tWICE',
            'b',
            'Host',
            'odd.test',
          ]);
          expect(seen!.rawHeaders.slice(0, 8)).toEqual([
            'Content-Type',
            'application/json',
            'X-Twice',
            'a',
            'x-tWICE',
            'b',
            'Host',
            'odd.test',
          ]);
          expect(seen!.url).toBe('/mcp?q=1');
          // The proxy's password is no part of the conversation.
          expect(JSON.stringify(recorded.events)).not.toContain('roxy-');
          expect(recorded.events[0]!.http).toMatchObject({ path: '/mcp?q=1', headers: { 'x-twice': ['a', 'b'] } });
        }),
    );
  });

  test('a refusal of the proxy is no reply of the server, whatever is in it', async () => {
    await proxied({ credentials: 'user:secret' }, async (proxy) => {
      const { outcome, recorded } = await post('http://mcp.test/mcp', {
        proxies: settings(proxy.url.replace('//', '//user:wrong@')),
      });
      expect(outcome).toEqual({
        error: `the proxy ${proxy.url} wants other credentials (status 407)`,
        code: 'PROXY_AUTH',
      });
      expect(ofServer(recorded)).toEqual([]);
      expect(recorded.of('closed')).toMatchObject([{ from: 'harness', reason: expect.not.stringContaining('wrong') }]);
    });
  });

  test('a connection that the proxy cuts is nobody’s', async () => {
    await proxied({ onRequest: (request) => request.socket.destroy() }, async (proxy) => {
      const { outcome, recorded } = await post('http://mcp.test/mcp', { proxies: settings(proxy.url) });
      expect(outcome).toMatchObject({ code: 'PROXY_LOST' });
      expect(ofServer(recorded)).toEqual([]);
    });
    await proxied(
      {
        onRequest: (_request, response) =>
          response
            .writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
            .write('{"json', () => response.socket?.destroy()),
      },
      async (proxy) => {
        const { recorded } = await post('http://mcp.test/mcp', { proxies: settings(proxy.url) });
        expect(recorded.of('closed')).toMatchObject([{ from: 'harness' }]);
      },
    );
  });

  test('an address of the own machine is reached straight', async () => {
    await listening(createServer(smallMcp), (port) =>
      proxied({}, async (proxy) => {
        expect((await post(`http://127.0.0.1:${port}/mcp`, { proxies: settings(proxy.url) })).outcome).toMatchObject({
          status: 200,
        });
        expect(proxy.asked).toEqual([]);
      }),
    );
  });
});

describe('an https address through a proxy', () => {
  test('is a tunnel with TLS to the server in it', async () => {
    let seen: IncomingMessage | undefined;
    await listening(
      createTlsServer(server, (request, response) => smallMcp((seen = request), response)),
      (port) =>
        proxied({ credentials: 'user:secret' }, async (proxy) => {
          const { outcome } = await post(
            `https://mcp.test:${port}/mcp`,
            { ca: authority.ca, proxies: settings(proxy.url.replace('//', '//user:secret@')) },
            [
              ['X-Twice', 'a'],
              ['X-TWICE', 'b'],
            ],
          );
          expect(outcome).toMatchObject({ status: 200 });
          expect(proxy.asked).toEqual([`CONNECT mcp.test:${port}`]);
          expect(seen!.rawHeaders.slice(4, 8)).toEqual(['X-Twice', 'a', 'X-TWICE', 'b']);
          expect(seen!.headers['proxy-authorization']).toBeUndefined();
        }),
    );
  });

  test.each<[string, (socket: import('node:stream').Duplex) => void, string]>([
    ['407', (socket) => socket.end('HTTP/1.1 407 No\r\n\r\n'), 'PROXY_AUTH'],
    ['503', (socket) => socket.end('HTTP/1.1 503 No\r\nContent-Length: 2\r\n\r\n{}'), 'PROXY_REFUSED'],
    ['a hang-up', (socket) => socket.destroy(), 'PROXY_LOST'],
    ['no HTTP', (socket) => socket.end('220 smtp.test ESMTP\r\n'), 'PROXY_LOST'],
    [
      'headers without an end',
      (socket) => {
        const more = (): void => {
          while (socket.writable && socket.write(`X-${'y'.repeat(500)}: z\r\n`));
          socket.once('drain', more);
        };
        socket.write('HTTP/1.1 200 OK\r\n');
        more();
      },
      'PROXY_LOST',
    ],
  ])('%s in place of a tunnel is the proxy’s', async (_title, onConnect, code) => {
    await proxied({ onConnect }, async (proxy) => {
      const { outcome, recorded } = await post('https://mcp.test/mcp', { proxies: settings(proxy.url) });
      expect(outcome).toMatchObject({ code });
      expect(ofServer(recorded)).toEqual([]);
      expect(recorded.of('closed')).toMatchObject([{ from: 'harness' }]);
    });
  });

  test('a proxy that is not there, and one that never answers', async () => {
    const gone = await startForwardProxy();
    await gone.close();
    expect((await post('https://mcp.test/mcp', { proxies: settings(gone.url) })).outcome).toMatchObject({
      code: 'PROXY_LOST',
      error: expect.stringContaining('ECONNREFUSED'),
    });
    await proxied({ onConnect: (socket) => void socket.resume().on('end', () => socket.end()) }, async (proxy) => {
      const recorded = tape();
      const connection = openHttpConnection({
        url: 'https://mcp.test/mcp',
        session: 's1',
        sink: recorded.sink,
        proxies: settings(proxy.url),
      });
      const exchange = connection.exchange({ method: 'GET', headers: [] });
      await expect.poll(() => proxy.asked.length).toBe(1);
      exchange.abort();
      await connection.close();
      // Nothing of it is left open.
      await expect.poll(() => proxy.open.size).toBe(0);
    });
  });

  test('a tunnel that is cut within a reply is nobody’s; a certificate of another name is the server’s', async () => {
    const large = createTlsServer(server, (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"a":"${'x'.repeat(100_000)}"}`),
    );
    await listening(large, (port) =>
      proxied({ cutAfter: 20_000 }, async (proxy) => {
        const { recorded } = await post(`https://mcp.test:${port}/mcp`, {
          ca: authority.ca,
          proxies: settings(proxy.url),
        });
        expect(recorded.of('closed')).toMatchObject([{ from: 'harness' }]);
      }),
    );
    const proxy = await startForwardProxy({ 'other.test': '127.0.0.1' });
    await listening(createTlsServer(server, smallMcp), async (port) => {
      expect(
        (await post(`https://other.test:${port}/mcp`, { ca: authority.ca, proxies: settings(proxy.url) })).outcome,
      ).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    });
    await proxy.close();
  });
});

describe.each(['http', 'https'] as const)('an https proxy on the way to an %s address', (kind) => {
  const target = () =>
    kind === 'http'
      ? createServer(smallMcp)
      : createTlsServer({ ...server, ca: authority.ca, requestCert: true, rejectUnauthorized: true }, smallMcp);

  test('is not shown the certificate of the client, and has to show a good one of its own', async () => {
    await listening(target(), async (port) => {
      const options = { ca: authority.ca, cert: client.cert, key: client.key };
      await proxied(
        { tls: { ...server, ca: authority.ca, requestCert: true, rejectUnauthorized: false } },
        async (proxy) => {
          const { outcome } = await post(`${kind}://mcp.test:${port}/mcp`, {
            ...options,
            proxies: settings(proxy.url),
          });
          expect(outcome).toMatchObject({ status: 200 });
          expect(proxy.asked).toHaveLength(1);
          expect(proxy.shown).toEqual([]);
        },
      );
      await proxied({ tls: authority.sign('elsewhere', 'DNS:elsewhere.test') }, async (proxy) => {
        const { outcome } = await post(`${kind}://mcp.test:${port}/mcp`, {
          ...options,
          insecure: true,
          proxies: settings(proxy.url),
        });
        expect(outcome).toMatchObject({ code: 'PROXY_LOST' });
        expect(proxy.asked).toEqual([]);
      });
    });
  });
});

describe('certificates', () => {
  const careful = () =>
    createTlsServer({ ...server, ca: authority.ca, requestCert: true, rejectUnauthorized: true }, smallMcp);

  test('a server that asks for one gets it, also by an encrypted key', async () => {
    await listening(careful(), async (port) => {
      const url = `https://127.0.0.1:${port}/mcp`;
      expect((await post(url, { ca: authority.ca })).outcome).toHaveProperty('error');
      expect((await post(url, { ca: authority.ca, cert: client.cert, key: client.key })).outcome).toMatchObject({
        status: 200,
      });
      expect(
        (await post(url, { ca: authority.ca, cert: locked.cert, key: locked.key, passphrase: 'open sesame' })).outcome,
      ).toMatchObject({ status: 200 });
      expect(() =>
        openHttpConnection({
          url,
          session: 's1',
          sink: () => 0,
          cert: locked.cert,
          key: locked.key,
          passphrase: 'wrong',
        }),
      ).toThrow();
    });
  });

  test('what signed the server is trusted besides the usual ones, and nothing else', async () => {
    await listening(createTlsServer(server, smallMcp), async (port) => {
      const url = `https://127.0.0.1:${port}/mcp`;
      expect((await post(url)).outcome).toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
      expect((await post(url, { ca: authority.ca })).outcome).toMatchObject({ status: 200 });
      expect((await post(url, { insecure: true })).outcome).toMatchObject({ status: 200 });
    });
  });

  test('the protocol of HTTP/1.1 is named in the handshake', async () => {
    let spoken: string | false | null = null;
    const both = createTlsServer({ ...server, ALPNProtocols: ['h2', 'http/1.1'] }, (request, response) => {
      spoken = (request.socket as TLSSocket).alpnProtocol;
      smallMcp(request, response);
    });
    await listening(both, async (port) => {
      const { recorded } = await post(`https://127.0.0.1:${port}/mcp`, { ca: authority.ca });
      expect(spoken).toBe('http/1.1');
      expect(recorded.of('http-response')[0]!.http).not.toHaveProperty('version');
    });
  });
});

describe('other addresses', () => {
  test('IPv6, with and without TLS', async () => {
    await listening(
      createServer(smallMcp),
      async (port) => expect((await post(`http://[::1]:${port}/mcp`)).outcome).toMatchObject({ status: 200 }),
      { host: '::1' },
    );
    await listening(
      createTlsServer(server, smallMcp),
      async (port) =>
        expect((await post(`https://[::1]:${port}/mcp`, { ca: authority.ca })).outcome).toMatchObject({ status: 200 }),
      { host: '::1' },
    );
    const other = authority.sign('other', 'DNS:mcp.test,IP:127.0.0.1,IP:::2');
    await listening(
      createTlsServer(other, smallMcp),
      async (port) =>
        expect((await post(`https://[::1]:${port}/mcp`, { ca: authority.ca })).outcome).toMatchObject({
          code: 'ERR_TLS_CERT_ALTNAME_INVALID',
        }),
      { host: '::1' },
    );
  });

  test('a Unix socket, with and without TLS; Host is that of the address, and no proxy is asked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcpc-unix-'));
    const path = join(folder, 'mcp.sock');
    let host: string | undefined;
    await proxied({}, async (proxy) => {
      await listening(
        createServer((request, response) => {
          host = request.headers.host;
          smallMcp(request, response);
        }),
        async () =>
          expect(
            (await post('http://mcp.example/mcp', { unixSocket: path, proxies: settings(proxy.url) })).outcome,
          ).toMatchObject({ status: 200 }),
        { path },
      );
      expect(host).toBe('mcp.example');
      await listening(
        createTlsServer(server, smallMcp),
        async () =>
          expect((await post('https://mcp.test/mcp', { unixSocket: path, ca: authority.ca })).outcome).toMatchObject({
            status: 200,
          }),
        { path },
      );
      expect(proxy.asked).toEqual([]);
    });
    expect((await post('http://mcp.example/mcp', { unixSocket: path })).outcome).toMatchObject({ code: 'ENOENT' });
    rmSync(folder, { recursive: true });
  });

  test('a reply of 1xx without an end is given up with the deadline', async () => {
    const sockets: Socket[] = [];
    const endless = createServer();
    endless.on('connection', (socket) => {
      sockets.push(socket);
      const more = (): void =>
        void (
          socket.writable && socket.write('HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n', () => setImmediate(more))
        );
      socket.once('data', more);
    });
    await listening(endless, async (port) => {
      const recorded = tape();
      const connection = openHttpConnection({
        url: `http://127.0.0.1:${port}/mcp`,
        session: 's1',
        sink: recorded.sink,
      });
      expect(
        await connection.exchange({ method: 'POST', headers: [], body: ping, readTimeoutMs: 300 }).response,
      ).toMatchObject({ code: 'TIMEOUT' });
      await connection.close();
      expect(recorded.events.length).toBeLessThan(6);
    });
  });
});
