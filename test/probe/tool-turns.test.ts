/** Who watches what its own calls change has no calls of others beside them, and keeps nobody waiting for long. */
import { expect, test } from 'vitest';
import { createToolTurns } from '../../src/client/load/tool-turns.ts';

/** A promise to be resolved from outside. */
function gate(): { opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const longMs = 60_000;

test('quiet begins when the calls of others are answered, and theirs go on when it is over', async () => {
  const turns = createToolTurns<string>(longMs);
  const order: string[] = [];
  const over = await turns.call('other');
  const within = gate();
  const quiet = turns.quietly('watcher', async () => {
    order.push('quiet begins');
    (await turns.call('watcher'))();
    order.push('own call');
    within.open();
    await held.opened;
    order.push('quiet ends');
  });
  const held = gate();
  order.push('call of another is answered');
  over();
  await within.opened;
  const later = turns.call('other').then((end) => {
    order.push('call of another');
    end();
  });
  held.open();
  await Promise.all([quiet, later]);
  expect(order).toEqual(['call of another is answered', 'quiet begins', 'own call', 'quiet ends', 'call of another']);
});

test('those who want quiet take turns, also after one that failed', async () => {
  const turns = createToolTurns<string>(longMs);
  const order: string[] = [];
  const first = gate();
  const failed = turns.quietly('one', async () => {
    await first.opened;
    throw new Error('lost');
  });
  const second = turns.quietly('two', async () => void order.push('two'));
  order.push('one ends');
  first.open();
  await expect(failed).rejects.toThrow('lost');
  await second;
  expect(order).toEqual(['one ends', 'two']);
});

test('nobody waits longer than a call may take', async () => {
  const turns = createToolTurns<string>(1);
  await turns.call('hanging');
  const held = gate();
  const quiet = turns.quietly('watcher', () => held.opened);
  await turns.call('other');
  held.open();
  await quiet;
});

test('each wait for a turn is reported, and whether there is quiet', async () => {
  const waits: Promise<unknown>[] = [];
  const turns = createToolTurns<string>(longMs, (over) => void waits.push(over));
  (await turns.call('other'))();
  expect([turns.quiet, waits.length]).toEqual([false, 0]);
  const held = gate();
  const within = gate();
  const watched = turns.quietly('watcher', async () => {
    within.open();
    await held.opened;
  });
  await within.opened;
  (await turns.call('watcher'))();
  const call = turns.call('other');
  expect([turns.quiet, waits.length]).toEqual([true, 1]);
  held.open();
  await Promise.all([...waits, watched]);
  (await call)();
  expect(turns.quiet).toBe(false);
});
