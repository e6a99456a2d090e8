/** Building blocks for mutations of tasks: which messages show a task, and how one is changed wherever it shows. */
import type { About, BehaviourChange } from '../../../../server/session/behaviour.ts';
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { isObject } from '../../../../server/protocol/json-rpc.ts';
import type { Revision } from '../../../../server/protocol/revisions.ts';
import { editing, resultOf, withResult } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { mutation } from '../mutation.ts';

type Outgoing = NonNullable<BehaviourChange['outgoing']>;
type Given = Omit<Parameters<typeof mutation>[0], 'rule'>;

const only: readonly Revision[] = ['2025-11-25'];

/** A mutation of the area tasks, which exist in one revision. */
export function taskMutation(slug: string, given: Given & { as?: string }): Mutation {
  const { as, ...rest } = given;
  const rule = `tasks/${slug}`;
  return mutation({ rule, revisions: only, ...(as === undefined ? {} : { id: `${rule}@${as}` }), ...rest });
}

/** Shows a task with another status once it has been seen `completed`. */
export function afterCompletion(status: string): BehaviourChange {
  return {
    outgoing: editing(resultOf('tasks/get'), (message, { session }) => {
      const { taskId, status: shown } = message.result as JsonObject;
      const key = `over ${String(taskId)}`;
      if (session.host.scratch.has(key)) return withResult(() => ({ status }))(message);
      if (shown === 'completed') session.host.scratch.set(key, true);
      return message;
    }),
  };
}

let counter = 0;

/** Ids of tasks that anybody can guess. */
export const countedIds: BehaviourChange = {
  tasks: {
    id: () => {
      counter += 1;
      return `task-${String(counter).padStart(6, '0')}`;
    },
  },
};

/** Where a task shows: `create`, `notification` or the method whose result has it. */
export type Place = 'create' | 'tasks/get' | 'tasks/cancel' | 'tasks/list' | 'notification';

const everywhere: readonly Place[] = ['create', 'tasks/get', 'tasks/cancel', 'tasks/list', 'notification'];

/** An outgoing seam that changes tasks wherever they show, or in some places. */
export function showing(
  change: (task: JsonObject, about: About) => JsonObject,
  places: readonly Place[] = everywhere,
): Outgoing {
  return (message, about) => {
    const place = placeOf(message, about);
    if (place === undefined || !places.includes(place)) return [message];
    const result = message.result as JsonObject;
    if (place === 'notification') return [{ ...message, params: change(message.params as JsonObject, about) }];
    if (place === 'create')
      return [{ ...message, result: { ...result, task: change(result.task as JsonObject, about) } }];
    if (place === 'tasks/list')
      return [
        { ...message, result: { ...result, tasks: (result.tasks as JsonObject[]).map((task) => change(task, about)) } },
      ];
    return [{ ...message, result: change(result, about) }];
  };
}

function placeOf(message: JsonObject, about: About): Place | undefined {
  // The extension of 2026-07-28 has methods of the same names.
  if (about.era !== 'stateful') return undefined;
  if (about.kind === 'notification') return about.method === 'notifications/tasks/status' ? 'notification' : undefined;
  if (about.kind !== 'result') return undefined;
  if (about.method === 'tools/call') return isCreation(about, message) ? 'create' : undefined;
  return everywhere.find((place) => place === about.method);
}

/** The answer to a call that began a task. */
export function isCreation(about: About, message: JsonObject): boolean {
  return (
    about.kind === 'result' &&
    about.method === 'tools/call' &&
    isObject(message.result) &&
    isObject(message.result.task)
  );
}

/** Requests of the server to the user or the model, for a task or not. */
export function isQuestion({ kind, method }: About): boolean {
  return kind === 'request' && (method === 'elicitation/create' || method === 'sampling/createMessage');
}

/** An outgoing seam that edits the results of a method about tasks. */
export function resulting(method: string, edit: (result: JsonObject, about: About) => JsonObject): Outgoing {
  return editing(resultOf(method), (message, about) => ({
    ...message,
    result: edit(message.result as JsonObject, about),
  }));
}
