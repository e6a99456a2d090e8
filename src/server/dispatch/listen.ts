/**
 * subscriptions/listen of the stateless era: acknowledges what will be sent, then sends it until
 * the client cancels. Must not send anything that the filter does not name.
 */
import type { Change, Host } from '../session/host.ts';
import type { JsonObject, RpcRequest } from '../protocol/json-rpc.ts';
import { errorCode, isObject, RpcError } from '../protocol/json-rpc.ts';
import type { ReplySink } from '../protocol/reply-sink.ts';
import type { Session } from '../session/session.ts';
import { demandTasks } from '../session/extension-task.ts';
import { metaKey } from './stateless-meta.ts';

const flags = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;

/** The part of the filter that this server honours: all known members of the right type. */
function granted(filter: JsonObject, host: Host): JsonObject {
  const subset: JsonObject = host.keeps('grant-known-types-alone') ? {} : { ...filter };
  for (const flag of flags) if (filter[flag] === true) subset[flag] = true;
  const uris = filter.resourceSubscriptions;
  if (Array.isArray(uris)) subset.resourceSubscriptions = uris.filter((uri) => typeof uri === 'string');
  const ids = filter.taskIds;
  if (Array.isArray(ids)) subset.taskIds = ids.filter((id) => typeof id === 'string');
  return subset;
}

function declaredCapabilities({ params }: RpcRequest): JsonObject {
  const meta = isObject(params?._meta) ? params._meta : {};
  const declared = meta[metaKey.clientCapabilities];
  return isObject(declared) ? declared : {};
}

function wants(filter: JsonObject, change: Change): boolean {
  if (change.filter === 'taskIds') return Array.isArray(filter.taskIds) && filter.taskIds.includes(change.taskId);
  if (change.filter !== 'resourceSubscriptions') return filter[change.filter] === true;
  return Array.isArray(filter.resourceSubscriptions) && filter.resourceSubscriptions.includes(change.uri);
}

/**
 * Stays open until the signal aborts, or the session ends all listeners.
 * @throws RpcError -32602 without a filter object; -32021 for tasks if the client does not declare the extension
 */
export function listen(
  session: Session,
  request: RpcRequest,
  sink: ReplySink,
  signal: AbortSignal,
): Promise<JsonObject> {
  const filter = request.params?.notifications;
  if (!isObject(filter))
    throw new RpcError(errorCode.invalidParams, 'The parameter notifications is missing', { reason: 'params' });
  if (filter.taskIds !== undefined && session.host.keeps('refuse-undeclared-task-listening'))
    demandTasks(declaredCapabilities(request));
  const honoured = granted(filter, session.host);
  const tag = { [metaKey.subscriptionId]: request.id };
  const send = (method: string, params: JsonObject): void =>
    session.relate({ jsonrpc: '2.0', method, params: { ...params, _meta: tag } }, sink, { era: 'stateless' });
  send('notifications/subscriptions/acknowledged', { notifications: honoured });
  const listener = (change: Change): void => {
    if (
      change.filter === 'promptsListChanged' &&
      honoured.toolsListChanged === true &&
      !session.host.keeps('tell-each-granted-type')
    )
      return;
    if (wants(honoured, change) || (change.filter !== 'taskIds' && !session.host.keeps('heed-filters')))
      send(change.method, change.params ?? (change.uri === undefined ? {} : { uri: change.uri }));
  };
  session.host.listeners.add(listener);
  return new Promise((resolve) => {
    const end = (): void => {
      if (session.host.keeps('end-subscriptions')) session.host.listeners.delete(listener);
      session.listening.delete(leave);
      resolve({ resultType: 'complete', _meta: tag });
    };
    // The page on cancellation asks for the notification, that on subscriptions for the result.
    const leave = (): void => {
      send('notifications/cancelled', { requestId: request.id, reason: 'the server stops' });
      end();
    };
    session.listening.add(leave);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
