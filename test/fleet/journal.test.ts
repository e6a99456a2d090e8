/** The journal: what it says was settled stays, whatever was being written when the end came. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { openJournal, readJournal } from '../../src/fleet/run/journal.ts';
import type { FleetServer } from '../../src/core/model/reports/fleet.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Bytes that the disk has room for. */
const disk = vi.hoisted(() => ({
  room: Number.POSITIVE_INFINITY,
  full: Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
}));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const open = async (...args: Parameters<typeof real.open>): Promise<object> => {
    const handle = await real.open(...args);
    const write = handle.write.bind(handle) as (data: Buffer, offset: number, length: number) => Promise<object>;
    return Object.assign(handle, {
      write: async (data: Buffer, offset: number, length: number) => {
        if (disk.room === 0) throw disk.full;
        const taken = Math.min(disk.room, length);
        disk.room -= taken;
        return write(data, offset, taken);
      },
    });
  };
  return { ...real, open };
});

const server = (id: string): FleetServer => ({
  name: `server ${id} é`,
  id,
  status: 'unreachable',
  reason: 'nothing there',
  report: null,
  trace: null,
  compliant: null,
  score: null,
  grade: null,
  decided: 0,
  applicable: 0,
  counts: null,
  revision: null,
  transport: null,
  serverInfo: null,
  sdk: null,
  startUpMs: null,
  durationMs: 1,
  attempts: 1,
  tags: [],
  failures: [],
  verdicts: null,
});

let count = 0;
const fresh = (): string => path.join(folder, `${(count += 1)}.jsonl`);

test('cut off after any byte it holds what was whole, and goes on from there', async () => {
  const file = fresh();
  const journal = await openJournal(file);
  for (const id of ['a', 'b', 'c']) {
    await journal.begun(id, 1);
    await journal.settled(server(id), `digest-${id}`);
  }
  await journal.close();
  const whole = readFileSync(file);
  const ends = [...whole].flatMap((byte, index) => (byte === 0x0a ? [index + 1] : []));
  expect(ends).toHaveLength(6);
  for (let length = 0; length <= whole.length; length += 7) {
    const cut = fresh();
    writeFileSync(cut, whole);
    truncateSync(cut, length);
    const lines = ends.filter((end) => end <= length).length;
    const before = await readJournal(cut);
    expect(before.settled.size).toBe(Math.floor(lines / 2));
    const again = await openJournal(cut);
    await again.settled(server('z'), 'digest-z');
    await again.close();
    const after = await readJournal(cut);
    expect([...after.settled.keys()]).toEqual([...before.settled.keys(), 'z']);
    expect(after.settled.get('z')).toEqual({ server: server('z'), digest: 'digest-z' });
  }
});

test('a line longer than what is read at a time, and none at all', async () => {
  const file = fresh();
  writeFileSync(file, 'x'.repeat(200_000));
  expect((await readJournal(file)).settled.size).toBe(0);
  const journal = await openJournal(file);
  await journal.settled({ ...server('long'), reason: 'y'.repeat(200_000) }, 'd');
  await journal.begun('next', 3);
  await journal.close();
  appendFileSync(file, '{"torn');
  const state = await readJournal(file);
  expect([...state.settled.keys()]).toEqual(['long']);
  expect(state.begun.get('next')).toBe(3);
  expect(await readJournal(path.join(folder, 'none.jsonl'))).toMatchObject({ settled: new Map(), begun: new Map() });
});

test('text of a server ends no line, whoever reads the journal', async () => {
  const file = fresh();
  const odd = { ...server('odd'), reason: 'one\u2028two\u2029three\nfour' };
  const journal = await openJournal(file);
  await journal.settled(odd, 'd');
  await journal.close();
  // Readers of lines differ in what ends one.
  expect(readFileSync(file, 'utf8').split(/[\n\r\u2028\u2029]/)).toHaveLength(2);
  expect((await readJournal(file)).settled.get('odd')?.server).toEqual(odd);
});

test('a line that is no event names its place', async () => {
  const file = fresh();
  writeFileSync(file, '{"t":"x","event":"begun","id":"a","attempt":1}\nnonsense\n');
  await expect(readJournal(file)).rejects.toThrow(`${file}:2: no line of a journal`);
});

test('a disk that fills up in the middle of a line leaves the lines before it, and nothing is appended after', async () => {
  const file = fresh();
  disk.room = 600;
  const journal = await openJournal(file);
  await journal.settled(server('a'), 'd');
  await expect(journal.settled(server('b'), 'd')).rejects.toBe(disk.full);
  disk.room = Number.POSITIVE_INFINITY;
  await expect(journal.settled(server('c'), 'd')).rejects.toBe(disk.full);
  await journal.close();
  expect(readFileSync(file, 'utf8').endsWith('}\n')).toBe(true);
  const again = await openJournal(file);
  await again.settled(server('b'), 'd');
  await again.close();
  expect([...(await readJournal(file)).settled.keys()]).toEqual(['a', 'b']);
});
