/**
 * Follows HTTP exchanges (Streamable HTTP and HTTP+SSE) from request to the end of the reply, and makes the
 * `http` and `stream` subjects. Knows headers and statuses; pairing JSON-RPC ids is the rpc tracker's work.
 */
import { asObject, isObject } from '../../model/json.ts';
import type { HeaderMap, TraceEvent } from '../../model/trace.ts';
import { bearerChallenge, challengesIn } from '../authorization/challenge.ts';
import { credentialsOf } from '../authorization/credentials.ts';
import { perSession } from '../core/per-session.ts';
import type { EmitSubject } from '../core/subject.ts';
import { isResponse, methodOf, type RpcItem } from '../jsonrpc/rpc.ts';
import type { SessionState } from '../session/session-state.ts';
import { header, mediaType } from './header.ts';
import type { HttpState } from './http-state.ts';
import { createStream, observeStreamEvent, streamSubject } from './stream-state.ts';

const keptReplies = 50;
const keptEvents = 200;
const keptEventIds = 20_000;

export interface HttpTracker {
  /** The exchange that the event belongs to, after taking the event in. */
  observe(event: TraceEvent, session: SessionState): HttpState | undefined;
  /** Client messages of a POST and server messages of its reply. */
  observeItem(state: HttpState, item: RpcItem): void;
  /** Called after the messages of an event were taken in: gives out the exchange when it is over. */
  settle(state: HttpState, event: TraceEvent): void;
  endSession(session: SessionState): void;
}

/** @param onOver called once for each exchange whose reply is over, before its subject is given out */
export function createHttpTracker(emit: EmitSubject, onOver: (state: HttpState) => void): HttpTracker {
  const open = new Map<string, HttpState>();
  const eventIds = perSession(() => new Map<string, HttpState | undefined>());

  /** Remembers which stream gave the event its id; of an id that two streams gave, neither. */
  function noteEventId(state: HttpState, id: string): void {
    const owners = eventIds.of(state.session);
    if (!owners.has(id)) {
      if (owners.size < keptEventIds) owners.set(id, state.resumed ?? state);
    } else if (!state.stream?.resumes && owners.get(id) !== state) owners.set(id, undefined);
  }

  function finish(state: HttpState): void {
    if (state.done) return;
    state.done = true;
    open.delete(state.id);
    noteSession(state);
    if (state.resumed && resumesNothing(state)) state.resumed.resumedInVain = true;
    onOver(state);
    emit({ kind: 'http', session: state.session, facts: httpFacts(state), events: state.events });
    if (state.stream) emit(streamSubject(state, state.stream));
    // Others may remember the exchange for long, but nobody asks for its messages again.
    state.replies = [];
  }

  return {
    observe(event, session) {
      if (event.exchange === undefined) return undefined;
      let state = open.get(event.exchange);
      if (event.kind === 'http-request') {
        state = start(event, session);
        const resumed = eventIds.find(session)?.get(header(state.requestHeaders, 'last-event-id') ?? '');
        if (resumed) state.resumed = resumed;
        if (state.method === 'DELETE' && state.sessionHeader === 'current') session.deleting = true;
        open.set(state.id, state);
      }
      if (!state) return undefined;
      if (state.events.length < keptEvents) state.events.push(event.seq);
      if (event.from === 'server' && event.sse?.id) noteEventId(state, event.sse.id);
      if (event.kind === 'http-response') {
        state.status = event.http?.status;
        state.responseHeaders = event.http?.headers ?? {};
        state.challenges = challengesIn(state.responseHeaders);
        state.contentType = mediaType(state.responseHeaders);
        state.bodyBytes = event.http?.bodyBytes;
        state.body = event.http?.body;
        noteIssuedSession(state);
      } else if (event.kind === 'sse-open') {
        state.stream = createStream(event.seq, header(state.requestHeaders, 'last-event-id') !== undefined);
      } else if (event.kind === 'timeout') {
        if (event.what === 'stream' && state.stream) observeStreamEvent(state.stream, event, []);
        else state.timedOut = true;
      } else if (event.kind === 'limit') {
        state.overLimit = true;
      } else if (state.stream && event.from === 'server' && event.kind === 'sse-event') {
        observeStreamEvent(state.stream, event, []);
      } else if (event.kind === 'closed') {
        state.closed = event.from;
      }
      return state;
    },

    observeItem(state, item) {
      if (item.from === 'client') {
        carry(state, item);
        return;
      }
      state.replyCount += 1;
      if (state.replies.length < keptReplies) state.replies.push(item);
      if (state.stream) observeStreamEvent(state.stream, item.event, [item]);
    },

    settle(state, event) {
      if (event.kind === 'unparsable' && event.from === 'client') state.carries = 'unparsable';
      if (event.kind === 'sse-close') {
        if (state.stream) state.stream.closedBy = closerOf(event, state.session);
        finish(state);
      } else if (event.kind === 'closed') finish(state);
      else if (event.kind === 'http-response') {
        const streaming = state.contentType === 'text/event-stream' && (state.status ?? 0) < 300;
        const jsonFollows = (state.bodyBytes ?? 0) > 0 && state.body === undefined;
        if (!streaming && !jsonFollows) finish(state);
      } else if (!state.stream && state.status !== undefined && event.from === 'server') finish(state);
    },

    endSession(session) {
      for (const state of [...open.values()]) if (state.session === session) finish(state);
      eventIds.forget(session);
    },
  };
}

function start(event: TraceEvent, session: SessionState): HttpState {
  const headers = event.http?.headers ?? {};
  const path = event.http?.path ?? '/';
  const sent = header(headers, 'mcp-session-id');
  return {
    id: event.exchange!,
    session,
    seq: event.seq,
    method: event.http?.method ?? 'GET',
    path,
    requestHeaders: headers,
    credentials: credentialsOf(headers, path),
    challenges: [],
    carries: 'none',
    rpcIds: [],
    phase: session.phase,
    sessionHeader:
      sent === undefined ? 'absent' : sent !== session.sessionId ? 'other' : session.deleted ? 'ended' : 'current',
    replies: [],
    replyCount: 0,
    timedOut: false,
    done: false,
    events: [],
  };
}

function carry(state: HttpState, item: RpcItem): void {
  if (item.inBatch) state.carries = 'batch';
  else if (item.shape === 'request' || item.shape === 'notification') state.carries = item.shape;
  else state.carries = isResponse(item.shape) ? 'response' : 'other';
  if (item.shape === 'request' || item.shape === 'notification') {
    state.rpcMethod ??= methodOf(item.message);
    state.rpcParams ??= asObject(item.message)?.params;
    state.rpcIds.push(asObject(item.message)?.id);
  }
}

function succeeded(state: HttpState): boolean {
  return state.status !== undefined && state.status >= 200 && state.status < 300;
}

/** Whether the reply to a GET with Last-Event-ID says that nothing can be had any more; an empty stream only says: not yet. */
function resumesNothing(state: HttpState): boolean {
  return [400, 404, 405, 406, 410, 501].includes(state.status ?? 0);
}

/** The session id is known as soon as the headers of the initialize reply are (2025-03-26: transports, session management). */
function noteIssuedSession(state: HttpState): void {
  const issued = header(state.responseHeaders, 'mcp-session-id');
  if (state.rpcMethod === 'initialize' && issued !== undefined && succeeded(state)) state.session.sessionId ??= issued;
}

/** A server that ends streams because the client deletes the session drops none of them. */
function closerOf(event: TraceEvent, session: SessionState): string {
  return event.from === 'server' && session.deleting ? 'client' : event.from;
}

function noteSession(state: HttpState): void {
  if (state.method !== 'DELETE' || state.sessionHeader !== 'current') return;
  if (succeeded(state)) state.session.deleted = true;
  else state.session.deleting = false;
}

function originKind(headers: HeaderMap): string {
  const origin = header(headers, 'origin');
  if (origin === undefined) return 'absent';
  const host = header(headers, 'host');
  try {
    return new URL(origin).host === host ? 'own' : 'foreign';
  } catch {
    return 'foreign';
  }
}

function firstResponse(state: HttpState): RpcItem | undefined {
  return state.replies.find((item) => isResponse(item.shape));
}

function httpFacts(state: HttpState): Record<string, unknown> {
  const reply = firstResponse(state);
  const error = asObject(asObject(reply?.message)?.error);
  return {
    method: state.method,
    path: state.path,
    requestHeaders: state.requestHeaders,
    carries: state.carries,
    rpcMethod: state.rpcMethod,
    rpcParams: state.rpcParams,
    phase: state.phase,
    sessionHeader: state.sessionHeader,
    sessionIssued: state.session.sessionId !== undefined,
    versionHeader: header(state.requestHeaders, 'mcp-protocol-version'),
    origin: originKind(state.requestHeaders),
    credentials: state.credentials,
    challenge: bearerChallenge(state.challenges)?.parameters,
    lastEventId: header(state.requestHeaders, 'last-event-id'),
    outcome: state.status !== undefined ? 'response' : state.closed ? 'closed' : state.timedOut ? 'timeout' : 'pending',
    status: state.status,
    success: state.status === undefined ? undefined : succeeded(state),
    responseHeaders: state.responseHeaders,
    contentType: state.contentType,
    bodyBytes: state.bodyBytes,
    reply: reply ? reply.shape : 'none',
    replyMessage: reply?.message,
    errorCode: error?.code,
    replyCount: state.replyCount,
    batchReply: state.replies.some((item) => item.inBatch),
    jsonRpcReply: isObject(reply?.message) && reply.message.jsonrpc === '2.0',
  };
}
