/** The tasks extension of 2026-07-28: mutations that are more than an edit of a message, and legal oddities. */
import { isObject } from '../core/json-rpc.ts';
import { statelessRevision } from '../core/revisions.ts';
import { editing, withResult, without } from './edits.ts';
import type { Mutation, Variant } from './mutation.ts';
import { mutation } from './mutation.ts';
import { afterCompletion, countedIds } from './task-edits.ts';

type Given = Parameters<typeof mutation>[0];

function extensionMutation(rule: string, given: Omit<Given, 'rule'>): Mutation {
  return mutation({ rule: `ext-tasks/${rule}`, transports: ['stdio', 'http'], revisions: [statelessRevision], ...given });
}

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
  extensionMutation('task-terminal-finality', { description: 'A task that was completed is at work again.', change: afterCompletion('working') }),
  extensionMutation('security-id-entropy', {
    description: 'Tasks are counted.',
    change: countedIds,
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
