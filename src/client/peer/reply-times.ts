/**
 * Usual reply time of a server, and its consequence: how long to wait for an answer that many servers leave out.
 * Silence proves something only once it has lasted longer than their replies do.
 */
import type { TransportKind } from '../../core/model/trace.ts';
import type { Timing } from '../target/timing.ts';

export interface ReplyTimes {
  /** A request was answered after so many milliseconds. */
  note(method: string, ms: number): void;
  /** The slowest answer so far to a request that costs a server no work, in milliseconds. */
  readonly slowestMs: number;
  /** Milliseconds to wait for an answer that may well not come. */
  briefMs(transport: TransportKind, timing: Timing): number;
}

/**
 * Factor for the slowest reply so far, and minimum part of the time for late answers: a later request shows if it was
 * to come.
 */
const timeLimit = 3;
const shareOfLate = 2;
/** Requests that cost a server no work. */
const isPlain = (method: string): boolean =>
  method === 'ping' || method === 'server/discover' || method.endsWith('/list');

/** Keeps the times of all connections of a run. */
export function createReplyTimes(): ReplyTimes {
  let slowestMs = 0;
  return {
    get slowestMs() {
      return slowestMs;
    },
    note(method, ms) {
      if (isPlain(method)) slowestMs = Math.max(slowestMs, ms);
    },
    // Over HTTP the end of the wait closes the reply, so a late one is never seen.
    briefMs: (transport, { lateMs, answerMs }) =>
      transport === 'http' ? answerMs : Math.min(answerMs, Math.max(lateMs / shareOfLate, timeLimit * slowestMs)),
  };
}
