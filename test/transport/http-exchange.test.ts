import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import {
  openHttpConnection,
  type HttpConnection,
  type HttpConnectionOptions,
  type HttpExchange,
} from '../../src/client/transport/http/http-exchange.ts';
import { newKey } from '../support/certificates.ts';
import { tape, withListening, withServer, type Tape } from './harness.ts';
import { budgetOf, heldReason, unpackedReason } from '../../src/client/transport/read-budget.ts';

async function connected(
  url: string,
  run: (connection: HttpConnection, recorded: Tape) => Promise<void>,
  options: Partial<HttpConnectionOptions> = {},
): Promise<void> {
  const recorded = tape();
  const connection = openHttpConnection({ url, session: 's1', sink: recorded.sink, ...options });
  try {
    await run(connection, recorded);
  } finally {
    await connection.close();
    await connection.close();
  }
}

const bare = ({ seq: _q, t: _t, session: _s, exchange: _x, ...rest }: TraceEvent) => rest;

const post = (connection: HttpConnection, body: string, more: object = {}): HttpExchange =>
  connection.exchange({ method: 'POST', headers: [['Content-Type', 'application/json']], body, ...more });

test('a JSON reply: request, message, response, message', async () => {
  await withServer(
    (request, reply) => {
      request.resume();
      request.on('end', () =>
        reply
          .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', Date: 'd', Connection: 'keep-alive' })
          .end('{"id":1, "result":{}}'),
      );
    },
    (url) =>
      connected(url, async (connection, { events }) => {
        const exchange = post(connection, '{"id":1,"method":"ping"}', { deviation: 'dev' });
        expect(await exchange.response).toMatchObject({
          status: 200,
          headers: { 'content-type': 'application/json; charset=utf-8' },
        });
        await exchange.done;
        expect(new Set(events.map((event) => event.exchange))).toEqual(new Set(['s1.x1']));
        expect(exchange.seq).toBe(2);
        expect(events.map(bare)).toEqual([
          {
            from: 'client',
            kind: 'http-request',
            http: {
              method: 'POST',
              path: '/mcp',
              headers: {
                host: new URL(url).host,
                'content-type': 'application/json',
                'content-length': '24',
                connection: 'keep-alive',
              },
            },
            deviation: 'dev',
          },
          { from: 'client', kind: 'message', message: { id: 1, method: 'ping' }, deviation: 'dev' },
          {
            from: 'server',
            kind: 'http-response',
            http: { status: 200, headers: expect.objectContaining({ date: 'd' }), bodyBytes: 21 },
          },
          { from: 'server', kind: 'message', message: { id: 1, result: {} }, raw: '{"id":1, "result":{}}' },
        ]);
      }),
  );
});

test('headers go out exactly as given: case, order, duplicates, Host and Origin', async () => {
  let raw: string[] = [];
  await withServer(
    (request, reply) => {
      raw = request.rawHeaders;
      reply.setHeader('X-Two', ['a', 'b']);
      reply.writeHead(202).end();
    },
    (url) =>
      connected(url, async (connection, { of }) => {
        const given: [string, string][] = [
          ['MCP-Session-ID', 'a'],
          ['mcp-session-id', 'b'],
          ['Host', 'evil.example'],
          ['Origin', 'http://evil.example'],
          ['ACCEPT', '*/*'],
        ];
        const exchange = connection.exchange({ method: 'POST', path: '/other?q=1', headers: given, body: '' });
        expect(await exchange.response).toMatchObject({ status: 202 });
        expect(raw).toEqual([...given.flat(), 'Content-Length', '0', 'Connection', 'keep-alive']);
        expect(of('http-request')[0]?.http).toMatchObject({
          path: '/other?q=1',
          headers: { 'mcp-session-id': ['a', 'b'], host: 'evil.example' },
        });
        expect(of('http-response')[0]?.http).toMatchObject({
          status: 202,
          bodyBytes: 0,
          headers: { 'x-two': ['a', 'b'] },
        });
        expect(of('http-response')[0]?.http?.body).toBeUndefined();
        expect(of('message')).toEqual([]);
        // GET and DELETE have no length unless a body is given.
        await connection.exchange({ method: 'GET', headers: [] }).response;
        expect(raw).toEqual(['Host', new URL(url).host, 'Connection', 'keep-alive']);
      }),
  );
});

test('a header that HTTP forbids is an outcome with an error and nothing is recorded', async () => {
  await connected('http://127.0.0.1:9/', async (connection, { events }) => {
    const exchange = connection.exchange({ method: 'GET', headers: [['X', 'a\r\nY: b']] });
    expect(await exchange.response).toMatchObject({ code: 'ERR_INVALID_CHAR' });
    await exchange.done;
    expect(events).toEqual([]);
    expect(exchange.seq).toBe(0);
  });
});

test.each([
  ['text/html', '<h1>No</h1>', { body: '<h1>No</h1>' }, undefined],
  ['application/json', '{"a":', {}, { kind: 'unparsable', raw: '{"a":' }],
  ['application/json', ' \n', { body: ' \n' }, undefined],
  ['application/json', '[{"a":1},{"b":2}]', {}, { kind: 'message', message: [{ a: 1 }, { b: 2 }] }],
  ['application/problem+json', '{"a":1}', {}, { kind: 'message', message: { a: 1 } }],
  ['text/plain', '{"a":1}', { body: '{"a":1}' }, undefined],
  ['application/json', '\uFEFF{"a":1}', {}, { kind: 'message', message: { a: 1 }, raw: '\uFEFF{"a":1}' }],
  [
    'application/json',
    Buffer.from([0x22, 0xe9, 0x22]),
    {},
    { kind: 'message', message: '\uFFFD', raw: '"\uFFFD"', invalidUtf8: true },
  ],
  ['text/html', 'é'.repeat(3000), { body: 'é'.repeat(1024) }, undefined],
  ['text/html', `x${'é'.repeat(3000)}`, { body: `x${'é'.repeat(1023)}` }, undefined],
])('a body of %s: %#', async (type, body, part, event) => {
  await withServer(
    (_request, reply) => reply.writeHead(400, { 'content-type': type }).end(body),
    (url) =>
      connected(url, async (connection, { events }) => {
        await connection.exchange({ method: 'POST', headers: [] }).done;
        const [response, ...rest] = events.slice(1).map(bare);
        expect(response).toEqual({
          from: 'server',
          kind: 'http-response',
          http: { status: 400, headers: expect.anything(), bodyBytes: Buffer.byteLength(body), ...part },
        });
        expect(rest).toEqual(event === undefined ? [] : [{ from: 'server', ...event }]);
      }),
  );
});

/** Writes pieces one at a time, each reaching the peer as its own chunk. */
async function dribble(reply: ServerResponse, pieces: (string | Buffer)[]): Promise<void> {
  for (const piece of pieces) {
    await new Promise<void>((resolve) => reply.write(piece, () => resolve()));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('an event stream: every block by its kind, also when cut anywhere', async () => {
  const stream = Buffer.from(
    [
      '\uFEFFid: 1\r\ndata:\r\n\r\n',
      ': keep-alive\n\n',
      'retry: 3000\n\n',
      'event: message\nid: 2\ndata: {"id":1,"result":{"s":"€"}}\n\n',
      'data: {"a":\ndata: 1}\n\n',
      'event: endpoint\ndata: /messages?x=1\n\n',
      'data: nonsense\n\n',
      'event: heartbeat\ndata: {"ts":1}\n\n',
      'event: own\rdata: {"jsonrpc":"2.0","id":3,"result":{}}\r\r',
      'id: 9\nretry: 5\n\n',
      'id\ndata: []\n\n',
    ].join(''),
  );
  const expected = [
    { kind: 'sse-event', sse: { id: '1', data: '' } },
    { kind: 'sse-event', sse: { retry: 3000, comments: 1 } },
    { kind: 'message', message: { id: 1, result: { s: '€' } }, sse: { event: 'message', id: '2' } },
    { kind: 'message', message: { a: 1 }, raw: '{"a":\n1}', sse: {} },
    { kind: 'sse-event', sse: { event: 'endpoint', data: '/messages?x=1' } },
    { kind: 'unparsable', raw: 'nonsense', sse: {} },
    { kind: 'sse-event', sse: { event: 'heartbeat', data: '{"ts":1}' } },
    { kind: 'message', message: { jsonrpc: '2.0', id: 3, result: {} }, sse: { event: 'own' } },
    { kind: 'sse-event', sse: { id: '9', retry: 5 } },
    { kind: 'message', message: [], sse: { id: '' } },
  ];
  for (const size of [1, 2, 7, stream.length]) {
    const pieces: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) pieces.push(stream.subarray(at, at + size));
    await withServer(
      (_request, reply) => {
        reply.writeHead(200, { 'Content-Type': 'text/event-stream;charset=utf-8' });
        void dribble(reply, pieces).then(() => reply.end());
      },
      (url) =>
        connected(url, async (connection, { events }) => {
          const exchange = connection.exchange({ method: 'GET', headers: [['Accept', 'text/event-stream']] });
          expect(await exchange.response).toMatchObject({ status: 200 });
          await exchange.done;
          expect(events.slice(1, 3).map((event) => event.kind)).toEqual(['http-response', 'sse-open']);
          expect(events[1]?.http?.bodyBytes).toBeUndefined();
          expect(events.slice(3, -1).map(bare)).toEqual(expected.map((event) => ({ from: 'server', ...event })));
          expect(bare(events.at(-1) as TraceEvent)).toEqual({
            from: 'server',
            kind: 'sse-close',
            what: 'stream',
            reason: 'ended by the server',
          });
        }),
    );
  }
});

test('a stream with bytes that are no UTF-8, and one that ends within an event', async () => {
  await withServer(
    (_request, reply) => {
      reply.writeHead(200, { 'Content-Type': 'text/event-stream' });
      reply.end(Buffer.concat([Buffer.from('data: {"s":"'), Buffer.from([0xe9]), Buffer.from('"}\n\ndata: {"id":')]));
    },
    (url) =>
      connected(url, async (connection, { events }) => {
        await connection.exchange({ method: 'GET', headers: [] }).done;
        expect(events.slice(3).map(bare)).toEqual([
          {
            from: 'server',
            kind: 'message',
            message: { s: '\uFFFD' },
            raw: '{"s":"\uFFFD"}',
            sse: {},
            invalidUtf8: true,
          },
          {
            from: 'server',
            kind: 'sse-close',
            what: 'stream',
            reason: 'ended by the server, within an event',
            raw: 'data: {"id":',
          },
        ]);
      }),
  );
});

test('a stream whose message is never over is given up; one that pauses within a message is not', async () => {
  const bodies = ['data: {"id":1}\n', 'data: {"id":'];
  for (const [at, body] of bodies.entries()) {
    await withServer(
      (_request, reply) => {
        reply.writeHead(200, { 'Content-Type': 'text/event-stream' });
        reply.write(body);
        // What comes late ends the stream, so that nothing is waited for.
        if (at === 1) setTimeout(() => reply.end('2}\n\n'), 60);
      },
      (url) =>
        connected(
          url,
          async (connection, { events }) => {
            await connection.exchange({ method: 'GET', headers: [] }).done;
            expect(events.slice(3).map(bare)).toEqual(
              at === 0
                ? [
                    {
                      from: 'client',
                      kind: 'sse-close',
                      what: 'stream',
                      reason: 'no blank line came behind a message, within an event',
                      raw: body,
                    },
                  ]
                : [
                    { from: 'server', kind: 'message', message: { id: 2 }, sse: {} },
                    { from: 'server', kind: 'sse-close', what: 'stream', reason: 'ended by the server' },
                  ],
            );
          },
          { unendedMs: 20 },
        ),
    );
  }
});

test('giving up: a stream ends with sse-close, a silent reply with closed, both from the client', async () => {
  await withServer(
    (request, reply) => {
      if (request.url === '/stream')
        reply.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: {}\n\n');
    },
    (url) =>
      connected(url, async (connection, { events, until }) => {
        const stream = connection.exchange({ method: 'GET', path: '/stream', headers: [] });
        await until((event) => event.kind === 'message');
        stream.abort();
        stream.abort();
        await stream.done;
        const silent = post(connection, '{"id":1}');
        silent.abort('enough');
        expect(await silent.response).toEqual({ error: 'enough', code: 'ABORTED' });
        expect(events.filter((event) => /close/.test(event.kind)).map(bare)).toEqual([
          { from: 'client', kind: 'sse-close', what: 'stream', reason: 'given up by the checker' },
          { from: 'client', kind: 'closed', what: 'connection', reason: 'enough' },
        ]);
        const open = connection.exchange({ method: 'GET', path: '/stream', headers: [] });
        await open.response;
        await connection.close();
        await open.done;
        expect(events.at(-1)).toMatchObject({ kind: 'sse-close', from: 'client' });
        expect(await connection.exchange({ method: 'GET', headers: [] }).response).toMatchObject({ code: 'CLOSED' });
      }),
  );
});

test('a reply that does not come in time is a timeout that names what was awaited', async () => {
  await withServer(
    (request, reply) => {
      if (request.url === '/half') reply.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
      if (request.url === '/stream') reply.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(':\n\n');
    },
    (url) =>
      connected(url, async (connection, { of }) => {
        for (const path of ['/silent', '/half']) {
          const exchange = post(connection, '{"id":1}', { path, readTimeoutMs: 200 });
          expect(await exchange.response).toMatchObject({ code: 'TIMEOUT' });
          expect(of('timeout').at(-1)).toMatchObject({ from: 'harness', awaited: exchange.seq, waitedMs: 200 });
          expect(of('closed').at(-1)).toMatchObject({ from: 'harness', exchange: exchange.id });
        }
        // An open stream has kept its time with its head.
        const stream = connection.exchange({ method: 'GET', path: '/stream', headers: [], readTimeoutMs: 30_000 });
        await stream.response;
        stream.abort();
        expect(of('timeout')).toHaveLength(2);
      }),
  );
});

test('a refused, a reset and a senseless connection are closed by the server, with the reason', async () => {
  await withListening(
    createTcpServer((socket) => {
      socket.once('data', (data) => {
        const path = /^\S+ (\S+)/.exec(data.toString())?.[1];
        if (path === '/reset') socket.resetAndDestroy();
        else if (path === '/fin') socket.end();
        else if (path === '/short')
          socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"id"');
        else if (path === '/cut') {
          socket.write(
            'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\na\r\ndata: {}\n\n\r\n',
            () => socket.end(),
          );
        } else if (path === '/early') {
          socket.end(
            'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
          );
        } else if (path === '/switch')
          socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
        else socket.end('SSH-2.0-x\r\n');
      });
    }),
    async (port) => {
      await connected(`http://127.0.0.1:${port}/`, async (connection, { events }) => {
        const tail = async (path: string): Promise<unknown[]> => {
          const from = events.length;
          const exchange = connection.exchange({ method: 'GET', path, headers: [] });
          await exchange.done;
          return events
            .slice(from + 1)
            .map(({ kind, what, from: who, reason, http }) => ({ kind, what, who, reason, status: http?.status }));
        };
        const closed = (reason: RegExp) => ({
          kind: 'closed',
          what: 'connection',
          who: 'server',
          reason: expect.stringMatching(reason),
        });
        expect(await tail('/reset')).toMatchObject([closed(/ECONNRESET|socket hang up/)]);
        expect(await tail('/fin')).toMatchObject([closed(/hang up/)]);
        expect(await tail('/ssh')).toMatchObject([closed(/HPE_|Parse/)]);
        expect(await tail('/short')).toMatchObject([{ kind: 'http-response', status: 200 }, closed(/body|aborted/)]);
        expect(await tail('/cut')).toMatchObject([
          { kind: 'http-response' },
          { kind: 'sse-open' },
          { kind: 'message' },
          { kind: 'sse-close', who: 'server', reason: expect.stringMatching(/body|aborted/) },
        ]);
        expect(await tail('/early')).toMatchObject([{ kind: 'http-response', status: 204 }]);
        expect(await tail('/switch')).toMatchObject([{ kind: 'http-response', status: 101 }]);
      });
    },
  );
  // The port of a server that has just ended: nobody listens there.
  let gone = '';
  await withServer(
    () => {},
    async (url) => void (gone = url),
  );
  await connected(gone, async (connection, { events }) => {
    expect(await post(connection, '{}').response).toMatchObject({ code: 'ECONNREFUSED' });
    expect(events.at(-1)).toMatchObject({
      kind: 'closed',
      from: 'server',
      exchange: 's1.x1',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

test('a request that met a stale socket is sent again, once, and is told once', async () => {
  let connections = 0;
  let requests = 0;
  await withListening(
    createTcpServer((socket) => {
      connections += 1;
      let seen = 0;
      socket.on('data', () => {
        seen += 1;
        requests += 1;
        if (seen === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        else socket.resetAndDestroy();
      });
    }),
    (port) =>
      connected(`http://127.0.0.1:${port}/`, async (connection, { of }) => {
        await connection.exchange({ method: 'GET', headers: [] }).done;
        await new Promise((resolve) => setImmediate(resolve));
        expect(await connection.exchange({ method: 'GET', headers: [] }).response).toMatchObject({ status: 200 });
        expect({ connections, requests }).toEqual({ connections: 2, requests: 3 });
        expect(of('http-request')).toHaveLength(2);
        expect(of('closed')).toEqual([]);
      }),
  );
});

test('encoded bodies are decoded, bombs are cut', async () => {
  const json = '{"id":1,"result":{}}';
  const bodies: Record<string, [string, Buffer]> = {
    '/gzip': ['gzip', gzipSync(json)],
    '/br': ['br', brotliCompressSync(json)],
    '/deflate': ['deflate', deflateSync(json)],
    '/both': ['gzip, br', brotliCompressSync(gzipSync(json))],
    '/bomb': ['gzip', gzipSync(Buffer.alloc(5_000_000, 0x20))],
    '/broken': ['gzip', gzipSync(json).subarray(0, 12)],
    '/unknown': ['zip', Buffer.from(json)],
    '/empty': ['gzip', Buffer.alloc(0)],
  };
  await withServer(
    (request, reply) => {
      const [encoding, body] = bodies[request.url ?? ''] as [string, Buffer];
      reply.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': encoding }).end(body);
    },
    (url) =>
      connected(
        url,
        async (connection, { events }) => {
          const last = async (path: string): Promise<TraceEvent> => {
            await connection.exchange({ method: 'GET', path, headers: [] }).done;
            return events.at(-1) as TraceEvent;
          };
          for (const path of ['/gzip', '/br', '/deflate', '/both'])
            expect(await last(path)).toMatchObject({ kind: 'message', message: JSON.parse(json) });
          expect(await last('/empty')).toMatchObject({ kind: 'http-response', http: { bodyBytes: 0 } });
          // The head comes last: a reader takes it, without a body, for the end of the reply.
          expect(await last('/bomb')).toMatchObject({ kind: 'http-response', from: 'server' });
          expect(events.at(-2)).toMatchObject({ kind: 'limit', from: 'server' });
          expect(await last('/broken')).toMatchObject({ kind: 'closed', reason: expect.stringContaining('decode') });
          expect(await last('/unknown')).toMatchObject({ kind: 'closed', reason: expect.stringContaining('zip') });
        },
        { limits: { maxBodyBytes: 1_000_000 } },
      ),
  );
});

test('events and streams without end are cut', async () => {
  await withServer(
    (request, reply) => {
      reply.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const piece = request.url === '/event' ? 'x'.repeat(1000) : ': x\n\n'.repeat(200);
      if (request.url === '/event') reply.write('data: ');
      const more = (): void => {
        if (!reply.destroyed) reply.write(piece, more);
      };
      more();
    },
    (url) =>
      connected(
        url,
        async (connection, { events }) => {
          for (const path of ['/event', '/stream']) {
            await connection.exchange({ method: 'GET', path, headers: [] }).done;
            expect(events.slice(-2)).toMatchObject([
              { kind: 'limit', from: 'server' },
              { kind: 'sse-close', from: 'client' },
            ]);
          }
        },
        { limits: { maxSseEventBytes: 10_000, maxStreamBytes: 50_000 } },
      ),
  );
});

test('what packed replies become is counted over all connections of a run', async () => {
  const bomb = gzipSync(Buffer.alloc(7_000_000, 0x20));
  await withServer(
    (_request, reply) =>
      void reply.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(bomb),
    async (url) => {
      const recorded = tape();
      const budget = budgetOf(recorded.sink);
      const connections = ['s1', 's2', 's3'].map((session) =>
        openHttpConnection({ url, session, sink: recorded.sink }),
      );
      // All but ten million bytes of what a run may unpack are gone.
      expect(budget.unpacked(budget.limits.maxUnpackedBytes - 10_000_000)).toBe(true);
      for (const connection of connections) await connection.exchange({ method: 'POST', headers: [] }).done;
      expect(recorded.of('limit').map(({ reason }) => reason)).toEqual(
        [unpackedReason(budget), unpackedReason(budget)].map((reason) => `${reason}; the rest was not read`),
      );
      await Promise.all(connections.map((connection) => connection.close()));
    },
  );
});

test('a body that comes byte by byte is whole, and one that would hold too much is given up', async () => {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'many words '.repeat(2000) } });
  await withServer(
    (request, reply) => {
      reply.writeHead(200, { 'Content-Type': 'application/json' });
      if (request.url === '/held') reply.write(text);
      else {
        for (const byte of text) reply.write(byte);
        reply.end();
      }
    },
    async (url) => {
      const recorded = tape();
      const budget = budgetOf(recorded.sink);
      const connection = openHttpConnection({ url, session: 's1', sink: recorded.sink });
      await connection.exchange({ method: 'POST', headers: [] }).done;
      expect(recorded.of('message').at(-1)?.message).toEqual(JSON.parse(text));
      const other = budget.share();
      expect(other.hold(budget.limits.maxHeldBytes - 100)).toBe(true);
      await connection.exchange({ method: 'POST', path: '/held', headers: [] }).done;
      expect(recorded.of('limit').at(-1)?.reason).toContain(heldReason(budget));
      expect(other.hold(0)).toBe(true);
      // Nothing is held any more.
      expect(budget.share().hold(budget.limits.maxHeldBytes)).toBe(true);
      await connection.close();
    },
  );
});

test('redirects are recorded, not followed', async () => {
  let hits = 0;
  await withServer(
    (_request, reply) => {
      hits += 1;
      reply.writeHead(307, { location: '/elsewhere' }).end();
    },
    (url) =>
      connected(url, async (connection, { of }) => {
        expect(await post(connection, '{}').response).toMatchObject({
          status: 307,
          headers: { location: '/elsewhere' },
        });
        expect(hits).toBe(1);
        expect(of('http-response')).toHaveLength(1);
      }),
  );
});

test('exchanges are numbered without repetition over all connections of a trace', async () => {
  await withServer(
    (_request, reply) => reply.end(),
    async (url) => {
      const recorded = tape();
      const options = { url, sink: recorded.sink };
      const connections = ['s1', 's1', 's2'].map((session) => openHttpConnection({ ...options, session }));
      const exchanges = connections.map((connection) => connection.exchange({ method: 'GET', headers: [] }));
      await Promise.all(exchanges.map((one) => one.done));
      expect(exchanges.map((one) => one.id)).toEqual(['s1.x1', 's1.x2', 's2.x1']);
      const named = openHttpConnection({ ...options, session: 's9', nextExchange: () => 'mine' });
      expect(named.exchange({ method: 'GET', headers: [] }).id).toBe('mine');
      await Promise.all([...connections, named].map((connection) => connection.close()));
    },
  );
});

test('TLS: an unknown certificate is an error, a trusted or waived one is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpc-tls-'));
  try {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        ...newKey,
        '-nodes',
        '-keyout',
        join(folder, 'key.pem'),
        '-out',
        join(folder, 'cert.pem'),
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
      ],
      { stdio: 'ignore' },
    );
    const key = readFileSync(join(folder, 'key.pem'));
    const cert = readFileSync(join(folder, 'cert.pem'));
    await withListening(
      createTlsServer({ key, cert }, (_request, reply) =>
        reply.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
      ),
      async (port) => {
        const url = `https://127.0.0.1:${port}/mcp`;
        await connected(url, async (connection, { events }) => {
          expect(await post(connection, '{}').response).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
          expect(events.at(-1)).toMatchObject({
            kind: 'closed',
            from: 'server',
            reason: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
          });
        });
        for (const trust of [{ ca: cert }, { insecure: true }]) {
          await connected(
            url,
            async (connection) => expect(await post(connection, '{}').response).toMatchObject({ status: 200 }),
            trust,
          );
        }
      },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an address that is not HTTP is refused', () => {
  expect(() => openHttpConnection({ url: 'ftp://x/', session: 's', sink: () => 1 })).toThrow(TypeError);
});
