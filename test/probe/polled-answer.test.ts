/** A reply whose stream ends before the answer is asked for again, as often as it takes and not before the pause that the server wants (2025-11-25: basic/transports). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import type { Answer } from '../../src/client/peer/peer.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { listening } from '../support/small-mcp.ts';

interface Polled {
  /** Milliseconds that the first stream asks for. */
  retryMs: number;
  /** Streams that end with nothing before the one with the answer; Infinity: there is none. */
  empty: number;
  /** The stream after those stays open, without the answer. */
  held?: boolean;
  /** Status of the replies to GET, where they are refused. */
  refused?: number;
}

function polledServer({
  retryMs,
  empty,
  held,
  refused,
}: Polled): (request: IncomingMessage, response: ServerResponse) => void {
  let left = empty;
  const answer = `id: a2\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} })}\n\n`;
  return (request, response) => {
    request.resume();
    request.on('end', () => {
      if (request.method === 'GET' && refused !== undefined) return void response.writeHead(refused).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (request.method === 'POST') return void response.end(`id: a1\nretry: ${retryMs}\ndata:\n\n`);
      left -= 1;
      if (left < 0 && held === true) return response.flushHeaders();
      response.end(left < 0 ? answer : '');
    });
  };
}

async function ask(
  how: Polled,
  answerMs: number,
): Promise<{ answer: Answer; events: readonly TraceEvent[]; gaps: number[] }> {
  const recorder = createRecorder({ keep: true });
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const answer = await listening(createServer(polledServer(how)), async (port) => {
    const peer = await hub.open({
      target: { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: [] },
      timing: { ...defaultTiming, startMs: answerMs, answerMs },
      era: 'stateful',
      revision: '2025-11-25',
      toolVersion: '0',
    });
    try {
      return await peer.request('ping', undefined, { id: 1 }).answer;
    } finally {
      await peer.close();
    }
  });
  const { events } = recorder;
  const gets = events.filter(({ kind, http }) => kind === 'http-request' && http?.method === 'GET');
  expect(gets.every(({ http }) => http?.headers?.['last-event-id'] === 'a1')).toBe(true);
  const gaps = gets.map(({ t }) => t - events.findLast((one) => one.kind === 'sse-close' && one.t <= t)!.t);
  return { answer, events, gaps };
}

test('the third stream may bring it', async () => {
  const { answer, gaps } = await ask({ retryMs: 120, empty: 2 }, 10_000);
  expect(answer).toMatchObject({ kind: 'response', message: { result: {} } });
  expect(gaps).toHaveLength(3);
  // A timer may fire a millisecond early.
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(119);
});

test('one that never comes has been waited for', async () => {
  const { answer, events, gaps } = await ask({ retryMs: 10, empty: Infinity }, 900);
  expect(answer).toEqual({ kind: 'timeout' });
  expect(events.filter(({ kind }) => kind === 'timeout')).toHaveLength(1);
  expect(gaps.length).toBeGreaterThanOrEqual(2);
  expect(gaps.length).toBeLessThan(6);
});

test.each<[string, Polled]>([
  ['that is to come later than there is time', { retryMs: 60_000, empty: 0 }],
  ['that cannot be asked for', { retryMs: 10, empty: 0, refused: 405 }],
])('one %s was not waited for', async (_which, how) => {
  const { answer, events } = await ask(how, 900);
  expect(answer.kind).toBe('refused');
  expect(events.filter(({ kind }) => kind === 'timeout')).toEqual([]);
});

test('nor does a stream that stays open and empty bring it', async () => {
  const { answer, gaps } = await ask({ retryMs: 10, empty: 1, held: true }, 700);
  expect(answer).toEqual({ kind: 'timeout' });
  expect(gaps).toHaveLength(2);
});
