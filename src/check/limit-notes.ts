/** Counts what limits left out of a run, so that the report can say so. It is independent of the limits. */
import type { TraceEvent } from '../core/model/trace.ts';

export interface LimitNotes {
  see(event: TraceEvent): void;
  /** As entries of what a report says was left out. */
  entries(): { what: string; why: string }[];
}

/** Reasons hold sizes and no text of the target, so there are few of them. */
const keptReasons = 50;

export function createLimitNotes(): LimitNotes {
  const counts = new Map<string, number>();
  return {
    see({ kind, reason = 'a limit was reached', times = 1 }) {
      if (kind !== 'limit' || (!counts.has(reason) && counts.size >= keptReasons)) return;
      counts.set(reason, (counts.get(reason) ?? 0) + times);
    },
    entries: () =>
      [...counts].map(([reason, count]) => ({
        what: `limit reached ${count === 1 ? 'once' : `${count} times`}`,
        why: reason,
      })),
  };
}
