/** A server that holds back the head of every listening stream is waited for twice, not for each probe that opens one. */
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { noPermission } from '../../src/core/permission/decide.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import type { Probe } from '../../src/client/schedule/plan/probe.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { runPlan } from '../support/run-plan.ts';
import { listening, smallMcp } from '../support/small-mcp.ts';

const timing = { ...defaultTiming, streamEndMs: 500, closeMs: 20, lateMs: 20 };

/** Milliseconds from each GET to the request that follows it on its connection. */
async function waitsOf(holds: (stream: number) => boolean): Promise<number[]> {
  let streams = 0;
  const server = createServer((request, response) => {
    if (request.method !== 'GET') return smallMcp(request, response);
    streams += 1;
    if (!holds(streams)) response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  });
  return listening(server, async (port) => {
    const recorder = createRecorder({ keep: true });
    const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
    const open = (): ReturnType<typeof hub.open> =>
      hub.open({
        target: { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: [] },
        timing,
        era: 'stateful',
        revision: '2025-11-25',
        permission: noPermission,
        toolVersion: '0',
      });
    const first = await open();
    await first.handshake();
    const isolated: Probe[] = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
      steps: ['handshake', { openStream: name }, 'sentinel'],
      rules: [name],
    }));
    const { incomplete } = await runPlan({
      plan: { shared: [], chains: isolated.map((probe) => [probe]) },
      first,
      open,
      sink: recorder.sink,
      timing,
      jobs: 1,
    });
    await first.close();
    expect(incomplete).toBeUndefined();
    return recorder.events.flatMap((event, index, events) => {
      if (event.kind !== 'http-request' || event.http?.method !== 'GET') return [];
      const next = events
        .slice(index + 1)
        .find(({ session, kind, from }) => session === event.session && kind === 'http-request' && from === 'client');
      return [next!.t - event.t];
    });
  });
}

test('the third stream and those behind it are waited for a tenth of the time', async () => {
  const waits = await waitsOf(() => true);
  expect(waits).toHaveLength(5);
  expect(
    waits.slice(0, 2).every((ms) => ms >= 490),
    waits.join(),
  ).toBe(true);
  expect(
    waits.slice(2).every((ms) => ms < 400),
    waits.join(),
  ).toBe(true);
});

test('one that answers in between is waited for again', async () => {
  const waits = await waitsOf((stream) => stream !== 3);
  expect([0, 1, 3, 4].every((at) => waits[at]! >= 490) && waits[2]! < 400, waits.join()).toBe(true);
});
