/** What no message answers (notifications, GET for a stream, DELETE) is sent once more, too, to a server that is too busy for it. */
import { createServer, type Server } from 'node:http';
import { expect, test } from 'vitest';
import { createUnansweredRequests } from '../../src/core/facts/http/unanswered-requests.ts';
import { streamHeaders } from '../../src/client/peer/correct-headers.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import type { Peer } from '../../src/client/peer/peer.ts';
import { createRequestRate } from '../../src/client/load/request-rate.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { listening } from '../support/small-mcp.ts';
import { thorough } from '../support/run/options.ts';

interface Message {
  id?: unknown;
  method?: string;
}

/** What a request is, by the method of its message or that of HTTP. */
type What = 'GET' | 'DELETE' | 'notifications/initialized' | 'notifications/cancelled';

/** A server with sessions that refuses requests of a kind so many times, and serves no request before it has accepted `notifications/initialized`. */
function busyServer(refused: What, times: number, status: number, served: string[]): Server {
  let left = times;
  let ready = false;
  return createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { id, method } = (text === '' ? {} : JSON.parse(text)) as Message;
      const what = method ?? request.method!;
      if (what === refused && (left -= 1) >= 0) return response.writeHead(status, { 'retry-after': '0' }).end();
      served.push(what);
      if (what === 'GET') return response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
      if (id === undefined) {
        ready ||= what === 'notifications/initialized';
        return response.writeHead(what === 'DELETE' ? 200 : 202).end();
      }
      const answer =
        method === 'initialize'
          ? { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'busy', version: '1' } } }
          : ready
            ? { result: {} }
            : { error: { code: -32002, message: 'not initialized' } };
      return response
        .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'a' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
}

async function spokenWith(refused: What, times: number, status: number, speak: (peer: Peer) => Promise<unknown>) {
  const served: string[] = [];
  return listening(busyServer(refused, times, status, served), async (port) => {
    const recorder = createRecorder({ keep: true });
    const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
    const rate = createRequestRate({ busyWaits: { againMs: 1, pauseMs: 60, pausesMs: 1000 } });
    const peer = await hub.open({
      target: { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: [] },
      era: 'stateful',
      revision: '2025-11-25',
      timing: defaultTiming,
      toolVersion: '0',
      rate,
    });
    await peer.handshake();
    const result = await speak(peer);
    await peer.close();
    const count = createUnansweredRequests({ transport: 'http', own: true });
    for (const event of recorder.events) count.push(event);
    return { served, tally: count.finish(), result, rate };
  });
}

const opened = (peer: Peer) =>
  peer.channel.exchange({ method: 'GET', headers: peer.headersFor(undefined, streamHeaders) })!;
const cancelled = (peer: Peer, deviation?: string) =>
  peer.notify('notifications/cancelled', { requestId: 'never' }, deviation === undefined ? {} : { deviation });

test.each([429, 503])(
  'a server is told that the handshake is over, though it had no time for it at first (%i)',
  async (status) => {
    const { result, tally } = await spokenWith(
      'notifications/initialized',
      2,
      status,
      (peer) => peer.request('ping', undefined).answer,
    );
    expect(result).toMatchObject({ kind: 'response', message: { result: {} } });
    expect(tally).toMatchObject({ sent: 2, unanswered: 0, causes: [] });
  },
);

test.each([429, 503])(
  'the stream to listen on is asked for again, and the exchange is that of the last try (%i)',
  async (status) => {
    const { result, served, tally } = await spokenWith('GET', 2, status, async (peer) => {
      const exchange = opened(peer);
      const outcome = await exchange.response;
      return [outcome, exchange.id];
    });
    expect(result).toEqual([expect.objectContaining({ status: 200 }), 's1.x5']);
    expect(served).toContain('GET');
    expect(tally).toMatchObject({ sent: 1, unanswered: 0 });
  },
);

test.each([429, 503])('a session is ended, though the server had no time for it at first (%i)', async (status) => {
  const { served, tally } = await spokenWith('DELETE', 2, status, async () => {});
  expect(served.at(-1)).toBe('DELETE');
  expect(tally).toMatchObject({ sent: 1, unanswered: 0 });
});

test.runIf(thorough)('what the server has never time for is not waited for each time, and is counted', async () => {
  const { tally, rate } = await spokenWith('GET', Infinity, 503, async (peer) => {
    for (let n = 0; n < 3; n += 1) await opened(peer).response;
  });
  expect([...rate.vain]).toEqual(['GET']);
  // Four tries of the first, one of each of the others.
  expect(tally).toMatchObject({ sent: 4, unanswered: 3, causes: [{ cause: '503 to GET', count: 3 }] });
});

test('what is wrong on purpose, or given up meanwhile, is not sent again', async () => {
  const wrong = await spokenWith(
    'notifications/cancelled',
    1,
    429,
    (peer) => cancelled(peer, 'is wrong').exchange!.response,
  );
  expect(wrong.result).toMatchObject({ status: 429 });
  expect(wrong.served).not.toContain('notifications/cancelled');
  expect(
    (await spokenWith('notifications/cancelled', 1, 429, (peer) => cancelled(peer).exchange!.response)).served,
  ).toContain('notifications/cancelled');
  const dropped = await spokenWith('GET', 1, 429, async (peer) => {
    const exchange = opened(peer);
    exchange.abort('dropped');
    await exchange.response;
  });
  expect(dropped.served).not.toContain('GET');
});
