/** Waiting on trace events of one connection, with a deadline. Everything that probing learns, it learns here. */
import type { TraceEvent } from '../../../core/model/trace.ts';
import { startDeadline } from '../../transport/deadline.ts';

export interface Waiter {
  /** Passes an event to all who wait. */
  notify(event: TraceEvent): void;
  /**
   * Resolves with the first event that fits, or undefined when the deadline passes or `stop` resolves.
   * @param ms milliseconds from now
   */
  wait(fits: (event: TraceEvent) => boolean, ms: number, stop?: Promise<unknown>): Promise<TraceEvent | undefined>;
  /** Gives up all waits at once. */
  cancelAll(): void;
}

export function createWaiter(): Waiter {
  interface Entry {
    fits: (event: TraceEvent) => boolean;
    settle: (event: TraceEvent | undefined) => void;
  }
  const entries = new Set<Entry>();
  return {
    notify(event) {
      for (const entry of [...entries]) if (entry.fits(event)) entry.settle(event);
    },
    wait(fits, ms, stop) {
      return new Promise((resolve) => {
        const stopDeadline = startDeadline(ms, () => entry.settle(undefined));
        const entry: Entry = {
          fits,
          settle(event) {
            stopDeadline();
            entries.delete(entry);
            resolve(event);
          },
        };
        entries.add(entry);
        void stop?.then(() => entry.settle(undefined));
      });
    },
    cancelAll() {
      for (const entry of [...entries]) entry.settle(undefined);
    },
  };
}
