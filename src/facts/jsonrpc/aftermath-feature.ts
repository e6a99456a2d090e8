/**
 * What followed something that the client sent: did anything answer it that should not, and did the server
 * still answer afterwards? A later request that was answered is the sentinel that closes the window; for a
 * cancelled request the window stays open until the session ends. Makes the `followUp` subjects.
 */
import { asObject } from '../../model/json.ts';
import { append, together } from '../../model/lists.ts';
import { perSession } from '../core/per-session.ts';
import type { Definitions, Facts, Feature, Gaps, Given, Hooks, Surroundings } from '../core/plugin.ts';
import { factsFrom } from '../core/reading.ts';
import type { Subject } from '../core/subject.ts';
import { createWanted, type Wanted } from '../core/wanted.ts';
import type { SessionState } from '../session/session-state.ts';
import type { HttpState } from '../transports/http-state.ts';
import { exchangeFacts, hasMeta } from './exchange-feature.ts';
import { cancelsWhat, isDoubtfulCancel } from './message-feature.ts';
import type { MessageView } from './message-view.ts';
import type { ReplyState, RpcRecord } from './rpc-record.ts';
import { isResponse, methodOf, paramsOf, sentShape, type SentShape } from './rpc.ts';

type AftermathOf = SentShape | 'batch' | 'unparsable';

/** Something the client sent: one JSON-RPC message, a batch, or bytes that are no JSON. */
interface Sent {
  of: AftermathOf;
  session: SessionState;
  seq: number;
  message: unknown;
  raw?: string | undefined;
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

interface Window {
  sent: Sent;
  method: unknown;
  /** The server had answered its method before. */
  servedBefore: boolean;
  phase: string;
  /** Messages from the server that answer nothing and arrived in the window. */
  orphans: readonly unknown[];
  /** Code of an error without id by which the HTTP reply refuses what was sent. */
  refusalCode?: unknown;
  /** Place of the last of them. */
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

const keptOpen = 5000;
const keptMethods = 1000;
const nothing: readonly never[] = [];

/** Responses that are no answer to what stands in a window: they belong to a request, here or on another connection. */
const answersSomething = new Set<ReplyState>(['matched', 'duplicate', 'foreign']);

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
  /** A response has come that belongs to another connection: one without an id may, too. */
  hearsOthers: boolean;
}

/** Requests also have the facts of their exchange, as they are when nothing more is to come. */
const ofExchange: Definitions<Window> = Object.fromEntries(
  Object.entries(exchangeFacts).map(([name, { read, ...one }]) => [name, { ...one, read: ({ sent: { record } }: Window) => record && read!(record) }]),
);

const ownFacts: Definitions<Window> = {
  of: { says: 'request, notification, response, batch, unparsable (no JSON) or other (JSON that is no message, also a request or notification of another version than JSON-RPC 2.0).', rests: [], read: ({ sent }) => sent.of },
  message: { says: 'What was sent, if it was JSON.', rests: [], read: ({ sent }) => sent.message },
  raw: { says: 'What was sent, if it was not.', rests: ['bytes'], read: ({ sent }) => sent.raw },
  orphans: { says: 'Responses in that time that answer no request.', rests: [], read: ({ orphans }) => orphans, doubtful: isDoubtfulOrphan },
  aliveAfter: { says: 'A later request was answered (true), or none was though one was due (false): the connection was lost, or nothing answered a method that the server had answered before.', rests: [], read: isAliveAfter, doubtful: ({ aliveAfter }) => aliveAfter === false },
  failedAfter: { says: 'Later requests in that time that got no answer (timeout, closed, missing or an HTTP error), or were still waiting for theirs when one of the orphans came.', rests: [], read: ({ laterUnanswered, waiting }) => laterUnanswered + waiting, doubtful: ({ failedAfter }) => Number(failedAfter ?? 0) > 0 },
  batchRequests: { says: 'Batches: requests in it.', rests: [], read: ({ sent: { batch = nothing } }) => batch.length },
  batchAnswered: { says: 'Batches: how many of those were answered.', rests: [], read: ({ sent: { batch = nothing } }) => batch.filter((one) => one.reply !== undefined).length },
  cancels: { says: 'notifications/cancelled: active, finished, task, initialize or nothing.', rests: [], read: ({ sent }) => sent.cancels, doubtful: isDoubtfulCancel },
  cancelsMethod: { says: 'notifications/cancelled: method of the request that it names.', rests: [], read: ({ sent }) => sent.cancelsMethod },
  answersCancelled: { says: 'Responses: the server had cancelled the request.', rests: ['order'], read: ({ sent }) => sent.answersCancelled },
  answeredAfterCancel: { says: 'A request that was sent after the cancellation was answered.', rests: ['order'], read: ({ sent }) => sent.record?.answeredAfterCancel },
  progressLate: { says: 'Progress notifications after that answer.', rests: ['order'], read: ({ sent }) => sent.record?.progressLate },
  repliedLate: { says: 'A response came after that answer.', rests: ['order'], read: ({ sent }) => sent.record?.repliedLate },
  repliedAfterCancel: { says: 'A response came after the cancellation.', rests: ['order'], read: ({ sent: { record } }) => (record?.cancelSeq === undefined ? undefined : record.resultAfterCancel) },
  servedBefore: { says: 'The server had answered a request of its method before, on this connection.', rests: ['order'], read: ({ servedBefore }) => servedBefore, doubtful: ({ servedBefore }) => servedBefore === false },
  method: { ...exchangeFacts.method!, read: ({ method }) => method },
  phase: { ...exchangeFacts.phase!, read: ({ phase }) => phase },
  params: { ...exchangeFacts.params!, read: ({ sent }) => paramsOf(sent.message) },
  hasCursor: { says: 'Its params have a cursor.', rests: [], read: ({ sent }) => paramsOf(sent.message)?.cursor !== undefined },
  httpStatus: { ...exchangeFacts.httpStatus!, read: ({ sent }) => sent.http?.status },
  errorCode: { ...exchangeFacts.errorCode!, read: ({ sent: { record }, refusalCode }) => (record ? exchangeFacts.errorCode!.read!(record) : refusalCode) },
};

const aftermathFacts: Definitions<Window> = { ...ofExchange, ...ownFacts };
const read = factsFrom([['followUp', aftermathFacts]]);

export const aftermath: Feature = {
  name: 'aftermath',
  kinds: {
    followUp:
      'Something the client sent and what followed, until a later request was answered (for a cancelled request: until the session ended). Requests also have the facts of their exchange that its messages alone give.',
  },
  facts: { followUp: aftermathFacts },
  create: createAftermath,
};

function createAftermath({ wants }: Surroundings): Hooks {
  const watches = perSession<Watch>(() => ({ windows: [], served: new Set(), hearsOthers: false }));
  const wantedIf = (cancelled: boolean): Wanted => createWanted('followUp', ['of', 'hasMeta'], (kind, known) => wants(kind, known.of === 'request' ? { ...known, cancelled } : known));
  const wanted = wantedIf(false);
  const wantedCancelled = wantedIf(true);
  /** Requests of the batch that is being taken in. */
  let batch: RpcRecord[] = [];

  /** There is one for each request of a long trace, and few rules ask for it. */
  function isWanted({ sent: { of, record }, method }: Window): boolean {
    const asks = record?.cancelSeq === undefined ? wanted : wantedCancelled;
    return asks(of, of === 'request' && record ? hasMeta(record) : undefined, method);
  }

  function subjectsOf(window: Window): readonly Subject[] {
    if (!isWanted(window)) return nothing;
    // What is not known any more proves nothing.
    if (window.sent.record?.emptied || window.sent.batch?.some((one) => one.emptied)) return nothing;
    const { record, session } = window.sent;
    window.waiting = waitingBehind(window);
    return [{ kind: 'followUp', session, facts: read(window), events: record ? together(record.events, window.events) : window.events, cites: (fact) => eventsOf(window, fact) }];
  }

  function waitingBehind({ sent: { session, seq }, orphanSeq }: Window): number {
    if (orphanSeq === 0) return 0;
    const isWaiting = ({ sent: { record, seq: at } }: Window): boolean => record !== undefined && record.outcome === undefined && at > seq && at < orphanSeq;
    return watches.of(session).windows.filter(isWaiting).length;
  }

  function isOver({ sent: { record, batch = nothing }, laterAnswered }: Window): boolean {
    if (laterAnswered === 0) return false;
    if (record) return record.outcome !== undefined && record.cancelSeq === undefined;
    return batch.every((one) => one.outcome !== undefined);
  }

  function open(sent: Sent): Given | undefined {
    const { windows, served } = watches.of(sent.session);
    const method = methodOf(sent.message);
    windows.push({ sent, method, servedBefore: served.has(method), phase: sent.session.phase, orphans: nothing, orphanSeq: 0, laterAnswered: 0, laterFailed: 0, laterUnanswered: 0, waiting: 0, events: [sent.seq], orphanSeqs: nothing, laterSeqs: nothing });
    return windows.length > keptOpen ? { subjects: subjectsOf(windows.shift()!) } : undefined;
  }

  /** A message of the server that may be one of those that answer nothing. */
  function received({ item, session, place, http }: MessageView): void {
    const watch = watches.of(session);
    watch.hearsOthers ||= place.replyState === 'foreign';
    if (!isResponse(item.shape) || (place.replyState !== undefined && answersSomething.has(place.replyState))) return;
    // An id-less error body under an error status refuses the POST; it answers no notification.
    const refuses = http?.status !== undefined && http.status >= 400;
    const { windows } = watch;
    const window = http?.method === 'POST' ? windows.find((one) => one.sent.http === http) : refuses ? undefined : culprit(windows);
    if (window && refuses) window.refusalCode ??= asObject(asObject(item.message)?.error)?.code;
    if (!window || refuses || window.orphans.length >= 50) return;
    // Nothing answers these, so what looks like it belongs to another connection where answers of others come.
    if (watch.hearsOthers && http?.method !== 'POST' && (window.sent.of === 'notification' || window.sent.of === 'response')) return;
    window.orphans = [...window.orphans, item.message];
    window.orphanSeq = item.seq;
    window.events.push(item.seq);
    window.orphanSeqs = [...window.orphanSeqs, item.seq];
  }

  return {
    message(view) {
      const { item, place } = view;
      if (view.replay) return undefined;
      if (item.from === 'server') {
        if (!place.letGo) received(view);
        return undefined;
      }
      if (item.from !== 'client') return undefined;
      if (!item.inBatch) return open(sentOf(view));
      if (place.record && item.shape === 'request') batch.push(place.record);
      return undefined;
    },

    eventOver({ event, session, http }) {
      if (event.from !== 'client') return undefined;
      if (event.kind === 'unparsable') return open({ of: 'unparsable', session, seq: event.seq, message: undefined, raw: event.raw ?? '', http });
      if (event.kind !== 'message' || !Array.isArray(event.message)) return undefined;
      const requests = batch;
      batch = [];
      return open({ of: 'batch', session, seq: event.seq, message: event.message, batch: requests, http });
    },

    answered(record) {
      if (record.from !== 'client') return undefined;
      const watch = watches.of(record.session);
      const { windows, served } = watch;
      const alive = record.outcome === 'result' || record.outcome === 'error' || record.outcome === 'malformed';
      const failed = record.outcome === 'timeout' || record.outcome === 'closed' || record.outcome === 'missing';
      if (alive && served.size < keptMethods) served.add(record.method);
      let over = false;
      for (const window of windows) {
        const { seq, batch = nothing } = window.sent;
        if (record.seq > seq && record.cancelSeq === undefined && !batch.includes(record)) {
          if (alive) {
            window.laterAnswered += 1;
            if (window.laterAnswered === 1) append(window.events, record.events);
          } else if (failed || (record.outcome === 'http-error' && !turnedAway(record))) {
            window.laterUnanswered += 1;
            if (served.has(record.method)) {
              window.laterFailed += 1;
              if (window.laterFailed === 1) {
                append(window.events, record.events);
                window.laterSeqs = record.events.slice();
              }
            }
          }
        }
        over ||= isOver(window);
      }
      if (!over) return undefined;
      const subjects: Subject[] = [];
      for (const window of windows) if (isOver(window)) append(subjects, subjectsOf(window));
      watch.windows = windows.filter((window) => !isOver(window));
      return subjects.length === 0 ? undefined : { subjects };
    },

    sessionOver(session) {
      const subjects = watches.of(session).windows.flatMap(subjectsOf);
      watches.forget(session);
      return { subjects };
    },
  };
}

/** What was sent with its own answer, and what a fact tells of the time behind it. */
function eventsOf({ sent: { seq, record, batch = nothing }, orphanSeqs, laterSeqs }: Window, fact: string): readonly number[] {
  const own = [seq, ...(record?.events ?? [])];
  if (fact === 'orphans' || fact === 'orphanCount') return [...own, ...orphanSeqs];
  if (fact === 'aliveAfter' || fact === 'failedAfter') return [...own, ...laterSeqs];
  if (fact === 'batchAnswered') return [...own, ...batch.flatMap(({ events }) => events.slice(0, 4)).slice(0, 16)];
  return own;
}

function sentOf({ item, session, place, http }: MessageView): Sent {
  const of = sentShape(item);
  const { record } = place;
  const cancels = item.shape === 'notification' && methodOf(item.message) === 'notifications/cancelled';
  return {
    of,
    session,
    seq: item.seq,
    message: item.message,
    record: item.shape === 'request' ? record : undefined,
    cancels: cancels ? cancelsWhat(place) : undefined,
    cancelsMethod: cancels ? record?.method : undefined,
    answersCancelled: of === 'response' ? record?.cancelSeq !== undefined : undefined,
    http,
  };
}

/** True when a later request was answered, false when the want of an answer shows something; undefined otherwise. */
function isAliveAfter({ laterAnswered, laterFailed, sent: { session } }: Window): boolean | undefined {
  return laterAnswered > 0 ? true : laterFailed > 0 || session.lost ? false : undefined;
}

function isDoubtfulOrphan({ orphans }: Readonly<Facts>, { recorded, wholeOrder }: Gaps): boolean {
  return (!wholeOrder || !recorded.exchanges || !recorded.bytes) && (orphans as unknown[]).length > 0;
}

/**
 * What a stray response on a shared channel most likely answers: bytes that could not be read come first,
 * since a server may answer those without an id, then messages that are no requests; never a request, which
 * its own id would name.
 */
function culprit(windows: Window[]): Window | undefined {
  const order: AftermathOf[] = ['unparsable', 'other', 'batch', 'response', 'notification'];
  return order.map((of) => windows.findLast(({ sent }) => sent.of === of)).find((window) => window !== undefined);
}
