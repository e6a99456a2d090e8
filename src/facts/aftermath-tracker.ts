/**
 * What followed something that the client sent: did anything answer it that should not, and did the server
 * still answer afterwards? A later request that was answered is the sentinel that closes the window; for a
 * cancelled request the window stays open until the session ends. Makes the `aftermath` subjects.
 */
import type { HttpState } from './http-tracker.ts';
import { asObject, isObject, isResponse, methodOf, paramsOf, type RpcItem } from './rpc.ts';
import { exchangeFacts, hasMeta, type Place, type RpcRecord } from './rpc-record.ts';
import type { SessionState } from './session-state.ts';
import type { EmitSubject } from './subject.ts';

export type AftermathOf = 'request' | 'notification' | 'response' | 'batch' | 'unparsable' | 'other';

interface Window {
  of: AftermathOf;
  session: SessionState;
  seq: number;
  message: unknown;
  raw: string | undefined;
  method: unknown;
  phase: string;
  record?: RpcRecord;
  /** notifications/cancelled: what it cancels, and the method of that request. */
  cancels?: string;
  cancelsMethod?: unknown;
  /** A response to a request that the server had cancelled. */
  answersCancelled?: boolean;
  http?: HttpState;
  /** Messages from the server that answer nothing and arrived in the window. */
  orphans: unknown[];
  /** Place of the last of them. */
  orphanSeq: number;
  laterAnswered: number;
  /** Of a method that the server had answered before. */
  laterFailed: number;
  /** Of whatever method. */
  laterUnanswered: number;
  batch: RpcRecord[];
  events: number[];
}

const keptOpen = 5000;
const keptMethods = 1000;

export interface AftermathTracker {
  /** Something the client sent: one JSON-RPC message, a batch, or bytes that are no JSON. */
  sent(window: {
    of: AftermathOf;
    session: SessionState;
    seq: number;
    message: unknown;
    raw?: string;
    record?: RpcRecord;
    batch?: RpcRecord[];
    http?: HttpState;
    cancels?: string;
    cancelsMethod?: unknown;
    answersCancelled?: boolean;
  }): void;
  /** A message of the server, with its place. */
  received(item: RpcItem, session: SessionState, place: Place, http: HttpState | undefined): void;
  /** A client request got its outcome. */
  answered(record: RpcRecord): void;
  endSession(session: SessionState): void;
}

/** Statuses by which a server, or something before it, turns away whoever asks, whatever was sent earlier. */
const turningAway = new Set([401, 403, 407, 408, 429, 502, 503, 504]);

function turnedAway(record: RpcRecord): boolean {
  return turningAway.has((record.replyHttp ?? record.http)?.status ?? 0);
}

/** @param wants tells by some facts of a subject whether any rule could take it */
export function createAftermathTracker(emit: EmitSubject, wants: (known: Record<string, unknown>) => boolean = () => true): AftermathTracker {
  const open = new Map<SessionState, Window[]>();
  /** Methods that the server has answered on the connection: only of those does a missing answer tell anything. */
  const served = new Map<SessionState, Set<unknown>>();

  function servedBy(session: SessionState): Set<unknown> {
    let methods = served.get(session);
    if (!methods) served.set(session, (methods = new Set()));
    return methods;
  }

  /** By method, of requests with and without _meta: there is one for each request of a long trace, and few rules ask for it. */
  const wanted = { with: new Map<unknown, boolean>(), without: new Map<unknown, boolean>() };

  function isWanted({ of, method, record }: Window): boolean {
    if (of !== 'request' || !record) return wants({ of, method });
    const withMeta = hasMeta(record);
    const known = withMeta ? wanted.with : wanted.without;
    let answer = known.get(method);
    if (answer === undefined) {
      answer = wants({ of, method, hasMeta: withMeta });
      if (known.size < keptMethods) known.set(method, answer);
    }
    return answer;
  }

  function giveOut(window: Window): void {
    if (!isWanted(window)) return;
    const { record } = window;
    emit({
      kind: 'aftermath',
      session: window.session,
      events: record ? [...new Set([...record.events, ...window.events])] : window.events,
      facts: aftermathFacts(window, waitingBehind(window)),
    });
  }

  /** Requests behind it that were waiting when the last orphan came, and still are: it may be meant for one of them. */
  function waitingBehind({ session, seq, orphanSeq }: Window): number {
    if (orphanSeq === 0) return 0;
    return (open.get(session) ?? []).filter((one) => one.record !== undefined && one.record.outcome === undefined && one.seq > seq && one.seq < orphanSeq).length;
  }

  function isOver(window: Window): boolean {
    if (window.laterAnswered === 0) return false;
    if (window.record) return window.record.outcome !== undefined && window.record.cancelSeq === undefined;
    return window.batch.every((one) => one.outcome !== undefined);
  }

  return {
    sent({ of, session, seq, message, raw, record, batch, http, cancels, cancelsMethod, answersCancelled }) {
      let windows = open.get(session);
      if (!windows) open.set(session, (windows = []));
      windows.push({
        of,
        session,
        seq,
        message,
        raw,
        method: methodOf(message),
        phase: session.phase,
        ...(record ? { record } : {}),
        ...(http ? { http } : {}),
        ...(cancels === undefined ? {} : { cancels, cancelsMethod }),
        ...(answersCancelled === undefined ? {} : { answersCancelled }),
        orphans: [],
        orphanSeq: 0,
        laterAnswered: 0,
        laterFailed: 0,
        laterUnanswered: 0,
        batch: batch ?? [],
        events: [seq],
      });
      if (windows.length > keptOpen) giveOut(windows.shift()!);
    },

    received(item, session, place, http) {
      if (!isResponse(item.shape)) return;
      const stray = place.replyState !== 'matched' && place.replyState !== 'duplicate';
      if (!stray) return;
      // An id-less error body under an error status refuses the POST; it answers no notification.
      if (http?.status !== undefined && http.status >= 400) return;
      const windows = open.get(session) ?? [];
      const window = http?.method === 'POST' ? windows.find((one) => one.http === http) : culprit(windows);
      if (!window || window.orphans.length >= 50) return;
      window.orphans.push(item.message);
      window.orphanSeq = item.seq;
      window.events.push(item.seq);
    },

    answered(record) {
      if (record.from !== 'client') return;
      const windows = open.get(record.session) ?? [];
      const alive = record.outcome === 'result' || record.outcome === 'error' || record.outcome === 'malformed';
      const failed = record.outcome === 'timeout' || record.outcome === 'closed' || record.outcome === 'missing';
      if (alive && servedBy(record.session).size < keptMethods) servedBy(record.session).add(record.method);
      let over = false;
      for (const window of windows) {
        if (record.seq > window.seq && record.cancelSeq === undefined && !window.batch.includes(record)) {
          if (alive) {
            window.laterAnswered += 1;
            if (window.laterAnswered === 1) window.events.push(...record.events);
          } else if (failed || (record.outcome === 'http-error' && !turnedAway(record))) {
            window.laterUnanswered += 1;
            if (servedBy(record.session).has(record.method)) {
              window.laterFailed += 1;
              if (window.laterFailed === 1) window.events.push(...record.events);
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
      open.set(record.session, left);
    },

    endSession(session) {
      for (const window of open.get(session) ?? []) giveOut(window);
      open.delete(session);
      served.delete(session);
    },
  };
}

/**
 * The facts of a window: those of its exchange, and what followed. Assigned one by one, since spreading the
 * exchange into a literal of this size makes a slow object, and there is one for each message of the client.
 */
function aftermathFacts(window: Window, waiting: number): Record<string, unknown> {
  const { record } = window;
  const facts = record ? exchangeFacts(record) : {};
  facts.of = window.of;
  facts.method = window.method;
  facts.message = window.message;
  facts.raw = window.raw;
  facts.phase = window.phase;
  facts.params = paramsOf(window.message);
  facts.httpStatus = window.http?.status;
  facts.bodyBytes = window.http?.bodyBytes;
  facts.orphans = window.orphans;
  facts.orphanCount = window.orphans.length;
  facts.aliveAfter = window.laterAnswered > 0 ? true : window.laterFailed > 0 || window.session.lost ? false : undefined;
  facts.failedAfter = window.laterUnanswered + waiting;
  facts.batchRequests = window.batch.length;
  facts.batchAnswered = window.batch.filter((one) => one.reply !== undefined).length;
  facts.cancels = window.cancels;
  facts.cancelsMethod = window.cancelsMethod;
  facts.answersCancelled = window.answersCancelled;
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
    const found = windows.findLast((window) => window.of === of);
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
