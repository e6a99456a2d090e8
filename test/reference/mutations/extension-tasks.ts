/** The tasks extension of 2026-07-28: mutations that are more than an edit of a message, and legal oddities. */
import type { BehaviourChange } from '../core/behaviour.ts';
import { isObject } from '../core/json-rpc.ts';
import { statelessRevision } from '../core/revisions.ts';
import { editing, resultOf, withResult, without } from './edits.ts';
import type { Mutation, Variant } from './mutation.ts';
import { mutation } from './mutation.ts';

type Given = Parameters<typeof mutation>[0];

function extensionMutation(rule: string, given: Omit<Given, 'rule'>): Mutation {
  return mutation({ rule: `ext-tasks/${rule}`, transports: ['stdio', 'http'], revisions: [statelessRevision], ...given });
}

/** A task that was seen completed is shown at work again. */
const comesBack: BehaviourChange = {
  outgoing: editing(resultOf('tasks/get'), (message, { session }) => {
    const { taskId, status } = isObject(message.result) ? message.result : {};
    const key = `over ${String(taskId)}`;
    if (session.host.scratch.has(key)) return withResult(() => ({ status: 'working' }))(message);
    if (status === 'completed') session.host.scratch.set(key, true);
    return message;
  }),
};

let counter = 0;

export const extensionTaskMutations: readonly Mutation[] = [
  extensionMutation('declaration-undeclared-creation', {
    description: 'Whoever calls a long tool gets a task.',
    alsoBreaks: ['*'],
    change: { neglects: ['spare-undeclared-calls'] },
  }),
  extensionMutation('errors-undeclared-methods', {
    description: 'The methods of tasks are served to everybody.',
    change: { neglects: ['refuse-undeclared-task-methods'] },
  }),
  extensionMutation('task-terminal-finality', { description: 'A task that was completed is at work again.', change: comesBack }),
  extensionMutation('security-id-entropy', {
    description: 'Tasks are counted.',
    change: {
      tasks: {
        id: () => {
          counter += 1;
          return `task-${String(counter).padStart(6, '0')}`;
        },
      },
    },
  }),
];

export const extensionTaskVariants: readonly Variant[] = [
  {
    id: 'extension-tasks-absent',
    revisions: [statelessRevision],
    transports: ['stdio', 'http'],
    description: 'No extension is advertised; the methods of tasks are unknown, and no call becomes a task.',
    change: {
      capabilities: (declared) => without(declared, 'extensions'),
    },
  },
  {
    id: 'extension-tasks-bare',
    revisions: [statelessRevision],
    transports: ['stdio', 'http'],
    description: 'Tasks are kept for ever, tell no pollIntervalMs, and their times have an offset.',
    change: {
      outgoing: editing(
        (_about, message) => isObject(message.result) && 'ttlMs' in message.result && 'taskId' in message.result,
        withResult(({ createdAt, lastUpdatedAt }) => ({ ttlMs: null, pollIntervalMs: undefined, createdAt: offset(createdAt), lastUpdatedAt: offset(lastUpdatedAt) })),
      ),
    },
  },
];

/** A time as other libraries write it: with an offset, and to the microsecond. */
function offset(time: unknown): string {
  return String(time).replace(/Z$/, '000+00:00');
}
