/**
 * Uses of what a server offers that one step sends: one after another, and where one takes long the next ones beside it,
 * if the server bears that. All are over when the step is, so that no later step finds any of them going on.
 */
import { within } from '../../../transport/within.ts';
import type { Peer } from '../../client/peer.ts';
import { slowAfterMs } from './slow.ts';
import { askSentinel, type StepContext } from '../step-scope.ts';

/** Uses at a time: a server may ask others for each of them. */
const most = 4;

export interface UsesBeside {
  /** Waits until the use is over, or goes on beside others: at once where a use of the name took long before. */
  take(key: string, use: Promise<void>): Promise<void>;
  /** Waits until a use of that name is over, if there is one: what is learnt by it counts for the next. */
  untilOver(key: string): Promise<void>;
  /** Waits until all are over. */
  allOver(): Promise<void>;
}

export function createUsesBeside(peer: Peer, { beside, onSlow, slow, timing }: Pick<StepContext, 'beside' | 'onSlow' | 'slow' | 'timing'>): UsesBeside {
  const going = new Map<string, Promise<void>>();

  /** Whether the server answers something else meanwhile; undefined where the use was over before. One that does not is waited for as long as it would be behind the use. */
  async function isBorne(use: Promise<void>): Promise<boolean | undefined> {
    const answered = askSentinel(peer, { deadlineMs: 2 * timing.answerMs }).then(({ kind }) => kind === 'response');
    return Promise.race([use.then(() => undefined), answered]);
  }

  return {
    async take(key, use) {
      const afterMs = slowAfterMs(peer);
      const isKnown = (slow.get(key)?.longestMs ?? 0) > afterMs;
      if (!isKnown && !(await within(use, afterMs))) return;
      onSlow(peer);
      if (beside.isBorne === false) return use;
      beside.isBorne ??= await isBorne(use);
      if (beside.isBorne !== true) return use;
      const ending = use.finally(() => going.delete(key));
      // Whoever waits for all is told.
      ending.catch(() => {});
      going.set(key, ending);
      if (going.size >= most) await Promise.race(going.values());
    },
    async untilOver(key) {
      await going.get(key);
    },
    async allOver() {
      await Promise.all(going.values());
    },
  };
}
