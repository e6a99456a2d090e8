/** Building blocks of the catalogues: which message is changed, and how. */
import type { About, BehaviourChange } from '../../../server/session/behaviour.ts';
import type { JsonObject } from '../../../server/protocol/json-rpc.ts';
import { isObject } from '../../../server/protocol/json-rpc.ts';
import type { ReplySink } from '../../../server/protocol/reply-sink.ts';

type Outgoing = NonNullable<BehaviourChange['outgoing']>;
type Pick = (about: About, message: JsonObject) => boolean;

/**
 * The request whose answers carry faults of form: common enough to be sent by any check of the
 * lists, and nothing else depends on its answer.
 */
export const sampleMethod = 'prompts/list';

export const resultOf =
  (method: string): Pick =>
  (about) =>
    about.kind === 'result' && about.method === method;

export const errorFor =
  (reason: string): Pick =>
  (about) =>
    about.kind === 'error' && about.reason === reason;

export const requestNamed =
  (method: string): Pick =>
  (about) =>
    about.kind === 'request' && about.method === method;

export const progressNotice: Pick = (about) => about.method === 'notifications/progress';

/** An outgoing seam that edits the messages picked; the editor may return several or none. */
export function editing(pick: Pick, edit: (message: JsonObject, about: About) => JsonObject | JsonObject[]): Outgoing {
  return (message, about) => {
    if (!pick(about, message)) return [message];
    const edited = edit(message, about);
    return Array.isArray(edited) ? edited : [edited];
  };
}

/** For an incoming seam: answers a request with an error of its own making. */
export function refuse(message: JsonObject, sink: ReplySink, code: number, text: string): true {
  sink.finish([{ jsonrpc: '2.0', id: message.id, error: { code, message: text } }], { method: String(message.method) });
  return true;
}

/** An editor that changes members of `params`. */
export function withParams(change: (params: JsonObject) => JsonObject): (message: JsonObject) => JsonObject {
  return (message) => ({
    ...message,
    params: { ...(message.params as JsonObject), ...change(message.params as JsonObject) },
  });
}

/** An editor that changes members of `result`. */
export function withResult(change: (result: JsonObject) => JsonObject): (message: JsonObject) => JsonObject {
  return (message) => ({
    ...message,
    result: { ...(message.result as JsonObject), ...change(message.result as JsonObject) },
  });
}

/** An outgoing seam that changes what tools give, at once or by way of a task. */
export function withToolResults(change: (result: JsonObject) => JsonObject): Outgoing {
  return (message, about) => {
    if (resultOf('tools/call')(about, message) || resultOf('tasks/result')(about, message))
      return [withResult(change)(message)];
    const place = resultOf('tasks/get')(about, message)
      ? 'result'
      : about.method === 'notifications/tasks'
        ? 'params'
        : undefined;
    const task = place === undefined ? undefined : message[place];
    if (place === undefined || !isObject(task) || !isObject(task.result)) return [message];
    return [{ ...message, [place]: { ...task, result: { ...task.result, ...change(task.result) } } }];
  };
}

/** An editor that changes members of `error`. */
export function withError(change: JsonObject): (message: JsonObject) => JsonObject {
  return (message) => ({ ...message, error: { ...(message.error as JsonObject), ...change } });
}

/** A copy without one member. */
export function without(object: JsonObject, member: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== member));
}

/** An editor of one entry of a list in the result; does nothing on pages that lack it. */
export function withEntry(
  list: string,
  key: string,
  name: string,
  change: (entry: JsonObject) => JsonObject,
): (message: JsonObject) => JsonObject {
  return withResult((result) => {
    const entries = result[list];
    return Array.isArray(entries)
      ? { [list]: entries.map((entry: JsonObject) => (entry[key] === name ? { ...entry, ...change(entry) } : entry)) }
      : {};
  });
}

/** An editor of all entries of a list in the result. */
export function withEntries(
  list: string,
  change: (entry: JsonObject) => JsonObject,
): (message: JsonObject) => JsonObject {
  return withResult((result) => {
    const entries = result[list];
    return Array.isArray(entries)
      ? { [list]: entries.map((entry: JsonObject) => ({ ...entry, ...change(entry) })) }
      : {};
  });
}

/** A capability seam that leaves members of one capability out of what is declared; the feature itself stays. */
export function declaring(change: (capabilities: JsonObject) => JsonObject): Outgoing {
  return editing(
    (about) => about.kind === 'result' && (about.method === 'initialize' || about.method === 'server/discover'),
    withResult((result) => (isObject(result.capabilities) ? { capabilities: change(result.capabilities) } : {})),
  );
}

/** A request id of the same JSON type that the peer did not use. */
export function foreignId(id: unknown): unknown {
  return typeof id === 'number' ? id + 500_000 : `${String(id)}-foreign`;
}
