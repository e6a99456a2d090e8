/**
 * The fold that turns trace events into subjects. Each event is taken in once, in order; a subject is given
 * out when it is complete and then forgotten, so that a trace of any length is judged in bounded memory.
 */
import type { SubjectKind } from '../model/rule.ts';
import type { TraceEvent, TransportKind } from '../model/trace.ts';
import { aftermathOf, createAftermathTracker } from './aftermath-tracker.ts';
import { createAuthorizationTracker } from './authorization-tracker.ts';
import { createHttpTracker, type HttpState } from './http-tracker.ts';
import { createLineTracker } from './line-tracker.ts';
import { createListing } from './listing.ts';
import { createLogFacts } from './log-facts.ts';
import {
  createConnectionNotes,
  isMeantAsMessage,
  noteServerRequest,
  noteStreamEvent,
  type ConnectionNotes,
} from './connection-notes.ts';
import { cancelsWhat, messageSubject } from './message-subject.ts';
import { createPaging } from './paging.ts';
import { createQuestionTracker } from './question-tracker.ts';
import { asObject, isIdType, itemsOf, methodOf, type RpcItem } from './rpc.ts';
import type { Place, RpcRecord } from './rpc-record.ts';
import { createResourceWatch } from './resource-watch.ts';
import { createRpcTracker } from './rpc-tracker.ts';
import { createSessionState, joinMidway, observeEvent, observeHandshakeReply, observeItem, observeListening, type SessionState } from './session-state.ts';
import { sessionSubject } from './session-subject.ts';
import type { EmitSubject, MethodTable } from './subject.ts';
import { createTargetTracker } from './target-tracker.ts';
import { createTaskTracker } from './task-tracker.ts';
import { toolCallFacts } from './tool-call.ts';

export interface FoldOptions {
  transport: TransportKind;
  methods: MethodTable;
  knownRevisions: readonly string[];
  /** The trace begins within a conversation of that revision, whose handshake nobody recorded. */
  midway?: string;
  emit: EmitSubject;
  /** Tells by some facts of a subject of the kind whether any rule could take it; all are given out when absent. */
  wants?: (kind: SubjectKind, known: Record<string, unknown>) => boolean;
  /** Called when a connection has negotiated (or first declared) its revision. */
  onRevision?: (session: SessionState) => void;
  /** Called when a connection is over, after its last subject. */
  onSessionEnd?: (session: SessionState) => void;
}

export interface Fold {
  push(event: TraceEvent): void;
  /** Ends all connections that are still open, then gives out the `target` subject. */
  end(): void;
}

/** Most messages get nothing from most trackers. */
function join(facts: Record<string, unknown>, more: Record<string, unknown> | undefined): void {
  if (more !== undefined) Object.assign(facts, more);
}

export function createFold(options: FoldOptions): Fold {
  const { emit } = options;
  const sessions = new Map<string, SessionState>();
  const notesOf = new Map<SessionState, ConnectionNotes>();
  const paging = createPaging(emit);
  const listing = createListing();
  const logs = createLogFacts();
  const watch = createResourceWatch();
  const aftermath = createAftermathTracker(emit, (known) => options.wants?.('aftermath', known) ?? true);
  const lines = createLineTracker(emit);
  const questions = createQuestionTracker(emit);
  const tasks = createTaskTracker(emit);
  const target = createTargetTracker(emit, options.knownRevisions);
  const rpc = createRpcTracker(emit, onAnswered);
  const authorization = createAuthorizationTracker(emit);
  const http = createHttpTracker(emit, (state) => {
    rpc.httpOver(state);
    authorization.over(state);
  });
  let first = true;

  /** What the other trackers know of an exchange, once it has its outcome. */
  function onAnswered(record: RpcRecord): Record<string, unknown> {
    if (record.reply !== undefined && record.from === 'client') {
      const before = record.session.revision;
      observeHandshakeReply(record.session, record.method, { seq: record.events.at(-1)!, message: record.reply });
      if (before === undefined && record.session.revision !== undefined) options.onRevision?.(record.session);
      if (record.session.phase === 'before-initialized' && record.method !== 'initialize') {
        record.session.answersBeforeInitialized += 1;
      }
    }
    const listed = listing.observe(record);
    const beside: Record<string, unknown> = { ...paging.observe(record), ...listed, ...tasks.answered(record, listed.listed) };
    if (record.from === 'client') {
      if (record.method === 'tools/call' && record.outcome === 'result') record.session.toolResults += 1;
      Object.assign(beside, toolCallFacts(record, listed.listed), watch.observe(record));
    }
    target.answered(record);
    aftermath.answered(record);
    questions.answered(record);
    logs.answered(record);
    return beside;
  }

  function sessionOf(event: TraceEvent): SessionState {
    let session = sessions.get(event.session);
    if (!session) {
      session = createSessionState(event.session, options.transport);
      if (options.midway !== undefined && first) joinMidway(session, options.midway);
      first = false;
      session.guard = authorization.guard;
      sessions.set(event.session, session);
      notesOf.set(session, createConnectionNotes());
    }
    return session;
  }

  function pushMessages(event: TraceEvent, session: SessionState, exchange: HttpState | undefined, replay: boolean): void {
    const notes = notesOf.get(session)!;
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
      const subject = messageSubject({
        item,
        session,
        phase,
        place,
        http: exchange,
        methods: options.methods,
        openStreams: notes.openStreams.size,
        copied,
        replay,
        afterUnreadable: notes.afterUnreadable,
      });
      if (!replay) {
        join(subject.facts, tasks.observe(item, session, place, exchange));
        join(subject.facts, questions.observe(item, session));
        join(subject.facts, logs.observe(item, session, exchange));
      }
      emit(subject);
      if (replay) continue;
      if (item.from === 'server') aftermath.received(item, session, place, exchange);
      else if (item.from === 'client') {
        if (place.record && item.shape === 'request') batch.push(place.record);
        if (!item.inBatch) sentOne(item, session, exchange, place);
      }
    }
    if (Array.isArray(event.message) && event.from === 'client') {
      aftermath.sent({ of: 'batch', session, seq: event.seq, message: event.message, batch, ...(exchange ? { http: exchange } : {}) });
    }
  }

  /** A replay answers nothing anew, but it shows whose message came on which stream. */
  function placeOfReplay(item: RpcItem, session: SessionState): Place {
    const record = rpc.locate(item, session);
    return record ? { record, ...(record.becameTask && item.shape === 'notification' ? { tokenState: 'task' as const } : {}) } : {};
  }

  function sentOne(item: RpcItem, session: SessionState, exchange: HttpState | undefined, { record, ...place }: Place): void {
    const of = aftermathOf(item);
    if (of === 'other') notesOf.get(session)!.afterUnreadable = true;
    aftermath.sent({
      of,
      session,
      seq: item.seq,
      message: item.message,
      ...(record && of === 'request' ? { record } : {}),
      ...(item.shape === 'notification' && methodOf(item.message) === 'notifications/cancelled'
        ? { cancels: cancelsWhat({ record, ...place }), cancelsMethod: record?.method }
        : {}),
      ...(of === 'response' ? { answersCancelled: record?.cancelSeq !== undefined } : {}),
      ...(exchange ? { http: exchange } : {}),
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
    const notes = notesOf.get(session)!;
    emit(sessionSubject(session, notes.eventIds, notes.maxOpenStreams));
    options.onSessionEnd?.(session);
    sessions.delete(session.name);
    notesOf.delete(session);
  }

  return {
    push(event) {
      target.observe(event);
      tasks.observeEvent(event);
      // Starting and stopping of the harness's own processes opens no connection by itself.
      if (event.kind === 'listening' || (event.kind === 'limit' && event.session === '')) return;
      const session = sessionOf(event);
      observeEvent(session, event);
      if (authorization.observe(event, session)) return;
      const exchange = http.observe(event, session);
      if (exchange?.method === 'GET' && !exchange.stream?.resumes) observeListening(session, event);
      const replay = noteStreamEvent(notesOf.get(session)!, event, exchange);
      if (event.kind === 'message') pushMessages(event, session, exchange, replay);
      if (event.kind === 'unparsable' && event.from === 'client') {
        notesOf.get(session)!.afterUnreadable = true;
        aftermath.sent({
          of: 'unparsable',
          session,
          seq: event.seq,
          message: undefined,
          raw: event.raw ?? '',
          ...(exchange ? { http: exchange } : {}),
        });
      }
      if (event.kind === 'message' || event.kind === 'unparsable' || event.kind === 'closed') lines.observe(event, session);
      rpc.observeEvent(event, session);
      if (exchange) http.settle(exchange, event);
    },
    end() {
      authorization.settle();
      for (const session of [...sessions.values()]) endSession(session);
      authorization.end();
      target.end(tasks.targetFacts());
    },
  };
}
