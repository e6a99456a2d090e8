/**
 * Prepares to judge what a target most likely speaks while mcpc waits for it. Hundreds of rules are compiled for a
 * revision and a transport; the quick profile spends a twentieth of its time on that.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TraceHeader } from '../../core/model/trace.ts';
import type { JudgeFeed } from './judge-feed.ts';

export interface EarlyJudging {
  /** Prepares for a trace with such a header, once what is being sent is on its way. */
  expect(header: TraceHeader): void;
  /** The feed for a trace with this header: the prepared one where transport and revision are as expected. */
  begin(header: TraceHeader): Promise<JudgeFeed>;
}

/** @param start makes a feed; what it rejects with is reported by `begin` */
export function createEarlyJudging(start: (header: TraceHeader) => Promise<JudgeFeed>): EarlyJudging {
  let early: { place: string; feed: Promise<JudgeFeed> } | undefined;
  return {
    expect(header) {
      if (early?.place === placeOf(header)) return;
      const feed = nextTurn().then(() => start(header));
      // It may never be asked for, as when the target cannot be reached.
      feed.catch(() => {});
      early = { place: placeOf(header), feed };
    },
    begin: (header) => (early?.place === placeOf(header) ? early.feed : start(header)),
  };
}

function placeOf({ transport, revision }: TraceHeader): string {
  return `${transport} ${revision ?? ''}`;
}
