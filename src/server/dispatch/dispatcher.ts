/**
 * Takes what a client sent, one parsed JSON value at a time, and sees to its answer: sorting, batches, notifications,
 * and the requests of the stateful era. It is independent of transports and features; the stateless era is served in
 * stateless.ts.
 */
import { whenDue } from '../session/due.ts';
import { initialize, initialized, rootsChanged } from './handshake.ts';
import type { Incoming, JsonObject, RpcNotification, RpcRequest } from '../protocol/json-rpc.ts';
import { classify, errorCode, idKey, isObject, RpcError } from '../protocol/json-rpc.ts';
import { methods } from './methods.ts';
import type { ReplySink } from '../protocol/reply-sink.ts';
import { batchSinks } from '../protocol/reply-sink.ts';
import { atLeast } from '../protocol/revisions.ts';
import type { Running, Session } from '../session/session.ts';
import { statefulContext } from '../contexts/stateful-context.ts';
import { answer, runRegistered } from './running-request.ts';
import { isStatelessRequest, serveStateless } from './stateless.ts';

/**
 * Serves one JSON value. Never throws; the sink is finished exactly once, perhaps later.
 * @param stateless session for stateless requests on the same channel; absent where the transport has separated the
 * eras
 */
export function receive(session: Session, payload: unknown, sink: ReplySink, stateless?: Session): void {
  if (!Array.isArray(payload)) return receiveOne(session, payload, sink, stateless);
  const legal = session.revision === '2025-03-26' && session.host.keeps('accept-batches') && payload.length > 0;
  if (!legal) return refuse(session, undefined, 'Batches are not accepted here', 'batch', sink);
  const sinks = batchSinks(sink, payload.length);
  payload.forEach((part: unknown, index) => {
    const partSink = sinks[index] ?? sink;
    if (isObject(part) && part.method === 'initialize')
      refuse(session, classify(part), 'initialize is never part of a batch', 'batch', partSink);
    else receiveOne(session, part, partSink, undefined);
  });
}

function receiveOne(session: Session, message: unknown, sink: ReplySink, stateless: Session | undefined): void {
  if (session.phase === 'closed') return sink.finish([], { reason: 'closed' });
  const incoming = classify(message);
  if (incoming.kind === 'invalid') return refuse(session, incoming, 'Not a valid JSON-RPC message', 'invalid', sink);
  if (incoming.kind === 'request' && stateless !== undefined && eraOf(session, incoming.message) === 'stateless') {
    void serveStateless(stateless, incoming.message, sink);
    return;
  }
  if (session.host.behaviour.incoming(incoming.message, session, sink)) return;
  if (incoming.kind === 'notification') {
    receiveNotification(session, incoming.message);
    sink.finish([], { reason: 'accepted', method: incoming.message.method });
  } else if (incoming.kind === 'response') {
    const outcome = session.settle(incoming.message);
    sink.finish([], { reason: outcome === 'unknown' ? 'unknown-response' : 'accepted' });
  } else {
    void serveStateful(session, incoming.message, sink);
  }
}

/** The era of a request on a channel that carries both: its own, or that of the first one where the server binds itself to that. */
function eraOf(session: Session, request: RpcRequest): 'stateful' | 'stateless' {
  const own = isStatelessRequest(session.host, request) ? 'stateless' : 'stateful';
  if (session.host.keeps('serve-both-eras')) return own;
  session.boundTo ??= own;
  return session.boundTo;
}

/** An error to something that is no request; from 2025-11-25 an unreadable id is left out, before it is null. */
function refuse(
  session: Session,
  incoming: Incoming | undefined,
  message: string,
  reason: string,
  sink: ReplySink,
): void {
  const readable =
    incoming?.kind === 'invalid' ? incoming.id : incoming?.kind === 'request' ? incoming.message.id : undefined;
  const omitted = session.revision !== undefined && atLeast(session.revision, '2025-11-25');
  const id = readable === undefined ? (omitted ? {} : { id: null }) : { id: readable };
  const error = new RpcError(errorCode.invalidRequest, message).toObject();
  const messages = session.prepare({ jsonrpc: '2.0', ...id, error }, { kind: 'error', reason });
  whenDue(messages, () => sink.finish(messages, { status: 400, reason }));
}

/** The error that answers input which is no JSON at all; its id cannot be known. */
export function parseError(session: Session | undefined): JsonObject {
  const omitted = session?.revision !== undefined && atLeast(session.revision, '2025-11-25');
  return { jsonrpc: '2.0', ...(omitted ? {} : { id: null }), error: { code: errorCode.parse, message: 'Parse error' } };
}

function receiveNotification(session: Session, { method, params }: RpcNotification): void {
  if (method === 'notifications/initialized') initialized(session);
  if (method === 'notifications/roots/list_changed') rootsChanged(session);
  if (method === 'notifications/cancelled' && params !== undefined) cancel(session, params.requestId);
}

/** Unknown, finished and malformed ids are ignored, as the revisions ask. */
function cancel(session: Session, requestId: unknown): void {
  const running = session.running.get(idKey(requestId));
  if (running === undefined) return;
  running.cancelled = true;
  if (session.host.keeps('stop-cancelled-work')) running.abort.abort();
}

async function serveStateful(session: Session, request: RpcRequest, sink: ReplySink): Promise<void> {
  const outcome = await runRegistered(session, request, sink, (running) => outcomeOf(session, request, sink, running));
  if (outcome !== undefined) answer(session, request, outcome, sink);
}

async function outcomeOf(
  session: Session,
  request: RpcRequest,
  sink: ReplySink,
  running: Running,
): Promise<JsonObject> {
  if (request.method === 'initialize') return initialize(session, request, sink);
  if (session.phase === 'new' && request.method !== 'ping') {
    throw new RpcError(errorCode.invalidRequest, 'The session has not been initialized', {
      reason: 'not-initialized',
      status: 400,
    });
  }
  const method = methods.get(request.method);
  const offered = method?.capability === undefined || session.host.offers(method.capability);
  if (method === undefined || !method.eras.includes('stateful') || !offered) {
    throw new RpcError(errorCode.methodNotFound, 'Method not found', { reason: 'unknown-method' });
  }
  return method.serve(request.params ?? {}, statefulContext(session, request.params ?? {}, sink, running.abort.signal));
}
