/**
 * The tasks extension of 2026-07-28 in the plain server: it makes no tasks of its own, and continues those that a
 * script began, which are completed when they are polled. It knows no tools and sends nothing.
 */
import { tasksExtension, terminalStatuses } from '../../../core/model/tasks.ts';
import { isRecord, recordOf, type Json } from '../json.ts';

export interface ExtensionTasks {
  /** The result of a method of the extension; undefined for a task that there is none of. */
  serve(method: string, params: Json): Json | undefined;
  /** Takes in what a script answered about a task. */
  learn(request: Json, reply: Json): void;
}

/** True if a request declares the extension in its capabilities. */
export function declaresTasksExtension(params: Json): boolean {
  const capabilities = recordOf(recordOf(params._meta)['io.modelcontextprotocol/clientCapabilities']);
  return isRecord(recordOf(capabilities.extensions)[tasksExtension]);
}

export function createExtensionTasks(): ExtensionTasks {
  /** The newest sight of each. */
  const tasks = new Map<unknown, Json>();

  return {
    serve(method, { taskId }) {
      const task = tasks.get(taskId);
      if (task === undefined || method !== 'tasks/get') return task && {};
      if (terminalStatuses.has(task.status)) return task;
      const { inputRequests: _answered, ...shown } = task;
      const completed = {
        ...shown,
        status: 'completed',
        resultType: 'complete',
        result: { content: [{ type: 'text', text: 'done' }] },
      };
      tasks.set(taskId, completed);
      return completed;
    },
    learn({ method }, reply) {
      const result = recordOf(reply.result);
      const shows = result.resultType === 'task' || (method === 'tasks/get' && tasks.has(result.taskId));
      if (typeof result.taskId === 'string' && shows) tasks.set(result.taskId, result);
    },
  };
}
