/**
 * The handshake of the stateful era: the answer to initialize and what follows the client's
 * notifications/initialized. Must not be used for stateless requests.
 */
import type { JsonObject, RpcRequest } from '../protocol/json-rpc.ts';
import { errorCode, isObject, RpcError } from '../protocol/json-rpc.ts';
import type { ReplySink } from '../protocol/reply-sink.ts';
import type { StatefulRevision } from '../protocol/revisions.ts';
import type { Session } from '../session/session.ts';

/**
 * Agrees on a revision and remembers what the client declared.
 * @throws RpcError -32602 for parameters without the required members, -32600 for a second handshake
 */
export function initialize(session: Session, request: RpcRequest, sink: ReplySink): JsonObject {
  const { host } = session;
  const params = request.params ?? {};
  if (session.phase !== 'new')
    throw new RpcError(errorCode.invalidRequest, 'The session is initialized already', { reason: 'invalid' });
  if (typeof params.protocolVersion !== 'string' || !isObject(params.capabilities) || !isObject(params.clientInfo)) {
    throw new RpcError(errorCode.invalidParams, 'initialize needs protocolVersion, capabilities and clientInfo', {
      reason: 'params',
    });
  }
  const named = host.behaviour.negotiate(params.protocolVersion, host.stateful);
  // A mutation may name a revision that does not exist; the session then goes on in the newest.
  const revision: StatefulRevision =
    host.stateful.find((known) => known === named) ?? host.stateful.at(-1) ?? '2025-11-25';
  session.revision = revision;
  session.clientCapabilities = params.capabilities;
  session.initializeId = request.id;
  session.phase = 'initializing';
  host.behaviour.onInitializing(session, sink);
  return {
    protocolVersion: named,
    capabilities: host.capabilities(revision),
    serverInfo: host.serverInfo,
    instructions: 'A reference server for tests and demonstrations; its tools need no preparation.',
  };
}

/** The client is ready: from now on the server may send requests, and begins with a ping. */
export function initialized(session: Session): void {
  if (session.phase !== 'initializing') return;
  session.phase = 'ready';
  session.log('info', 'the session is ready');
  session.request('ping').catch(ignored);
  rootsChanged(session);
  session.host.behaviour.onInitialized(session);
}

/** Requests the roots of a client that has some, at the beginning and after each change. */
export function rootsChanged(session: Session): void {
  if (session.phase === 'ready' && isObject(session.clientCapabilities.roots))
    session.request('roots/list').catch(ignored);
}

/** Nothing depends on these answers; a client that fails to give them loses nothing. */
function ignored(): void {}
