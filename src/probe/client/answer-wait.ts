/**
 * Waits for the answer to a request: on the stream or in the reply that it comes in, for as long as the deadline says, and
 * a while more where the server asks in the meantime. It must send nothing but the resumption of a stream that broke off.
 */
import type { EventSink, TraceEvent } from '../../model/trace.ts';
import type { HttpExchange } from '../../transport/http/http-exchange.ts';
import type { Timing } from '../timing.ts';
import type { Channel, SentMessage } from './channels/channel.ts';
import type { ConnectionState } from './connection-state.ts';
import type { Answer } from './peer.ts';
import { responseIn } from './response-in.ts';
import type { Waiter } from './waiter.ts';

/** How many times a request may be waited for while the server goes on asking. */
export const mostWaits = 6;

export interface AnswerWaitOptions {
  session: string;
  sink: EventSink;
  timing: Timing;
  waiter: Waiter;
  state: ConnectionState;
  /** How often a request is waited for; of all connections of a run. */
  waits: { most: number };
  /** Requests of the server so far. */
  asked(): number;
  channel(): Channel;
  isClosing(): boolean;
  /** Asks for the rest of a stream, after the event with the id; absent where the era knows no resumption. */
  resume?: (lastEventId: string) => HttpExchange | undefined;
  /** Told of the first answer. */
  onFirst(): void;
}

/** @returns waits for the response with the id to what was sent */
export function createAnswerWait(options: AnswerWaitOptions): (id: unknown, sent: SentMessage, deadlineMs?: number) => Promise<Answer> {
  const { session, sink, timing, waiter, state, waits, asked } = options;
  let answeredOnce = false;

  /** Resolves when the reply is over and nothing resumes it; a stream with event ids is resumed as a client should. */
  async function replyOver(exchange: HttpExchange, deadlineMs: number, isSettled: () => boolean): Promise<void> {
    await exchange.done;
    const last = state.lastEventId(exchange.id);
    // A stream that the checker dropped is resumed by the step that wants it, if any does.
    if (last === undefined || !state.alive || options.isClosing() || isSettled() || state.wasDropped(exchange.id)) return;
    const resumed = options.resume?.(last);
    const timer = setTimeout(() => resumed?.abort('the answer did not come', 'harness'), deadlineMs);
    await resumed?.done;
    clearTimeout(timer);
  }

  async function waitForAnswer(id: unknown, sent: SentMessage, deadlineMs: number): Promise<Answer> {
    await sent.begun;
    if (sent.seq === 0 || !state.alive) return { kind: 'closed' };
    const { transport } = options.channel();
    const askedBefore = asked();
    let settled = false;
    const over = sent.exchange && transport === 'http' ? replyOver(sent.exchange, deadlineMs, () => settled) : undefined;
    const refused = sent.exchange && transport === 'sse' ? postRefused(sent.exchange) : undefined;
    let replied = false;
    const stop = (over ?? refused)?.then(() => {
      replied = true;
    });
    const fits = (one: TraceEvent): boolean => responseIn(one, id) !== undefined || one.kind === 'exit' || (one.kind === 'closed' && one.exchange === undefined && one.from === 'server');
    let event: TraceEvent | undefined;
    for (let wait = 0; wait < waits.most; wait += 1) {
      const before = asked();
      event = await waiter.wait(fits, deadlineMs, stop);
      // A server that asks the client in the meantime is at work, not silent.
      if (event || replied || !state.alive || asked() === before) break;
    }
    settled = true;
    // A server that asks on and on without ever answering is waited for but once.
    if (!event && !replied && state.alive && asked() > askedBefore) waits.most = 1;
    const message = event && responseIn(event, id);
    if (message) return { kind: 'response', message };
    if (event) return { kind: 'closed' };
    const outcome = replied ? await sent.exchange!.response : undefined;
    if (outcome && 'error' in outcome) return { kind: 'closed', reason: outcome.error, ...(outcome.code === undefined ? {} : { code: outcome.code }) };
    if (!state.alive) return { kind: 'closed' };
    // What was to be the answer did not come whole; a status that refuses says enough.
    if (outcome?.brokeOff !== undefined && outcome.status < 300) return { kind: 'closed', reason: outcome.brokeOff };
    return outcome ? { kind: 'refused', status: outcome.status } : { kind: 'timeout' };
  }

  return async (id, sent, deadlineMs) => {
    const deadline = deadlineMs ?? (answeredOnce ? timing.answerMs : timing.startMs);
    const answer = await waitForAnswer(id, sent, deadline);
    if (answer.kind === 'response' || answer.kind === 'refused') {
      if (!answeredOnce) options.onFirst();
      answeredOnce = true;
    }
    if (answer.kind === 'timeout' && !options.isClosing()) {
      sink({ session, from: 'harness', kind: 'timeout', awaited: sent.seq, waitedMs: deadline });
      if (options.channel().transport === 'http') sent.exchange?.abort('no answer in time', 'harness');
    }
    return answer;
  };
}

async function postRefused(exchange: HttpExchange): Promise<void> {
  const outcome = await exchange.response;
  // An accepted POST is answered on the event stream; only a refusal ends the wait.
  if (!('error' in outcome) && outcome.status < 400) await new Promise<void>(() => {});
}
