/** Follows how a client ends a process of the server that does not end with its stdin: which signals it sends, and when. */
import type { EventInput } from '../../core/model/trace.ts';

/** Manner of the end of a process, for the record. */
export interface ProcessEnd {
  from: 'server' | 'harness';
  /** Its exit code, where there is no signal; 0 when absent. */
  code?: number;
  signal: string | null;
  reason: string;
}

export interface Lingering {
  /** Takes a word of the relay: end (of stdin), a signal, or alone (the process that started it is gone). */
  hears(word: string): void;
  /** The client is gone. @param lives its process goes on, which may still send a signal */
  clientGone(lives: boolean): void;
  /** Its pipes are closed. @returns how it ended, for the record */
  over(): ProcessEnd;
  /** Milliseconds since the client did something about it; undefined while it has nothing to do. */
  waitedMs(): number | undefined;
}

interface LingeringOptions {
  note(event: Omit<EventInput, 'session'>): void;
  /** Stdin is closed. */
  onEnd(): void;
  /** Ends the process. */
  release(): void;
  /** True once mcpc ends the client. */
  isEnded(): boolean;
}

/** Milliseconds that a client which is done may wait before a signal. */
export const signalMs = 10_000;

/** A client that is gone so soon behind the end of stdin may have meant to close nothing, milliseconds. */
const atOnceMs = 500;

export function createLingering({ isEnded, note, onEnd, release }: LingeringOptions): Lingering {
  let last: number | undefined;
  let isAlone = false;
  let isGone = false;
  let isReleased = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  function letGo(): void {
    if (isOver || isEnded() || last === undefined) return;
    // Stdin also closes with a client that just ends.
    isReleased = performance.now() - last > atOnceMs;
    release();
  }

  return {
    hears(word) {
      if (isOver || isEnded()) return;
      if (word === 'alone') {
        isAlone = true;
        if (isGone) letGo();
        return;
      }
      // The signals of a client that is gone come from mcpc.
      if (isGone && word !== 'end') return;
      if (word === 'end') {
        note({ from: 'client', kind: 'closed', what: 'stdin' });
        note({ from: 'harness', kind: 'timeout', what: 'stdin', reason: 'it does not end, on purpose' });
        onEnd();
      } else if (last !== undefined) note({ from: 'client', kind: 'closed', what: 'server', reason: word });
      last = performance.now();
    },
    clientGone(lives) {
      isGone = !lives;
      if (isGone && isAlone) letGo();
      if (!lives || timer !== undefined) return;
      const look = (): void => {
        const left = signalMs - (performance.now() - (last ?? 0));
        if (left <= 0) letGo();
        else timer = setTimeout(look, left);
      };
      look();
    },
    over() {
      isOver = true;
      clearTimeout(timer);
      if (isReleased) return { from: 'server', signal: null, reason: 'with the client' };
      if (isEnded() || isGone) return { from: 'harness', signal: null, reason: 'with the client' };
      return { from: 'server', signal: 'SIGKILL', reason: 'by a signal of the client' };
    },
    waitedMs: () => (isOver || last === undefined ? undefined : performance.now() - last),
  };
}
