/** Events are judged when there is time: in their order, all of them, and at the latest when somebody wants to know. */
import { expect, test, vi } from 'vitest';
import type { JudgeFeed, Judged } from '../../src/check/judge/judge-feed.ts';
import { leisurely } from '../../src/check/judge/leisurely-feed.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';

const event = (seq: number): TraceEvent =>
  ({ seq, t: seq, session: 's1', from: 'harness', kind: 'note' }) as unknown as TraceEvent;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

function watched(): { feed: JudgeFeed; judged: number[] } {
  const judged: number[] = [];
  const verdicts = (): Promise<Judged> => Promise.resolve({ seen: judged.length } as unknown as Judged);
  return {
    judged,
    feed: {
      push: ({ seq }) => void judged.push(seq),
      settled: () => Promise.resolve(),
      peek: verdicts,
      finish: verdicts,
    },
  };
}

test('nothing is judged while events come, and all in order when it is calm', async () => {
  const { feed, judged } = watched();
  const slow = leisurely(feed);
  for (const seq of upTo(100)) slow.push(event(seq));
  expect(judged).toEqual([]);
  await vi.waitUntil(() => judged.length === 100);
  slow.push(event(101));
  await vi.waitUntil(() => judged.length === 101);
  expect(judged).toEqual(upTo(101));
});

test.each(['settled', 'peek', 'finish'] as const)(
  'whoever wants to know has the rest judged first: %s',
  async (how) => {
    const { feed, judged } = watched();
    const slow = leisurely(feed);
    for (const seq of upTo(50)) slow.push(event(seq));
    const done = slow[how]();
    expect(judged).toEqual(upTo(50));
    await done;
    slow.push(event(51));
    await slow.finish();
    expect(judged).toEqual(upTo(51));
  },
);

test('what waits is bounded, by count and by what it takes', async () => {
  const { feed, judged } = watched();
  const slow = leisurely(feed);
  for (const seq of upTo(5_000)) slow.push(event(seq));
  expect(judged.length).toBeGreaterThanOrEqual(3_000);
  const large = leisurely(feed);
  judged.length = 0;
  for (const seq of upTo(5)) large.push(event(seq), 1024 * 1024);
  expect(judged).toEqual(upTo(3));
  await Promise.all([slow.finish(), large.finish()]);
});

test('the time that judging takes is told', async () => {
  const { feed, judged } = watched();
  let pieces = 0;
  const slow = leisurely(feed, (run) => {
    pieces += 1;
    run();
  });
  for (const seq of upTo(20)) slow.push(event(seq));
  await vi.waitUntil(() => judged.length === 20);
  // In pieces, so that what comes meanwhile is not held up.
  expect(pieces).toBe(3);
});
