/**
 * Makes subjects: reads what the fold follows, and asks the features in turn what they know of it and which subjects of
 * their own are complete. What is given is what is to be judged now; what shows a crash waits for the end of the trace.
 */
import { asObject } from '../../model/json.ts';
import type { TraceEvent } from '../../model/trace.ts';
import type { Crashes } from '../jsonrpc/breakdowns/crashes.ts';
import type { Outages } from '../jsonrpc/breakdowns/outages.ts';
import { messageEvents } from '../jsonrpc/message-feature.ts';
import type { MessageView } from '../requests/message-view.ts';
import type { Place, RpcRecord } from '../requests/rpc-record.ts';
import { isIdType, methodOf, type RpcItem } from '../values/rpc.ts';
import { notesOf } from '../session/connection-notes.ts';
import type { SessionState } from '../state/session-state.ts';
import type { HttpState } from '../http/http-state.ts';
import { createHookRunner, Made, type Fault } from '../core/hooks.ts';
import type { Definitions, EventView, Feature, Surroundings } from '../core/plugin.ts';
import { factsFrom } from '../core/reading.ts';
import type { Subject } from '../state/subject.ts';

/** The state before the message took effect. */
export type Before = Pick<MessageView, 'phase' | 'copied'>;

export interface SubjectMaker {
  /** Any event, also one without a connection. */
  trace(event: TraceEvent): void;
  /** An event of a connection that a feature takes for itself; undefined where none does. */
  beside(event: TraceEvent, session: SessionState): readonly Subject[] | undefined;
  /** Subjects that an event completes before its messages, and after them. */
  before(view: EventView): readonly Subject[];
  after(view: EventView): readonly Subject[];
  /** A request has its outcome. */
  exchange(record: RpcRecord): readonly Subject[];
  /** A request is sent: who it is from, and what the client had sent before it. */
  request(item: RpcItem, place: Place, session: SessionState): readonly Subject[];
  /** A message has taken effect on its connection. */
  message(item: RpcItem, at: EventView, place: Place, before: Before): readonly Subject[];
  /** The reply to an HTTP request is over. */
  exchangeOver(http: HttpState): readonly Subject[];
  /** Connections are to be ended. */
  closing(): readonly Subject[];
  /** A connection is over: what it completes, and at last itself. */
  session(session: SessionState): { subjects: readonly Subject[]; own: Subject };
  /** The trace is over: what it completes, and at last itself. */
  whole(): { subjects: readonly Subject[]; own: Subject };
  /** Features that threw; their facts are unknown from then on. */
  readonly faults: readonly Fault[];
}

const nothing: readonly never[] = [];

/** Reads the facts of a kind that all features together have. */
function reader<S>(
  features: readonly Feature[],
  kind: 'message' | 'exchange' | 'session',
): (from: S) => Record<string, unknown> {
  const scopes = kind === 'session' ? (['connection', 'session'] as const) : ([kind] as const);
  return factsFrom<S>(
    scopes.flatMap((scope) =>
      features.map(({ name, facts }) => [name, (facts?.[scope] ?? {}) as Definitions<S>] as const),
    ),
  );
}

function citing({ cites }: Made): Pick<Subject, 'cites'> {
  return cites === undefined ? {} : { cites: (fact) => (Object.hasOwn(cites, fact) ? cites[fact] : undefined) };
}

export function createSubjectMaker(
  features: readonly Feature[],
  surroundings: Surroundings,
  { crashes, outages }: { crashes: Crashes; outages: Outages },
): SubjectMaker {
  const { methods } = surroundings;
  const { of, collect, gather, taken, faults } = createHookRunner(features, surroundings);
  const hooks = {
    trace: of('trace'),
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
  const readExchange = reader<RpcRecord>(features, 'exchange');
  const readSession = reader<SessionState>(features, 'session');
  /** Seq of the event that is being taken in. */
  let now = 0;

  /** Currently followed connections; dropped ones only report their end. */
  function due(subjects: readonly Subject[]): readonly Subject[] {
    if (subjects.length === 0) return nothing;
    if (subjects.length === 1) return isDue(subjects[0]!) ? subjects : nothing;
    return subjects.filter(isDue);
  }

  function isDue(one: Subject): boolean {
    return !crashes.holds(one) && !outages.holds(one) && (one.session?.letGo !== true || one.kind === 'session');
  }

  function viewOf(
    item: RpcItem,
    { session, http, replay }: EventView,
    place: Place,
    { phase, copied }: Before,
  ): MessageView {
    const notes = notesOf(session);
    const method = methodOf(item.message);
    const answered = place.replyState === 'matched' ? place.record?.method : undefined;
    return {
      item,
      session,
      phase,
      place,
      http,
      body: asObject(item.message),
      method,
      known: typeof method === 'string' ? methods[method] : undefined,
      answersKnown: typeof answered === 'string' && Object.hasOwn(methods, answered),
      openStreams: notes.openStreams.size,
      copied,
      replay,
      afterUnparseableInput: notes.afterUnparseableInput,
    };
  }

  return {
    trace(event) {
      now = event.seq;
      gather(hooks.trace, now, event, undefined);
    },
    beside(event, session) {
      const elsewhere = taken(event, session);
      return elsewhere && due(elsewhere);
    },
    before: (view) => due(gather(hooks.event, now, view, undefined)),
    after: (view) => due(gather(hooks.eventOver, now, view, undefined)),
    exchange(record) {
      const { session } = record;
      const facts = readExchange(record);
      const made = new Made('exchange', facts);
      crashes.answered(record);
      outages.answered(record);
      collect(hooks.answered, made, now, record, facts);
      made.add({ kind: 'exchange', session, facts, events: record.events.slice() });
      return due(made.subjects);
    },
    request({ message, from, seq }, { record, dropped }, session) {
      if (from === 'client') {
        const notes = notesOf(session);
        // A server cannot repeat an id of a type that it may not read.
        if (!isIdType(asObject(message)?.id)) notes.afterUnparseableInput = true;
        if (record) record.afterUnparseableInput = notes.afterUnparseableInput;
      }
      const left = dropped ? gather(hooks.letGo, seq, dropped, undefined) : nothing;
      const sent = record ? gather(hooks.request, seq, record, undefined) : nothing;
      return due(left.length === 0 ? sent : [...left, ...sent]);
    },
    message(item, at, place, before) {
      const view = viewOf(item, at, place, before);
      const facts = place.letGo === true ? undefined : readMessage(view);
      const made = new Made('message', facts);
      collect(hooks.message, made, item.seq, view, undefined);
      if (facts !== undefined) made.add({ kind: 'message', session: at.session, facts, events: messageEvents(view) });
      return due(made.subjects);
    },
    exchangeOver: (http) => due(gather(hooks.exchangeOver, now, http, undefined)),
    closing: () => due(gather(hooks.closing, now, undefined, undefined)),
    session(session) {
      const facts = readSession(session);
      const made = new Made('session', facts, []);
      collect(hooks.sessionOver, made, now, session, undefined);
      crashes.endSession(session);
      return {
        subjects: due(made.subjects),
        own: { kind: 'session', session, facts, events: made.events!, ...citing(made) },
      };
    },
    whole() {
      const facts = {};
      const made = new Made('trace', facts, []);
      collect(hooks.traceOver, made, now, undefined, undefined);
      return {
        subjects: due(made.subjects),
        own: { kind: 'trace', facts, events: [...new Set(made.events)], ...citing(made) },
      };
    },
    faults,
  };
}
