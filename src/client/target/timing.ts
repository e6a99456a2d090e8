/** Every deadline of probing, in milliseconds. What is due and did not come by then becomes a `timeout` event. */
export interface Timing {
  /** First answer on a connection: starting a server can take long. */
  startMs: number;
  /** Any later answer. */
  answerMs: number;
  /** How long to look out for an answer that ought not to come (after a cancellation, say). */
  lateMs: number;
  /** How long a reply stream may stay open behind its response. */
  streamEndMs: number;
  /** How long a process may take to end by itself when stdin is closed. */
  exitMs: number;
  /** How long a process that is no longer needed gets before it is ended by a signal. */
  closeMs: number;
}

/** How long a server that is too busy is waited for, in milliseconds. */
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

/** What a server is given beyond the time that its first answer took, before its silence counts as an answer. */
const graceMs = 2_000;

/** Milliseconds to wait for the answer to a first request that a server may well leave unanswered. @param openedMs until its first answer elsewhere */
export function graceFor(openedMs: number): number {
  return graceMs + 4 * openedMs;
}
