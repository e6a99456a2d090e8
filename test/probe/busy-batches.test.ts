/** What is sent to a server that is too busy for it is sent once more, also batches, and messages that are written out in full. */
import { createServer, type Server } from 'node:http';
import { expect, test } from 'vitest';
import { createUnansweredRequests } from '../../src/core/facts/http/unanswered-requests.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import type { Peer } from '../../src/client/peer/peer.ts';
import { createRequestRate } from '../../src/client/load/request-rate.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { listening } from '../support/small-mcp.ts';

interface Request {
  id?: unknown;
  method: string;
}

/** By which status or error a server says that it is too busy. */
type Refusal = number | { code: number; message: string; data?: object };

/** A server of 2025-03-26 that refuses the first posts after the handshake, and notes what it is posted. */
function busyServer(refusals: number, refusal: Refusal, posted: Request[][]): Server {
  const answerTo = ({ id, method }: Request): object => ({
    jsonrpc: '2.0',
    id,
    result:
      method === 'initialize'
        ? { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: { name: 'busy', version: '1' } }
        : {},
  });
  return createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const message = JSON.parse(text) as Request | Request[];
      const list = [message].flat();
      const asked = list.filter(({ id }) => id !== undefined);
      if (asked.length === 0) return response.writeHead(202).end();
      if (asked[0]!.method !== 'initialize') posted.push(list);
      const refused = asked[0]!.method !== 'initialize' && posted.length <= refusals;
      if (refused && typeof refusal === 'number') return response.writeHead(refusal, { 'retry-after': '0' }).end();
      const answers = asked.map((one) => (refused ? { jsonrpc: '2.0', id: one.id, error: refusal } : answerTo(one)));
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(Array.isArray(message) ? answers : answers[0]));
    });
  });
}

/** What comes of something that is sent to it. */
async function sentTo(refusals: number, refusal: Refusal, send: (peer: Peer) => Promise<void>) {
  const posted: Request[][] = [];
  return listening(busyServer(refusals, refusal, posted), async (port) => {
    const recorder = createRecorder({ keep: true });
    const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
    const told: string[] = [];
    const rate = createRequestRate({
      busyWaits: { againMs: 1, pauseMs: 60, pausesMs: 1000 },
      tell: (line) => told.push(line),
    });
    const peer = await hub.open({
      target: { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: [] },
      era: 'stateful',
      revision: '2025-03-26',
      timing: defaultTiming,
      toolVersion: '0',
      rate,
    });
    await peer.handshake();
    await send(peer);
    await peer.close();
    const count = createUnansweredRequests({ transport: 'http', own: true });
    for (const event of recorder.events) count.push(event);
    return { posted, told, tally: count.finish() };
  });
}

const batchOf = (peer: Peer) => [
  { jsonrpc: '2.0', id: peer.nextId(), method: 'ping' },
  { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
  { jsonrpc: '2.0', id: 'chosen', method: 'ping' },
];

test.each([429, 503])(
  'a batch that is refused with %i is sent once more, under other ids, and counts by its last try',
  async (status) => {
    const { posted, tally } = await sentTo(2, status, (peer) => peer.sendWritten(batchOf(peer)));
    expect(posted.map((list) => list.map(({ method }) => method))).toEqual(
      Array.from({ length: 3 }, () => ['ping', 'notifications/roots/list_changed', 'ping']),
    );
    const ids = posted.flat().flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(6);
    expect(posted.map((list) => typeof list[2]!.id)).toEqual(['string', 'string', 'string']);
    expect(tally).toMatchObject({ sent: 3, unanswered: 0, causes: [] });
  },
);

const limit = { code: -32000, message: 'Rate limit exceeded', data: { retryAfter: 0.01 } };

test('so is a request that an error refuses which tells of a rate limit, and a batch of such', async () => {
  const { posted, tally, told } = await sentTo(2, limit, async (peer) => void (await peer.request('ping').answer));
  expect(posted.map(([one]) => one!.id)).toHaveLength(3);
  expect(tally).toMatchObject({ sent: 2, unanswered: 0, causes: [] });
  expect(told[0]).toMatch(/^The server is busy \(a rate limit\): waiting 0 s as it asks, then at most /);
  const batch = await sentTo(1, limit, (peer) => peer.sendWritten(batchOf(peer)));
  expect(batch.posted).toHaveLength(2);
  expect(batch.tally).toMatchObject({ sent: 3, unanswered: 0 });
});

test('one that stays refused counts as not answered; what a tool says of limits elsewhere is its answer', async () => {
  const refused = await sentTo(9, limit, async (peer) => void (await peer.request('ping').answer));
  expect(refused.posted).toHaveLength(4);
  expect(refused.tally).toMatchObject({ sent: 2, unanswered: 1, causes: [{ cause: 'a rate limit', count: 1 }] });
  const elsewhere = await sentTo(
    9,
    { code: -32603, message: 'API rate limit exceeded' },
    async (peer) => void (await peer.request('tools/call', { name: 'search' }).answer),
  );
  expect(elsewhere.posted).toHaveLength(1);
  expect(elsewhere.tally).toMatchObject({ sent: 2, unanswered: 0 });
});

test('so is a message that is written out in full', async () => {
  const { posted, tally } = await sentTo(1, 429, (peer) =>
    peer.sendWritten({ jsonrpc: '2.0', id: -5, method: 'ping' }),
  );
  expect(posted.map(([one]) => one!.id)).toEqual([-5, -6]);
  expect(tally).toMatchObject({ sent: 2, unanswered: 0 });
});

test('a batch that is wrong on purpose is not, and no batch more than three times', async () => {
  const wrong = await sentTo(1, 429, (peer) => peer.sendWritten(batchOf(peer), { deviation: 'is wrong' }));
  expect(wrong.posted).toHaveLength(1);
  const refused = await sentTo(9, 503, (peer) => peer.sendWritten(batchOf(peer)));
  expect(refused.posted).toHaveLength(4);
  expect(refused.tally).toMatchObject({ sent: 3, unanswered: 2, causes: [{ cause: '503', count: 2 }] });
});
