/** Processes that start fast are started a few at a time; what starts slowly, or never answers, holds up nobody for long. */
import { availableParallelism } from 'node:os';
import { expect, test, vi } from 'vitest';
import type { Peer } from '../../src/client/peer/peer.ts';
import { startsInTurn } from '../../src/client/schedule/starts-in-turn.ts';

/** Peers that have been opened, each with what tells that it was answered. */
function opening(): { open: () => Promise<Peer>; opened: (() => void)[] } {
  const opened: (() => void)[] = [];
  const open = (): Promise<Peer> => {
    const answered = new Promise<number>((resolve) => opened.push(() => resolve(1)));
    return Promise.resolve({ opened: answered } as unknown as Peer);
  };
  return { open, opened };
}

const atATime = Math.max(1, Math.floor(availableParallelism() / 2));

test('the next one starts when one before it was answered', async () => {
  const { open, opened } = opening();
  const start = startsInTurn(open, 340);
  const peers = Array.from({ length: atATime + 2 }, () => start());
  // Whoever asked has the connection as soon as it is there.
  await peers[0];
  expect(opened.length).toBe(atATime);
  opened[0]!();
  await vi.waitUntil(() => opened.length === atATime + 1);
  opened[1]!();
  await Promise.all(peers);
  expect(opened.length).toBe(atATime + 2);
});

test('one that is not answered in much the same time is waited for no more, and one that cannot be opened not at all', async () => {
  const { open } = opening();
  let count = 0;
  const start = startsInTurn(() => ((count += 1) === 1 ? Promise.reject(new Error('no such command')) : open()), 20);
  const [first, ...others] = Array.from({ length: atATime * 2 + 1 }, () => start());
  await expect(first).rejects.toThrow('no such command');
  expect(await Promise.all(others)).toHaveLength(atATime * 2);
});

test.each([0, undefined, 350, 4_000])('all at once where a start took %s ms', async (openedMs) => {
  const { open, opened } = opening();
  const start = startsInTurn(open, openedMs);
  await Promise.all(Array.from({ length: 9 }, () => start()));
  expect(opened.length).toBe(9);
});
