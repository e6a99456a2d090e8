/**
 * Addresses at which no MCP server answers, or one of another transport than was named: the error shows what came and
 * names the address or flag that works; a server of HTTP+SSE is checked as one at once, however it meets a POST.
 */
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { runCheck } from '../../src/check/check.ts';
import { everything } from '../../src/check/plan.ts';
import { McpcError } from '../../src/core/model/errors.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { listening, smallMcp } from '../support/small-mcp.ts';

type Route = (response: ServerResponse, body: string) => void;

/** A server with a route for each method and path; everything else is a page of 404. */
function routes(known: Record<string, Route | 'mcp'>): RequestListener {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const route = known[`${request.method} ${pathname}`] ?? known[`* ${pathname}`];
    if (route === 'mcp') return smallMcp(request, response);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (route) route(response, body);
      else response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
    });
  };
}

/** Streams of HTTP+SSE at /sse with messages at /messages; POST to /sse is met as given. */
function legacy(post: Route): RequestListener {
  let stream: ServerResponse | undefined;
  const open: Route = (response) => {
    stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
    stream.write('event: endpoint\ndata: /messages\n\n');
  };
  return routes({
    'GET /sse': open,
    'POST /sse': (response, body) => (post === streamToo ? open(response, body) : post(response, body)),
    'POST /messages': (response, body) => {
      response.writeHead(202).end();
      const { id, method } = JSON.parse(body) as { id?: number; method?: string };
      if (id === undefined) return;
      const result = {
        initialize: { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 'old', version: '1' } },
        ping: {},
      }[method ?? ''];
      const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
      stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n\n`);
    },
  });
}

/** A POST is answered by a stream of its own, as a GET is. */
const streamToo: Route = () => {};

function check(url: string, kind: 'http' | 'sse', fallback: boolean): Promise<RunReport> {
  return runCheck({
    target: { kind, url, headers: [] },
    name: 'target',
    fallback,
    spec: 'auto',
    selection: everything,
    jobs: 2,
    allowDestructive: false,
    secrets: [],
    toolVersion: '0',
    profile: 'quick',
    timing: {},
  });
}

/** How a check of a path ends that must not be judged. */
async function refusal(
  listener: RequestListener,
  path: string,
  { kind = 'http', fallback = true }: { kind?: 'http' | 'sse'; fallback?: boolean } = {},
): Promise<{ message: string; remedy: string }> {
  return listening(createServer(listener), async (port) => {
    const origin = `http://127.0.0.1:${port}`;
    const error = await check(`${origin}${path}`, kind, fallback).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof McpcError))
      throw new Error(`the check did not end with an error of the target: ${String(error)}`);
    expect(error.exitCode).toBe(3);
    return { message: error.message.replaceAll(origin, ''), remedy: (error.remedy ?? '').replaceAll(origin, '') };
  });
}

const json =
  (status: number, make: (body: string) => unknown): Route =>
  (response, body) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(make(body)));

test.each<[string, Route, RegExp]>([
  [
    'a login page',
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<form>Sign in'),
    /<form>Sign in/,
  ],
  ['another API', json(422, () => ({ detail: 'field required' })), /status 422.*field required/],
  ['an API that returns what it got', json(200, (body) => JSON.parse(body || 'null')), /no JSON-RPC response/],
  [
    'an API that quotes what it got',
    json(200, (body) => ({ json: JSON.parse(body || 'null') as unknown, data: body })),
    /no JSON-RPC response/,
  ],
  ['a breakdown', (response) => void response.writeHead(500).end('oops'), /status 500.*oops/],
])('%s is no server to judge, and the address of one is named', async (_title, route, shows) => {
  const told = await refusal(routes({ '* /api': route, '* /mcp': 'mcp' }), '/api');
  expect(told.message).toMatch(shows);
  expect(told.remedy).toBe('An MCP server answers at /mcp: check that address.');
});

test.each([
  ['/wrong', '/wrong/mcp or /mcp or /wrong/sse or /sse'],
  ['/v1/mcp/', '/v1/mcp or /mcp or /v1/sse or /sse'],
])('where nothing answers beside %s, the paths that were tried are named', async (path, tried) => {
  const told = await refusal(routes({}), path);
  expect(told.message).toMatch(/answered initialize with HTTP status 404.*Not here/);
  expect(told.remedy).toContain(`none answers at ${tried}.`);
});

test('a redirection is no server to judge, and where it points to is named', async () => {
  const away: Route = (response) => void response.writeHead(302, { location: '/login' }).end();
  const told = await refusal(routes({ '* /api': away, '* /mcp': 'mcp' }), '/api');
  expect(told.message).toMatch(/redirects to \/login/);
  expect(told.remedy).toMatch(/use its address: --url \/login/);
});

test('a server that refuses initialize in JSON-RPC is judged', async () => {
  const refusing = json(400, () => ({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'not today' } }));
  const report = await listening(createServer(routes({ '* /mcp': refusing })), (port) =>
    check(`http://127.0.0.1:${port}/mcp`, 'http', true),
  );
  expect(report.incomplete).toContain('HTTP status 400');
});

const posts: [string, Route][] = [
  ['a stream of its own', streamToo],
  ['status 405', (response) => void response.writeHead(405).end()],
  ['a page', (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello')],
  ['silence', () => {}],
];

test.each(posts)('a server of HTTP+SSE that meets a POST with %s is checked as one', async (_title, post) => {
  const report = await listening(createServer(legacy(post)), (port) =>
    check(`http://127.0.0.1:${port}/sse`, 'http', true),
  );
  expect(report.transport).toBe('sse');
  expect(report.parts[0]!.verdicts.filter(({ status }) => status === 'fail').map(({ rule }) => rule)).toEqual([]);
});

test.each([
  ['http', posts[0]!, 'Use --transport sse.'],
  ['http', posts[1]!, 'An MCP server answers there with --transport sse.'],
  ['http', posts[2]!, 'An MCP server answers there with --transport sse.'],
] as const)(
  'named --transport %s, one that meets a POST with %s gets the right flag named',
  async (kind, [, post], remedy) => {
    expect((await refusal(legacy(post), '/sse', { kind, fallback: false })).remedy).toBe(remedy);
  },
);

test('a Streamable HTTP server that is named --transport sse gets the right flag named', async () => {
  const told = await refusal(routes({ '* /mcp': 'mcp' }), '/mcp', { kind: 'sse', fallback: false });
  expect(told.remedy).toBe('An MCP server answers there with --transport http.');
});
