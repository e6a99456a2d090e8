/** Mutations of the list of tasks, and of what protects tasks from others. */
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { errorCode } from '../../../../server/protocol/json-rpc.ts';
import type { Session } from '../../../../server/session/session.ts';
import { editing, errorFor, withError, without } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { httpOnly } from '../mutation.ts';
import { countedIds, isCreation, resulting, taskMutation } from './task-edits.ts';

const farTooMany = 250;
const lastNamed = 'the task asked for last';
const knownTasks = 'tasks of all sessions';

export const taskListingMutations: readonly Mutation[] = [
  taskMutation('list-pagination', {
    description: 'Hundreds of tasks come on one page.',
    change: {
      neglects: ['paginate'],
      outgoing: resulting('tasks/list', (result) => {
        const tasks = result.tasks as JsonObject[];
        return { tasks: [...tasks, ...Array.from({ length: farTooMany }, () => tasks.slice(0, 1)).flat()] };
      }),
    },
  }),
  taskMutation('list-next-cursor', {
    description: 'Only the first page of the tasks can be had.',
    change: { outgoing: resulting('tasks/list', (result) => without(result, 'nextCursor')) },
  }),
  taskMutation('list-completeness', {
    description: 'The task that was asked for last is not listed.',
    change: {
      outgoing: resulting('tasks/list', (result, { session }) => ({
        ...result,
        tasks: (result.tasks as JsonObject[]).filter(({ taskId }) => taskId !== session.memo.get(lastNamed)),
      })),
      incoming(message, session) {
        if (message.method === 'tasks/get')
          session.memo.set(lastNamed, (message.params as JsonObject | undefined)?.taskId);
        return false;
      },
    },
  }),
  taskMutation('errors-invalid-cursor', {
    description: 'An invalid cursor for tasks/list is an internal error.',
    alsoBreaks: ['pagination/cursor-invalid-code'],
    change: {
      outgoing: editing(
        (about, message) => about.method === 'tasks/list' && errorFor('cursor')(about, message),
        withError({ code: errorCode.internal }),
      ),
    },
  }),
  taskMutation('security-id-entropy', {
    description: 'Tasks are counted.',
    change: countedIds,
  }),
  taskMutation('security-id-entropy', {
    as: 'length',
    description: 'Ids of tasks have four characters.',
    alsoBreaks: ['tasks/id-uniqueness'],
    change: { tasks: { id: (random) => random.slice(0, 4) } },
  }),
  taskMutation('security-unidentified-list', {
    transports: httpOnly,
    description: 'Every session is shown the tasks of all.',
    change: {
      outgoing(message, about) {
        const { scratch } = about.session.host;
        const known = (scratch.get(knownTasks) ?? []) as { owner: Session; task: unknown }[];
        const result = message.result as JsonObject;
        if (isCreation(about, message))
          scratch.set(knownTasks, [...known, { owner: about.session, task: result.task }]);
        if (about.kind !== 'result' || about.method !== 'tasks/list' || 'nextCursor' in result) return [message];
        const foreign = known.filter(({ owner }) => owner !== about.session).map(({ task }) => task);
        return [
          { ...message, result: { ...result, tasks: [...(result.tasks as JsonObject[]), ...foreign.slice(-3)] } },
        ];
      },
    },
  }),
];
