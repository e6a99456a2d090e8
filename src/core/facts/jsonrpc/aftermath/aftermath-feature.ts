/**
 * Events after a client message: was it wrongly answered, and did the server still answer afterwards? A later request
 * that was answered is the sentinel that closes the window; for a cancelled request the window stays open until the
 * session ends. Makes the `followUp` subjects.
 */
import { BoundedSet } from '../../../model/bounded.ts';
import { asObject, isObject } from '../../../model/json.ts';
import { append, together } from '../../../model/lists.ts';
import { perSession } from '../../state/per-session.ts';
import type { Feature, Given, Hooks } from '../../core/plugin.ts';
import { factsFrom } from '../../core/reading.ts';
import type { Subject } from '../../state/subject.ts';
import { aftermathFacts } from './aftermath-facts.ts';
import { culprit, eventsOf, nothing, sentOf, type Sent, type Window } from '../window.ts';
import type { MessageView } from '../../requests/message-view.ts';
import type { HttpState } from '../../http/http-state.ts';
import type { Place, ReplyState, RpcRecord } from '../../requests/rpc-record.ts';
import { isResponse, methodOf, type RpcItem } from '../../values/rpc.ts';

const keptOpen = 5000;
const keptMethods = 1000;
const keptErrorIds = 20;

/** Responses that do not answer a message in a window: they belong to a request, here or on another connection. */
const answersSomething = new Set<ReplyState>(['matched', 'duplicate', 'foreign']);

/** Statuses of a rejection by a server or an intermediary, independent of earlier messages. */
const turningAway = new Set([401, 403, 407, 408, 429, 502, 503, 504]);

function turnedAway(record: RpcRecord): boolean {
  const { status = 0, sessionHeader, session } = record.replyHttp ?? record.http ?? {};
  // A server may end a session whenever it likes, and says so by 404.
  if (status === 404 && sessionHeader !== undefined && sessionHeader !== 'absent') return true;
  // A client that left out the id of its session, or had ended that session, was not refused for what it sent before.
  if (status >= 400 && status < 500 && session?.sessionId !== undefined && sessionHeader !== 'current') return true;
  return turningAway.has(status);
}

interface Watch {
  windows: Window[];
  /** Methods that the server has answered: a missing answer is evidence only for these. */
  served: Set<unknown>;
  /** A response has come that belongs to another connection: one without an id may, too. */
  hearsOthers: boolean;
}

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

/** The end of a process shows that nothing was answered any more. */
function citeEnd(window: Window, ending: readonly number[]): void {
  append(window.events, ending);
  window.laterSeqs = [...window.laterSeqs, ...ending];
}

function createAftermath(): Hooks {
  const watches = perSession<Watch>(() => ({ windows: [], served: new BoundedSet(keptMethods), hearsOthers: false }));
  const servedAnywhere = new BoundedSet<unknown>(keptMethods);
  /** Requests of the batch that is being taken in. */
  let batch: RpcRecord[] = [];

  function subjectsOf(window: Window): readonly Subject[] {
    // Forgotten state proves nothing.
    if (window.sent.record?.emptied || window.sent.batch?.some((one) => one.emptied)) return nothing;
    const { record, session } = window.sent;
    window.waiting = waitingBehind(window);
    return [
      {
        kind: 'followUp',
        session,
        facts: read(window),
        events: record ? together(record.events, window.events) : window.events,
        cites: (fact) => eventsOf(window, fact),
      },
    ];
  }

  function waitingBehind({ sent: { session, seq }, orphanSeq }: Window): number {
    if (orphanSeq === 0) return 0;
    const isWaiting = ({ sent: { record, seq: at } }: Window): boolean =>
      record !== undefined && record.outcome === undefined && at > seq && at < orphanSeq;
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
    windows.push({
      sent,
      method,
      servedBefore: served.has(method),
      servedAnywhere: servedAnywhere.has(method),
      phase: sent.session.phase,
      orphans: nothing,
      errorIds: nothing,
      orphanSeq: 0,
      laterAnswered: 0,
      laterFailed: 0,
      laterUnanswered: 0,
      waiting: 0,
      events: [sent.seq],
      orphanSeqs: nothing,
      laterSeqs: nothing,
    });
    return windows.length > keptOpen ? { subjects: subjectsOf(windows.shift()!) } : undefined;
  }

  /** A message of the server that may answer no request. */
  function received({ item, session, place, http }: MessageView): void {
    const watch = watches.of(session);
    watch.hearsOthers ||= place.replyState === 'foreign';
    noteErrorId(item, place, watch.windows, http);
    if (!isResponse(item.shape) || (place.replyState !== undefined && answersSomething.has(place.replyState))) return;
    // An id-less error body under an error status refuses the POST; it answers no notification.
    const refuses = http?.status !== undefined && http.status >= 400;
    const { windows } = watch;
    const window =
      http?.method === 'POST' ? windows.find((one) => one.sent.http === http) : refuses ? undefined : culprit(windows);
    if (window && refuses) window.refusalCode ??= asObject(asObject(item.message)?.error)?.code;
    if (!window || refuses || window.orphans.length >= 50) return;
    // Nothing answers these, so what looks like it belongs to another connection where answers of others come.
    if (
      watch.hearsOthers &&
      http?.method !== 'POST' &&
      (window.sent.of === 'notification' || window.sent.of === 'response')
    )
      return;
    window.orphans = [...window.orphans, item.message];
    window.orphanSeq = item.seq;
    window.events.push(item.seq);
    window.orphanSeqs = [...window.orphanSeqs, item.seq];
  }

  /** An unreadable message has no id for an error. */
  function noteErrorId({ message, seq }: RpcItem, { replyState }: Place, windows: Window[], http?: HttpState): void {
    const { error, id } = asObject(message) ?? {};
    if (!isObject(error) || id === undefined || id === null || replyState === 'matched') return;
    const window = http?.method === 'POST' ? windows.find((one) => one.sent.http === http) : culprit(windows);
    if (!window || (window.sent.of !== 'unparsable' && window.sent.of !== 'other')) return;
    if (window.errorIds.length >= keptErrorIds) return;
    window.errorIds = [...window.errorIds, id];
    window.events.push(seq);
    window.orphanSeqs = [...window.orphanSeqs, seq];
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
      const deviates = event.deviation !== undefined;
      if (event.kind === 'unparsable')
        return open({
          of: 'unparsable',
          session,
          seq: event.seq,
          message: undefined,
          deviates,
          raw: event.raw ?? '',
          http,
        });
      if (event.kind !== 'message' || !Array.isArray(event.message)) return undefined;
      const requests = batch;
      batch = [];
      return open({ of: 'batch', session, seq: event.seq, message: event.message, deviates, batch: requests, http });
    },

    answered(record) {
      if (record.from !== 'client') return undefined;
      const watch = watches.of(record.session);
      const { windows, served } = watch;
      const alive = record.outcome === 'result' || record.outcome === 'error' || record.outcome === 'malformed';
      const failed = record.outcome === 'timeout' || record.outcome === 'closed' || record.outcome === 'missing';
      if (alive) {
        served.add(record.method);
        servedAnywhere.add(record.method);
      }
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
      const { windows } = watches.of(session);
      for (const window of windows) if (session.lost && window.laterAnswered === 0) citeEnd(window, session.ending);
      const subjects = windows.flatMap(subjectsOf);
      watches.forget(session);
      return { subjects };
    },
  };
}
