/**
 * How many probes run at a time: as many as the pace allows, and over HTTP another one while nothing is done on some
 * connection but to wait for what may never come.
 */
import pLimit from 'p-limit';
import { createPace, type PaceOptions } from './pace.ts';
import type { SessionRoom } from '../load/session-room.ts';

export interface Slots {
  /** Runs a probe when it is its turn. */
  take<T>(run: () => Promise<T>): Promise<T>;
  /** Takes in how long a connection took to its first answer, in milliseconds. */
  opened(ms: number): void;
  /** Waits, while another probe has the slot. */
  aside<T>(wait: () => Promise<T>): Promise<T>;
}

interface SlotOptions extends PaceOptions {
  /** Where there is room for no more sessions, no more probes run. */
  room?: SessionRoom | undefined;
}

/** @param options where `jobs` is one, nothing ever runs beside anything else */
export function createSlots(options: SlotOptions): Slots {
  const { jobs, transport, room } = options;
  const limit = pLimit(jobs);
  const pace = createPace(options);
  let paced = jobs;
  // A server may bear few sessions at a time, so that no more is added; even fewer processes, which start one after another anyway.
  const added = jobs > 1 && transport !== 'stdio' ? 1 : 0;
  let borne = Infinity;
  let waits = 0;
  const adjust = (): void => {
    const now = Math.max(1, Math.min(borne, paced + Math.min(waits, added)));
    if (limit.concurrency !== now) limit.concurrency = now;
  };
  if (room)
    room.onFull = (most) => {
      borne = most;
      adjust();
    };
  return {
    take: (run) => limit(run),
    opened(ms) {
      paced = pace.opened(ms);
      adjust();
    },
    async aside(wait) {
      waits += 1;
      adjust();
      try {
        return await wait();
      } finally {
        waits -= 1;
        adjust();
      }
    },
  };
}
