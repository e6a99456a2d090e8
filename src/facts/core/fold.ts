/**
 * The fold that turns trace events into subjects. Each event is taken in once, in order; a subject is given
 * out when it is complete and then forgotten, so that a trace of any length is judged in bounded memory.
 */
import { asObject } from '../../model/json.ts';
import type { TraceEvent, TransportKind } from '../../model/trace.ts';
import { createAuthorizationTracker } from '../authorization/authorization-tracker.ts';
import { createQuestionTracker } from '../client-requests/question-tracker.ts';
import { createListing } from '../features/listing.ts';
import { createLogFacts } from '../features/log-facts.ts';
import { createPaging } from '../features/paging.ts';
import { createResourceWatch } from '../features/resource-watch.ts';
import { toolCallFacts } from '../features/tool-call.ts';
import { aftermathOf, createAftermathTracker } from '../jsonrpc/aftermath-tracker.ts';
import { createCrashes } from '../jsonrpc/crashes.ts';
import { cancelsWhat, messageSubject } from '../jsonrpc/message-subject.ts';
import type { Place, RpcRecord } from '../jsonrpc/rpc-record.ts';
import { createRpcTracker } from '../jsonrpc/rpc-tracker.ts';
import { isIdType, itemsOf, methodOf, type RpcItem } from '../jsonrpc/rpc.ts';
import { createConnectionNotes, isMeantAsMessage, noteServerRequest, noteStreamEvent } from '../session/connection-notes.ts';
import { createSessionState, joinMidway, observeEvent, observeHandshakeReply, observeItem, observeListening, type SessionState } from '../session/session-state.ts';
import { sessionSubject } from '../session/session-subject.ts';
import { createTargetTracker } from '../session/target-tracker.ts';
import { createTaskTracker } from '../tasks/task-tracker.ts';
import type { HttpState } from '../transports/http-state.ts';
import { createHttpTracker } from '../transports/http-tracker.ts';
import { createLineTracker } from '../transports/line-tracker.ts';
import { perSession } from './per-session.ts';
import type { EmitSubject, MethodTable } from './subject.ts';
import { createWanted, type Wants } from './wanted.ts';

export interface FoldOptions {
  transport: TransportKind;
  methods: MethodTable;
  knownRevisions: readonly string[];
  /** The trace begins within a conversation of that revision, whose handshake nobody recorded. */
  midway?: string;
  emit: EmitSubject;
  /** Tells by some facts of a subject of the kind whether any rule could take it; all are given out when absent. */
  wants?: Wants;
  /** Called when a connection has negotiated (or first declared) its revision. */
  onRevision?: (session: SessionState) => void;
  /** Called when a connection is over, after its last subject. */
  onSessionEnd?: (session: SessionState) => void;
}

export interface LetGo {
  /** Connections that had not ended when a thousand younger ones were there. */
  sessions: number;
  /** Requests that nothing had answered. */
  requests: number;
}

export interface Fold {
  push(event: TraceEvent): void;
  /** What was followed no more, since there was too much of it at a time. */
  letGo(): LetGo;
  /** Ends all connections that are still open, then gives out the `target` subject. */
  end(): void;
}

/** Most messages get nothing from most trackers. */
function join(facts: Record<string, unknown> | undefined, more: Record<string, unknown> | undefined): void {
  if (facts !== undefined && more !== undefined) Object.assign(facts, more);
}

/** What a run of suites notes beside the conversation. */
const marks = new Set<string>(['case', 'step', 'file']);

/** Connections that are followed at a time, and those that are remembered by name when they are over. */
const keptSessions = 1000;
const keptNames = 1_000_000;

export function createFold(options: FoldOptions): Fold {
  const { wants = () => true } = options;
  const crashes = createCrashes((subject) => {
    if (subject.session?.letGo !== true) options.emit(subject);
  });
  const { emit } = crashes;
  const sessions = new Map<string, SessionState>();
  /** Names of connections that are over or were let go, so that what comes late begins no new one. */
  const gone = new Set<string>();
  let letGo = 0;
  const notesOf = perSession(createConnectionNotes);
  const paging = createPaging(emit);
  const listing = createListing();
  const logs = createLogFacts();
  const watch = createResourceWatch();
  const aftermath = createAftermathTracker(emit, wants);
  const wantsMessage = createWanted('message', ['from', 'shape'], wants);
  const lines = createLineTracker(emit);
  const questions = createQuestionTracker(emit);
  const tasks = createTaskTracker(emit);
  const target = createTargetTracker(emit, options.knownRevisions);
  const rpc = createRpcTracker(emit, onAnswered, questions.letGo);
  const authorization = createAuthorizationTracker(emit);
  const http = createHttpTracker(emit, (state) => {
    rpc.httpOver(state);
    authorization.over(state);
  });
  let first = true;

  /** Adds what the other trackers know to the facts of an exchange, once it has its outcome. */
  function onAnswered(record: RpcRecord, facts: Record<string, unknown>): void {
    const { session, method } = record;
    if (record.reply !== undefined && record.from === 'client') {
      const before = session.revision;
      observeHandshakeReply(session, method, { seq: record.events.at(-1)!, message: record.reply });
      if (before === undefined && session.revision !== undefined) options.onRevision?.(session);
      if (session.phase === 'before-initialized' && method !== 'initialize') session.answersBeforeInitialized += 1;
    }
    listing.observe(record, facts);
    join(facts, paging.observe(record));
    tasks.answered(record, facts);
    if (record.from === 'client') {
      if (method === 'tools/call' && record.outcome === 'result') session.toolResults += 1;
      join(facts, toolCallFacts(record, facts.listed));
      join(facts, watch.observe(record));
    }
    target.answered(record);
    crashes.answered(record);
    aftermath.answered(record);
    questions.answered(record);
    logs.answered(record);
  }

  /** The connection of an event; undefined where it is followed no more. */
  function sessionOf(event: TraceEvent): SessionState | undefined {
    let session = sessions.get(event.session);
    if (!session) {
      if (gone.has(event.session)) return undefined;
      // Of more connections than can be named nothing is said: their late events would begin them anew.
      if (gone.size >= keptNames) {
        letGo += 1;
        return undefined;
      }
      if (sessions.size >= keptSessions) dropOldest();
      session = createSessionState(event.session, options.transport);
      if (options.midway !== undefined && first) joinMidway(session, options.midway);
      first = false;
      session.guard = authorization.guard;
      sessions.set(event.session, session);
    }
    return session;
  }

  /** Ends the oldest connection; one that had not ended by itself is let go. */
  function dropOldest(): void {
    const [oldest] = sessions.values();
    if (!oldest) return;
    if (!oldest.ended && oldest.phase !== 'closing') {
      oldest.letGo = true;
      letGo += 1;
    }
    authorization.settle();
    endSession(oldest);
    gone.add(oldest.name);
  }

  function pushMessages(event: TraceEvent, session: SessionState, exchange: HttpState | undefined, replay: boolean): void {
    const notes = notesOf.of(session);
    const items = itemsOf(event);
    const batch: RpcRecord[] = [];
    for (const item of items) {
      if (!isMeantAsMessage(item, session, exchange)) continue;
      if (exchange) http.observeItem(exchange, item);
      const phase = session.phase;
      const copied = !replay && noteServerRequest(notes, item);
      const hadRevision = session.revision !== undefined;
      const place: Place = replay ? placeOfReplay(item, session) : rpc.observe(item, session, exchange);
      if (item.from === 'client' && item.shape === 'request') {
        // A server cannot repeat an id of a type that it may not read.
        if (!isIdType(asObject(item.message)?.id)) notes.afterUnreadable = true;
        if (place.record) place.record.afterUnreadable = notes.afterUnreadable;
      }
      if (!replay && place.record && item.shape === 'request') {
        questions.sent(place.record);
        logs.sent(place.record);
      }
      if (!replay) observeItem(session, item);
      if (item.from === 'server' && item.shape === 'notification') {
        paging.notified(session, methodOf(item.message));
        if (!replay) watch.notified(session, methodOf(item.message), item.message);
      }
      if (!hadRevision && session.revision !== undefined && item.from === 'client') options.onRevision?.(session);
      const subject = place.letGo !== true && wantsMessage(item.from, item.shape, methodOf(item.message))
        ? messageSubject({ item, session, phase, place, http: exchange, methods: options.methods, openStreams: notes.openStreams.size, copied, replay, afterUnreadable: notes.afterUnreadable })
        : undefined;
      if (!replay) {
        join(subject?.facts, tasks.observe(item, session, place, exchange));
        join(subject?.facts, questions.observe(item, session));
        join(subject?.facts, logs.observe(item, session, exchange));
      }
      if (subject) emit(subject);
      if (replay) continue;
      if (item.from === 'server' && !place.letGo) aftermath.received(item, session, place, exchange);
      else if (item.from === 'client') {
        if (place.record && item.shape === 'request') batch.push(place.record);
        if (!item.inBatch) sentOne(item, session, exchange, place);
      }
    }
    if (Array.isArray(event.message) && event.from === 'client') {
      aftermath.sent({ of: 'batch', session, seq: event.seq, message: event.message, batch, http: exchange });
    }
  }

  /** A replay answers nothing anew, but it shows whose message came on which stream. */
  function placeOfReplay(item: RpcItem, session: SessionState): Place {
    const record = rpc.locate(item, session);
    return record ? { record, ...(record.becameTask && item.shape === 'notification' ? { tokenState: 'task' as const } : {}) } : {};
  }

  function sentOne(item: RpcItem, session: SessionState, exchange: HttpState | undefined, { record, ...place }: Place): void {
    const of = aftermathOf(item);
    if (of === 'other') notesOf.of(session).afterUnreadable = true;
    const cancels = item.shape === 'notification' && methodOf(item.message) === 'notifications/cancelled';
    aftermath.sent({
      of,
      session,
      seq: item.seq,
      message: item.message,
      record: of === 'request' ? record : undefined,
      cancels: cancels ? cancelsWhat({ record, ...place }) : undefined,
      cancelsMethod: cancels ? record?.method : undefined,
      answersCancelled: of === 'response' ? record?.cancelSeq !== undefined : undefined,
      http: exchange,
    });
  }

  function endSession(session: SessionState): void {
    lines.endSession(session);
    http.endSession(session);
    rpc.endSession(session);
    aftermath.endSession(session);
    tasks.endSession(session);
    questions.endSession(session);
    logs.endSession(session);
    paging.endSession(session);
    watch.endSession(session);
    target.endSession(session);
    crashes.endSession(session);
    const notes = notesOf.of(session);
    emit(sessionSubject(session, notes.eventIds, notes.maxOpenStreams));
    options.onSessionEnd?.(session);
    sessions.delete(session.name);
    notesOf.forget(session);
  }

  return {
    push(event) {
      target.observe(event);
      tasks.observeEvent(event);
      // Starting and stopping of the harness's own processes opens no connection by itself.
      if (event.kind === 'listening' || marks.has(event.kind) || (event.kind === 'limit' && event.session === '')) return;
      const session = sessionOf(event);
      if (!session) return;
      observeEvent(session, event);
      if (authorization.observe(event, session)) return;
      const exchange = http.observe(event, session);
      if (exchange?.method === 'GET' && !exchange.stream?.resumes) observeListening(session, event);
      if (event.from === 'client' && (event.kind === 'message' || event.kind === 'unparsable')) crashes.sent(event);
      const replay = noteStreamEvent(notesOf.of(session), event, exchange);
      if (event.kind === 'message') pushMessages(event, session, exchange, replay);
      if (event.kind === 'unparsable' && event.from === 'client') {
        notesOf.of(session).afterUnreadable = true;
        aftermath.sent({
          of: 'unparsable',
          session,
          seq: event.seq,
          message: undefined,
          raw: event.raw ?? '',
          http: exchange,
        });
      }
      if (event.kind === 'message' || event.kind === 'unparsable' || event.kind === 'closed') lines.observe(event, session);
      rpc.observeEvent(event, session);
      if (exchange) http.settle(exchange, event);
    },
    letGo: () => ({ sessions: letGo, requests: rpc.letGo }),
    end() {
      authorization.settle();
      for (const session of [...sessions.values()]) endSession(session);
      crashes.end();
      authorization.end();
      target.end(tasks.targetFacts());
    },
  };
}
