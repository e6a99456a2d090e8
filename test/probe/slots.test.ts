/** How many probes run at a time, and that one which only waits leaves its slot to another. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSlots, type Slots } from '../../src/client/schedule/slots.ts';

/** Probes that run until they are told to end, of which each waits at first. */
function probes({ transport = 'http', ...options }: { jobs: number; most: number; transport?: 'http' | 'stdio' }) {
  const slots = createSlots({ ...options, alone: undefined, transport });
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
        if (waits) await slots.aside(() => until(`${name} waits`));
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

test('one more runs, however many of them wait, and none over stdio', async () => {
  for (const [transport, most] of [
    ['http', 'a b c'],
    ['stdio', 'a b'],
  ] as const) {
    const { running, start, end } = probes({ jobs: 2, most: 12, transport });
    const names = ['a', 'b', 'c', 'd'];
    const all = names.map((name) => start(name, true));
    expect(await running()).toBe(most);
    for (const name of names) {
      end(`${name} waits`);
      await running();
      end(name);
      await running();
    }
    await Promise.all(all);
  }
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

test('waits beside each other are over with the last of them', async () => {
  const ends: (() => void)[] = [];
  const wait = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  expect(await runningBeside((slots) => [1, 2].forEach(() => void slots.aside(wait)))).toBe(3);
  const one = async (slots: Slots): Promise<void> => {
    ends.length = 0;
    const waits = [1, 2].map(() => slots.aside(wait));
    ends[0]!();
    await waits[0];
  };
  expect(await runningBeside(one)).toBe(3);
  expect(await runningBeside(async (slots) => (await one(slots), ends[1]!(), nextTurn()))).toBe(2);
});

test('a wait that is over, or fails, takes its slot back', async () => {
  expect(await runningBeside((slots) => slots.aside(async () => 'value'))).toBe(2);
  expect(await runningBeside((slots) => slots.aside(() => Promise.reject(new Error('gone'))).catch(() => {}))).toBe(2);
});
