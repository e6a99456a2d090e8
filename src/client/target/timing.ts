/**
 * Every deadline of probing, in milliseconds. An expected event that does not come by then becomes a `timeout` event.
 */
export interface Timing {
  /** First answer on a connection: starting a server can take long. */
  startMs: number;
  /** Any later answer. */
  answerMs: number;
  /** Time to watch for an answer that should not come (after a cancellation, for example). */
  lateMs: number;
  /** Time for which a reply stream may stay open after its response. */
  streamEndMs: number;
  /** Time for a process to end by itself after stdin is closed. */
  exitMs: number;
  /** Time for an unneeded process before it is ended by a signal. */
  closeMs: number;
}

/** Maximum wait for a busy server, in milliseconds. */
export interface BusyWaits {
  /** The first wait where the server does not say how long; each further one is twice as long. */
  againMs: number;
  /** The longest single wait. */
  pauseMs: number;
  /** All waits of a run together. */
  pausesMs: number;
}

export const defaultBusyWaits: BusyWaits = { againMs: 1_000, pauseMs: 30_000, pausesMs: 120_000 };

export const defaultTiming: Timing = {
  startMs: 30_000,
  answerMs: 10_000,
  lateMs: 1_000,
  streamEndMs: 3_000,
  exitMs: 3_000,
  closeMs: 150,
};

/** Additional time for a server, beyond that of its first answer, before its silence counts as an answer. */
const graceMs = 2_000;

/** Milliseconds to wait for the answer to a first request that a server may well leave unanswered. @param openedMs until its first answer elsewhere */
export function graceFor(openedMs: number): number {
  return graceMs + 4 * openedMs;
}
