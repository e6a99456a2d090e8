/** How many probes run at a time, and that one which only waits leaves its slot to another. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSlots, type Slots } from '../../src/probe/slots.ts';

/** Probes that run until they are told to end, of which each waits at first. */
function probes(options: { jobs: number; most: number }) {
  const slots = createSlots({ ...options, alone: undefined, transport: 'http' });
  const running = new Set<string>();
  const ends = new Map<string, () => void>();
  const until = (name: string): Promise<void> => new Promise((resolve) => ends.set(name, resolve));
  return {
    running: async () => {
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
      return [...running].sort().join(' ');
    },
    start: (name: string, waits: boolean) =>
      slots.take(async () => {
        running.add(name);
        if (waits) await slots.aside({}, () => until(`${name} waits`));
        await until(name);
        running.delete(name);
      }),
    end: (name: string) => ends.get(name)!(),
  };
}

test('another probe runs while one waits, and none more when that wait is over', async () => {
  const { running, start, end } = probes({ jobs: 2, most: 12 });
  const all = [start('a', true), start('b', false), start('c', false), start('d', false)];
  expect(await running()).toBe('a b c');
  end('a waits');
  end('b');
  expect(await running(), 'two that do not wait').toBe('a c');
  end('a');
  expect(await running()).toBe('c d');
  end('c');
  end('d');
  await Promise.all(all);
});

test('connections have a limit, however many of them wait', async () => {
  const { running, start, end } = probes({ jobs: 2, most: 3 });
  const names = ['a', 'b', 'c', 'd'];
  const all = names.map((name) => start(name, true));
  expect(await running()).toBe('a b c');
  for (const name of ['a', 'b', 'c']) end(`${name} waits`);
  await running();
  for (const name of ['a', 'b', 'c']) end(name);
  expect(await running()).toBe('d');
  end('d waits');
  await running();
  end('d');
  await Promise.all(all);
});

test('where one connection is borne nothing runs beside it', async () => {
  const { running, start, end } = probes({ jobs: 1, most: 1 });
  const all = [start('a', true), start('b', false)];
  expect(await running()).toBe('a');
  end('a waits');
  await running();
  end('a');
  expect(await running()).toBe('b');
  end('b');
  await Promise.all(all);
});

/** How many of four probes run that end when they are told to. @param before what is done before that */
async function runningBeside(before: (slots: Slots) => unknown): Promise<number> {
  const slots = createSlots({ jobs: 2, most: 12, alone: undefined, transport: 'http' });
  await before(slots);
  let running = 0;
  for (let probe = 0; probe < 4; probe += 1) void slots.take(() => ((running += 1), new Promise(() => {})));
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  return running;
}

test('waits beside each other on one connection count once, those on two connections twice', async () => {
  const wait = (): Promise<void> => new Promise(() => {});
  const connection = {};
  expect(await runningBeside((slots) => [1, 2].forEach(() => void slots.aside(connection, wait)))).toBe(3);
  expect(await runningBeside((slots) => [1, 2].forEach(() => void slots.aside({}, wait)))).toBe(4);
});

test('a wait that is over, or fails, takes its slot back', async () => {
  expect(await runningBeside((slots) => slots.aside({}, async () => 'value'))).toBe(2);
  expect(await runningBeside((slots) => slots.aside({}, () => Promise.reject(new Error('gone'))).catch(() => {}))).toBe(2);
});
