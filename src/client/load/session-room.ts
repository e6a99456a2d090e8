/**
 * Number of parallel sessions that a server supports. A server that rejects an initialize (429, 503) while others of
 * ours are open may support no more of them. The next one starts when one has ended, and nothing else waits.
 */
import type { BusyWaits } from '../target/timing.ts';

export interface SessionRoom {
  /** The server has issued an id for the session of a connection. */
  began(connection: string): void;
  /** That session was deleted, or is lost. */
  over(connection: string): void;
  /** The server had no time for the initialize of a connection. @param askedMs how long it is to wait at least @returns whether other sessions may be the reason */
  refused(connection: string, askedMs?: number): boolean;
  /** Resolves when it may be sent again: when a session has ended, or after a while; to false where that was waited for long enough. Undefined where sessions are no reason. */
  freed(connection: string): Promise<boolean> | undefined;
  /** True if there was no room for the session of a connection, and it has not begun since. */
  lacks(connection: string): boolean;
  /** Called with the number of open sessions when there was no room for another one. */
  onFull?: (most: number) => void;
}

/** Milliseconds that a connection may still wait, and will the next time. */
interface TimeLimit {
  left: number;
  next: number;
  /** When the server has time again, as it said. */
  notBefore: number;
}

interface Waiter {
  /** A session has ended for it. */
  isFreed: boolean;
  freed(): void;
  end(): void;
}

/** This many unsuccessful waits in a row show that ended sessions make no room, or not soon enough. */
const maxUnsuccessful = 2;

interface SessionRoomOptions {
  busyWaits: BusyWaits;
  /** Called once for a long wait, with a sentence. */
  tell?: (line: string) => void;
  /** Ends all waits when aborted. */
  signal?: AbortSignal | undefined;
}

export function createSessionRoom({
  busyWaits: { againMs, pauseMs },
  tell: report = () => {},
  signal,
}: SessionRoomOptions): SessionRoom {
  const open = new Set<string>();
  const waiting = new Set<Waiter>();
  /** Of connections that were refused. */
  const timeLimit = new Map<string, TimeLimit>();
  let unsuccessful = 0;
  let wasFull = false;
  let isReported = false;
  signal?.addEventListener('abort', () => waiting.forEach((one) => one.end()), { once: true });

  const room: SessionRoom = {
    began(connection) {
      open.add(connection);
      if (timeLimit.delete(connection)) unsuccessful = 0;
    },
    over(connection) {
      timeLimit.delete(connection);
      if (open.delete(connection)) [...waiting].find(({ isFreed }) => !isFreed)?.freed();
    },
    refused(connection, askedMs = 0) {
      // Sessions that ended here may be kept there.
      if ((open.size === 0 && !wasFull) || askedMs > pauseMs) return false;
      wasFull = true;
      const mine = timeLimit.get(connection) ?? { left: pauseMs, next: againMs / 4, notBefore: 0 };
      timeLimit.set(connection, { ...mine, notBefore: performance.now() + askedMs });
      room.onFull?.(open.size);
      return true;
    },
    lacks: (connection) => timeLimit.has(connection),
    freed(connection) {
      const mine = timeLimit.get(connection);
      return mine && waitFor(mine);
    },
  };

  function reportOnce(): void {
    if (!isReported)
      report(
        `The server has no room for another session: waiting for one to end, up to ${Math.round(pauseMs / 1000)} s.`,
      );
    isReported = true;
  }

  async function waitFor(mine: TimeLimit): Promise<boolean> {
    if (mine.left <= 0) unsuccessful += 1;
    if (mine.left <= 0 || unsuccessful >= maxUnsuccessful || signal?.aborted) return false;
    const began = performance.now();
    await new Promise<void>((resolve) => {
      const waiter: Waiter = {
        isFreed: false,
        end(): void {
          clearTimeout(timer);
          waiting.delete(waiter);
          resolve();
        },
        freed(): void {
          waiter.isFreed = true;
          clearTimeout(timer);
          timer = setTimeout(waiter.end, Math.max(0, mine.notBefore - performance.now()));
        },
      };
      const late = (): void => {
        if (mine.next >= againMs) reportOnce();
        mine.next = Math.min(2 * mine.next, 4 * againMs);
        waiter.end();
      };
      let timer = setTimeout(late, Math.max(Math.min(mine.next, mine.left), mine.notBefore - began));
      waiting.add(waiter);
    });
    mine.left -= performance.now() - began;
    return signal?.aborted !== true;
  }

  return room;
}
