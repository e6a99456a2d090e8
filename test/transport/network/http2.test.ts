/** HTTP/2: only where a server offers nothing else, and then as any other exchange. Real servers of node:http2. */
import { constants, createSecureServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, describe, expect, test } from 'vitest';
import {
  openHttpConnection,
  type HttpConnection,
  type HttpConnectionOptions,
} from '../../../src/client/transport/http/http-exchange.ts';
import { createAuthority } from '../../support/certificates.ts';
import { startForwardProxy } from '../../support/forward-proxy.ts';
import { listening, smallMcp } from '../../support/small-mcp.ts';
import { tape, type Tape } from '../harness.ts';

const authority = createAuthority();
const pair = authority.sign('server', 'DNS:mcp.test,IP:127.0.0.1');
afterAll(() => authority.remove());

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const json: [string, string][] = [['Content-Type', 'application/json']];

async function withHttp2(
  server: Http2Server,
  run: (connection: HttpConnection, recorded: Tape, port: number) => Promise<void>,
  options: Partial<HttpConnectionOptions> = {},
): Promise<void> {
  await listening(server, async (port) => {
    const recorded = tape();
    const host = options.proxies === undefined ? '127.0.0.1' : 'mcp.test';
    const connection = openHttpConnection({
      url: `https://${host}:${port}/mcp`,
      session: 's1',
      sink: recorded.sink,
      ca: authority.ca,
      ...options,
    });
    try {
      await run(connection, recorded, port);
    } finally {
      await connection.close();
    }
  });
}

const streams = (answer: (stream: ServerHttp2Stream, path: string) => void): Http2Server => {
  const server = createSecureServer(pair);
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    answer(stream, String(headers[':path']));
  });
  return server;
};

test('a server of HTTP/2 alone is spoken to, and told apart in the trace', async () => {
  let seen: Record<string, unknown> = {};
  let sessions = 0;
  const server = createSecureServer(pair, (request, response) => {
    seen = request.headers;
    smallMcp(request, response);
  });
  server.on('session', () => (sessions += 1));
  await withHttp2(server, async (connection, recorded) => {
    const first = connection.exchange({
      method: 'POST',
      headers: [
        ...json,
        ['MCP-Protocol-Version', '2025-11-25'],
        ['X-Twice', 'a'],
        ['x-twice', 'b'],
        ['Host', 'odd.test'],
      ],
      body: ping,
    });
    expect(await first.response).toMatchObject({ status: 200, version: '2' });
    await first.done;
    expect(seen).toMatchObject({
      ':authority': 'odd.test',
      ':path': '/mcp',
      'mcp-protocol-version': '2025-11-25',
      'x-twice': 'a, b',
    });
    expect(Object.keys(seen)).not.toContain('connection');
    // The request is recorded once, though it met a refusal first.
    expect(recorded.events.map(({ kind }) => kind)).toEqual(['http-request', 'message', 'http-response', 'message']);
    expect(recorded.of('http-response')[0]!.http).toMatchObject({ status: 200, version: '2' });
    expect(recorded.of('message')[1]!.message).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    const more = await Promise.all(
      Array.from({ length: 20 }, () => connection.exchange({ method: 'POST', headers: json, body: ping }).response),
    );
    expect(more.every((one) => 'status' in one && one.status === 200)).toBe(true);
    expect(sessions).toBe(1);
  });
});

test('requests that meet the refusal at the same time are all sent anew', async () => {
  await withHttp2(createSecureServer(pair, smallMcp), async (connection) => {
    const all = await Promise.all(
      Array.from({ length: 5 }, () => connection.exchange({ method: 'POST', headers: json, body: ping }).response),
    );
    expect(all.map((one) => ('status' in one ? one.status : one.error))).toEqual([200, 200, 200, 200, 200]);
  });
});

test('through a proxy, too', async () => {
  const proxy = await startForwardProxy({ 'mcp.test': '127.0.0.1' });
  await withHttp2(
    createSecureServer(pair, smallMcp),
    async (connection, _recorded, port) => {
      expect(await connection.exchange({ method: 'POST', headers: json, body: ping }).response).toMatchObject({
        status: 200,
        version: '2',
      });
      expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT mcp.test:${port}`]));
    },
    { proxies: { https: proxy.url } },
  );
  await proxy.close();
});

test('a server that offers both is spoken to in HTTP/1.1', async () => {
  const versions: string[] = [];
  const both = createSecureServer({ ...pair, allowHTTP1: true }, (request, response) => {
    versions.push(request.httpVersion);
    smallMcp(request, response);
  });
  await withHttp2(both, async (connection) => {
    const outcome = await connection.exchange({ method: 'POST', headers: json, body: ping }).response;
    expect(outcome).toMatchObject({ status: 200 });
    expect(outcome).not.toHaveProperty('version');
    expect(versions).toEqual(['1.1']);
  });
});

test('a server that speaks HTTP/2 without having offered it in the handshake is tried anew, and told when it does not', async () => {
  const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
  const odd = createTlsServer(pair, (socket) => void socket.write(settings));
  await listening(odd, async (port) => {
    const recorded = tape();
    const connection = openHttpConnection({
      url: `https://127.0.0.1:${port}/mcp`,
      session: 's1',
      sink: recorded.sink,
      ca: authority.ca,
    });
    expect(await connection.exchange({ method: 'POST', headers: json, body: ping }).response).toMatchObject({
      error: expect.stringContaining('neither HTTP/1.1 nor HTTP/2'),
    });
    await connection.close();
  });
});

test('an event stream, its end, and its being given up', async () => {
  const server = streams((stream, path) => {
    stream.respond({ ':status': 200, 'content-type': 'text/event-stream' });
    stream.write('data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n');
    if (path === '/ends') stream.end();
  });
  await withHttp2(server, async (connection, recorded) => {
    const whole = connection.exchange({ method: 'GET', path: '/ends', headers: [] });
    await whole.done;
    expect(recorded.events.at(-1)).toMatchObject({ kind: 'sse-close', from: 'server', reason: 'ended by the server' });
    const open = connection.exchange({ method: 'GET', path: '/stays', headers: [] });
    await recorded.until((event) => event.exchange === open.id && event.kind === 'message');
    open.abort();
    await open.done;
    expect(recorded.events.at(-1)).toMatchObject({ kind: 'sse-close', from: 'client' });
  });
});

describe('a server that breaks off', () => {
  const half = (stream: ServerHttp2Stream, then: () => void): void => {
    stream.respond({ ':status': 200, 'content-type': 'application/json' });
    stream.write('{"jsonrpc":"2.0","id":1,');
    setTimeout(then, 50);
  };

  test.each<[string, (stream: ServerHttp2Stream) => void]>([
    ['resets the stream within a body', (stream) => half(stream, () => stream.destroy(new Error('broken')))],
    ['ends the session within a body', (stream) => half(stream, () => stream.session?.destroy())],
    [
      'sends GOAWAY with an error within a body',
      (stream) => half(stream, () => stream.session?.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM)),
    ],
    ['resets the stream before a reply', (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR)],
    ['ends the session before a reply', (stream) => stream.session?.destroy()],
  ])('%s: told once, and the next request is served', async (_title, breakOff) => {
    let count = 0;
    const server = streams((stream) => {
      count += 1;
      if (count === 1) return breakOff(stream);
      stream.respond({ ':status': 200, 'content-type': 'application/json' });
      stream.end('{"jsonrpc":"2.0","id":1,"result":{}}');
    });
    await withHttp2(server, async (connection, recorded) => {
      const first = connection.exchange({ method: 'POST', headers: json, body: ping, readTimeoutMs: 20_000 });
      await first.response;
      await first.done;
      const ends = recorded.of('closed');
      expect(ends).toHaveLength(1);
      expect(ends[0]).toMatchObject({ from: 'server' });
      expect(recorded.of('message').filter(({ from }) => from === 'server')).toEqual([]);
      expect(
        await connection.exchange({ method: 'POST', headers: json, body: ping, readTimeoutMs: 20_000 }).response,
      ).toMatchObject({ status: 200 });
    });
  });

  test('streams that are refused are sent anew once, on another session', async () => {
    let count = 0;
    const server = streams((stream) => {
      count += 1;
      if (count === 2) return stream.close(constants.NGHTTP2_REFUSED_STREAM);
      stream.respond({ ':status': 200, 'content-type': 'application/json' });
      stream.end('{"jsonrpc":"2.0","id":1,"result":{}}');
    });
    await withHttp2(server, async (connection, recorded) => {
      for (let at = 0; at < 2; at += 1) {
        const exchange = connection.exchange({ method: 'POST', headers: json, body: ping, readTimeoutMs: 20_000 });
        expect(await exchange.response).toMatchObject({ status: 200 });
        await exchange.done;
      }
      expect(count).toBe(3);
      expect(recorded.of('http-request')).toHaveLength(2);
    });
  });

  test('one that refuses each stream is not asked for ever', async () => {
    const server = streams((stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM));
    await withHttp2(server, async (connection) => {
      expect(
        await connection.exchange({ method: 'POST', headers: json, body: ping, readTimeoutMs: 20_000 }).response,
      ).toHaveProperty('error');
    });
  });
});

test('a header that HTTP/2 carries once only is not sent twice: nothing happened then', async () => {
  await withHttp2(createSecureServer(pair, smallMcp), async (connection, recorded) => {
    await connection.exchange({ method: 'POST', headers: json, body: ping }).response;
    const before = recorded.events.length;
    const twice = connection.exchange({
      method: 'POST',
      headers: [...json, ['content-type', 'text/plain']],
      body: ping,
    });
    expect(await twice.response).toMatchObject({ error: 'HTTP/2 carries the header content-type once only' });
    expect(twice.seq).toBe(0);
    expect(recorded.events.length).toBe(before);
  });
});
