/** Counts what limits left out of a run, so that the report can say so. It is independent of the limits. */
import { BoundedMap } from '../core/model/bounded.ts';
import type { TraceEvent } from '../core/model/trace.ts';

export interface LimitNotes {
  see(event: TraceEvent): void;
  /** As entries of what a report says was left out. */
  entries(): { what: string; why: string }[];
}

/** Reasons hold sizes and no text of the target, so there are few of them. */
const keptReasons = 50;

export function createLimitNotes(): LimitNotes {
  const counts = new BoundedMap<string, number>(keptReasons);
  return {
    see({ kind, reason = 'a limit was reached', times = 1 }) {
      if (kind !== 'limit') return;
      counts.set(reason, (counts.get(reason) ?? 0) + times);
    },
    entries: () =>
      [...counts].map(([reason, count]) => ({
        what: `limit reached ${count === 1 ? 'once' : `${count} times`}`,
        why: reason,
      })),
  };
}
