/**
 * The fold that turns trace events into subjects: it follows connections, HTTP exchanges and requests, and says when
 * something is complete. Each event is added once, in order. A subject is returned when it is complete and then
 * forgotten, so that a trace of any length is judged in bounded memory.
 */
import type { TraceEvent, TransportKind } from '../../model/trace.ts';
import { createCrashes } from '../jsonrpc/breakdowns/crashes.ts';
import { createOutages } from '../jsonrpc/breakdowns/outages.ts';
import type { Place } from '../requests/rpc-record.ts';
import { createRpcTracker, type Due } from '../requests/rpc-tracker.ts';
import { isUnreadable, itemsOf, type RpcItem } from '../values/rpc.ts';
import { isMeantAsMessage, noteServerRequest, notesOf, noteStreamEvent } from '../session/connection-notes.ts';
import { createAskedRevision } from '../state/asked-revision.ts';
import { observeEvent, observeHandshakeReply, observeItem, type SessionState } from '../state/session-state.ts';
import type { HttpState } from '../http/http-state.ts';
import { createHttpTracker } from '../http/http-tracker.ts';
import { createSessionEnds } from '../http/session-end.ts';
import type { Fault } from '../core/hooks.ts';
import { createSubjectMaker } from './making.ts';
import type { EventView, Feature } from '../core/plugin.ts';
import { features as ownFeatures } from '../registry/registry.ts';
import { createSessions } from '../state/sessions.ts';
import type { MethodTable, Subject } from '../state/subject.ts';

export interface FoldOptions {
  transport: TransportKind;
  methods: MethodTable;
  knownRevisions: readonly string[];
  /** The authorization server that the trace is about. */
  issuer?: string | undefined;
  /** The trace begins within a conversation of that revision, without a recorded handshake. */
  midway?: string;
  /** Features that supply facts; all of mcpc when absent. */
  features?: readonly Feature[];
}

export interface LetGo {
  /** Connections that had not ended when a thousand younger ones were there. */
  sessions: number;
  /** Requests that nothing had answered. */
  requests: number;
}

export interface Fold {
  /**
   * Adds an event lazily: judge each subject at once, while its connection is in the matching state, and read all of
   * them before the next event. The subject of kind `session` is the last one of its connection.
   */
  push(event: TraceEvent): Iterable<Subject>;
  /** Ends all connections that are still open; the `target` subject is the last of all. */
  end(): Iterable<Subject>;
  /** The revision that a connection negotiated (or first declared) before all others. */
  readonly revision: string | undefined;
  /** The known revision that a client asked for, whatever became of it (session/asked-revision.ts). */
  readonly asked: string | undefined;
  /** Features that threw; their facts are unknown from then on. */
  readonly faults: readonly Fault[];
  /** Dropped because there was too much of it at a time. */
  letGo(): LetGo;
}

/** Notes of a suite run about the conversation. */
const marks = new Set<string>(['case', 'step', 'file']);

const nothing: readonly never[] = [];

export function createFold(options: FoldOptions): Fold {
  const { transport, methods, knownRevisions, issuer, features = ownFeatures } = options;
  const sessions = createSessions(transport, options.midway);
  const http = createHttpTracker();
  const rpc = createRpcTracker();
  const ends = createSessionEnds();
  const crashes = createCrashes();
  const outages = createOutages();
  const maker = createSubjectMaker(features, { methods, knownRevisions, issuer }, { crashes, outages });
  let revision: string | undefined;
  const asked = createAskedRevision(knownRevisions, methods);

  /** A request has its outcome. */
  function exchangeOf({ record, outcome }: Due): readonly Subject[] {
    if (!rpc.settle({ record, outcome })) return nothing;
    const { session, method } = record;
    if (record.reply !== undefined && record.from === 'client') {
      const before = session.revision;
      observeHandshakeReply(session, method, { seq: record.events.at(-1)!, message: record.reply });
      if (before === undefined) revision ??= session.revision;
    }
    return maker.exchange(record);
  }

  function* settle(all: readonly Due[]): Iterable<Subject> {
    for (const one of all) {
      yield* exchangeOf(one);
      rpc.settled(one.record);
    }
  }

  /** A replay answers nothing new, but it shows which stream carried a message. */
  function placeOfReplay(item: RpcItem, session: SessionState): Place {
    const record = rpc.locate(item, session);
    return record
      ? { record, ...(record.becameTask && item.shape === 'notification' ? { tokenState: 'task' as const } : {}) }
      : {};
  }

  function* areOver(exchanges: readonly HttpState[]): Iterable<Subject> {
    for (const exchange of exchanges) {
      yield* settle(rpc.httpOver(exchange));
      yield* maker.exchangeOver(exchange);
      // Others may keep the exchange for long, but its messages are not needed again.
      exchange.replies = [];
    }
  }

  function* endSession(session: SessionState): Iterable<Subject> {
    yield* areOver([...ends.end(session), ...http.open(session).filter(http.finish)]);
    http.endSession(session);
    yield* settle(rpc.open(session));
    rpc.endSession(session);
    const { subjects, own } = maker.session(session);
    yield* subjects;
    yield* outages.endSession(session).filter(({ session: own }) => own?.letGo !== true);
    sessions.close(session);
    yield own;
  }

  /** An event of a connection that is followed. */
  function* enter(event: TraceEvent, session: SessionState): Iterable<Subject> {
    observeEvent(session, event);
    if (revision === undefined && event.kind === 'http-request') asked.sawHeaders(event);
    const elsewhere = maker.beside(event, session);
    if (elsewhere) {
      yield* elsewhere;
      return;
    }
    const exchange = http.observe(event, session);
    if (event.from === 'client' && (event.kind === 'message' || event.kind === 'unparsable')) crashes.sent(event);
    const view: EventView = {
      event,
      session,
      http: exchange,
      replay: noteStreamEvent(notesOf(session), event, exchange),
    };
    if (event.kind !== 'message') yield* maker.before(view);
    else for (const item of itemsOf(event)) if (isMeantAsMessage(item, session, exchange)) yield* arrives(item, view);
    if (event.kind === 'unparsable' && event.from === 'client') noteUnreadable(view);
    yield* maker.after(view);
    yield* settle(rpc.observeEvent(event, session));
    if (exchange && http.settle(exchange, event)) yield* areOver(ends.over(exchange));
  }

  function noteUnreadable({ event, session }: EventView): void {
    notesOf(session).afterUnparseableInput = true;
    rpc.disturb(session, 'client', event.seq);
  }

  /** A message of the event finds its place, may answer or send a request, and takes effect. */
  function* arrives(item: RpcItem, view: EventView): Iterable<Subject> {
    const { session, http: exchange, replay } = view;
    if (exchange) http.observeItem(exchange, item);
    const before = { phase: session.phase, copied: !replay && noteServerRequest(notesOf(session), item) };
    const place = replay ? placeOfReplay(item, session) : rpc.observe(item, session, exchange);
    if (place.settles !== undefined) yield* settle([{ record: place.record!, outcome: place.settles }]);
    if (item.shape === 'request') yield* maker.request(item, replay ? {} : place, session);
    if (!replay) {
      observeItem(session, item);
      if (revision === undefined && item.from === 'client') {
        asked.saw(item, session);
        revision = session.revision;
      }
    }
    yield* maker.message(item, view, place, before);
    if (!replay && item.from === 'client' && !item.inBatch && isUnreadable(item)) noteUnreadable(view);
  }

  /** A connection is to begin, for which the oldest has to end. */
  function* crowdOut(oldest: SessionState): Iterable<Subject> {
    yield* maker.closing();
    yield* endSession(oldest);
  }

  function* endAll(): Iterable<Subject> {
    yield* maker.closing();
    for (const session of sessions.all()) yield* endSession(session);
    yield* crashes.end().filter(({ session }) => session?.letGo !== true);
    const { subjects, own } = maker.whole();
    yield* subjects;
    yield own;
  }

  return {
    *push(event) {
      maker.trace(event);
      // Starting and stopping of the harness's own processes opens no connection by itself.
      if (event.kind === 'listening' || marks.has(event.kind) || (event.kind === 'limit' && event.session === ''))
        return;
      const session = sessions.find(event);
      if (session) {
        yield* enter(event, session);
        return;
      }
      const oldest = sessions.crowdedOut(event);
      if (oldest) yield* crowdOut(oldest);
      const opened = sessions.open(event);
      if (opened) yield* enter(event, opened);
    },
    end: endAll,
    get revision() {
      return revision;
    },
    get asked() {
      return asked.known;
    },
    faults: maker.faults,
    letGo: () => ({ sessions: sessions.letGo, requests: rpc.letGo }),
  };
}
