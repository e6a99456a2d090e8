/** `mcpc intercept` between HTTP clients and servers: everything passes as it is and at once, and the trace is judged. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { Workspace, type Running } from '../cli/harness.ts';
import { startReferenceServer } from '../../src/testkit/example-server/start.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Proxy {
  url: string;
  /** Ends the proxy as Ctrl-C does. */
  stop(): Promise<{ code: number | null; stderr: string; report: RunReport | undefined }>;
}

let count = 0;

async function intercept(upstream: string, ...flags: string[]): Promise<Proxy> {
  count += 1;
  const name = `report-${count}.json`;
  const running: Running = space.start([
    'intercept',
    '--listen',
    '127.0.0.1:0',
    '--upstream',
    upstream,
    '--report',
    space.path(name),
    ...flags,
  ]);
  cleanups.push(async () => {
    // As Ctrl-C does: the folder of the run goes as well.
    running.kill('SIGINT');
    await running.ended;
  });
  await running.shows(/Listening on \S+,/);
  return {
    url: /Listening on (\S+),/.exec(running.text())![1]!,
    async stop() {
      running.kill('SIGINT');
      const { code, stderr } = await running.ended;
      return { code, stderr, report: space.has(name) ? (JSON.parse(space.read(name)) as RunReport) : undefined };
    },
  };
}

/** A server for one test. */
async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<string> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => answer(incoming, response, Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

interface Reply {
  status: number;
  headers: string[];
  body: Buffer;
}

function send(url: string, method: string, headers: Record<string, string>, body?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.rawHeaders, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe.each(['http', 'sse'] as const)("the SDK's client over %s", (kind) => {
  test('works as without us, and breaks nothing', async () => {
    const server = await startReferenceServer({ transport: kind });
    cleanups.push(() => server.close());
    const trace = space.path(`${kind}.jsonl`);
    const proxy = await intercept(server.url, '--trace', trace);
    const address = new URL(proxy.url);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      kind === 'http' ? new StreamableHTTPClientTransport(address) : new SSEClientTransport(address),
    );
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(3);
    await client.ping();
    await client.close();
    const { code, report, stderr } = await proxy.stop();
    expect(report?.parts[0]!.verdicts.filter(({ status }) => status === 'fail' || status === 'error')).toEqual([]);
    expect(code, stderr).toBe(0);
    expect(report).toMatchObject({ transport: kind, incomplete: null });
    expect(report?.parts[0]!.verdicts.find(({ rule }) => rule === 'tools/list-result-schema')?.status).toBe('pass');
    const again = JSON.parse((await space.call(['judge', '--role', 'both', '--json', trace])).stdout) as RunReport;
    expect(again.parts[0]!.verdicts).toEqual(report?.parts[0]!.verdicts);
  });
});

test('a GET that takes JSON as well is no sign of HTTP+SSE', async () => {
  const server = await startReferenceServer({ transport: 'http' });
  cleanups.push(() => server.close());
  const proxy = await intercept(server.url);
  // As mcp-remote does, to see if a token is required.
  await send(proxy.url, 'GET', { accept: 'application/json, text/event-stream' });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(proxy.url)));
  await client.listTools();
  await client.close();
  const { report } = await proxy.stop();
  expect(report).toMatchObject({ transport: 'http' });
  expect(report?.parts[0]!.verdicts.filter(({ rule, status }) => status === 'fail' && rule.startsWith('sse'))).toEqual(
    [],
  );
});

test('an absolute endpoint of HTTP+SSE is turned to the proxy', async () => {
  const upstream: string = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: ${new URL(upstream).origin}/messages?sid=1\n\n`);
    response.end(`: ${new URL(upstream).origin} stays\n\n`);
  });
  const proxy = await intercept(upstream);
  const { body } = await send(proxy.url, 'GET', { accept: 'text/event-stream' });
  expect(body.toString()).toBe(
    `event: endpoint\ndata: ${new URL(proxy.url).origin}/messages?sid=1\n\n: ${new URL(upstream).origin} stays\n\n`,
  );
});

test('status, headers and body pass as they are, encoded ones too', async () => {
  let seen: IncomingMessage | undefined;
  const zipped = gzipSync('{"jsonrpc":"2.0","id":1,"result":{}}');
  const upstream = await serve((incoming, response, body) => {
    seen = incoming;
    response.writeHead(body === '{"a": 1}' ? 418 : 500, [
      'Content-Type',
      'application/json',
      'Content-Encoding',
      'gzip',
      'X-Twice',
      'a',
      'X-Twice',
      'b',
    ]);
    response.end(zipped);
  });
  const headers = { 'content-type': 'application/json', 'X-Custom': 'kept', authorization: 'Bearer secret-token-1234' };
  const trace = space.path('pass.jsonl');
  const proxy = await intercept(upstream, '--trace', trace);
  const [direct, through] = [
    await send(upstream, 'POST', headers, '{"a": 1}'),
    await send(proxy.url, 'POST', headers, '{"a": 1}'),
  ];
  const stable = (raw: string[]): string[] =>
    raw.filter(
      (_, index) =>
        raw[index - (index % 2)] !== 'Date' &&
        !/^(connection|keep-alive|transfer-encoding)$/i.test(raw[index - (index % 2)]!),
    );
  expect(through.status).toBe(418);
  expect(through.body.equals(direct.body)).toBe(true);
  expect(stable(through.headers)).toEqual(stable(direct.headers));
  expect(seen?.rawHeaders).toEqual(
    expect.arrayContaining(['X-Custom', 'kept', 'Bearer secret-token-1234', new URL(upstream).host]),
  );
  await proxy.stop();
  expect(space.read('pass.jsonl')).not.toContain('secret-token-1234');
  expect(space.read('pass.jsonl')).toContain('"result":{}');
});

test('an empty body is a proper reply, whatever coding it claims', async () => {
  const upstream = await serve((_request, response) => {
    response.writeHead(202, { 'content-encoding': 'gzip' });
    response.end();
  });
  const proxy = await intercept(upstream, '--trace', space.path('empty.jsonl'));
  expect(
    (
      await send(
        proxy.url,
        'POST',
        { 'content-type': 'application/json' },
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      )
    ).status,
  ).toBe(202);
  await proxy.stop();
  expect(space.read('empty.jsonl')).toContain('"status":202');
  expect(space.read('empty.jsonl')).not.toContain('"kind":"closed"');
});

test('an event passes before the next one is written', async () => {
  let more: () => void = () => {};
  const upstream = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"first"}}\n\n',
    );
    more = () => response.end('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
  });
  const proxy = await intercept(upstream);
  const text = await new Promise<string>((resolve, reject) => {
    let all = '';
    const sent = request(proxy.url, { method: 'POST', headers: { 'content-type': 'application/json' } }, (reply) => {
      reply.on('data', (chunk: Buffer) => {
        all += chunk.toString();
        // The second event is written only when the first has come through.
        if (all.includes('first')) more();
      });
      reply.on('end', () => resolve(all));
    });
    sent.on('error', reject);
    sent.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  });
  expect(text).toContain('"id":1');
});

test('a client that goes away ends the request to the server', async () => {
  let gone: () => void = () => {};
  const left = new Promise<void>((resolve) => (gone = resolve));
  const upstream = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': hello\n\n');
    response.once('close', gone);
  });
  const proxy = await intercept(upstream);
  const sent = request(proxy.url, { method: 'POST' }, (reply) => reply.once('data', () => sent.destroy()));
  sent.on('error', () => {});
  sent.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  await left;
});

test('an upstream that is not there is told to the client, and by the trace', async () => {
  const trace = space.path('nobody.jsonl');
  const proxy = await intercept('http://127.0.0.1:9/mcp', '--trace', trace);
  const { status, body } = await send(
    proxy.url,
    'POST',
    { 'content-type': 'application/json' },
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  );
  expect(status).toBe(502);
  expect(body.toString()).toContain('cannot be reached');
  const { stderr } = await proxy.stop();
  expect(stderr).toContain('Nothing was judged');
  expect(space.read('nobody.jsonl')).toContain('"kind":"closed"');
});

test('a page in a browser does not get through under a name of its own', async () => {
  const upstream = await serve((_request, response) => void response.end('never'));
  const proxy = await intercept(upstream);
  expect((await send(proxy.url, 'POST', { host: 'evil.example' }, '{}')).status).toBe(403);
});

test.runIf(thorough)(
  'before a protected server the user is warned once that its metadata names the upstream',
  async () => {
    const upstream = await serve(({ headers }, response) => {
      if (headers.authorization === undefined) response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      else response.writeHead(202).end();
    });
    const note = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    const proxy = await intercept(upstream);
    for (let time = 0; time < 2; time += 1)
      expect((await send(proxy.url, 'POST', { 'content-type': 'application/json' }, note)).status).toBe(401);
    const { stderr } = await proxy.stop();
    expect(stderr.split('requires authorization (401)')).toHaveLength(2);
    expect(stderr).toContain(`names ${new URL(upstream).origin}, not this proxy`);
    expect(stderr).toContain('--rewrite-authorization');

    const known = await intercept(upstream);
    expect(
      (await send(known.url, 'POST', { 'content-type': 'application/json', authorization: 'Bearer x' }, note)).status,
    ).toBe(202);
    expect((await known.stop()).stderr).not.toContain('requires authorization');
  },
);

test('wrong addresses are told', async () => {
  for (const [args, why] of [
    [['--listen', 'nowhere', '--upstream', 'http://127.0.0.1:1/mcp'], '"nowhere" is no address to listen on'],
    [['--upstream', 'ftp://x'], '"ftp://x" is no address'],
    [[], 'No server is named'],
  ] as const) {
    const { code, stderr } = await space.run(['intercept', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(why);
  }
});
