/** One call may be reported on without end: the work for each notification does not grow with those before it. */
import { expect, test } from 'vitest';
import { loadPlan } from '../../src/check/plan.ts';
import { startJudging } from '../../src/check/judge/judge-feed.ts';
import type { TraceEvent, TraceHeader } from '../../src/core/model/trace.ts';
import { growthOf } from './cpu.ts';
import { thorough } from '../support/run/options.ts';

const header: TraceHeader = {
  format: 'mcpc-trace',
  version: 1,
  origin: 'live',
  transport: 'stdio',
  revision: '2025-11-25',
  era: 'stateful',
  target: { name: 't' },
};

/** The wanted number of progress notifications on one tools/call, another call that is answered meanwhile, and the answer. */
async function judged(count: number): Promise<number> {
  const feed = await startJudging(
    (await loadPlan({ only: [], skip: [], houseRules: [], houseRequirements: [] })).rules,
    header,
  );
  let seq = 0;
  const push = (from: 'client' | 'server', message: object): void => {
    seq += 1;
    feed.push({
      seq,
      t: seq,
      session: 's1',
      from,
      kind: 'message',
      message: { jsonrpc: '2.0', ...message },
    } satisfies TraceEvent);
  };
  push('client', {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  });
  push('server', {
    id: 0,
    result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  });
  push('client', { method: 'notifications/initialized' });
  push('client', {
    id: 1,
    method: 'tools/call',
    params: { name: 'slow', arguments: {}, _meta: { progressToken: 'p' } },
  });
  push('client', { id: 2, method: 'ping' });
  for (let index = 1; index <= count; index += 1) {
    push('server', { method: 'notifications/progress', params: { progressToken: 'p', progress: index, total: count } });
    // What is pushed is judged in turns; without one the queue alone would be measured.
    if (index % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  push('server', { id: 1, result: { content: [{ type: 'text', text: 'done' }] } });
  push('server', { id: 2, result: {} });
  const result = await feed.finish();
  return result.outcomes.length;
}

test.runIf(thorough)(
  '200,000 progress notifications on one call are judged, in time that grows with their number',
  async () => {
    const { smallMs, largeMs, linear } = await growthOf((count) => judged(count), 20_000);
    expect(linear, `20,000 took ${smallMs} ms of CPU, 200,000 took ${largeMs} ms`).toBe(true);
  },
  300_000,
);
