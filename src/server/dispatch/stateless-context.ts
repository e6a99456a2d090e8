/**
 * The request context of the stateless era: what the client must give is asked for in the result,
 * and the client repeats the request with the answers (multi round-trip).
 */
import type { Change, Host } from '../session/host.ts';
import type { JsonObject, RpcRequest } from '../protocol/json-rpc.ts';
import { errorCode, isObject, RpcError } from '../protocol/json-rpc.ts';
import { isLevel, reachesLevel } from '../protocol/log-levels.ts';
import type { ReplySink } from '../protocol/reply-sink.ts';
import type { ClientMethod, Questions, RequestContext } from '../session/request-context.ts';
import { canAsk, neededCapability, progressReporter } from '../session/request-context.ts';
import { statelessRevision } from '../protocol/revisions.ts';
import { openState, sealState } from './sealed-state.ts';
import type { Session } from '../session/session.ts';
import type { Headers } from '../session/stateless-headers.ts';
import { metaKey } from './stateless-meta.ts';

/** Thrown by a question whose answer is not there yet; carries the result that asks for it. */
export class InputRequired extends Error {
  readonly result: JsonObject;
  constructor(result: JsonObject) {
    super('input required');
    this.result = result;
  }
}

function missingCapability(method: ClientMethod, params: JsonObject = {}): RpcError {
  const needs = {
    [neededCapability[method]]: method === 'elicitation/create' ? { [params.mode === 'url' ? 'url' : 'form']: {} } : {},
  };
  return new RpcError(errorCode.capabilityMissing, `The client has to declare ${neededCapability[method]}`, {
    data: { requiredCapabilities: needs },
    reason: 'capability-missing',
    status: 400,
  });
}

/**
 * The answers that a retry brings.
 * @throws RpcError -32602 when they are no object
 */
function responsesIn({ inputResponses }: JsonObject, host: Host): JsonObject | undefined {
  if (inputResponses === undefined || isObject(inputResponses)) return inputResponses ?? {};
  if (host.keeps('check-input-responses'))
    throw new RpcError(errorCode.invalidParams, 'inputResponses has to be an object', { reason: 'input-responses' });
  return undefined;
}

/** True if a value has the required members of an answer to the method. */
function isAnswerTo(method: ClientMethod, value: unknown): boolean {
  if (!isObject(value)) return false;
  if (method === 'roots/list') return Array.isArray(value.roots);
  return method === 'sampling/createMessage'
    ? typeof value.role === 'string' && value.content !== undefined
    : ['accept', 'decline', 'cancel'].includes(String(value.action));
}

/** @throws RpcError -32602 if _meta names a log level that does not exist, or for a state that is not this request's */
export function statelessContext(
  session: Session,
  request: RpcRequest,
  sink: ReplySink,
  signal: AbortSignal,
  headers?: Headers,
): RequestContext {
  const { host } = session;
  const params = request.params ?? {};
  const meta = isObject(params._meta) ? params._meta : {};
  const capabilities = isObject(meta[metaKey.clientCapabilities])
    ? (meta[metaKey.clientCapabilities] as JsonObject)
    : {};
  const asked = meta[metaKey.logLevel];
  const threshold = isLevel(asked) ? asked : host.keeps('log-only-on-request') ? undefined : 'debug';
  if (asked !== undefined && !isLevel(asked) && host.keeps('check-log-level'))
    throw new RpcError(errorCode.invalidParams, 'Unknown log level', { reason: 'params' });
  const relate = (message: JsonObject): void => session.relate(message, sink, { era: 'stateless' });
  const announce = (change: Change): void => {
    for (const listener of host.listeners) listener(change);
  };
  const earlier = openState(host, request);
  // Undefined where whatever came is taken for the answers.
  const brought = earlier === undefined ? {} : responsesIn(params, host);
  /** Answers that the work has made use of so far. */
  const used: JsonObject = { ...earlier };

  /** Asks for all that is not answered yet in one result. */
  async function askAll(
    questions: Questions,
    { sealed = true }: { sealed?: boolean } = {},
  ): Promise<Record<string, JsonObject>> {
    const responses = sealed || earlier !== undefined ? brought : responsesIn(params, host);
    const answers: Record<string, JsonObject> = {};
    const open: JsonObject = {};
    for (const [name, question] of Object.entries(questions)) {
      if (!canAsk(capabilities, question.method, question.params) && host.keeps('ask-only-declared-capabilities'))
        throw missingCapability(question.method, question.params);
      const given = earlier?.[name] ?? responses?.[name] ?? (responses === undefined ? {} : undefined);
      if (given === undefined) open[name] = question;
      else if (!isAnswerTo(question.method, given) && host.keeps('check-input-responses'))
        throw new RpcError(errorCode.invalidParams, `The answer to ${name} is none`, { reason: 'input-responses' });
      else used[name] = answers[name] = isObject(given) ? given : {};
    }
    if (Object.keys(open).length === 0) return answers;
    throw new InputRequired({
      resultType: 'input_required',
      inputRequests: open,
      ...(sealed ? { requestState: sealState(request, used) } : {}),
    });
  }

  return {
    host,
    session,
    transport: session.transport,
    era: 'stateless',
    revision: statelessRevision,
    world: host.world,
    clientCapabilities: capabilities,
    sink,
    signal,
    ...(headers === undefined ? {} : { headers }),
    progress: progressReporter(params, relate),
    log(level, data, logger = 'server') {
      if (!host.offers('logging') || threshold === undefined || !reachesLevel(level, threshold)) return;
      relate({ jsonrpc: '2.0', method: 'notifications/message', params: { level, logger, data } });
    },
    ask: async (name, method, questionParams) =>
      (await askAll({ [name]: { method, ...(questionParams === undefined ? {} : { params: questionParams }) } }))[
        name
      ]!,
    askTogether: askAll,
    tell: (method, notice) => relate({ jsonrpc: '2.0', method, params: notice }),
    listChanged(list) {
      const filter = (
        { tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' } as const
      )[list];
      announce({ method: `notifications/${list}/list_changed`, filter });
    },
    resourceUpdated: (uri) =>
      announce({ method: 'notifications/resources/updated', filter: 'resourceSubscriptions', uri }),
    pingClient: () => false,
    dropConnection: () => false,
  };
}
