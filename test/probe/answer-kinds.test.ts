/** What a peer makes of answers that are none: a server that is busy is asked again under an id of the same kind, and a body that breaks off is a loss. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createUnansweredRequests } from '../../src/core/facts/http/unanswered-requests.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import { idLike } from '../../src/client/peer/peer-requests.ts';
import type { Peer } from '../../src/client/peer/peer.ts';
import { createRequestRate } from '../../src/client/load/request-rate.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';

/** A peer of a server that answers every POST like that, with the count of what went unanswered. */
async function peerOf(answer: (message: { id?: unknown }, response: ServerResponse) => void) {
  const server = createServer((request: IncomingMessage, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => answer(JSON.parse(text) as { id?: unknown }, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const recorder = createRecorder();
  const unanswered = createUnansweredRequests({ transport: 'http', own: true });
  recorder.subscribe((event) => unanswered.push(event));
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const rate = createRequestRate({ busyWaits: { againMs: 5, pauseMs: 20, pausesMs: 1000 } });
  const peer: Peer = await hub.open({
    target: { kind: 'http', url, headers: [] },
    timing: defaultTiming,
    era: 'stateful',
    revision: '2025-11-25',
    toolVersion: '0',
    rate,
  });
  onTestFinished(async () => {
    await peer.close();
    server.closeAllConnections();
    server.close();
  });
  return { peer, tally: () => unanswered.finish() };
}

const json = { 'content-type': 'application/json' };

test.each<[unknown, unknown]>([
  ['mcpc-id', "mcpc-id'"],
  ['7', '31'],
  [0, 31],
  [-1, -2],
  [4_294_967_297, 4_294_967_298],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1],
])('another id like %j', (id, like) => {
  expect(idLike(id, () => 31)).toBe(like);
});

test('a request under a chosen id that met a busy server is sent again, and has been answered', async () => {
  const ids: unknown[] = [];
  const { peer, tally } = await peerOf(({ id }, response) => {
    ids.push(id);
    if (ids.length === 1) response.writeHead(429).end();
    else response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
  });
  expect(await peer.request('ping', undefined, { id: 'chosen' }).answer).toMatchObject({ kind: 'response' });
  expect(ids).toEqual(['chosen', "chosen'"]);
  expect(tally()).toMatchObject({ sent: 1, unanswered: 0 });
});

test('a body that breaks off, or does not decode, is a lost answer and no answer in another form', async () => {
  const { peer, tally } = await peerOf((_message, response) => {
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('{"jsonrpc":"2.0"}');
  });
  expect(await peer.request('ping').answer).toMatchObject({
    kind: 'closed',
    reason: expect.stringContaining('does not decode') as string,
  });
  expect(tally()).toMatchObject({ sent: 1, unanswered: 1, causes: [{ cause: 'a reply that was cut off', count: 1 }] });
});
