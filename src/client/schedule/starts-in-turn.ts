/**
 * Few processes start at a time where each takes the machine's full attention for a moment: started together they would
 * all be late, and what is asked of the first ones meanwhile with them. What starts slowly is not held up.
 */
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { within } from '../transport/within.ts';
import type { Peer } from '../peer/peer.ts';

/** Milliseconds: what takes longer may well wait for something else than the machine. */
const slow = 350;
/** A process that takes so many times as long as one before is waited for no more. */
const longer = 1.25;

/**
 * Opens connections one after another, each when one before it was answered or has taken long, as many at a time as
 * half the machine's processors.
 * @param open starts a process
 * @param openedMs what the one before took until its first answer; absent or 0 when that is not known
 */
export function startsInTurn(open: () => Promise<Peer>, openedMs = 0): () => Promise<Peer> {
  if (openedMs <= 0 || openedMs >= slow) return open;
  const limit = pLimit(Math.max(1, Math.floor(availableParallelism() / 2)));
  return () =>
    new Promise((resolve, reject) => {
      void limit(async () => {
        const peer = open();
        peer.then(resolve, reject);
        // A client that waits before it speaks learns nothing of it, either.
        await peer.then(({ opened }) => within(opened, openedMs * longer)).catch(() => {});
      });
    });
}
