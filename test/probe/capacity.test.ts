/** How much a target can do at a time, from what a second connection showed. */
import { expect, test } from 'vitest';
import { createCapacity, type SecondConnection } from '../../src/client/schedule/capacity.ts';

const room = undefined;

/** How many of many tasks run at the same time. */
async function runningAtOnce(
  transport: 'http' | 'stdio',
  observed: SecondConnection | 'fails' | undefined,
): Promise<{ running: number; sharing: number; uses: number; oneAtATime: boolean }> {
  const capacity = createCapacity({ transport, jobs: 4, mostJobs: 12, room });
  capacity.observe(observed);
  let running = 0;
  for (let at = 0; at < 30; at += 1) void capacity.take(() => ((running += 1), new Promise(() => {})));
  await new Promise((resolve) => setImmediate(resolve));
  const { sharing, uses, oneAtATime } = capacity;
  return { running, sharing, uses, oneAtATime };
}

test.each([
  ['no second connection was tried', 'http', undefined, { running: 4, sharing: 1, uses: 1 }],
  ['a second connection fails', 'http', 'fails', { running: 1, sharing: 1, uses: 1 }],
  ['it replies at once', 'http', [5, 6], { running: 4, sharing: 1, uses: 1 }],
  ['it takes as long as the way to a far server', 'http', [60, 75], { running: 6, sharing: 3, uses: 1 }],
  ['it takes very long', 'http', [250, 300], { running: 12, sharing: 6, uses: 5 }],
  ['it takes longer while both are asked', 'http', [1500, 2100], { running: 12, sharing: 6, uses: 5 }],
  ['it handles one request at a time', 'http', [60, 120], { running: 4, sharing: 1, uses: 1 }],
  ['it handles one long request at a time', 'http', [700, 1400], { running: 1, sharing: 1, uses: 1 }],
  ['the machine was too busy to measure', 'http', [undefined, 10], { running: 4, sharing: 1, uses: 1 }],
  ['processes start fast', 'stdio', [5, 6, 300], { running: 4, sharing: 1, uses: 1 }],
  ['processes start slowly', 'stdio', [5, 6, 1500], { running: 12, sharing: 1, uses: 1 }],
] as const)('%s', async (_, transport, observed, expected) => {
  const second =
    typeof observed === 'object'
      ? { replyMs: observed[0], besideMs: observed[1], openedMs: observed[2] ?? 100 }
      : observed;
  expect(await runningAtOnce(transport, second)).toEqual({ ...expected, oneAtATime: observed === 'fails' });
});

test.each([
  ['by default', 4, 12, 6],
  ['where the user limits connections', 4, 4, 4],
  ['up to the most that is allowed', 4, 5, 5],
])('connections that wait let others in %s, and no more when they go on', async (_, jobs, mostJobs, expected) => {
  const capacity = createCapacity({ transport: 'http', jobs, mostJobs, room });
  let running = 0;
  const ends: (() => void)[] = [];
  for (let at = 0; at < 30; at += 1)
    void capacity.take(() => ((running += 1), new Promise<void>((resolve) => ends.push(resolve))));
  let goOn = (): void => {};
  const turn = new Promise<void>((resolve) => (goOn = resolve));
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  for (const _waiting of [1, 2]) capacity.lend(turn);
  await settled();
  expect(running).toBe(expected);
  goOn();
  await settled();
  for (const end of ends.splice(0, 2)) end();
  await settled();
  expect(running).toBe(Math.max(expected, jobs + 2));
});
