/** What a stopwatch says of steps and silences. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStopwatch } from '../../src/check/reporting/stopwatch.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function seen(session: string): TraceEvent {
  return { seq: 1, t: 0, session, from: 'server', kind: 'message', message: { jsonrpc: '2.0', id: 1, result: {} } };
}

test('a silence is told by the step that took most of it, though another one ends it', () => {
  const watch = createStopwatch();
  watch.stage('probing');
  watch.see(seen('s1'));
  const waited = watch.step('s1', 'awaitLate');
  vi.advanceTimersByTime(1000);
  waited();
  const asked = watch.step('s1', 'request');
  vi.advanceTimersByTime(50);
  watch.see(seen('s1'));
  asked();
  // Shorter ones are how a request and its answer look; of another connection this one tells nothing.
  vi.advanceTimersByTime(90);
  watch.see(seen('s1'));
  watch.see(seen('s2'));
  vi.advanceTimersByTime(200);
  watch.see(seen('s2'));
  const { idle, steps, connections } = watch.result();
  expect(idle).toEqual([
    { session: 's1', step: 'awaitLate', wallMs: 1050 },
    { session: 's2', step: 'probing', wallMs: 200 },
  ]);
  expect(steps).toEqual([
    { session: 's1', step: 'awaitLate', wallMs: 1000 },
    { session: 's1', step: 'request', wallMs: 50 },
  ]);
  expect(connections).toMatchObject([
    { session: 's1', messages: 3, wallMs: 1140, steps: ['awaitLate', 'request'] },
    { session: 's2', messages: 2, wallMs: 200, steps: [] },
  ]);
});

test('a step that goes on is told as well, and lists stay short', () => {
  const watch = createStopwatch();
  watch.step('s1', 'callTool');
  vi.advanceTimersByTime(500);
  watch.see(seen('s1'));
  for (let at = 0; at < 30; at += 1) {
    const over = watch.step('s1', `step ${at}`);
    vi.advanceTimersByTime(at);
    over();
  }
  for (let at = 0; at < 300; at += 1) watch.see(seen(`other ${at}`));
  const { idle, steps, connections, moreConnections } = watch.result();
  expect(idle).toEqual([{ session: 's1', step: 'callTool', wallMs: 500 }]);
  expect(steps.map(({ wallMs }) => wallMs)).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20]);
  expect(connections).toHaveLength(200);
  expect(moreConnections).toBe(101);
});

test('the second check of a thread is not told the time before it', () => {
  const first = createStopwatch().result();
  const { wallMs, cpuMs, stages } = createStopwatch().result();
  expect(stages).toMatchObject([{ name: 'loading' }]);
  expect(wallMs).toBeLessThan(process.uptime() * 500);
  expect(cpuMs).toBeLessThan(process.cpuUsage().user / 1000);
  expect(first.stages).toHaveLength(1);
});
