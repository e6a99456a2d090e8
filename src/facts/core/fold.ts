/**
 * The fold that turns trace events into subjects: it follows connections, HTTP exchanges and requests, and asks the
 * features in turn what they make of each. Each event is taken in once, in order; a subject is given back when it is
 * complete and then forgotten, so that a trace of any length is judged in bounded memory.
 */
import { asObject } from '../../model/json.ts';
import type { TraceEvent, TransportKind } from '../../model/trace.ts';
import { createCrashes } from '../jsonrpc/crashes.ts';
import { messageEvents } from '../jsonrpc/message-feature.ts';
import type { MessageView } from '../jsonrpc/message-view.ts';
import type { Place } from '../jsonrpc/rpc-record.ts';
import { createRpcTracker, type Due } from '../jsonrpc/rpc-tracker.ts';
import { isIdType, isUnreadable, itemsOf, methodOf, type RpcItem } from '../jsonrpc/rpc.ts';
import { isMeantAsMessage, noteServerRequest, notesOf, noteStreamEvent } from '../session/connection-notes.ts';
import { observeEvent, observeHandshakeReply, observeItem, type SessionState } from '../session/session-state.ts';
import type { HttpState } from '../transports/http-state.ts';
import { createHttpTracker } from '../transports/http-tracker.ts';
import { createHookRunner, type Fault, type Made } from './hooks.ts';
import type { Definitions, EventView, Feature } from './plugin.ts';
import { factsFrom } from './reading.ts';
import { features as ownFeatures } from './registry.ts';
import { createSessions } from './sessions.ts';
import type { MethodTable, Subject } from './subject.ts';
import { createWanted, type Wants } from './wanted.ts';

export interface FoldOptions {
  transport: TransportKind;
  methods: MethodTable;
  knownRevisions: readonly string[];
  /** The trace begins within a conversation of that revision, whose handshake nobody recorded. */
  midway?: string;
  /** Tells by some facts of a subject of the kind whether any rule could take it; all are given back when absent. */
  wants?: Wants;
  /** What gives facts; all features of mcpc when absent. */
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
   * Takes in an event. The fold goes on when the next subject is asked for: take each at once, while its connection is
   * in the state that it is about, and take all of them. The subject of kind `session` is the last one of its connection.
   */
  push(event: TraceEvent): Iterable<Subject>;
  /** Ends all connections that are still open; the `target` subject is the last of all. */
  end(): Iterable<Subject>;
  /** The revision that a connection negotiated (or first declared) before all others. */
  readonly revision: string | undefined;
  /** Features that threw; what they would have told is not known from then on. */
  readonly faults: readonly Fault[];
  /** What was followed no more, since there was too much of it at a time. */
  letGo(): LetGo;
}

/** What a run of suites notes beside the conversation. */
const marks = new Set<string>(['case', 'step', 'file']);

const nothing: readonly never[] = [];

/** Reads the facts of a kind that all features together have. */
function reader<S>(features: readonly Feature[], kind: 'message' | 'exchange' | 'session'): (from: S) => Record<string, unknown> {
  const scopes = kind === 'session' ? (['connection', 'session'] as const) : ([kind] as const);
  return factsFrom<S>(scopes.flatMap((scope) => features.map(({ name, facts }) => [name, (facts?.[scope] ?? {}) as Definitions<S>] as const)));
}

export function createFold(options: FoldOptions): Fold {
  const { transport, methods, knownRevisions, wants = () => true, features = ownFeatures } = options;
  const sessions = createSessions(transport, options.midway);
  const http = createHttpTracker();
  const rpc = createRpcTracker();
  const crashes = createCrashes();
  const wantsMessage = createWanted('message', ['from', 'shape'], wants);
  const { of, collect, taken, faults } = createHookRunner(features, { methods, knownRevisions, wants });
  const hooks = {
    trace: of('trace'),
    beside: of('beside'),
    event: of('event'),
    request: of('request'),
    answered: of('answered'),
    letGo: of('letGo'),
    message: of('message'),
    eventOver: of('eventOver'),
    exchangeOver: of('exchangeOver'),
    closing: of('closing'),
    sessionOver: of('sessionOver'),
    traceOver: of('traceOver'),
  };
  const readMessage = reader<MessageView>(features, 'message');
  const readExchange = reader<Due['record']>(features, 'exchange');
  const readSession = reader<SessionState>(features, 'session');
  let revision: string | undefined;
  /** Seq of the event that is being taken in. */
  let now = 0;

  /** Those that are given back now: what shows a crash waits for the end, and of connections that were let go nothing is said but that they are over. */
  function due(subjects: readonly Subject[]): readonly Subject[] {
    if (subjects.length === 0) return nothing;
    if (subjects.length === 1) return isDue(subjects[0]!) ? subjects : nothing;
    return subjects.filter(isDue);
  }

  function isDue(one: Subject): boolean {
    return !crashes.holds(one) && (one.session?.letGo !== true || one.kind === 'session');
  }

  function noteRevision(session: SessionState): void {
    revision ??= session.revision;
  }

  /** A request has its outcome. */
  function exchangeOf({ record, outcome }: Due): readonly Subject[] {
    if (!rpc.settle({ record, outcome })) return nothing;
    const { session, method } = record;
    if (record.reply !== undefined && record.from === 'client') {
      const before = session.revision;
      observeHandshakeReply(session, method, { seq: record.events.at(-1)!, message: record.reply });
      if (before === undefined) noteRevision(session);
    }
    const made: Made = { kind: 'exchange', facts: readExchange(record), subjects: [] };
    crashes.answered(record);
    collect(hooks.answered, made, now, record, made.facts!);
    made.subjects.push({ kind: 'exchange', session, facts: made.facts!, events: record.events.slice() });
    return due(made.subjects);
  }

  function* settle(all: readonly Due[]): Iterable<Subject> {
    for (const one of all) {
      yield* exchangeOf(one);
      rpc.settled(one.record);
    }
  }

  /** A replay answers nothing anew, but it shows whose message came on which stream. */
  function placeOfReplay(item: RpcItem, session: SessionState): Place {
    const record = rpc.locate(item, session);
    return record ? { record, ...(record.becameTask && item.shape === 'notification' ? { tokenState: 'task' as const } : {}) } : {};
  }

  /** A request is sent: who it is from, and what the client had sent before it. */
  function noteRequest({ message, from, seq }: RpcItem, { record, dropped }: Place, session: SessionState): readonly Subject[] {
    if (from === 'client') {
      const notes = notesOf(session);
      // A server cannot repeat an id of a type that it may not read.
      if (!isIdType(asObject(message)?.id)) notes.afterUnparseableInput = true;
      if (record) record.afterUnparseableInput = notes.afterUnparseableInput;
    }
    const made: Made = { subjects: [] };
    if (dropped) collect(hooks.letGo, made, seq, dropped, undefined);
    if (record) collect(hooks.request, made, seq, record, undefined);
    return due(made.subjects);
  }

  function viewOf(item: RpcItem, view: EventView, place: Place, rest: Pick<MessageView, 'phase' | 'copied'>): MessageView {
    const { session, http: exchange, replay } = view;
    const notes = notesOf(session);
    const method = methodOf(item.message);
    const answered = place.replyState === 'matched' ? place.record?.method : undefined;
    return {
      item,
      session,
      phase: rest.phase,
      place,
      http: exchange,
      body: asObject(item.message),
      method,
      known: typeof method === 'string' ? methods[method] : undefined,
      answersKnown: typeof answered === 'string' && Object.hasOwn(methods, answered),
      openStreams: notes.openStreams.size,
      copied: rest.copied,
      replay,
      afterUnparseableInput: notes.afterUnparseableInput,
    };
  }

  /** The message has taken effect on its connection. */
  function messageOf(item: RpcItem, at: EventView, place: Place, rest: Pick<MessageView, 'phase' | 'copied'>): readonly Subject[] {
    const view = viewOf(item, at, place, rest);
    const isWanted = place.letGo !== true && wantsMessage(item.from, item.shape, view.method);
    const made: Made = { kind: 'message', facts: isWanted ? readMessage(view) : undefined, subjects: [] };
    collect(hooks.message, made, item.seq, view, undefined);
    if (made.facts) made.subjects.push({ kind: 'message', session: at.session, facts: made.facts, events: messageEvents(view) });
    return due(made.subjects);
  }

  function* exchangeIsOver(exchange: HttpState): Iterable<Subject> {
    yield* settle(rpc.httpOver(exchange));
    const made: Made = { subjects: [] };
    collect(hooks.exchangeOver, made, now, exchange, undefined);
    yield* due(made.subjects);
    // Others may remember the exchange for long, but nobody asks for its messages again.
    exchange.replies = [];
  }

  /** Connections are to be ended. */
  function closing(): readonly Subject[] {
    const made: Made = { subjects: [] };
    collect(hooks.closing, made, now, undefined, undefined);
    return due(made.subjects);
  }

  function* endSession(session: SessionState): Iterable<Subject> {
    for (const exchange of http.open(session)) if (http.finish(exchange)) yield* exchangeIsOver(exchange);
    http.endSession(session);
    yield* settle(rpc.open(session));
    rpc.endSession(session);
    const made: Made = { kind: 'session', facts: readSession(session), events: [], subjects: [] };
    collect(hooks.sessionOver, made, now, session, undefined);
    crashes.endSession(session);
    yield* due(made.subjects);
    sessions.close(session);
    yield { kind: 'session', session, facts: made.facts!, events: made.events! };
  }

  /** What an event of a connection completes before its messages, and after them. */
  function aroundMessages(bound: typeof hooks.event, view: EventView): readonly Subject[] {
    const made: Made = { subjects: [] };
    collect(bound, made, now, view, undefined);
    return due(made.subjects);
  }

  // There are millions of events, and a generator costs more than most of what is done for one: this is the only one that each needs.
  function* pushToSession(event: TraceEvent, session: SessionState): Generator<Subject, void> {
    observeEvent(session, event);
    const elsewhere = taken(hooks.beside, event, session);
    if (elsewhere) return yield* due(elsewhere);
    const exchange = http.observe(event, session);
    if (event.from === 'client' && (event.kind === 'message' || event.kind === 'unparsable')) crashes.sent(event);
    const notes = notesOf(session);
    const replay = noteStreamEvent(notes, event, exchange);
    const view: EventView = { event, session, http: exchange, replay };
    for (const subject of aroundMessages(hooks.event, view)) yield subject;
    for (const item of event.kind === 'message' ? itemsOf(event) : nothing) {
      if (!isMeantAsMessage(item, session, exchange)) continue;
      if (exchange) http.observeItem(exchange, item);
      const { phase } = session;
      const copied = !replay && noteServerRequest(notes, item);
      const place: Place = replay ? placeOfReplay(item, session) : rpc.observe(item, session, exchange);
      if (place.settles !== undefined) {
        for (const subject of exchangeOf({ record: place.record!, outcome: place.settles })) yield subject;
        rpc.settled(place.record!);
      }
      if (item.shape === 'request') for (const subject of noteRequest(item, replay ? {} : place, session)) yield subject;
      if (!replay) {
        observeItem(session, item);
        if (item.from === 'client') noteRevision(session);
      }
      for (const subject of messageOf(item, view, place, { phase, copied })) yield subject;
      if (!replay && item.from === 'client' && !item.inBatch && isUnreadable(item)) notes.afterUnparseableInput = true;
    }
    if (event.kind === 'unparsable' && event.from === 'client') notes.afterUnparseableInput = true;
    for (const subject of aroundMessages(hooks.eventOver, view)) yield subject;
    const over = rpc.observeEvent(event, session);
    if (over.length > 0) yield* settle(over);
    if (exchange && http.settle(exchange, event)) yield* exchangeIsOver(exchange);
  }

  /** An event of a connection that is not followed yet: the oldest may have to end for it. */
  function* begin(event: TraceEvent): Generator<Subject, void> {
    const oldest = sessions.crowdedOut(event);
    if (oldest) {
      yield* closing();
      yield* endSession(oldest);
    }
    const session = sessions.open(event);
    if (session) yield* pushToSession(event, session);
  }

  return {
    push(event) {
      now = event.seq;
      collect(hooks.trace, { subjects: [] }, now, event, undefined);
      // Starting and stopping of the harness's own processes opens no connection by itself.
      if (event.kind === 'listening' || marks.has(event.kind) || (event.kind === 'limit' && event.session === '')) return nothing;
      const session = sessions.find(event);
      return session ? pushToSession(event, session) : begin(event);
    },
    *end() {
      yield* closing();
      for (const session of sessions.all()) yield* endSession(session);
      yield* crashes.end().filter(({ session }) => session?.letGo !== true);
      const made: Made = { kind: 'trace', facts: {}, events: [], subjects: [] };
      collect(hooks.traceOver, made, now, undefined, undefined);
      yield* due(made.subjects);
      yield { kind: 'trace', facts: made.facts!, events: [...new Set(made.events)] };
    },
    get revision() {
      return revision;
    },
    faults,
    letGo: () => ({ sessions: sessions.letGo, requests: rpc.letGo }),
  };
}
