/**
 * The fold that turns trace events into subjects: it follows connections, HTTP exchanges and requests, and says when
 * something is complete. Each event is taken in once, in order; a subject is given back when it is complete and then
 * forgotten, so that a trace of any length is judged in bounded memory.
 */
import type { TraceEvent, TransportKind } from '../../model/trace.ts';
import { createCrashes } from '../jsonrpc/breakdowns/crashes.ts';
import { createOutages } from '../jsonrpc/breakdowns/outages.ts';
import type { Place } from '../jsonrpc/rpc-record.ts';
import { createRpcTracker, type Due } from '../jsonrpc/rpc-tracker.ts';
import { isUnreadable, itemsOf, type RpcItem } from '../jsonrpc/rpc.ts';
import { isMeantAsMessage, noteServerRequest, notesOf, noteStreamEvent } from '../session/connection-notes.ts';
import { createAskedRevision } from '../session/asked-revision.ts';
import { observeEvent, observeHandshakeReply, observeItem, type SessionState } from '../session/session-state.ts';
import type { HttpState } from '../transports/http-state.ts';
import { createHttpTracker } from '../transports/http-tracker.ts';
import { createSessionEnds } from '../transports/session-end.ts';
import type { Fault } from './hooks.ts';
import { createSubjectMaker, type Before } from './making.ts';
import type { CountAlike, EventView, Feature } from './plugin.ts';
import { features as ownFeatures } from './registry.ts';
import { createSessions } from './sessions.ts';
import type { MethodTable, Subject } from './subject.ts';
import type { Wants } from './wanted.ts';

export interface FoldOptions {
  transport: TransportKind;
  methods: MethodTable;
  knownRevisions: readonly string[];
  /** The trace begins within a conversation of that revision, whose handshake nobody recorded. */
  midway?: string;
  /** Tells by some facts of a subject of the kind whether any rule could take it; all are given back when absent. */
  wants?: Wants;
  /** Tells what subjects are counted by that need not be given; all are given when absent. */
  alike?: CountAlike;
  /** What gives facts; all features of mcpc when absent. */
  features?: readonly Feature[];
}

export interface LetGo {
  /** Connections that had not ended when a thousand younger ones were there. */
  sessions: number;
  /** Requests that nothing had answered. */
  requests: number;
}

/** Gives the next subject that is complete; undefined when there is none left. */
export type NextSubject = () => Subject | undefined;

export interface Fold {
  /**
   * Takes in an event. The fold goes on when the next subject is asked for: judge each at once, while its connection is
   * in the state that it is about, and ask for all of them before the next event. The subject of kind `session` is the
   * last one of its connection.
   */
  push(event: TraceEvent): NextSubject;
  /** Ends all connections that are still open; the `target` subject is the last of all. */
  end(): NextSubject;
  /** The revision that a connection negotiated (or first declared) before all others. */
  readonly revision: string | undefined;
  /** The known revision that a client asked for, whatever became of it (session/asked-revision.ts). */
  readonly asked: string | undefined;
  /** Features that threw; what they would have told is not known from then on. */
  readonly faults: readonly Fault[];
  /** What was followed no more, since there was too much of it at a time. */
  letGo(): LetGo;
}

/** What a run of suites notes beside the conversation. */
const marks = new Set<string>(['case', 'step', 'file']);

const nothing: readonly never[] = [];

export function createFold(options: FoldOptions): Fold {
  const {
    transport,
    methods,
    knownRevisions,
    wants = () => true,
    alike = () => undefined,
    features = ownFeatures,
  } = options;
  const sessions = createSessions(transport, options.midway);
  const http = createHttpTracker();
  const rpc = createRpcTracker();
  const ends = createSessionEnds();
  const crashes = createCrashes();
  const outages = createOutages();
  const maker = createSubjectMaker(features, { methods, knownRevisions, wants, alike }, { crashes, outages });
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

  /** A replay answers nothing anew, but it shows whose message came on which stream. */
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
      // Others may remember the exchange for long, but nobody asks for its messages again.
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

  // There are millions of events, and a generator for each costs more than most of what is done for one. So what an
  // event completes is given step by step: each step sets the next one, and `rest` is for what is rare, or many.
  let due: readonly Subject[] = nothing;
  let given = 0;
  let rest: Iterator<Subject> | undefined;
  let step: (() => readonly Subject[]) | undefined;
  /** The event that is being taken in, its messages, and the one of them that is. */
  let view: EventView;
  let items: readonly RpcItem[] = nothing;
  let index = 0;
  let item: RpcItem;
  let place: Place;
  let before: Before;

  function next(): Subject | undefined {
    for (;;) {
      if (given < due.length) {
        given += 1;
        return due[given - 1];
      }
      if (rest !== undefined) {
        const { done, value } = rest.next();
        if (done !== true) return value;
        rest = undefined;
      }
      due = nothing;
      if (step === undefined) return undefined;
      given = 0;
      due = step();
    }
  }

  function begin(subjects: readonly Subject[]): NextSubject {
    due = subjects;
    given = 0;
    return next;
  }

  /** An event of a connection that is followed. */
  function enter(event: TraceEvent, session: SessionState): readonly Subject[] {
    observeEvent(session, event);
    if (revision === undefined && event.kind === 'http-request') asked.sawHeaders(event);
    step = undefined;
    const elsewhere = maker.beside(event, session);
    if (elsewhere) return elsewhere;
    const exchange = http.observe(event, session);
    if (event.from === 'client' && (event.kind === 'message' || event.kind === 'unparsable')) crashes.sent(event);
    view = { event, session, http: exchange, replay: noteStreamEvent(notesOf(session), event, exchange) };
    items = event.kind === 'message' ? itemsOf(event) : nothing;
    index = 0;
    step = arrives;
    return event.kind === 'message' ? nothing : maker.before(view);
  }

  /** The next message of the event finds its place, and may answer a request. */
  function arrives(): readonly Subject[] {
    const { session, http: exchange, replay } = view;
    while (index < items.length && !isMeantAsMessage(items[index]!, session, exchange)) index += 1;
    if (index >= items.length) return messagesOver();
    item = items[index]!;
    index += 1;
    if (exchange) http.observeItem(exchange, item);
    before = { phase: session.phase, copied: !replay && noteServerRequest(notesOf(session), item) };
    place = replay ? placeOfReplay(item, session) : rpc.observe(item, session, exchange);
    if (place.settles === undefined) return sends();
    step = answered;
    return exchangeOf({ record: place.record!, outcome: place.settles });
  }

  function answered(): readonly Subject[] {
    rpc.settled(place.record!);
    return sends();
  }

  /** It may send a request. */
  function sends(): readonly Subject[] {
    step = takesEffect;
    return item.shape === 'request' ? maker.request(item, view.replay ? {} : place, view.session) : takesEffect();
  }

  function takesEffect(): readonly Subject[] {
    const { session } = view;
    if (!view.replay) {
      observeItem(session, item);
      if (revision === undefined && item.from === 'client') {
        asked.saw(item, session);
        revision = session.revision;
      }
    }
    step = tookEffect;
    return maker.message(item, view, place, before);
  }

  function tookEffect(): readonly Subject[] {
    if (!view.replay && item.from === 'client' && !item.inBatch && isUnreadable(item)) noteUnreadable(view);
    return arrives();
  }

  function noteUnreadable({ event, session }: EventView): void {
    notesOf(session).afterUnparseableInput = true;
    rpc.disturb(session, 'client', event.seq);
  }

  function messagesOver(): readonly Subject[] {
    const { event } = view;
    if (event.kind === 'unparsable' && event.from === 'client') noteUnreadable(view);
    step = eventOver;
    return maker.after(view);
  }

  function eventOver(): readonly Subject[] {
    const { event, session, http: exchange } = view;
    const over = rpc.observeEvent(event, session);
    if (over.length > 0) rest = settle(over)[Symbol.iterator]();
    step = exchange && exchangeOver;
    return nothing;
  }

  function exchangeOver(): readonly Subject[] {
    const { event, http: exchange } = view;
    step = undefined;
    if (http.settle(exchange!, event)) rest = areOver(ends.over(exchange!))[Symbol.iterator]();
    return nothing;
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
    push(event) {
      maker.trace(event);
      step = undefined;
      // Starting and stopping of the harness's own processes opens no connection by itself.
      if (event.kind === 'listening' || marks.has(event.kind) || (event.kind === 'limit' && event.session === ''))
        return begin(nothing);
      const session = sessions.find(event);
      if (session) return begin(enter(event, session));
      const oldest = sessions.crowdedOut(event);
      if (oldest) rest = crowdOut(oldest)[Symbol.iterator]();
      step = () => {
        step = undefined;
        const opened = sessions.open(event);
        return opened ? enter(event, opened) : nothing;
      };
      return begin(nothing);
    },
    end() {
      rest = endAll()[Symbol.iterator]();
      step = undefined;
      return begin(nothing);
    },
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
