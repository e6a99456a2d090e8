/** A server that never stops asking: what it asks beyond its allowance is counted, and the trace keeps room for the rest. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createLimitNotes } from '../../src/check/limit-notes.ts';
import type { EventInput } from '../../src/core/model/trace.ts';
import { createQuestionFlood } from '../../src/client/peer/answers/question-flood.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';

const question = (id: number): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id: `q${id}`, method: 'roots/list' })}\n\n`;
const asks = 9_000;

/** A server whose listening stream asks so often, and then says what is given; posts go to the test. */
function askingServer(
  questions: number,
  behind: string,
  posted: (id: unknown, response: ServerResponse) => void,
): Server {
  return createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.method !== 'GET') return posted((JSON.parse(text) as { id: unknown }).id, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let id = 1; id <= questions; id += 1) response.write(question(id));
      if (behind !== '') response.write(behind);
    });
  });
}

test('the listening stream is read on, and requests of ours are answered', async () => {
  const server = askingServer(
    asks,
    `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n\n`,
    (id, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const recorder = createRecorder({ keep: true });
  const notes = createLimitNotes();
  recorder.subscribe(notes.see);
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const target = {
    kind: 'http' as const,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    headers: [],
  };
  // No request of a server is answered in this era, so that the flood is over sooner.
  const peer = await hub.open({
    target,
    timing: defaultTiming,
    era: 'stateless',
    revision: '2026-07-28',
    toolVersion: '0',
  });
  try {
    const last = peer.waiter.wait(
      ({ from, message }) =>
        from === 'server' &&
        (message as { method?: string } | undefined)?.method === 'notifications/tools/list_changed',
      60_000,
    );
    peer.channel.exchange({ method: 'GET', headers: peer.headersFor(undefined, { accept: 'text/event-stream' }) });
    expect(await last).toBeDefined();
    expect(await peer.request('ping').answer).toMatchObject({ kind: 'response' });
  } finally {
    await peer.close();
    server.closeAllConnections();
    server.close();
  }
  expect(
    recorder.events.filter(({ message }) => (message as { method?: string } | undefined)?.method === 'roots/list'),
  ).toHaveLength(3000);
  expect(notes.entries()).toEqual([
    {
      what: 'limit reached 6000 times',
      why: 'requests of the server beyond the 3000th on one connection were neither answered nor kept',
    },
  ]);
});

test('a server that asks much at once gets all answers, on few sockets at a time', async () => {
  const asks = 1000;
  const answered = new Set<unknown>();
  let open = 0;
  let most = 0;
  let tellAll: () => void = () => {};
  const all = new Promise<void>((resolve) => (tellAll = resolve));
  const server = askingServer(asks, '', (id, response) => {
    answered.add(id);
    response.writeHead(202).end();
    if (answered.size === asks) tellAll();
  });
  server.on('connection', (socket) => {
    open += 1;
    most = Math.max(most, open);
    socket.once('close', () => (open -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const recorder = createRecorder({ keep: true });
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const target = {
    kind: 'http' as const,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    headers: [],
  };
  const peer = await hub.open({
    target,
    timing: defaultTiming,
    era: 'stateful',
    revision: '2025-11-25',
    toolVersion: '0',
  });
  try {
    peer.channel.exchange({ method: 'GET', headers: peer.headersFor(undefined, { accept: 'text/event-stream' }) });
    await all;
    expect(most).toBeLessThan(100);
  } finally {
    await peer.close();
    server.closeAllConnections();
    server.close();
  }
});

test('connections that come after a flood may ask less, and what is no request passes', () => {
  const kept: EventInput[] = [];
  const flood = createQuestionFlood((event) => kept.push(event));
  const say = (session: string, message: unknown): number =>
    flood.sink({ session, from: 'server', kind: 'message', message });
  const ask = { jsonrpc: '2.0', id: 1, method: 'ping' };
  for (const session of ['s1', 's2', 's3', 's4', 's5']) for (let n = 0; n < 3000; n += 1) say(session, ask);
  const before = kept.length;
  expect(before).toBe(15_000);
  for (let n = 0; n < 200; n += 1) say('s6', ask);
  // A batch of requests counts as many; one that holds something else is taken.
  say('s6', [ask, ask]);
  expect(kept).toHaveLength(before + 100 + 1);
  expect(kept.at(-1)).toMatchObject({ session: 's6', from: 'harness', kind: 'limit' });
  for (const message of [
    [ask, { jsonrpc: '2.0', id: 1, result: {} }],
    { jsonrpc: '2.0', method: 'notifications/x' },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: null, method: 'x' },
    [],
    null,
    7,
  ])
    expect(say('s6', message)).toBeGreaterThan(0);
  flood.end('s6');
  expect(kept.at(-1)).toMatchObject({ session: 's6', kind: 'limit', times: 101 });
  const all = kept.length;
  flood.end('s6');
  flood.end('s1');
  flood.end('nobody');
  expect(kept).toHaveLength(all);
});
