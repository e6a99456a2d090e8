/**
 * How many probes run at a time: as many as the pace allows, and another one while nothing is done on some connection but
 * to wait for what may never come.
 */
import pLimit from 'p-limit';
import { createPace, type PaceOptions } from './pace.ts';

/**
 * Probes more than the pace allows, at most: a server may bear few sessions at a time. Over stdio none, since it may bear
 * even fewer processes, and they start one after another anyway.
 */
const mostAside = { stdio: 0, sse: 1, http: 1 };

export interface Slots {
  /** Runs a probe when it is its turn. */
  take<T>(run: () => Promise<T>): Promise<T>;
  /** Takes in how long a connection took to its first answer, in milliseconds. */
  opened(ms: number): void;
  /** Waits on a connection, while another probe has its slot. */
  aside<T>(connection: object, wait: () => Promise<T>): Promise<T>;
}

/** @param options where `jobs` is one, nothing ever runs beside anything else */
export function createSlots(options: PaceOptions): Slots {
  const { jobs, transport } = options;
  const limit = pLimit(jobs);
  const pace = createPace(options);
  let paced = jobs;
  /** How many waits go on, by connection. */
  const waiting = new Map<object, number>();
  const adjust = (): void => {
    const now = jobs > 1 ? paced + Math.min(mostAside[transport], waiting.size) : paced;
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
