/** Entries of a timeline: which request a response answers, whatever its id looks like. */
import { expect, test } from 'vitest';
import { timelineOf, type TimelineEntry } from '../../src/check/reporting/timeline.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { linePayload } from '../../src/core/trace/payload.ts';

const limits = { maxDepth: 100, maxValues: 1000 };

async function shown(lines: readonly [TraceEvent['from'], string][]): Promise<TimelineEntry[]> {
  async function* events(): AsyncGenerator<TraceEvent> {
    for (const [index, [from, text]] of lines.entries())
      yield { seq: index + 1, t: index, session: 's1', from, ...linePayload(Buffer.from(text), limits) } as TraceEvent;
  }
  const entries: TimelineEntry[] = [];
  for await (const entry of timelineOf(events())) entries.push(entry);
  return entries;
}

test.each([
  ['beyond 2^53', '9007199254740993', '9007199254740992'],
  ['beyond what a double holds', '1e400', '1e401'],
  ['of many digits', '123456789012345678901234567890', '123456789012345678901234567891'],
  ['negative', '-9007199254740993', '-9007199254740992'],
  ['a text of digits and the number', '"5"', '5'],
  ['long texts', JSON.stringify('x'.repeat(5000)), JSON.stringify(`${'x'.repeat(4999)}y`)],
])('ids %s are told apart', async (_title, one, other) => {
  const entries = await shown([
    ['client', `{"jsonrpc":"2.0","id":${one},"method":"tools/list"}`],
    ['client', `{"jsonrpc":"2.0","id":${other},"method":"prompts/list"}`],
    ['server', `{"jsonrpc":"2.0","id":${one},"result":{}}`],
    ['server', `{"jsonrpc":"2.0","id":${other},"result":{}}`],
  ]);
  expect(entries.map(({ label }) => label).slice(0, 2)).toEqual([
    `request ${one} tools/list`,
    `request ${other} prompts/list`,
  ]);
  expect(entries.slice(2).map(({ answers }) => answers)).toEqual(['tools/list', 'prompts/list']);
});
