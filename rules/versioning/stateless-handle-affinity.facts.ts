/**
 * Follows the requestState of multi round-trips, and task ids of the extension, across connections. The client may
 * continue a request or poll a task on any connection, and the server has all that it needs (2026-07-28:
 * basic/index#statelessness, basic/patterns/mrtr). Over HTTP alone: a process on stdio may keep the key by which it
 * seals states, and its tasks, to itself. It makes no judgement.
 */
import { asObject, canonical, type JsonObject } from '../../src/core/model/json.ts';
import { namesTasksExtension } from '../../src/core/model/tasks.ts';
import { askedBy } from '../../src/core/facts/client-requests/round-tracker.ts';
import type { Definitions, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import { clientInfoKey, declaredCapabilitiesOf, metaOf, paramsOf } from '../../src/core/facts/values/rpc.ts';
import { header } from '../../src/core/facts/values/header.ts';
import { createPlaces } from '../../src/core/facts/stateless/places.ts';

const longestHandle = 20_000;
const longestRequest = 20_000;
/** Codes by which a server says that what a request brings is no good, or that it broke down over it. */
const refusing: ReadonlySet<unknown> = new Set([-32600, -32602, -32603]);

const exchangeFacts: Definitions<RpcRecord> = {
  handleElsewhere: {
    says: 'Over HTTP in the stateless era: a request with the requestState that the connection was given, or tasks/get for a task of the extension that was made on it, served there as before. served, refused: how often equal requests of the same client were, since then, on other connections (refused by -32600, -32602 or -32603).',
    rests: ['order', 'start'],
  },
};

export const feature: Feature = {
  name: 'handle-places',
  after: ['input-rounds'],
  facts: { exchange: exchangeFacts },
  create: createHandlePlaces,
};

function createHandlePlaces(): Hooks {
  const places = createPlaces();
  return {
    answered(record) {
      const { from, session } = record;
      if (from !== 'client' || session.era !== 'stateless' || session.transport !== 'http') return undefined;
      const handle = broughtBy(record);
      const request = handle === undefined ? undefined : requestOf(record);
      const found =
        handle === undefined || request === undefined ? undefined : places.use(record, handle, request, endOf(record));
      const given = givenBy(record);
      if (given !== undefined && given.length <= longestHandle) places.issue(given, session);
      return found && { facts: { handleElsewhere: found.fact }, events: found.events };
    },
  };
}

/** State or id in a request that was issued before. */
function broughtBy({ method, message }: RpcRecord): string | undefined {
  const params = paramsOf(message);
  if (method === 'tasks/get') return typeof params?.taskId === 'string' ? `task ${params.taskId}` : undefined;
  return typeof params?.requestState === 'string' ? `state ${params.requestState}` : undefined;
}

/** State or id that an answer issues. */
function givenBy(record: RpcRecord): string | undefined {
  const state = askedBy(record)?.requestState;
  if (typeof state === 'string') return `state ${state}`;
  const result = resultOf(record);
  return result?.resultType === 'task' &&
    typeof result.taskId === 'string' &&
    namesTasksExtension(record.session.serverCapabilities)
    ? `task ${result.taskId}`
    : undefined;
}

/** A request with everything by which a server may distinguish clients. */
function requestOf({ method, message, http }: RpcRecord): string | undefined {
  const { _meta, ...params } = paramsOf(message) ?? {};
  const credentials = http && ['authorization', 'cookie'].map((name) => header(http.requestHeaders, name) ?? null);
  const text = canonical([
    method,
    params,
    metaOf(message)?.[clientInfoKey] ?? null,
    declaredCapabilitiesOf(message) ?? null,
    credentials,
    http?.path,
  ]);
  return text.length <= longestRequest ? text : undefined;
}

/** A question that comes again, a tool that failed, or an error of another kind may have another reason. */
function endOf(record: RpcRecord): 'served' | 'refused' | 'neither' {
  if (record.outcome === 'error')
    return refusing.has(asObject(asObject(record.reply)?.error)?.code) ? 'refused' : 'neither';
  const result = record.outcome === 'result' ? resultOf(record) : undefined;
  return result?.resultType === 'complete' && result.isError !== true ? 'served' : 'neither';
}

function resultOf({ reply }: RpcRecord): JsonObject | undefined {
  return asObject(asObject(reply)?.result);
}
