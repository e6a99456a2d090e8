/** A server that serves one request after another: silence that comes from our own load is no time-out. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createWorkQueue } from '../../src/client/load/work-queue.ts';

type Said = [from: 'client' | 'server', id: number, method?: string, deviation?: string];

/** Whether request `id` may be waiting after all that was said on one connection. */
function mayBeWaiting(id: number, said: Said[]): boolean {
  const queue = createWorkQueue();
  for (const [from, of, method, deviation] of said) {
    const message = { jsonrpc: '2.0', id: of, ...(method === undefined ? { result: {} } : { method }) };
    const marks = deviation === undefined ? {} : { deviation };
    queue.observe({ seq: 1, t: 0, session: 's1', from, kind: 'message', message, ...marks } as TraceEvent);
  }
  return queue.mayBeWaiting('s1', id);
}

test.each<[string, boolean, Said[]]>([
  [
    'an earlier request was answered in the meantime',
    true,
    [
      ['client', 1, 'tools/list'],
      ['client', 2, 'tools/call'],
      ['server', 1],
    ],
  ],
  [
    'nothing was answered in the meantime',
    false,
    [
      ['client', 1, 'tools/list'],
      ['server', 1],
      ['client', 2, 'tools/call'],
    ],
  ],
  [
    'a later request was answered',
    false,
    [
      ['client', 1, 'tools/list'],
      ['client', 2, 'tools/call'],
      ['client', 3, 'tools/list'],
      ['server', 1],
      ['server', 3],
    ],
  ],
  [
    'a later ping was answered ahead of it',
    true,
    [
      ['client', 1, 'tools/list'],
      ['client', 2, 'tools/call'],
      ['client', 3, 'ping'],
      ['server', 1],
      ['server', 3],
    ],
  ],
  [
    'a later ping overtook a ping',
    false,
    [
      ['client', 1, 'tools/list'],
      ['client', 2, 'ping'],
      ['client', 3, 'ping'],
      ['server', 1],
      ['server', 3],
    ],
  ],
  [
    'a later request was refused for its form',
    true,
    [
      ['client', 1, 'tools/list'],
      ['client', 2, 'tools/call'],
      ['client', 3, 'tools/call', 'malformed'],
      ['server', 1],
      ['server', 3],
    ],
  ],
  [
    'it was answered itself',
    false,
    [
      ['client', 1, 'tools/list'],
      ['client', 2, 'tools/call'],
      ['server', 1],
      ['server', 2],
    ],
  ],
])('%s', (_, expected, said) => {
  expect(mayBeWaiting(2, said)).toBe(expected);
});

/** A server that takes `ms` for each request, one after another; the tool `lost` is never answered. */
async function serialServer(ms: number): Promise<string> {
  let tail = Promise.resolve();
  const server = createServer((request: IncomingMessage, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { id, params } = JSON.parse(text) as { id: number; params?: { name?: string } };
      if (params?.name === 'lost') return;
      tail = tail
        .then(() => new Promise<void>((resolve) => void setTimeout(resolve, ms)))
        .then(() => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
        });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

test('requests that wait for their turn are answered; one that is lost is not waited for any longer', async () => {
  const url = await serialServer(200);
  const recorder = createRecorder();
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const peer = await hub.open({
    target: { kind: 'http', url, headers: [] },
    timing: { ...defaultTiming, answerMs: 1500 },
    era: 'stateful',
    revision: '2025-11-25',
    toolVersion: '0',
  });
  onTestFinished(() => peer.close());
  // The deadline of the first answer is a longer one.
  await peer.request('ping').answer;
  const lost = peer.request('tools/call', { name: 'lost' });
  const calls = Array.from({ length: 12 }, () => peer.request('tools/call', { name: 'found' }));
  const answers = await Promise.all(calls.map(({ answer }) => answer));
  expect(answers.map(({ kind }) => kind)).toEqual(calls.map(() => 'response'));
  expect((await lost.answer).kind).toBe('timeout');
});
