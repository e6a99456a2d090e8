/**
 * The tasks of the plain server (2025-11-25: basic/utilities/tasks): it finishes each of its own at the first poll, and
 * continues those that a script began. It knows no tools and sends nothing.
 */
import { terminalStatuses } from '../../../core/model/tasks.ts';
import { isRecord, recordOf, type Json } from '../json.ts';

interface PlainTask {
  shown: Json;
  /** Immediate result of the call. */
  result: Json;
}

export interface PlainTasks {
  /** Begins a task for a call; gives the CreateTaskResult. */
  create(result: Json): Json;
  /** Serves a tasks/* method; undefined for a task or method that there is none of. */
  serve(method: string, params: Json): Json | undefined;
  /** Takes in what a script answered about a task. */
  learn(request: Json, reply: Json): void;
}

const metaKey = 'io.modelcontextprotocol/related-task';

export function createPlainTasks(): PlainTasks {
  const tasks = new Map<unknown, PlainTask>();

  function move(task: PlainTask, status: string): Json {
    if (!terminalStatuses.has(task.shown.status))
      task.shown = { ...task.shown, status, lastUpdatedAt: new Date().toISOString() };
    return task.shown;
  }

  return {
    create(result) {
      const now = new Date().toISOString();
      const shown = {
        taskId: crypto.randomUUID(),
        status: 'working',
        createdAt: now,
        lastUpdatedAt: now,
        ttl: 60_000,
        pollInterval: 5,
      };
      tasks.set(shown.taskId, { shown, result });
      return { task: shown };
    },
    serve(method, { taskId }) {
      if (method === 'tasks/list') return { tasks: [...tasks.values()].map((task) => task.shown) };
      const task = tasks.get(taskId);
      if (!task) return undefined;
      if (method === 'tasks/cancel')
        return terminalStatuses.has(task.shown.status) ? undefined : move(task, 'cancelled');
      // A task that a script left waiting for its client keeps waiting.
      if (task.shown.status !== 'input_required') move(task, 'completed');
      if (method === 'tasks/get') return task.shown;
      if (method !== 'tasks/result') return undefined;
      return { ...task.result, _meta: { ...recordOf(task.result._meta), [metaKey]: { taskId } } };
    },
    learn({ method, params }, reply) {
      if (method === 'tasks/get' && isRecord(reply.error)) tasks.delete(recordOf(params).taskId);
      const result = recordOf(reply.result);
      const shown = method === 'tools/call' && isRecord(result.task) ? result.task : result;
      if (!('status' in shown) || !('taskId' in shown)) return;
      const known = tasks.get(shown.taskId);
      if (known) known.shown = shown;
      else if (recordOf(params).task !== undefined)
        tasks.set(shown.taskId, { shown, result: { content: [{ type: 'text', text: 'done' }] } });
    },
  };
}
