/**
 * The request context of the stateless era: what the client must give is asked for in the result,
 * and the client repeats the request with the answers (multi round-trip).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Change } from './host.ts';
import type { JsonObject, RpcRequest } from './json-rpc.ts';
import { errorCode, isObject, RpcError } from './json-rpc.ts';
import { isLevel, reachesLevel } from './log-levels.ts';
import type { ReplySink } from './reply-sink.ts';
import type { ClientMethod, RequestContext } from './request-context.ts';
import { canAsk, neededCapability, progressReporter } from './request-context.ts';
import { statelessRevision } from './revisions.ts';
import type { Session } from './session.ts';
import { metaKey } from './stateless-meta.ts';

const stateSecret = randomBytes(32);

/** Thrown by a question whose answer is not there yet; carries the result that asks for it. */
export class InputRequired extends Error {
  readonly result: JsonObject;
  constructor(result: JsonObject) {
    super('input required');
    this.result = result;
  }
}

/** Binds a multi round-trip to the request that began it. */
function stateFor(request: RpcRequest): string {
  const about = JSON.stringify([request.method, request.params?.name ?? request.params?.uri ?? null]);
  return createHmac('sha256', stateSecret).update(about).digest('base64url');
}

/** @throws RpcError -32602 for a requestState that this server did not give out for this request */
export function verifyState(request: RpcRequest): void {
  const given = request.params?.requestState;
  if (given === undefined) return;
  const expected = Buffer.from(stateFor(request));
  const actual = Buffer.from(String(given));
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
    throw new RpcError(errorCode.invalidParams, 'requestState was not given out for this request', { reason: 'state' });
  }
}

function missingCapability(method: ClientMethod, params: JsonObject = {}): RpcError {
  const needs = { [neededCapability[method]]: method === 'elicitation/create' ? { [params.mode === 'url' ? 'url' : 'form']: {} } : {} };
  return new RpcError(errorCode.capabilityMissing, `The client has to declare ${neededCapability[method]}`, {
    data: { requiredCapabilities: needs },
    reason: 'capability-missing',
    status: 400,
  });
}

/** @throws RpcError -32602 if _meta names a log level that does not exist */
export function statelessContext(session: Session, request: RpcRequest, sink: ReplySink, signal: AbortSignal): RequestContext {
  const { host } = session;
  const params = request.params ?? {};
  const meta = isObject(params._meta) ? params._meta : {};
  const capabilities = isObject(meta[metaKey.clientCapabilities]) ? (meta[metaKey.clientCapabilities] as JsonObject) : {};
  const threshold = meta[metaKey.logLevel] ?? (host.keeps('log-only-on-request') ? undefined : 'debug');
  if (threshold !== undefined && !isLevel(threshold)) throw new RpcError(errorCode.invalidParams, 'Unknown log level', { reason: 'params' });
  const relate = (message: JsonObject): void => session.relate(message, sink, { era: 'stateless' });
  const announce = (change: Change): void => {
    for (const listener of host.listeners) listener(change);
  };
  return {
    host,
    session,
    transport: session.transport,
    era: 'stateless',
    revision: statelessRevision,
    world: host.world,
    sink,
    signal,
    progress: progressReporter(params, relate),
    log(level, data, logger = 'server') {
      if (!host.offers('logging') || threshold === undefined || !reachesLevel(level, threshold)) return;
      relate({ jsonrpc: '2.0', method: 'notifications/message', params: { level, logger, data } });
    },
    async ask(name, method, questionParams) {
      if (!canAsk(capabilities, method, questionParams)) throw missingCapability(method, questionParams);
      const given = isObject(params.inputResponses) ? params.inputResponses[name] : undefined;
      if (isObject(given)) return given;
      const question = { method, ...(questionParams === undefined ? {} : { params: questionParams }) };
      throw new InputRequired({ resultType: 'input_required', inputRequests: { [name]: question }, requestState: stateFor(request) });
    },
    tell: (method, notice) => relate({ jsonrpc: '2.0', method, params: notice }),
    listChanged(list) {
      const filter = ({ tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' } as const)[list];
      announce({ method: `notifications/${list}/list_changed`, filter });
    },
    resourceUpdated: (uri) => announce({ method: 'notifications/resources/updated', filter: 'resourceSubscriptions', uri }),
    pingClient: () => false,
    dropConnection: () => false,
  };
}
