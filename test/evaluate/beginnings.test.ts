/**
 * A group of more members than are kept: what breaks in the beginning of its lists is broken, so that a flood is failed
 * however long it is; what holds in the beginning is not known to hold.
 */
import { expect, test } from 'vitest';
import { createJudge } from '../../src/core/evaluate/judge.ts';
import type { CompiledRule } from '../../src/core/model/rules/rule.ts';
import type { Recorded, TraceEvent } from '../../src/core/model/trace.ts';
import { loadProject } from '../support/rules.ts';

const project = await loadProject();
const moderation = project.rule('ping/frequency-moderation');

/** The outcome of a conversation in which the server pings at these times. */
async function judged(
  rule: CompiledRule,
  times: readonly number[],
  recorded?: Recorded,
): Promise<{ status: string; actual?: string }> {
  const judge = createJudge({
    rules: [rule],
    role: 'server',
    transport: 'stdio',
    revision: '2025-06-18',
    methods: {},
    knownRevisions: ['2025-06-18'],
    ...(recorded ? { recorded } : {}),
    loadValidators: () => Promise.resolve({ revision: '2025-06-18', has: () => false, validate: () => [] }),
  });
  const opening: [from: 'client' | 'server', message: object][] = [
    [
      'client',
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
      },
    ],
    [
      'server',
      { id: 1, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'b', version: '1' } } },
    ],
    ['client', { method: 'notifications/initialized' }],
  ];
  const events: TraceEvent[] = [
    ...opening.map(
      ([from, message], index): TraceEvent => ({
        seq: index + 1,
        t: 0,
        session: 's1',
        from,
        kind: 'message',
        message: { jsonrpc: '2.0', ...message },
      }),
    ),
    ...times.map(
      (t, index): TraceEvent => ({
        seq: index + 4,
        t,
        session: 's1',
        from: 'server',
        kind: 'message',
        message: { jsonrpc: '2.0', id: `p${index}`, method: 'ping' },
      }),
    ),
  ];
  for (const event of events) await judge.push(event);
  const [outcome] = (await judge.finish()).outcomes;
  return { status: outcome!.status, ...(outcome!.actual === undefined ? {} : { actual: outcome!.actual }) };
}

const times = (count: number, step: number): number[] => Array.from({ length: count }, (_, index) => index * step);

test('a flood is failed, short or long', async () => {
  expect(await judged(moderation, times(20, 10))).toMatchObject({
    status: 'fail',
    actual: expect.stringContaining('20 within 4999 ms') as string,
  });
  expect(await judged(moderation, times(5000, 10))).toMatchObject({
    status: 'fail',
    actual: expect.stringContaining('500 within 4999 ms') as string,
  });
});

test('what holds of all members passes; of the first thousand of more, nothing is said', async () => {
  expect((await judged(moderation, times(1000, 1000))).status).toBe('pass');
  expect((await judged(moderation, times(1001, 1000))).status).toBe('not-exercised');
  // A flood behind what is kept is not seen.
  expect((await judged(moderation, [...times(1000, 1000), ...times(50, 1).map((t) => 1_000_000 + t)])).status).toBe(
    'not-exercised',
  );
});

test('a beginning decides neither where something else is asked for, nor on a capture without times', async () => {
  const counted: CompiledRule = { ...moderation, expect: { fact: 'subject.count', operator: 'atMost', value: 10 } };
  expect((await judged(counted, times(1000, 10))).status).toBe('fail');
  expect((await judged(counted, times(1001, 10))).status).toBe('not-exercised');
  const timeless: Recorded = {
    transport: true,
    exchanges: true,
    streams: true,
    timing: false,
    bytes: true,
    start: true,
    order: true,
    direction: true,
  };
  expect((await judged(moderation, times(5000, 10), timeless)).status).toBe('not-exercised');
});

test('the opposite of what breaks in the beginning holds', async () => {
  const opposite: CompiledRule = { ...moderation, expect: { not: moderation.expect } };
  expect((await judged(opposite, times(5000, 10))).status).toBe('pass');
  expect((await judged(opposite, times(5000, 1000))).status).toBe('not-exercised');
});
