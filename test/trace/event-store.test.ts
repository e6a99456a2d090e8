import { expect, test } from 'vitest';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { createEventStore } from '../../src/core/trace/event-store.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { sizeOf } from '../../src/core/trace/value-size.ts';

const event = (seq: number): TraceEvent => ({
  seq,
  t: seq / 10,
  session: 's1',
  from: 'server',
  kind: 'message',
  message: { jsonrpc: '2.0', id: seq, result: { text: `many words ${seq}` } },
});

test('events are the same whether they were packed or not, and are found by their seqs', () => {
  const store = createEventStore({ maxLooseBytes: 20_000, maxPackedBytes: 1_000_000 });
  const events = Array.from({ length: 1000 }, (_, index) => event(index + 1));
  for (const one of events) expect(store.push(one)).toBe(true);
  expect([...store.all()]).toEqual(events);
  expect(store.find(new Set([999, 3, 500, 4]))).toEqual([events[2], events[3], events[499], events[998]]);
  // Older ones were read from what was packed, and are other objects now.
  expect([...store.all()][0]).not.toBe(events[0]);
  expect(store.find(new Set([1000]))[0]).toBe(events[999]);
  store.clear();
  expect([...store.all()]).toEqual([]);
});

test('numbers that JSON cannot write come back from the raw text', () => {
  const store = createEventStore({ maxLooseBytes: 1, maxPackedBytes: 1_000_000 });
  store.push({ ...event(1), message: { n: Infinity }, raw: '{"n":1e999}' });
  store.push(event(2));
  expect([...store.all()][0]?.message).toEqual({ n: Infinity });
});

test('a full store ends the trace with one limit event', () => {
  const store = createEventStore({ maxLooseBytes: 10_000, maxPackedBytes: 2000 });
  const recorder = createRecorder({ store });
  for (let n = 1; n <= 2000; n += 1) {
    const { seq: _seq, t: _t, ...input } = event(n);
    recorder.sink(input);
  }
  expect(recorder.limited).toBe(true);
  expect(recorder.dropped).toBeGreaterThan(0);
  const kept = [...store.all()];
  expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => index + 1));
  expect(kept.at(-1)).toMatchObject({ kind: 'limit', from: 'harness', reason: expect.stringContaining('memory') });
});

test('a small object is much larger in memory than as text', () => {
  const { text, memory } = sizeOf(Array.from({ length: 1000 }, () => ({})));
  expect(text).toBeLessThan(4000);
  expect(memory).toBeGreaterThan(40_000);
});
