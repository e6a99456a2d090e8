/**
 * The checker's tasks as a client that declared them (2025-11-25: basic/utilities/tasks): a request with a task
 * parameter is answered with a task at once, and its answer is given out later. A faultless receiver; what the answers
 * are is not its business.
 */
import { randomUUID } from 'node:crypto';

type Json = Record<string, unknown>;

/** A response without `jsonrpc` and `id`. */
export type TaskReply = { result: Json } | { error: Json };

export interface ClientTasks {
  /**
   * The reply to a request that is about tasks; undefined for every other one.
   * @param plainly what the request would be answered without a task
   */
  handle(
    method: unknown,
    params: unknown,
    declared: Json,
    plainly: () => Json,
  ): TaskReply | Promise<TaskReply> | undefined;
}

/** Milliseconds that a task takes, and that a server is to wait between two looks at it. */
const workMs = 600;
const pollInterval = 250;
/** Longest time that a task is kept. */
const mostTtl = 600_000;
const mostTasks = 1000;
const relatedKey = 'io.modelcontextprotocol/related-task';

interface ClientTask {
  shown: Json;
  outcome: Json;
  ended: Promise<void>;
  end(status: string): void;
}

function refusal(code: number, message: string): TaskReply {
  return { error: { code, message } };
}

/** True if the capabilities name the method (`tasks.requests.elicitation.create` and so on). */
function isDeclared(declared: Json, method: string): boolean {
  let at: unknown = (declared.tasks as Json | undefined)?.requests;
  for (const part of method.split('/')) at = (at as Json | undefined)?.[part];
  return typeof at === 'object' && at !== null;
}

function create(params: Json, outcome: Json): ClientTask {
  const now = new Date().toISOString();
  const asked = (params.task as Json).ttl;
  const ttl = typeof asked === 'number' && asked >= 0 ? Math.min(asked, mostTtl) : mostTtl;
  let report = (): void => {};
  const ended = new Promise<void>((resolve) => {
    report = resolve;
  });
  const task: ClientTask = {
    shown: { taskId: randomUUID(), status: 'working', createdAt: now, lastUpdatedAt: now, ttl, pollInterval },
    outcome,
    ended,
    end(status) {
      if (task.shown.status !== 'working') return;
      task.shown = { ...task.shown, status, lastUpdatedAt: new Date().toISOString() };
      report();
    },
  };
  setTimeout(() => task.end('error' in outcome ? 'failed' : 'completed'), workMs).unref();
  return task;
}

export function createClientTasks(): ClientTasks {
  const tasks = new Map<unknown, ClientTask>();

  async function resultOf(task: ClientTask): Promise<TaskReply> {
    await task.ended;
    if (task.shown.status === 'cancelled') return refusal(-32602, 'The task was cancelled and has no result');
    const { outcome } = task;
    if (!('result' in outcome)) return outcome as TaskReply;
    const result = outcome.result as Json;
    return {
      result: {
        ...result,
        _meta: { ...(result._meta as Json | undefined), [relatedKey]: { taskId: task.shown.taskId } },
      },
    };
  }

  function operate(operation: string, taskId: unknown, offers: Json): TaskReply | Promise<TaskReply> {
    if ((operation === 'list' || operation === 'cancel') && !(operation in offers))
      return refusal(-32601, 'Method not found');
    if (operation === 'list') return { result: { tasks: [...tasks.values()].map(({ shown }) => shown) } };
    if (!['get', 'result', 'cancel'].includes(operation)) return refusal(-32601, 'Method not found');
    const task = tasks.get(taskId);
    if (!task) return refusal(-32602, 'There is no such task');
    if (operation === 'get') return { result: task.shown };
    if (operation === 'result') return resultOf(task);
    if (task.shown.status !== 'working') return refusal(-32602, 'The task is over');
    task.end('cancelled');
    return { result: task.shown };
  }

  return {
    handle(method, given, declared, plainly) {
      if (typeof declared.tasks !== 'object' || declared.tasks === null || typeof method !== 'string') return undefined;
      const params = (typeof given === 'object' && given !== null ? given : {}) as Json;
      if (method.startsWith('tasks/'))
        return operate(method.slice('tasks/'.length), params.taskId, declared.tasks as Json);
      if (typeof params.task !== 'object' || params.task === null || !isDeclared(declared, method)) return undefined;
      if (tasks.size >= mostTasks) return refusal(-32603, 'Too many tasks');
      const task = create(params, plainly());
      tasks.set(task.shown.taskId, task);
      return { result: { task: task.shown } };
    },
  };
}
