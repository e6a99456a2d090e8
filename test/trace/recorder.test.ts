import { expect, test } from 'vitest';
import type { EventInput, TraceEvent, TraceFooter, TraceHeader } from '../../src/core/model/trace.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import type { TraceWriter } from '../../src/core/trace/recorder.ts';

const header: TraceHeader = { format: 'mcpc-trace', version: 1, origin: 'live', transport: 'stdio' };
const input = (n: number): EventInput => ({ session: 's1', from: 'server', kind: 'message', message: { n } });

function memoryWriter(): TraceWriter & { got: unknown[] } {
  const got: unknown[] = [];
  return {
    got,
    header: (value) => got.push(value),
    event: (event) => got.push(event.seq),
    footer: (value) => got.push(value),
    close: async () => {},
  };
}

test('events are numbered and stamped from the beginning of the trace', () => {
  let clock = 1000;
  const recorder = createRecorder({ now: () => clock, keep: true });
  expect(recorder.sink(input(1))).toBe(1);
  clock = 1012.34567;
  expect(recorder.sink(input(2))).toBe(2);
  expect(recorder.events).toMatchObject([
    { seq: 1, t: 0, message: { n: 1 } },
    { seq: 2, t: 12.346, message: { n: 2 } },
  ]);
});

test('listeners are called at once, in order, also for events made within a listener', () => {
  const recorder = createRecorder();
  const seen: string[] = [];
  const stopFirst = recorder.subscribe((event) => {
    seen.push(`a${event.seq}`);
    if (event.seq === 1) expect(recorder.sink(input(2))).toBe(2);
    if (event.seq === 3) stopFirst();
  });
  recorder.subscribe((event) => seen.push(`b${event.seq}`));
  recorder.sink(input(1));
  recorder.sink(input(3));
  recorder.sink(input(4));
  expect(seen).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'b4']);
});

test('a listener that throws does not stop the recorder for good', () => {
  const recorder = createRecorder({ keep: true });
  const stop = recorder.subscribe(() => {
    throw new Error('broken');
  });
  expect(() => recorder.sink(input(1))).toThrow('broken');
  stop();
  const seen: number[] = [];
  recorder.subscribe((event) => seen.push(event.seq));
  recorder.sink(input(2));
  expect(seen).toEqual([2]);
  expect(recorder.events).toHaveLength(2);
});

test('writers get nothing before the header, then everything in order', () => {
  const recorder = createRecorder();
  const writer = memoryWriter();
  recorder.writeTo(writer);
  recorder.sink(input(1));
  recorder.sink(input(2));
  expect(writer.got).toEqual([]);
  recorder.setHeader(header);
  recorder.sink(input(3));
  const footer = recorder.finish({ complete: true });
  expect(recorder.sink(input(4))).toBe(0);
  expect(recorder.finish({ complete: false, reason: 'later' })).toBe(footer);
  expect(writer.got).toEqual([header, 1, 2, 3, { footer: true, events: 3, complete: true }]);
  expect(() => recorder.setHeader(header)).toThrow(/twice/);
  expect(() => recorder.writeTo(memoryWriter())).toThrow(/let go/);
});

test('a late writer gets the whole trace when events are kept', () => {
  const recorder = createRecorder({ keep: true });
  recorder.setHeader(header);
  recorder.sink(input(1));
  const writer = memoryWriter();
  recorder.writeTo(writer);
  recorder.sink(input(2));
  recorder.finish({ complete: false, reason: 'interrupted' });
  expect(writer.got).toEqual([header, 1, 2, { footer: true, events: 2, complete: false, reason: 'interrupted' }]);
});

test.each([
  ['events', { maxEvents: 3 }],
  ['bytes', { maxBytes: 200 }],
])('too many %s: one limit event, the rest is counted and the trace is not complete', (_what, limits) => {
  const recorder = createRecorder({ limits, keep: true });
  const seen: TraceEvent[] = [];
  recorder.subscribe((event) => seen.push(event));
  for (let n = 0; n < 50; n += 1) recorder.sink(input(n));
  expect(seen.filter((event) => event.kind === 'limit')).toHaveLength(1);
  expect(recorder.events.at(-1)).toMatchObject({ kind: 'limit', from: 'harness', seq: recorder.count });
  expect(recorder.limited).toBe(true);
  expect(recorder.dropped).toBe(50 - (recorder.count - 1));
  const footer: TraceFooter = recorder.finish({ complete: true });
  expect(footer).toMatchObject({
    events: recorder.count,
    complete: false,
    dropped: recorder.dropped,
    reason: expect.stringContaining('limit'),
  });
});

test('what is written and kept is redacted, what a probe listens to is not unless asked', () => {
  const recorder = createRecorder({
    keep: true,
    redactor: {
      event: (event) => ({ ...event, message: 'hidden' }),
      header: (value) => ({ ...value, origin: 'hidden' }),
    },
  });
  const plain: unknown[] = [];
  const clean: unknown[] = [];
  recorder.subscribe((event) => plain.push(event.message));
  recorder.subscribe((event) => clean.push(event.message), { redacted: true });
  recorder.setHeader(header);
  recorder.sink(input(1));
  expect(plain).toEqual([{ n: 1 }]);
  expect(clean).toEqual(['hidden']);
  expect(recorder.events[0]?.message).toBe('hidden');
  expect(recorder.header?.origin).toBe('hidden');
});
