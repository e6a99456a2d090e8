/** Something that the client sent, and the time behind it in which what follows is taken for its consequence. */
import { methodOf, sentShape, type SentShape } from '../values/rpc.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import type { MessageView } from '../requests/message-view.ts';
import { cancelsWhat } from './message-feature.ts';
import type { SessionState } from '../state/session-state.ts';
import type { HttpState } from '../http/http-state.ts';

export const nothing: readonly never[] = [];

export type AftermathOf = SentShape | 'batch' | 'unparsable';

/** Something the client sent: one JSON-RPC message, a batch, or bytes that are no JSON. */
export interface Sent {
  of: AftermathOf;
  session: SessionState;
  seq: number;
  message: unknown;
  raw?: string | undefined;
  /** It carries the mark of a deliberate fault. */
  deviates: boolean;
  /** Requests, and what is none but has a method and an id. */
  record?: RpcRecord | undefined;
  /** Batches: requests in it. */
  batch?: readonly RpcRecord[];
  http?: HttpState | undefined;
  /** notifications/cancelled: what it cancels, and the method of that request. */
  cancels?: string | undefined;
  cancelsMethod?: unknown;
  /** A response to a request that the server had cancelled. */
  answersCancelled?: boolean | undefined;
}

export interface Window {
  sent: Sent;
  method: unknown;
  /** The server had answered its method before. */
  servedBefore: boolean;
  /** It had, on this connection or another one. */
  servedAnywhere: boolean;
  phase: string;
  /** Messages from the server that answer nothing and arrived in the window. */
  orphans: readonly unknown[];
  /** Code of an error without id by which the HTTP reply refuses what was sent. */
  refusalCode?: unknown;
  /** Ids other than null of errors that followed something unreadable and answer no open request. */
  errorIds: readonly unknown[];
  /** Place of the last of the orphans. */
  orphanSeq: number;
  laterAnswered: number;
  /** Of a method that the server had answered before. */
  laterFailed: number;
  /** Of whatever method. */
  laterUnanswered: number;
  /** Requests behind it that were waiting when the last orphan came, and still are: it may be meant for one of them. */
  waiting: number;
  events: number[];
  /** Those of the orphans, and of what was sent later. */
  orphanSeqs: readonly number[];
  laterSeqs: readonly number[];
}

/** Message that was sent with its own answer, and the facts about the time after it. */
export function eventsOf(
  { sent: { seq, record, batch = nothing }, orphanSeqs, laterSeqs }: Window,
  fact: string,
): readonly number[] {
  const own = [seq, ...(record?.events ?? [])];
  if (fact === 'orphans' || fact === 'orphanCount' || fact === 'errorIds') return [...own, ...orphanSeqs];
  if (fact === 'aliveAfter' || fact === 'failedAfter') return [...own, ...laterSeqs];
  if (fact === 'batch') return [...own, ...batch.flatMap(({ events }) => events.slice(0, 4)).slice(0, 16)];
  return own;
}

export function sentOf({ item, session, place, http }: MessageView): Sent {
  const of = sentShape(item);
  const { record } = place;
  const cancels = item.shape === 'notification' && methodOf(item.message) === 'notifications/cancelled';
  return {
    of,
    session,
    seq: item.seq,
    message: item.message,
    deviates: item.event.deviation !== undefined,
    record: item.shape === 'request' ? record : undefined,
    cancels: cancels ? cancelsWhat(place) : undefined,
    cancelsMethod: cancels ? record?.method : undefined,
    answersCancelled: of === 'response' ? record?.cancelSeq !== undefined : undefined,
    http,
  };
}

/**
 * The most likely cause of a stray response on a shared channel. Unreadable bytes come first, since a server may answer
 * those without an id, then invalid requests. It is never a request, whose id would be named.
 */
export function culprit(windows: Window[]): Window | undefined {
  const order: AftermathOf[] = ['unparsable', 'other', 'batch', 'response', 'notification'];
  return order.map((of) => windows.findLast(({ sent }) => sent.of === of)).find((window) => window !== undefined);
}
