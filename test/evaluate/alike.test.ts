/** Lines that are counted without being made into subjects: the counts, evidence and failures are those of the engine, which is given each of them. */
import { expect, test } from 'vitest';
import type { CompiledRule } from '../../src/core/model/rules/rule.ts';
import type { Trace, TraceEvent } from '../../src/core/model/trace.ts';
import { judgeByAll, loadProject } from '../support/rules.ts';

const project = await loadProject();
const aboutLines: readonly CompiledRule[] = project.plan.rules.filter(
  ({ kind, role }) => kind === 'stdoutLine' && role === 'server',
);
const rounds = 3000;

type Event = Partial<TraceEvent> & Pick<TraceEvent, 'session' | 'from' | 'kind'>;

/** Pings of a connection; what `beside` gives stands before that round. */
function pings(session: string, revision: string, beside: (round: number) => Event[] = () => []): Event[] {
  const serverInfo = { name: 's', version: '1' };
  const message = (from: 'client' | 'server', value: object): Event => ({
    session,
    from,
    kind: 'message',
    message: { jsonrpc: '2.0', ...value },
  });
  return [
    message('client', {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    }),
    message('server', { id: 0, result: { protocolVersion: revision, capabilities: {}, serverInfo } }),
    message('client', { method: 'notifications/initialized' }),
    ...Array.from({ length: rounds }, (_, round) => [
      ...beside(round),
      message('client', { id: round + 1, method: 'ping' }),
      message('server', { id: round + 1, result: {} }),
    ]).flat(),
  ];
}

function traceOf(events: Event[]): Trace {
  return {
    header: { format: 'mcpc-trace', version: 1, origin: 'live', transport: 'stdio' } as Trace['header'],
    events: events.map((event, at) => ({ seq: at + 1, t: at, ...event })) as TraceEvent[],
  };
}

async function judged(trace: Trace): Promise<Record<string, [status: string, judged: number, failed: number]>> {
  const fast = await judgeByAll([...aboutLines], trace, 'server');
  expect(await judgeByAll([...aboutLines], trace, 'server', 'engine')).toEqual(fast);
  return Object.fromEntries(fast.map(({ rule, status, judged: count, failed }) => [rule.id, [status, count, failed]]));
}

test('all lines are plain messages', async () => {
  const lines = rounds + 1;
  expect(await judged(traceOf(pings('s1', '2025-11-25')))).toEqual({
    'stdio/framing-embedded-newline': ['pass', lines, 0],
    'stdio/framing-newline-delimiter': ['pass', lines, 0],
    'stdio/framing-single-message': ['pass', lines, 0],
    'stdio/stdout-purity': ['pass', lines, 0],
  });
});

test('a line that is none stands late among them, and a batch', async () => {
  const odd = (round: number): Event[] => {
    if (round === 2500) return [{ session: 's1', from: 'server', kind: 'unparsable', raw: 'listening on stdio' }];
    if (round === 2600)
      return [
        { session: 's1', from: 'server', kind: 'message', message: [{ jsonrpc: '2.0', method: 'notifications/x' }] },
      ];
    return [];
  };
  const { 'stdio/stdout-purity': purity, 'stdio/framing-single-message': single } = await judged(
    traceOf(pings('s1', '2025-11-25', odd)),
  );
  expect([purity, single]).toEqual([
    ['fail', rounds + 3, 1],
    ['fail', rounds + 2, 1],
  ]);
});

test('lines of a connection that speaks another revision are no part of it', async () => {
  const all = [...pings('s1', '2025-11-25'), ...pings('s2', '2025-06-18'), ...pings('s3', '2025-11-25')];
  expect(await judged(traceOf(all))).toMatchObject({ 'stdio/stdout-purity': ['pass', 2 * (rounds + 1), 0] });
});
