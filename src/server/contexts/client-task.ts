/**
 * Sends a request to the client as a task, if it declared that: polls the task until it is over, as often as the client
 * wishes, and fetches its result. It is independent of the question.
 */
import type { JsonObject } from '../protocol/json-rpc.ts';
import { isObject } from '../protocol/json-rpc.ts';
import { pause } from '../session/request-context.ts';
import type { Session } from '../session/session.ts';

type Via = NonNullable<Parameters<Session['request']>[2]>;

const ended = new Set<unknown>(['completed', 'failed', 'cancelled']);
const usualPause = 100;

/** True if the client declared that it runs requests of the method as tasks. */
export function runsAsTask({ clientCapabilities }: Session, method: string): boolean {
  const [group = '', action = ''] = method.split('/');
  const requests = isObject(clientCapabilities.tasks) ? clientCapabilities.tasks.requests : undefined;
  const kind = isObject(requests) ? requests[group] : undefined;
  return isObject(kind) && isObject(kind[action]);
}

/** The result of the request, however long its task takes. @throws ClientRefusal when the client answers with an error */
export async function askAsTask(
  session: Session,
  method: string,
  params: JsonObject | undefined,
  via: Via,
): Promise<JsonObject> {
  const created = await session.request(method, { ...params, task: { ttl: 60_000 } }, via);
  if (!isObject(created.task)) return created;
  const { taskId } = created.task;
  let task: JsonObject = created.task;
  while (!ended.has(task.status)) {
    await pause(wishedPause(task), via.signal);
    const looks = session.host.keeps('poll-patiently') ? 1 : 3;
    const seen = await Promise.all(Array.from({ length: looks }, () => session.request('tasks/get', { taskId }, via)));
    task = seen.at(-1) ?? task;
  }
  return session.request('tasks/result', { taskId }, via);
}

function wishedPause({ pollInterval }: JsonObject): number {
  return typeof pollInterval === 'number' ? pollInterval : usualPause;
}
