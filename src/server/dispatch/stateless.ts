/**
 * Serves requests of the stateless era (2026-07-28): each carries its version and capabilities in
 * _meta, and nothing is remembered from one to the next. Must not read the state of a session.
 */
import { answer, runRegistered } from './running-request.ts';
import type { Host } from '../session/host.ts';
import type { JsonObject, RpcRequest } from '../protocol/json-rpc.ts';
import { errorCode, isObject, RpcError } from '../protocol/json-rpc.ts';
import { listen } from './listen.ts';
import type { Method } from './methods.ts';
import { methods } from './methods.ts';
import type { ReplySink } from '../protocol/reply-sink.ts';
import { isRevision, isStateful, statelessRevision } from '../protocol/revisions.ts';
import type { Session } from '../session/session.ts';
import { InputRequired, statelessContext } from './stateless-context.ts';
import type { Headers } from '../session/stateless-headers.ts';
import { checkHeaders } from '../session/stateless-headers.ts';
import { metaKey } from './stateless-meta.ts';
import { continuedTrace } from './trace-context.ts';

const cachingHints = { ttlMs: 1000, cacheScope: 'public' } as const;

/**
 * True if a request belongs to the stateless era by its body: by the version in _meta, or by a method of this era only.
 * A server of this era alone takes everything as such.
 */
export function isStatelessRequest(host: Host, request: RpcRequest): boolean {
  if (!host.speaksStateless) return false;
  if (host.stateful.length === 0) return true;
  const meta = request.params?._meta;
  const named = isObject(meta) ? meta[metaKey.version] : undefined;
  return named !== undefined || request.method === 'server/discover' || request.method === 'subscriptions/listen';
}

/**
 * Serves one request.
 * @param headers of the HTTP request, which have to repeat parts of the body; absent on stdio
 */
export async function serveStateless(
  session: Session,
  request: RpcRequest,
  sink: ReplySink,
  headers?: Headers,
): Promise<void> {
  if (session.host.behaviour.incoming(request, session, sink)) return;
  const outcome = await runRegistered(session, request, sink, async (running) => {
    const method = methods.get(request.method);
    checkRequest(session, request, method, headers);
    const params = request.params ?? {};
    if (request.method === 'server/discover')
      return complete(session, request, { ...discover(session.host), ...cachingHints });
    if (request.method === 'subscriptions/listen')
      return complete(session, request, await listen(session, request, sink, running.abort.signal));
    const offered = method?.capability === undefined || session.host.offers(method.capability);
    if (method === undefined || !method.eras.includes('stateless') || !offered) {
      throw new RpcError(errorCode.methodNotFound, 'Method not found', { reason: 'unknown-method', status: 404 });
    }
    try {
      const result = await method.serve(
        params,
        statelessContext(session, request, sink, running.abort.signal, headers),
      );
      return complete(session, request, { ...result, ...(method.cached === true ? cachingHints : {}) });
    } catch (thrown) {
      if (thrown instanceof InputRequired) return complete(session, request, thrown.result);
      throw thrown;
    }
  });
  if (outcome !== undefined) answer(session, request, outcome, sink, 'stateless');
}

function complete(session: Session, { params }: RpcRequest, result: JsonObject): JsonObject {
  const meta = isObject(result._meta) ? result._meta : {};
  const trace = isObject(params?._meta) ? continuedTrace(params._meta) : {};
  return {
    resultType: 'complete',
    ...result,
    _meta: { ...trace, ...meta, [metaKey.serverInfo]: session.host.serverInfo },
  };
}

function discover(host: Host): JsonObject {
  return {
    supportedVersions: [statelessRevision],
    capabilities: host.capabilities(statelessRevision),
    instructions: 'A reference server for tests and demonstrations; its tools need no preparation.',
  };
}

/** @throws RpcError for whatever keeps a request from being one of this era */
function checkRequest(
  session: Session,
  request: RpcRequest,
  method: Method | undefined,
  headers: Headers | undefined,
): void {
  const { host } = session;
  const params = request.params ?? {};
  if (request.method === 'initialize' && !isObject(params._meta)) throw versionError(params.protocolVersion);
  const meta = isObject(params._meta) ? params._meta : undefined;
  if (meta === undefined && host.keeps('check-meta')) throw metaError('_meta is missing');
  const version = meta?.[metaKey.version];
  if (meta !== undefined && typeof version !== 'string' && host.keeps('check-meta-version'))
    throw metaError(`${metaKey.version} is missing in _meta`);
  if (headers !== undefined) checkHeaders(host, request, version, method, headers);
  const checksVersion = host.keeps('check-version-everywhere') || request.method === 'server/discover';
  if (version !== undefined && version !== statelessRevision && checksVersion) throw versionError(version);
  if (meta !== undefined && !isObject(meta[metaKey.clientCapabilities]) && host.keeps('check-meta-capabilities')) {
    throw metaError(`${metaKey.clientCapabilities} is missing in _meta`);
  }
  if (meta !== undefined && meta[metaKey.clientInfo] === undefined && !host.keeps('accept-missing-client-info')) {
    throw metaError(`${metaKey.clientInfo} is missing in _meta`);
  }
  if (request.method === 'server/discover') session.memo.set('discovered', true);
  else if (!host.keeps('serve-without-handshake') && !session.memo.has('discovered')) {
    throw new RpcError(errorCode.invalidRequest, 'Call server/discover first', { reason: 'not-discovered' });
  }
}

function metaError(message: string): RpcError {
  return new RpcError(errorCode.invalidParams, message, { reason: 'meta', status: 400 });
}

function versionError(requested: unknown): RpcError {
  const known = isRevision(requested) && isStateful(requested);
  const message = `${known ? 'This version' : 'An unknown version'} is not served this way; supported: ${statelessRevision}`;
  return new RpcError(errorCode.versionUnsupported, message, {
    data: { supported: [statelessRevision], requested: String(requested) },
    reason: 'version-unsupported',
    status: 400,
  });
}
