/**
 * Follows HTTP exchanges (Streamable HTTP and HTTP+SSE) from request to the end of the reply. Knows headers and
 * statuses; pairing JSON-RPC ids is the rpc tracker's work, subjects are made by the http feature.
 */
import { asObject } from '../../model/json.ts';
import type { HeaderMap, TraceEvent } from '../../model/trace.ts';
import { challengesIn } from '../values/challenge.ts';
import { credentialsOf } from '../values/credentials.ts';
import { perSession } from '../state/per-session.ts';
import { isResponse, methodOf, sentShape, type RpcItem } from '../values/rpc.ts';
import type { SessionState } from '../state/session-state.ts';
import { header, mediaType } from '../values/header.ts';
import type { HttpState } from './http-state.ts';
import { createLetIn } from './let-in.ts';
import { mayEndSession } from './session-end.ts';
import { createStream, observeStreamEvent, observeStreamMisfit, observeStreamText } from './stream-state.ts';

const keptReplies = 50;
const keptEvents = 200;
const keptEventIds = 20_000;

export interface HttpTracker {
  /** The exchange that the event belongs to, after taking the event in. */
  observe(event: TraceEvent, session: SessionState): HttpState | undefined;
  /** Client messages of a POST and server messages of its reply. */
  observeItem(state: HttpState, item: RpcItem): void;
  /** Called after the messages of an event were taken in. @returns whether the reply is over by it */
  settle(state: HttpState, event: TraceEvent): boolean;
  /** Exchanges of a connection whose replies are not over. */
  open(session: SessionState): HttpState[];
  /** Ends an exchange. @returns false when it had ended */
  finish(state: HttpState): boolean;
  endSession(session: SessionState): void;
}

export function createHttpTracker(): HttpTracker {
  const open = new Map<string, HttpState>();
  const eventIds = perSession(() => new Map<string, HttpState | undefined>());
  const letIn = createLetIn();

  /** Remembers which stream gave the event its id; of an id that two streams gave, neither. */
  function noteEventId(state: HttpState, id: string): void {
    const owners = eventIds.of(state.session);
    if (!owners.has(id)) {
      if (owners.size < keptEventIds) owners.set(id, state.resumed ?? state);
    } else if (!state.stream?.resumes && owners.get(id) !== state) owners.set(id, undefined);
  }

  function finish(state: HttpState): boolean {
    if (state.done) return false;
    state.done = true;
    open.delete(state.id);
    noteSession(state);
    letIn.note(state);
    if (state.resumed && resumesNothing(state) && !mayEndSession(state)) state.resumed.resumptionRefused = true;
    return true;
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
      if (event.sse?.event === 'endpoint') session.endpointNamed = true;
      if ((event.sse?.comments ?? 0) > 0) state.commented = true;
      if (event.kind === 'http-response') {
        state.status = event.http?.status;
        state.responseHeaders = event.http?.headers ?? {};
        if (event.http?.spelled !== undefined) state.replySpelled = event.http.spelled;
        state.challenges = challengesIn(state.responseHeaders);
        state.contentType = mediaType(state.responseHeaders);
        state.bodyBytes = event.http?.bodyBytes;
        state.body = event.http?.body;
        // Over HTTP/2 names have no letter case.
        if (event.http?.version === '2') delete state.spelled;
        state.framed = isFramed(event.http?.version, state.responseHeaders);
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
      } else if (state.stream && event.from === 'server' && event.kind === 'unparsable') {
        observeStreamText(state.stream, event.raw ?? '');
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
      if (state.replies.length < keptReplies) state.replies.push(item);
      if (!state.stream) return;
      observeStreamEvent(state.stream, item.event, [item]);
      observeStreamMisfit(state.stream, item, state.rpcIds);
    },

    settle(state, event) {
      if (event.kind === 'unparsable' && event.from === 'client') state.carries = 'unparsable';
      if (event.kind === 'sse-close' && state.stream) {
        state.stream.closedBy = closerOf(event, state);
      }
      return isOver(state, event) && finish(state);
    },

    open: (session) => [...open.values()].filter((state) => state.session === session),
    finish,

    endSession(session) {
      eventIds.forget(session);
    },
  };
}

function isOver(state: HttpState, { kind, from }: TraceEvent): boolean {
  if (kind === 'sse-close' || kind === 'closed') return true;
  if (kind === 'http-response') {
    const streaming = state.contentType === 'text/event-stream' && (state.status ?? 0) < 300;
    const jsonFollows = (state.bodyBytes ?? 0) > 0 && state.body === undefined;
    return !streaming && !jsonFollows;
  }
  return !state.stream && state.status !== undefined && from === 'server';
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
    ...(event.http?.spelled === undefined ? {} : { spelled: event.http.spelled }),
    credentials: credentialsOf(headers, path),
    challenges: [],
    carries: 'none',
    rpcIds: [],
    deviates: event.deviation !== undefined,
    phase: session.phase,
    sessionIssued: session.sessionId !== undefined && !session.deleting,
    endpointNamed: session.endpointNamed === true,
    sessionHeader:
      sent === undefined
        ? 'absent'
        : sent !== session.sessionId
          ? 'other'
          : session.deletedSeq !== undefined
            ? 'ended'
            : 'current',
    replies: [],
    timedOut: false,
    done: false,
    events: [],
  };
}

function carry(state: HttpState, item: RpcItem): void {
  if (item.event.deviation !== undefined) state.deviates = true;
  if (item.inBatch) state.carries = 'batch';
  else state.carries = isResponse(item.shape) ? 'response' : sentShape(item);
  if (item.shape === 'request' || item.shape === 'notification') {
    if (!item.inBatch) state.rpcMessage = item.message;
    state.rpcMethod ??= methodOf(item.message);
    state.rpcParams ??= asObject(item.message)?.params;
    state.rpcIds.push(asObject(item.message)?.id);
  }
}

export function succeeded(state: HttpState): boolean {
  return state.status !== undefined && state.status >= 200 && state.status < 300;
}

/**
 * True if the reply to a GET with Last-Event-ID says that nothing is available any more; an empty stream only means:
 * not yet.
 */
function resumesNothing(state: HttpState): boolean {
  return [400, 404, 405, 406, 410, 501].includes(state.status ?? 0);
}

/** The session id is known as soon as the headers of the initialize reply are (2025-03-26: transports, session management). */
function noteIssuedSession(state: HttpState): void {
  const issued = header(state.responseHeaders, 'mcp-session-id');
  if (state.rpcMethod === 'initialize' && issued !== undefined && succeeded(state)) state.session.sessionId ??= issued;
}

/**
 * Which side closed an event stream. A server that ends streams because the client deletes the session drops none of
 * them. A disconnection may happen at any time, by whatever is on the way, and is no act of anybody (2025-03-26:
 * basic/transports, sending messages to the server).
 */
function closerOf({ from, reason }: TraceEvent, { session, framed }: HttpState): string {
  if (from !== 'server') return from;
  if (session.deleting) return 'client';
  // Where the head says how the body ends, its end is the word of the server, also in the middle of an event.
  const inOrder =
    reason === undefined ||
    reason === 'ended by the server' ||
    (framed === true && reason === 'ended by the server, within an event');
  return inOrder ? 'server' : 'lost';
}

/** True if the end of a body differs from that of its connection (RFC 9112, 6.3; RFC 9113, 8.1). */
function isFramed(version: string | undefined, headers: HeaderMap): boolean {
  return (
    version === '2' ||
    header(headers, 'content-length') !== undefined ||
    header(headers, 'transfer-encoding')?.toLowerCase().includes('chunked') === true
  );
}

function noteSession(state: HttpState): void {
  if (state.method !== 'DELETE' || state.sessionHeader !== 'current') return;
  if (succeeded(state)) {
    state.session.deletedSeq = state.seq;
    state.session.deletion = state.events.slice(0, 2);
  } else state.session.deleting = false;
}
