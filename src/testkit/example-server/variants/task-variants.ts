/** Legal but unusual ways of handling tasks. */
import type { JsonObject } from '../../../server/protocol/json-rpc.ts';
import { errorCode, isObject } from '../../../server/protocol/json-rpc.ts';
import { relatedMeta } from '../../../server/session/task.ts';
import { editing, refuse, resultOf, withEntries, without } from '../mutations/edits.ts';
import type { Variant } from '../mutations/mutation.ts';
import { allTransports } from '../mutations/mutation.ts';
import { showing } from '../mutations/tasks/task-edits.ts';

/** A time as other libraries write it: with an offset, and to the microsecond. */
function otherwise(time: unknown): string {
  return String(time).replace(/Z$/, '000+00:00');
}

const onlyTasks = 'This server runs tools as tasks only';

/** Features that only plain calls of tools show. */
const ofPlainCalls = [
  'elicitation/complete-emission',
  'elicitation/error-32042-permission',
  'elicitation/request-mode-omission',
  'elicitation/url-permission',
  'http/resume-server-replay',
  'http/sse-server-disconnection',
  'progress/receiver-freedom',
  'progress/receiver-permission',
  'tasks/create-ttl-request',
  'tools/result-embedded-resource',
  'tools/result-resource-link',
  'tools/result-structured-content',
];
const seldomCalled = Object.fromEntries(ofPlainCalls.map((rule) => [rule, 'a check calls few tools as tasks']));

export const taskVariants: readonly Variant[] = [
  {
    id: 'tasks-unlisted',
    transports: allTransports,
    description: 'Tasks can be neither listed nor cancelled.',
    change: {
      capabilities: (declared) =>
        isObject(declared.tasks) ? { ...declared, tasks: { requests: declared.tasks.requests } } : declared,
    },
  },
  {
    id: 'tasks-short-lived',
    transports: allTransports,
    description: 'Tasks are forgotten soon, finished or not.',
    change: { tasks: { ttl: () => 150 } },
  },
  {
    id: 'tasks-unlimited',
    transports: allTransports,
    lacks: ['tasks/ttl-expiry-deletion'],
    shortOf: { 'tasks/resources-ttl-maximum': 'a limit is only recommended' },
    description: 'Tasks are kept forever.',
    change: { tasks: { ttl: () => null } },
  },
  {
    id: 'tasks-dropped-when-cancelled',
    transports: allTransports,
    uses: ['tasks/cancel-deletion'],
    description: 'A cancelled task is forgotten at once.',
    change: { neglects: ['keep-cancelled-tasks'] },
  },
  {
    id: 'tasks-asking-at-once',
    transports: allTransports,
    description: 'What a task asks of the client does not wait for the client to ask for its result.',
    change: { neglects: ['hold-questions-of-tasks'] },
  },
  {
    id: 'tasks-plain',
    transports: allTransports,
    lacks: ['tasks/status-notification-emission', 'tasks/ttl-poll-interval'],
    description: 'Tasks show no more than they have to, and no status is notified.',
    change: {
      outgoing(message, about) {
        if (about.method === 'notifications/tasks/status') return [];
        return showing((task) =>
          task.status === 'failed'
            ? without(task, 'pollInterval')
            : without(without(task, 'pollInterval'), 'statusMessage'),
        )(message, about);
      },
    },
  },
  {
    id: 'tasks-marked',
    transports: allTransports,
    shortOf: {
      'tasks/related-result-omission': 'the same page demands the metadata on all that belongs to a task',
      'tasks/status-notification-metadata-absence': 'the same page demands the metadata on all that belongs to a task',
    },
    description: 'Whatever shows a task names it in its metadata as well, also the answer that begins it.',
    change: {
      outgoing(message, about) {
        const [shown = message] = showing(
          (task) => ({ ...task, _meta: relatedMeta(task.taskId) }),
          ['tasks/get', 'tasks/cancel', 'notification'],
        )(message, about);
        const created =
          about.kind === 'result' && about.method === 'tools/call' && isObject(shown.result)
            ? shown.result.task
            : undefined;
        return [
          isObject(created) ? { ...shown, result: { task: created, _meta: relatedMeta(created.taskId) } } : shown,
        ];
      },
    },
  },
  {
    id: 'tasks-offset-times',
    transports: allTransports,
    description: 'The times of tasks have an offset and microseconds.',
    change: {
      outgoing: showing((task) => ({
        ...task,
        createdAt: otherwise(task.createdAt),
        lastUpdatedAt: otherwise(task.lastUpdatedAt),
      })),
    },
  },
  {
    id: 'tasks-only',
    solitary: true,
    transports: allTransports,
    uses: ['tasks/errors-missing-augmentation'],
    unseen: seldomCalled,
    description: 'Where there are tasks, every tool has to be called as one, and other calls are refused with -32600.',
    change: {
      neglects: ['refuse-tasks-of-other-tools', 'demand-tasks'],
      outgoing: editing(
        (about, message) =>
          resultOf('tools/list')(about, message) && about.session.revision === '2025-11-25' && about.era === 'stateful',
        withEntries('tools', () => ({ execution: { taskSupport: 'required' } })),
      ),
      incoming(message, session, sink) {
        const plain = message.method === 'tools/call' && (message.params as JsonObject | undefined)?.task === undefined;
        if (!plain || session.phase !== 'ready' || session.revision !== '2025-11-25') return false;
        return refuse(message, sink, errorCode.invalidRequest, onlyTasks);
      },
    },
  },
];
