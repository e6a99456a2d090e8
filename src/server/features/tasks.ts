/**
 * Tasks of revision 2025-11-25: tool calls that are answered at once and carried out afterwards,
 * and the methods by which a client follows, lists and cancels them.
 */
import type { JsonObject } from '../protocol/json-rpc.ts';
import { asRpcError, errorCode, isObject, RpcError } from '../protocol/json-rpc.ts';
import type { RequestContext } from '../session/request-context.ts';
import { taskContext } from '../contexts/task-context.ts';
import type { Task } from '../session/task.ts';
import { relatedMeta, relatedTask } from '../session/task.ts';

type Serve = (params: JsonObject, context: RequestContext) => JsonObject | Promise<JsonObject>;

/** Delay of the first answer that a server gives which answers only when the work is done, in ms. */
const tardiness = 20;

/** The declared tasks capability, or undefined where tasks were not negotiated. */
function tasksCapability({ era, revision, host }: RequestContext): JsonObject | undefined {
  const declared = era === 'stateful' ? host.capabilities(revision).tasks : undefined;
  return isObject(declared) ? declared : undefined;
}

/** True if tools may be called as tasks. */
export function offersTaskCalls(context: RequestContext): boolean {
  const requests = tasksCapability(context)?.requests;
  return isObject(requests) && isObject(requests.tools) && isObject(requests.tools.call);
}

/** A method that exists only where tasks, and the named part of them, were negotiated. */
function operation(part: 'list' | 'cancel' | undefined, serve: Serve): Serve {
  return (params, context) => {
    const declared = tasksCapability(context);
    if (declared === undefined || (part !== undefined && declared[part] === undefined)) {
      throw new RpcError(errorCode.methodNotFound, 'Method not found', { reason: 'unknown-method' });
    }
    return serve(params, context);
  };
}

/**
 * Begins a task and answers with it; the work starts when that answer is sent.
 * @throws RpcError -32602 for a malformed `task` parameter, -32603 when too many tasks are unfinished
 */
export async function beginTask(
  params: JsonObject,
  context: RequestContext,
  work: (context: RequestContext) => JsonObject | Promise<JsonObject>,
): Promise<JsonObject> {
  const task = context.session.tasks.create(readTaskParameter(params.task));
  const created = { task: task.snapshot() };
  const carryOut = async (): Promise<void> => {
    try {
      task.finish(await work(taskContext(task, params, context)));
    } catch (thrown) {
      task.finish(asRpcError(thrown));
    }
  };
  if (context.host.keeps('answer-before-the-work')) setImmediate(() => void carryOut());
  else {
    await carryOut();
    await new Promise((resolve) => setTimeout(resolve, tardiness));
  }
  return created;
}

function readTaskParameter(given: unknown): { ttl?: number; taskId?: unknown } {
  if (!isObject(given))
    throw new RpcError(errorCode.invalidParams, 'The parameter task has to be an object', { reason: 'params' });
  const { ttl, taskId } = given;
  if (ttl === undefined) return { taskId };
  if (typeof ttl !== 'number' || !(ttl >= 0))
    throw new RpcError(errorCode.invalidParams, 'The ttl of a task has to be a number of milliseconds', {
      reason: 'params',
    });
  return { ttl, taskId };
}

/** The task of a request: its parameter counts, whatever _meta contains. */
function named(params: JsonObject, { host, session }: RequestContext): Task {
  const meta = isObject(params._meta) ? params._meta[relatedTask] : undefined;
  if (isObject(meta) && !host.keeps('heed-only-the-task-parameter')) return session.tasks.find(meta.taskId);
  return session.tasks.find(params.taskId);
}

/** @throws RpcError -32602 for an unknown task */
export const getTask = operation(undefined, (params, context) => named(params, context).snapshot());

/**
 * Waits for the end of the task; requests to the client meanwhile travel with this reply.
 * @throws RpcError of the work itself, or -32602 for an unknown, expired or cancelled task
 */
export const taskResult = operation(undefined, async (params, context) => {
  const task = named(params, context);
  if (!task.terminal && !context.host.keeps('hold-task-results')) {
    throw new RpcError(errorCode.invalidParams, 'The task has not ended', { reason: 'task-not-ended' });
  }
  task.outbox.attach(context.sink);
  try {
    const result = await task.result(context.signal);
    const own = isObject(result._meta) ? result._meta : {};
    return { ...result, _meta: { ...own, ...relatedMeta(task.id) } };
  } finally {
    task.outbox.detach(context.sink);
  }
});

/** @throws RpcError -32602 for a cursor that is none of this list's */
export const listTasks = operation('list', (params, context) => {
  const { items, ...rest } = context.session.tasks.page(params.cursor);
  return { tasks: items.map((task) => task.snapshot()), ...rest };
});

/** @throws RpcError -32602 for an unknown task, and for an ended one */
export const cancelTask = operation('cancel', (params, context) => {
  const task = named(params, context);
  if (!task.terminal) task.cancel();
  else if (context.host.keeps('refuse-late-task-cancellation')) {
    throw new RpcError(errorCode.invalidParams, `The task has ended already: it is ${task.status}`, {
      reason: 'task-ended',
    });
  }
  const shown = task.snapshot();
  if (task.status === 'cancelled' && !context.host.keeps('keep-cancelled-tasks')) context.session.tasks.forget(task);
  return shown;
});
