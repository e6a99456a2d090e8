/**
 * The request context of work that runs as a task: all of its messages are marked as part of the task, and questions to
 * the client make the task wait for input. Must not decide how the task ends.
 */
import type { JsonObject } from '../protocol/json-rpc.ts';
import type { RequestContext } from '../session/request-context.ts';
import { progressReporter } from '../session/request-context.ts';
import { statefulContext } from './stateful-context.ts';
import type { Task } from '../session/task.ts';
import { relatedMeta } from '../session/task.ts';

/** @param params of the request that became the task */
export function taskContext(task: Task, params: JsonObject, request: RequestContext): RequestContext {
  const { session } = request;
  const marked = (message: JsonObject): JsonObject => ({
    ...message,
    params: { ...(message.params as JsonObject), _meta: relatedMeta(task.id) },
  });
  const send = (message: JsonObject): void => {
    if (!task.terminal || !session.host.keeps('stop-cancelled-tasks')) session.relate(marked(message), task.outbox);
  };
  const whileAsking = (question: Promise<JsonObject>): Promise<JsonObject> => {
    task.beginQuestion();
    return question.finally(() => task.endQuestion());
  };
  const plain = statefulContext(session, params, task.outbox, task.signal, { mark: marked, whileAsking });
  return {
    ...plain,
    progress: progressReporter(params, send),
    reportStatus: (message) => task.report(message),
    dropConnection: () => false,
  };
}
