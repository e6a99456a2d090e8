/**
 * How many probes run at a time: as many as the pace allows, and another one for each connection on which nothing is
 * done but to wait for what may never come, as long as there are not too many connections.
 */
import pLimit from 'p-limit';
import { createPace, type PaceOptions } from './pace.ts';

export interface Slots {
  /** Runs a probe when it is its turn. */
  take<T>(run: () => Promise<T>): Promise<T>;
  /** Takes in how long a connection took to its first answer, in milliseconds. */
  opened(ms: number): void;
  /** Waits on a connection, while another probe has its slot. */
  aside<T>(connection: object, wait: () => Promise<T>): Promise<T>;
}

/** @param options where `jobs` is one, nothing ever runs beside anything else; elsewhere one more that waits always may */
export function createSlots(options: PaceOptions): Slots {
  const { jobs, most } = options;
  const limit = pLimit(jobs);
  const pace = createPace(options);
  let paced = jobs;
  /** How many waits go on, by connection. */
  const waiting = new Map<object, number>();
  const adjust = (): void => {
    const now = jobs === 1 ? 1 : Math.max(paced, Math.min(Math.max(most, jobs + 1), paced + waiting.size));
    if (limit.concurrency !== now) limit.concurrency = now;
  };
  const count = (connection: object, change: 1 | -1): void => {
    const now = (waiting.get(connection) ?? 0) + change;
    if (now === 0) waiting.delete(connection);
    else waiting.set(connection, now);
    adjust();
  };
  return {
    take: (run) => limit(run),
    opened(ms) {
      paced = pace.opened(ms);
      adjust();
    },
    async aside(connection, wait) {
      count(connection, 1);
      try {
        return await wait();
      } finally {
        count(connection, -1);
      }
    },
  };
}
