/** Mutations of the life of tasks: their times, how they are cancelled, when they are forgotten. */
import { without } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { resulting, showing, taskMutation } from './task-edits.ts';

const malformed = ['tasks/schema-task', 'tasks/schema-get-and-cancel-result'];

export const taskLifetimeMutations: readonly Mutation[] = [
  taskMutation('ttl-created-at', {
    description: 'tasks/get does not return when a task was created.',
    alsoBreaks: malformed,
    change: { outgoing: showing((task) => without(task, 'createdAt'), ['tasks/get']) },
  }),
  taskMutation('ttl-created-at', {
    as: 'format',
    description: 'The creation time of a task is in words.',
    change: { outgoing: showing((task) => ({ ...task, createdAt: 'this morning' })) },
  }),
  taskMutation('ttl-created-at', {
    as: 'moving',
    description: 'tasks/get gives another creation time than the answer that began the task.',
    change: {
      outgoing: showing(
        (task) => ({ ...task, createdAt: new Date(Date.parse(String(task.createdAt)) + 60_000).toISOString() }),
        ['tasks/get'],
      ),
    },
  }),
  taskMutation('ttl-last-updated-at', {
    description: 'The answer that begins a task does not contain its last change.',
    alsoBreaks: ['tasks/schema-task', 'tasks/schema-create-result'],
    change: { outgoing: showing((task) => without(task, 'lastUpdatedAt'), ['create']) },
  }),
  taskMutation('ttl-last-updated-at', {
    as: 'format',
    description: 'The last change of a task is in words.',
    change: { outgoing: showing((task) => ({ ...task, lastUpdatedAt: 'just now' })) },
  }),
  taskMutation('ttl-effective-value', {
    description: 'tasks/get does not return how long a task is kept.',
    alsoBreaks: malformed,
    change: { outgoing: showing((task) => without(task, 'ttl'), ['tasks/get']) },
  }),
  taskMutation('cancel-terminal-rejection', {
    description: 'A task that is over can be cancelled, to no effect.',
    change: { neglects: ['refuse-late-task-cancellation'] },
  }),
  taskMutation('cancel-work-stop', {
    description: 'A cancelled task works on, and reports its progress.',
    alsoBreaks: ['progress/task-terminal-stop'],
    change: { neglects: ['stop-cancelled-tasks'] },
  }),
  taskMutation('cancel-transition-order', {
    description: 'tasks/cancel answers with the task as it was before.',
    change: { outgoing: resulting('tasks/cancel', (result) => ({ ...result, status: 'working' })) },
  }),
  taskMutation('cancel-permanence', {
    description: 'A cancelled task fails when its work is stopped.',
    alsoBreaks: ['tasks/status-terminal-finality', 'tasks/status-transitions'],
    change: { neglects: ['keep-tasks-cancelled'] },
  }),
  taskMutation('resources-ttl-maximum', {
    description: 'A task is kept as long as anybody wishes.',
    change: { tasks: { ttl: (requested = 60_000) => requested } },
  }),
  taskMutation('resources-ttl-maximum', {
    as: 'unlimited',
    description: 'Tasks are kept forever.',
    change: { tasks: { ttl: () => null } },
  }),
  taskMutation('resources-cleanup', {
    description: 'A task whose time is over is kept.',
    change: { neglects: ['forget-expired-tasks'] },
  }),
];
