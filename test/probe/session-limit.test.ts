/** A server that bears so many sessions at a time, and has no time for another one, is asked for no more of them, and is asked nothing more slowly. */
import { createServer, type Server } from 'node:http';
import { expect, test, vi } from 'vitest';
import { noPermission } from '../../src/core/permission/decide.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import type { Probe } from '../../src/client/schedule/plan/probe.ts';
import { createRequestRate } from '../../src/client/load/request-rate.ts';
import { createSessionRoom } from '../../src/client/load/session-room.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { runPlan } from '../support/run-plan.ts';
import { listening, smallMcp } from '../support/small-mcp.ts';

/** Gives sessions ids, so many at a time. */
function limited(
  most: number,
  status: number,
  after?: string,
): { server: Server; refused: () => number; open: Set<string> } {
  const open = new Set<string>();
  let count = 0;
  let refused = 0;
  const server = createServer((request, response) => {
    const session = String(request.headers['mcp-session-id'] ?? '');
    if (request.method === 'DELETE') return response.writeHead(open.delete(session) ? 200 : 404).end();
    if (session !== '') return open.has(session) ? smallMcp(request, response) : response.writeHead(404).end();
    if (open.size >= most) {
      refused += 1;
      return response.writeHead(status, after === undefined ? {} : { 'retry-after': after }).end();
    }
    count += 1;
    open.add(`s${count}`);
    response.setHeader('mcp-session-id', `s${count}`);
    return smallMcp(request, response);
  });
  return { server, refused: () => refused, open };
}

const busyWaits = { againMs: 1_000, pauseMs: 5_000, pausesMs: 10_000 };

function hubFor(port: number, told: string[]) {
  const recorder = createRecorder({ keep: true });
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const rate = createRequestRate({ busyWaits, tell: (line) => told.push(line) });
  const open = (how: { trial?: true } = {}): ReturnType<typeof hub.open> =>
    hub.open({
      ...how,
      target: { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: [] },
      timing: defaultTiming,
      era: 'stateful',
      revision: '2025-11-25',
      permission: noPermission,
      toolVersion: '0',
      rate,
    });
  return { open, rate, recorder };
}

test.each([429, 503])('a session that there is no room for begins when another one has ended (%i)', async (status) => {
  const told: string[] = [];
  const { server, refused } = limited(2, status);
  await listening(server, async (port) => {
    const { open, rate } = hubFor(port, told);
    const most: number[] = [];
    rate.sessions.onFull = (count) => most.push(count);
    const [one, two, three] = [await open(), await open(), await open()];
    await one.handshake();
    await two.handshake();
    const third = three.handshake();
    await vi.waitUntil(() => refused() > 0);
    expect(await two.request('ping', undefined).answer).toMatchObject({ kind: 'response' });
    expect(rate.turn(), 'nothing else waits').toBeUndefined();
    await one.close();
    expect(await third).toMatchObject({ kind: 'response', message: { result: {} } });
    expect([refused(), most, told]).toEqual([1, [2], []]);
    await Promise.all([two.close(), three.close()]);
  });
});

test('a server that says when it has time again is asked no sooner, also where a session has ended before', async () => {
  const told: string[] = [];
  const { server, refused } = limited(1, 503, '1');
  await listening(server, async (port) => {
    const { open, rate } = hubFor(port, told);
    const [one, two] = [await open(), await open()];
    await one.handshake();
    const second = two.handshake();
    await vi.waitUntil(() => refused() > 0);
    const since = performance.now();
    expect(rate.turn(), 'nothing else waits').toBeUndefined();
    await one.close();
    expect(await second).toMatchObject({ kind: 'response', message: { result: {} } });
    expect(performance.now() - since).toBeGreaterThan(900);
    expect([refused(), told]).toEqual([1, []]);
    await two.close();
  });
});

test.each([1, 2, 3])('probes are carried out by a server for %i sessions, and none is left out', async (most) => {
  const told: string[] = [];
  const { server, open: sessions } = limited(most, 503);
  await listening(server, async (port) => {
    const { open, rate, recorder } = hubFor(port, told);
    const first = await open();
    await first.handshake();
    const isolated: Probe[] = Array.from({ length: 8 }, (_, index) => ({
      steps: ['handshake', { request: 'ping', as: `p${index}` }, 'sentinel'],
      rules: [`rule ${index}`],
    }));
    const { incomplete } = await runPlan({
      plan: { shared: [{ steps: ['sentinel'], rules: ['shared'] }], chains: isolated.map((probe) => [probe]) },
      first,
      open,
      sink: recorder.sink,
      timing: defaultTiming,
      jobs: 4,
      rate,
    });
    expect(incomplete).toBeUndefined();
    expect(told).toEqual([]);
    const begun = recorder.events.filter(
      ({ kind, http }) => kind === 'http-response' && http?.headers?.['mcp-session-id'] !== undefined,
    );
    expect(begun.length).toBeGreaterThanOrEqual(1 + isolated.length);
    expect(sessions.size).toBe(0);
  });
});

test('where sessions that end make no room, the first two that wait in vain are the last that wait', async () => {
  const told: string[] = [];
  const room = createSessionRoom({
    busyWaits: { againMs: 1, pauseMs: 5, pausesMs: 100 },
    tell: (line) => told.push(line),
  });
  const tries = async (connection: string): Promise<number> => {
    let count = 0;
    while (count < 20 && (room.refused(connection), await room.freed(connection))) count += 1;
    return count;
  };
  room.began('a');
  expect(await tries('b')).toBeGreaterThan(0);
  room.began('b');
  expect(await tries('c')).toBeGreaterThan(0);
  expect(await tries('d')).toBeGreaterThan(0);
  expect(await tries('e')).toBe(0);
  room.over('a');
  room.refused('e');
  room.began('e');
  expect(await tries('f'), 'one that began all the same').toBeGreaterThan(0);
  expect(told).toEqual(['The server has no room for another session: waiting for one to end, up to 0 s.']);
});

test('what waits for room does so for a while only, and no longer than the run', async () => {
  const stop = new AbortController();
  const room = createSessionRoom({ busyWaits: { againMs: 5, pauseMs: 20, pausesMs: 100 }, signal: stop.signal });
  expect(room.refused('b'), 'nothing else is open').toBe(false);
  expect(room.freed('b')).toBeUndefined();
  room.began('a');
  expect(room.refused('b')).toBe(true);
  let tries = 0;
  while (tries < 20 && (await room.freed('b'))) tries += 1;
  expect(tries).toBeGreaterThanOrEqual(2);
  expect(tries).toBeLessThan(20);
  expect(room.refused('c')).toBe(true);
  const waiting = room.freed('c');
  stop.abort();
  expect(await waiting).toBe(false);
});
