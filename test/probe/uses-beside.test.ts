/**
 * Tools that take long are called beside each other by one step, where the server answers while it is at work; all are
 * over when the step is. Over HTTP another session goes on with the rest meanwhile.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import type { TraceEvent } from '../../src/model/trace.ts';
import { noPermission } from '../../src/permission/decide.ts';
import { createPeerHub } from '../../src/probe/client/open-peer.ts';
import { defaultTiming } from '../../src/probe/timing.ts';
import { createRecorder } from '../../src/trace/recorder.ts';
import type { ServeInMemory } from '../../src/transport/process/memory-server.ts';
import { runPlan } from '../support/run-plan.ts';

type Json = Record<string, unknown>;

const slowMs = 500;
const names = ['a', 'b', 'c', 'd', 'e', 'quick'];

/** Tools that take a while. @param how whether it answers other requests meanwhile */
function server(how: 'together' | 'in turn'): ServeInMemory {
  return ({ stdin, stdout, exit }) => {
    const say = (message: Json): void => void stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    let before: Promise<unknown> = Promise.resolve();
    const takes = (method: string, params: Json): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, method === 'tools/call' && params.name !== 'quick' ? slowMs : 0));
    const methods: Record<string, () => Json> = {
      initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'slow', version: '1' } }),
      ping: () => ({}),
      'tools/list': () => ({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } })) }),
      'tools/call': () => ({ content: [] }),
    };
    const lines = createInterface({ input: stdin });
    lines.on('line', (line) => {
      const { id, method, params = {} } = JSON.parse(line) as { id?: number; method: string; params?: Json };
      if (id === undefined) return;
      const due = how === 'together' ? takes(method, params) : before.then(() => takes(method, params));
      before = due;
      void due.then(() => say({ id, result: methods[method]!() }));
    });
    lines.on('close', () => exit(0));
  };
}

/** The requests and answers of a run of the steps, in order. */
async function said(how: 'together' | 'in turn', steps: (string | Json)[], jobs = 2): Promise<TraceEvent[]> {
  const recorder = createRecorder({ keep: true });
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const open = (): ReturnType<typeof hub.open> => hub.open({ target: { kind: 'stdio', command: 'slow', args: [], serve: server(how) }, timing: defaultTiming, era: 'stateful', revision: '2025-11-25', permission: noPermission, toolVersion: '0' });
  const first = await open();
  await first.handshake();
  await runPlan({ plan: { shared: [{ steps, rules: [] }], isolated: [] }, first, open, sink: recorder.sink, timing: defaultTiming, jobs });
  return recorder.events.filter(({ kind, from }) => kind === 'message' && from !== 'harness');
}

/** How many calls of tools went on at a time at most, and which were called. */
function calls(events: readonly TraceEvent[]): { most: number; names: unknown[] } {
  const going = new Set<unknown>();
  const called: unknown[] = [];
  let most = 0;
  for (const { from, message } of events) {
    const { id, method, params } = message as { id?: unknown; method?: string; params?: Json };
    if (from === 'server') going.delete(id);
    else if (method === 'tools/call') {
      going.add(id);
      called.push(params?.name);
      most = Math.max(most, going.size);
    }
  }
  return { most, names: called };
}

const each = { callTool: 'any', each: 8 };

test('a server that answers meanwhile is asked for several at a time, and at once for those that took long before', async () => {
  const events = await said('together', [each, { request: 'tools/list' }, each, { request: 'tools/list' }]);
  const between = events.findIndex(({ from, message }) => from === 'client' && (message as Json).method === 'tools/list' && (message as Json).id !== 2);
  const once = calls(events.slice(0, between));
  expect(once.names).toEqual(names);
  expect(once.most).toBeGreaterThan(1);
  expect(calls(events.slice(between))).toEqual({ most: 4, names });
  // The next step begins when all are answered.
  const ids = events.flatMap(({ from, message }) => (from === 'client' && (message as Json).method === 'tools/call' ? [(message as Json).id] : []));
  const last = events.findLastIndex(({ from, message }) => from === 'client' && (message as Json).method === 'tools/list');
  const answered = events.slice(0, last).flatMap(({ from, message }) => (from === 'server' ? [(message as Json).id] : []));
  expect(ids.filter((id) => !answered.includes(id))).toEqual([]);
});

test('one that does not is asked for one after another, and so is one that is to have one job at a time', async () => {
  expect(calls(await said('in turn', [each]))).toEqual({ most: 1, names });
  expect(calls(await said('together', [{ ...each, each: 3 }], 1)).most).toBe(1);
});

test('what is wrong on purpose, or followed by more, goes alone', async () => {
  expect(calls(await said('together', [{ ...each, each: 3, deviation: 'is odd' }])).most).toBe(1);
  expect(calls(await said('together', [{ ...each, each: 3, then: ['sentinel'] }])).most).toBe(1);
});

const web: Server[] = [];
afterAll(() => Promise.all(web.map((one) => new Promise((resolve) => one.close(resolve).closeAllConnections()))));

/** The address of a server with one tool, which takes its time. */
function overHttp(): Promise<string> {
  let sessions = 0;
  const answers: Record<string, (params: Json) => Json> = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'slow', version: '1' } }),
    ping: () => ({}),
    'tools/list': () => ({ tools: [{ name: 'slow', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] }),
    'tools/call': () => ({ content: [] }),
  };
  const server = createServer((request, reply) => {
    void text(request).then((body) => {
      if (request.method !== 'POST') return reply.writeHead(405).end();
      const { id, method, params = {} } = JSON.parse(body) as { id?: number; method: string; params?: Json };
      if (id === undefined) return reply.writeHead(202).end();
      if (method === 'initialize') reply.setHeader('mcp-session-id', `session-${(sessions += 1)}`);
      const say = (): void => void reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]!(params) }));
      return setTimeout(say, method === 'tools/call' ? 2 * slowMs : 0);
    });
  });
  web.push(server);
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)));
}

test.each([[2, 2], [1, 1]] as const)('over HTTP what comes behind a slow call goes on in another session, with %s connections at a time', async (jobs, sessions) => {
  const url = await overHttp();
  const recorder = createRecorder({ keep: true });
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const open = (): ReturnType<typeof hub.open> => hub.open({ target: { kind: 'http', url, headers: [] }, timing: defaultTiming, era: 'stateful', revision: '2025-11-25', permission: noPermission, toolVersion: '0' });
  const first = await open();
  await first.handshake();
  const marked = (mark: string): Json => ({ request: 'ping', params: { _meta: { mark } } });
  const shared = [{ steps: [{ callTool: 'any' }], rules: [] }, { steps: [marked('one')], rules: [] }, { steps: [marked('two')], rules: [] }];
  const done: number[] = [];
  await runPlan({ plan: { shared, isolated: [{ steps: ['handshake', 'sentinel'], rules: [] }] }, first, open, sink: recorder.sink, timing: defaultTiming, jobs, onProgress: (count) => done.push(count) });
  const call = recorder.events.find(({ message }) => (message as Json | undefined)?.method === 'tools/call')!;
  const marks = recorder.events.filter(({ from, message }) => from === 'client' && JSON.stringify(message ?? null).includes('"mark"'));
  expect(new Set([call, ...marks].map(({ session }) => session)).size).toBe(sessions);
  expect(marks.length).toBe(2);
  expect(done.at(-1)).toBe(4);
});
