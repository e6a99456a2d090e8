/**
 * Lets one connection watch what its own tool calls change, where a server is shared by all connections: while it does,
 * the calls of the others wait. It must not keep anybody waiting for longer than a request may take.
 */
import { within } from '../transport/within.ts';

export interface ToolTurns<P> {
  /** A connection watches, so calls of the others wait. */
  readonly quiet: boolean;
  /** Waits for the turn of a call. @returns to be called when it was answered */
  call(peer: P): Promise<() => void>;
  /** Runs when no other connection has a tool at work, and keeps it so; others go on where one takes too long. */
  quietly<T>(peer: P, run: () => Promise<T>): Promise<T>;
}

/**
 * @param mostMs how long a call, or who wants quiet, waits at most
 * @param onWait called with the end of each wait of a call
 */
export function createToolTurns<P>(mostMs: number, onWait: (over: Promise<unknown>) => void = () => {}): ToolTurns<P> {
  const atWork = new Map<P, Set<Promise<void>>>();
  /** Those who want quiet, one after another. */
  let last: Promise<void> = Promise.resolve();
  let watching: { peer: P; over: Promise<void> } | undefined;

  function begin(peer: P): () => void {
    const calls = atWork.get(peer) ?? new Set();
    atWork.set(peer, calls);
    let end = (): void => {};
    const call = new Promise<void>((resolve) => {
      end = () => {
        calls.delete(call);
        resolve();
      };
    });
    calls.add(call);
    return end;
  }

  return {
    get quiet() {
      return watching !== undefined;
    },

    async call(peer) {
      if (watching !== undefined && watching.peer !== peer) {
        const wait = within(watching.over, mostMs);
        onWait(wait);
        await wait;
      }
      return begin(peer);
    },

    async quietly(peer, run) {
      const before = last;
      let leave = (): void => {};
      const over = new Promise<void>((resolve) => (leave = resolve));
      last = over;
      await before;
      watching = { peer, over };
      try {
        const others = [...atWork].filter(([one]) => one !== peer).flatMap(([, calls]) => [...calls]);
        await within(Promise.all(others), mostMs);
        return await run();
      } finally {
        watching = undefined;
        leave();
      }
    },
  };
}
