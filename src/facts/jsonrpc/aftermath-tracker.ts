/**
 * What followed something that the client sent: did anything answer it that should not, and did the server
 * still answer afterwards? A later request that was answered is the sentinel that closes the window; for a
 * cancelled request the window stays open until the session ends. Makes the `aftermath` subjects.
 */
import { asObject, isObject } from '../../model/json.ts';
import { append } from '../../model/lists.ts';
import { perSession } from '../core/per-session.ts';
import type { EmitSubject } from '../core/subject.ts';
import { createWanted, type Wants } from '../core/wanted.ts';
import type { SessionState } from '../session/session-state.ts';
import type { HttpState } from '../transports/http-state.ts';
import { exchangeFacts, hasMeta, type Place, type RpcRecord } from './rpc-record.ts';
import { isResponse, methodOf, paramsOf, type RpcItem } from './rpc.ts';

export type AftermathOf = 'request' | 'notification' | 'response' | 'batch' | 'unparsable' | 'other';

/** Something the client sent: one JSON-RPC message, a batch, or bytes that are no JSON. */
export interface Sent {
  of: AftermathOf;
  session: SessionState;
  seq: number;
  message: unknown;
  raw?: string | undefined;
  /** Requests. */
  record?: RpcRecord | undefined;
  /** Batches: requests in it. */
  batch?: RpcRecord[];
  http?: HttpState | undefined;
  /** notifications/cancelled: what it cancels, and the method of that request. */
  cancels?: string | undefined;
  cancelsMethod?: unknown;
  /** A response to a request that the server had cancelled. */
  answersCancelled?: boolean | undefined;
}

interface Window {
  sent: Sent;
  method: unknown;
  phase: string;
  /** Messages from the server that answer nothing and arrived in the window. */
  orphans: unknown[];
  /** Place of the last of them. */
  orphanSeq: number;
  laterAnswered: number;
  /** Of a method that the server had answered before. */
  laterFailed: number;
  /** Of whatever method. */
  laterUnanswered: number;
  events: number[];
}

const keptOpen = 5000;
const keptMethods = 1000;
const none: RpcRecord[] = [];

export interface AftermathTracker {
  sent(sent: Sent): void;
  /** A message of the server, with its place. */
  received(item: RpcItem, session: SessionState, place: Place, http: HttpState | undefined): void;
  /** A client request got its outcome. */
  answered(record: RpcRecord): void;
  endSession(session: SessionState): void;
}

/** Statuses by which a server, or something before it, turns away whoever asks, whatever was sent earlier. */
const turningAway = new Set([401, 403, 407, 408, 429, 502, 503, 504]);

function turnedAway(record: RpcRecord): boolean {
  const { status = 0, sessionHeader } = record.replyHttp ?? record.http ?? {};
  // A server may end a session whenever it likes, and says so by 404.
  if (status === 404 && sessionHeader !== undefined && sessionHeader !== 'absent') return true;
  return turningAway.has(status);
}

interface Watch {
  windows: Window[];
  /** Methods that the server has answered: only of those does a missing answer tell anything. */
  served: Set<unknown>;
}

export function createAftermathTracker(emit: EmitSubject, wants: Wants = () => true): AftermathTracker {
  const watches = perSession<Watch>(() => ({ windows: [], served: new Set() }));
  const wanted = createWanted('aftermath', ['of', 'hasMeta'], wants);

  /** There is one for each request of a long trace, and few rules ask for it. */
  function isWanted({ sent: { of, record }, method }: Window): boolean {
    return wanted(of, of === 'request' && record ? hasMeta(record) : undefined, method);
  }

  function giveOut(window: Window): void {
    // What is not known any more proves nothing.
    if (window.sent.record?.emptied || window.sent.batch?.some((one) => one.emptied)) return;
    if (!isWanted(window)) return;
    const { record, session } = window.sent;
    emit({
      kind: 'aftermath',
      session,
      events: record ? together(record.events, window.events) : window.events,
      facts: aftermathFacts(window, waitingBehind(window)),
    });
  }

  /** Requests behind it that were waiting when the last orphan came, and still are: it may be meant for one of them. */
  function waitingBehind({ sent: { session, seq }, orphanSeq }: Window): number {
    if (orphanSeq === 0) return 0;
    const isWaiting = ({ sent: { record, seq: at } }: Window): boolean => record !== undefined && record.outcome === undefined && at > seq && at < orphanSeq;
    return watches.of(session).windows.filter(isWaiting).length;
  }

  function isOver({ sent: { record, batch = none }, laterAnswered }: Window): boolean {
    if (laterAnswered === 0) return false;
    if (record) return record.outcome !== undefined && record.cancelSeq === undefined;
    return batch.every((one) => one.outcome !== undefined);
  }

  return {
    sent(sent) {
      const { windows } = watches.of(sent.session);
      windows.push({ sent, method: methodOf(sent.message), phase: sent.session.phase, orphans: [], orphanSeq: 0, laterAnswered: 0, laterFailed: 0, laterUnanswered: 0, events: [sent.seq] });
      if (windows.length > keptOpen) giveOut(windows.shift()!);
    },

    received(item, session, place, http) {
      if (!isResponse(item.shape)) return;
      const stray = place.replyState !== 'matched' && place.replyState !== 'duplicate';
      if (!stray) return;
      // An id-less error body under an error status refuses the POST; it answers no notification.
      if (http?.status !== undefined && http.status >= 400) return;
      const { windows } = watches.of(session);
      const window = http?.method === 'POST' ? windows.find((one) => one.sent.http === http) : culprit(windows);
      if (!window || window.orphans.length >= 50) return;
      window.orphans.push(item.message);
      window.orphanSeq = item.seq;
      window.events.push(item.seq);
    },

    answered(record) {
      if (record.from !== 'client') return;
      const watch = watches.of(record.session);
      const { windows, served } = watch;
      const alive = record.outcome === 'result' || record.outcome === 'error' || record.outcome === 'malformed';
      const failed = record.outcome === 'timeout' || record.outcome === 'closed' || record.outcome === 'missing';
      if (alive && served.size < keptMethods) served.add(record.method);
      let over = false;
      for (const window of windows) {
        const { seq, batch = none } = window.sent;
        if (record.seq > seq && record.cancelSeq === undefined && !batch.includes(record)) {
          if (alive) {
            window.laterAnswered += 1;
            if (window.laterAnswered === 1) append(window.events, record.events);
          } else if (failed || (record.outcome === 'http-error' && !turnedAway(record))) {
            window.laterUnanswered += 1;
            if (served.has(record.method)) {
              window.laterFailed += 1;
              if (window.laterFailed === 1) append(window.events, record.events);
            }
          }
        }
        over ||= isOver(window);
      }
      if (!over) return;
      const left: Window[] = [];
      for (const window of windows) {
        if (isOver(window)) giveOut(window);
        else left.push(window);
      }
      watch.windows = left;
    },

    endSession(session) {
      for (const window of watches.of(session).windows) giveOut(window);
      watches.forget(session);
    },
  };
}

/** Both lists, without what the first has already. A call with progress makes either as long as its sender likes. */
function together(first: readonly number[], second: readonly number[]): number[] {
  return [...new Set([...first, ...second])];
}

/**
 * The facts of a window: those of its exchange, and what followed. Assigned one by one, since spreading the
 * exchange into a literal of this size makes a slow object, and there is one for each message of the client.
 */
function aftermathFacts(window: Window, waiting: number): Record<string, unknown> {
  const { sent } = window;
  const { record, batch = none } = sent;
  const facts = record ? exchangeFacts(record) : {};
  facts.of = sent.of;
  facts.method = window.method;
  facts.message = sent.message;
  facts.raw = sent.raw;
  facts.phase = window.phase;
  facts.params = paramsOf(sent.message);
  facts.httpStatus = sent.http?.status;
  facts.bodyBytes = sent.http?.bodyBytes;
  facts.orphans = window.orphans;
  facts.orphanCount = window.orphans.length;
  facts.aliveAfter = window.laterAnswered > 0 ? true : window.laterFailed > 0 || sent.session.lost ? false : undefined;
  facts.failedAfter = window.laterUnanswered + waiting;
  facts.batchRequests = batch.length;
  facts.batchAnswered = batch.filter((one) => one.reply !== undefined).length;
  facts.cancels = sent.cancels;
  facts.cancelsMethod = sent.cancelsMethod;
  facts.answersCancelled = sent.answersCancelled;
  facts.progressAfterReply = record?.progressAfter;
  facts.answeredAfterCancel = record?.answeredAfterCancel;
  facts.progressLate = record?.progressLate;
  facts.repliedLate = record?.repliedLate;
  facts.progressAfterCancel = record?.progressAfterCancel;
  facts.repliedAfterCancel = record?.cancelSeq === undefined ? undefined : record.resultAfterCancel;
  return facts;
}

/**
 * What a stray response on a shared channel most likely answers: bytes that could not be read come first,
 * since a server may answer those without an id, then messages that are no requests; never a request, which
 * its own id would name.
 */
function culprit(windows: Window[]): Window | undefined {
  const order: AftermathOf[] = ['unparsable', 'other', 'batch', 'response', 'notification'];
  for (const of of order) {
    const found = windows.findLast((window) => window.sent.of === of);
    if (found) return found;
  }
  return undefined;
}

/** What a client message is, for the window it opens. */
export function aftermathOf(item: RpcItem): AftermathOf {
  if (item.shape === 'request' || item.shape === 'notification') {
    return isObject(item.message) && typeof item.message.method === 'string' ? item.shape : 'other';
  }
  return isResponse(item.shape) && asObject(item.message) ? 'response' : 'other';
}
