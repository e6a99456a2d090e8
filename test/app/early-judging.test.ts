/** What a target most likely speaks is prepared for once, and used only where it turns out so. */
import { expect, test } from 'vitest';
import { createEarlyJudging } from '../../src/check/judge/early-judging.ts';
import type { JudgeFeed } from '../../src/check/judge/judge-feed.ts';
import type { TraceHeader } from '../../src/core/model/trace.ts';

const headerOf = (revision: string, transport: TraceHeader['transport'] = 'stdio'): TraceHeader => ({
  format: 'mcpc-trace',
  version: 1,
  origin: 'live',
  transport,
  revision,
});

function counted(fails = false) {
  const started: string[] = [];
  const judging = createEarlyJudging(async ({ transport, revision }) => {
    started.push(`${transport} ${revision}`);
    if (fails) throw new Error('no rules');
    return { of: started.at(-1) } as unknown as JudgeFeed;
  });
  return { started, judging };
}

test('a trace as expected is judged by what was prepared', async () => {
  const { started, judging } = counted();
  judging.expect(headerOf('2025-11-25'));
  judging.expect(headerOf('2025-11-25'));
  expect(await judging.begin(headerOf('2025-11-25'))).toEqual({ of: 'stdio 2025-11-25' });
  expect(started).toEqual(['stdio 2025-11-25']);
});

test.each([
  ['revision', headerOf('2026-07-28')],
  ['transport', headerOf('2025-11-25', 'sse')],
])('another %s than expected is judged for itself', async (_, header) => {
  const { judging } = counted();
  judging.expect(headerOf('2025-11-25'));
  expect(await judging.begin(header)).toEqual({ of: `${header.transport} ${header.revision}` });
});

test('what fails early is reported to whoever begins, and to nobody else', async () => {
  const { judging } = counted(true);
  judging.expect(headerOf('2025-11-25'));
  await new Promise((resolve) => setTimeout(resolve, 5));
  await expect(judging.begin(headerOf('2025-11-25'))).rejects.toThrow('no rules');
});
