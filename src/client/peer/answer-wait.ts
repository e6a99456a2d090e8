/**
 * Waits for the answer to a request: on the stream or in its reply, until the deadline, and longer if the server sends
 * requests meanwhile. It must send nothing but the resumption of a stream that broke off.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { EventSink, TraceEvent } from '../../core/model/trace.ts';
import type { HttpExchange } from '../transport/http/http-exchange.ts';
import type { Timing } from '../target/timing.ts';
import type { Channel, SentMessage } from './channels/channel.ts';
import type { ConnectionState } from './connection-state.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { Answer } from './peer.ts';
import { anonymousErrorIn, responseIn } from './response-in.ts';
import type { Waiter } from './channels/waiter.ts';

/** Milliseconds before a stream is resumed once more, where it asks for no longer pause; twice as long each time. */
const firstPauseMs = 250;

/** Where the quick profile does not wait for as long as usual: milliseconds at least, and how many times as long as a plain answer took. */
const leastHurriedMs = 2_000;
const slowestTimes = 10;

/** Maximum number of waits for a request while the server continues to send requests. */
export const mostWaits = 6;

export interface AnswerWaitOptions {
  session: string;
  sink: EventSink;
  timing: Timing;
  waiter: Waiter;
  state: ConnectionState;
  /** Number of waits for a request, and whether one was unsuccessful; of all connections of a run. */
  waits: { most: number; inVain: boolean };
  /** True if a user waits for the end of the run. */
  quick: boolean;
  /** The slowest answer so far to a request that costs a server no work, in milliseconds. */
  slowestMs(): number;
  /** Requests of the server so far. */
  asked(): number;
  /** True if the server may still be at an earlier request than that with the id. */
  mayBeWaiting(id: unknown): boolean;
  channel(): Channel;
  isClosing(): boolean;
  /** Asks for the rest of a stream, after the event with the id; absent where the era knows no resumption. */
  resume?: (lastEventId: string) => HttpExchange | undefined;
  /** Called for the first answer. */
  onFirst(): void;
}

/** @returns waits for the response with the id to what was sent */
export function createAnswerWait(
  options: AnswerWaitOptions,
): (id: unknown, sent: SentMessage, deadlineMs?: number) => Promise<Answer> {
  const { session, sink, timing, waiter, state, waits, asked } = options;
  let answeredOnce = false;

  /**
   * Resolves when the reply is over and nothing resumes it. A stream with event ids is resumed as a client should:
   * after the requested pause, and again if the resuming stream also ends without the answer.
   *
   * @returns false where the answer may still come when there is no more time for it
   */
  async function replyOver(exchange: HttpExchange, deadlineMs: number, isSettled: () => boolean): Promise<boolean> {
    const until = performance.now() + deadlineMs;
    await exchange.done;
    let last = state.lastEventId(exchange.id);
    let retryMs = state.retryMs(exchange.id) ?? 0;
    let ended = exchange;
    for (let pauseMs = 0; ; pauseMs = Math.max(firstPauseMs, 2 * pauseMs)) {
      // A stream that the checker dropped is resumed by the step that wants it, if any does.
      if (last === undefined || options.resume === undefined || !isOpen(isSettled) || state.wasDropped(ended.id))
        return true;
      const waitMs = Math.max(retryMs, pauseMs);
      // A client that was asked to come back later than that has not been there at all.
      if (performance.now() + waitMs >= until) return ended === exchange;
      if (waitMs > 0) await pause(waitMs, undefined, { ref: false });
      const resumed = isOpen(isSettled) ? options.resume(last) : undefined;
      if (resumed === undefined) return true;
      let isLate = false;
      const timer = setTimeout(
        () => {
          isLate = true;
          resumed.abort('the answer did not come', 'harness');
        },
        Math.max(0, until - performance.now()),
      );
      const outcome = await resumed.response;
      await resumed.done;
      clearTimeout(timer);
      if (isLate) return false;
      if ('error' in outcome || outcome.status >= 300) return true;
      ended = resumed;
      last = state.lastEventId(resumed.id) ?? last;
      retryMs = state.retryMs(resumed.id) ?? retryMs;
    }
  }

  function isOpen(isSettled: () => boolean): boolean {
    return state.alive && !options.isClosing() && !isSettled();
  }

  async function waitForAnswer(id: unknown, sent: SentMessage, deadlineMs: number): Promise<Answer> {
    await sent.begun;
    if (sent.seq === 0 || !state.alive) return { kind: 'closed' };
    const { transport } = options.channel();
    const askedBefore = asked();
    let settled = false;
    const over =
      sent.exchange && transport === 'http' ? replyOver(sent.exchange, deadlineMs, () => settled) : undefined;
    const refused = sent.exchange && transport === 'sse' ? postRefused(sent.exchange) : undefined;
    let replied = false;
    const noteReplied = (): void => {
      replied = true;
    };
    const stop = over ? over.then((isOver) => (isOver ? noteReplied() : untilDeadline())) : refused?.then(noteReplied);
    const isLegacyStream = (one: TraceEvent): boolean =>
      !answeredOnce &&
      transport === 'http' &&
      one.sse?.event === 'endpoint' &&
      one.exchange === sent.exchange?.id &&
      one.from === 'server';
    let anonymous: JsonObject | undefined;
    const fits = (one: TraceEvent): boolean => {
      anonymous ??= anonymousErrorIn(one, sent.exchange?.id);
      return (
        responseIn(one, id) !== undefined ||
        isLegacyStream(one) ||
        one.kind === 'exit' ||
        (one.kind === 'closed' && one.exchange === undefined && one.from === 'server')
      );
    };
    let event: TraceEvent | undefined;
    for (let wait = 0; wait < waits.most; wait += 1) {
      const before = asked();
      event = await waiter.wait(fits, deadlineMs, stop);
      if (event || replied || !state.alive) break;
      // A server that sends requests meanwhile is at work, not silent. The same holds if it answers earlier requests.
      if (asked() === before && !options.mayBeWaiting(id)) break;
    }
    settled = true;
    // A server that asks on and on without ever answering is waited for but once.
    if (!event && !replied && state.alive && asked() > askedBefore) waits.most = 1;
    const message = event && responseIn(event, id);
    if (message) return { kind: 'response', message };
    if (event && isLegacyStream(event)) {
      sent.exchange?.abort('the stream is one of HTTP+SSE');
      return { kind: 'refused', status: 200, isEventStream: true };
    }
    if (event) return { kind: 'closed' };
    const outcome = replied ? await sent.exchange!.response : undefined;
    if (outcome && 'error' in outcome)
      return { kind: 'closed', reason: outcome.error, ...(outcome.code === undefined ? {} : { code: outcome.code }) };
    if (!state.alive) return { kind: 'closed' };
    // The reply was incomplete; a status of refusal is enough.
    if (outcome?.brokeOff !== undefined && outcome.status < 300) return { kind: 'closed', reason: outcome.brokeOff };
    if (outcome === undefined) return { kind: 'timeout' };
    const { location } = outcome.headers;
    return {
      kind: 'refused',
      status: outcome.status,
      location: typeof location === 'string' ? location : undefined,
      ...(anonymous === undefined ? {} : { error: anonymous }),
    };
  }

  /** Shorter than usual where the quick profile has seen that the server leaves requests unanswered. What does not come by then proves nothing, and is not recorded. */
  function hurriedMs(): number {
    return options.quick && waits.inVain && options.channel().transport !== 'http'
      ? Math.max(leastHurriedMs, slowestTimes * options.slowestMs())
      : Infinity;
  }

  return async (id, sent, deadlineMs) => {
    const usual = deadlineMs ?? (answeredOnce ? timing.answerMs : timing.startMs);
    const deadline = Math.min(usual, hurriedMs());
    const began = performance.now();
    const answer = await waitForAnswer(id, sent, deadline);
    if (answer.kind === 'response' || answer.kind === 'refused') {
      if (!answeredOnce) options.onFirst();
      answeredOnce = true;
    }
    if (answer.kind === 'timeout' && deadline === usual && !options.isClosing()) {
      waits.inVain ||= deadline >= timing.answerMs;
      const waitedMs = Math.max(deadline, Math.round(performance.now() - began));
      sink({ session, from: 'harness', kind: 'timeout', awaited: sent.seq, waitedMs });
      if (options.channel().transport === 'http') sent.exchange?.abort('no answer in time', 'harness');
    }
    return answer;
  };
}

/** For a reply that may still come. */
function untilDeadline(): Promise<never> {
  return new Promise(() => {});
}

async function postRefused(exchange: HttpExchange): Promise<void> {
  const outcome = await exchange.response;
  // An accepted POST is answered on the event stream; only a refusal ends the wait.
  if (!('error' in outcome) && outcome.status < 400) await new Promise<void>(() => {});
}
