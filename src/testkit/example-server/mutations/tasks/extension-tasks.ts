/** The tasks extension of 2026-07-28: mutations that are more than an edit of a message, and legal oddities. */
import { randomUUID } from 'node:crypto';
import type { About } from '../../../../server/session/behaviour.ts';
import type { Host } from '../../../../server/session/host.ts';
import { isObject, type JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { statelessRevision } from '../../../../server/protocol/revisions.ts';
import { metaKey } from '../../../../server/dispatch/stateless-meta.ts';
import { editing, refuse, resultOf, withParams, withResult, without } from '../edits.ts';
import type { Mutation, Variant } from '../mutation.ts';
import { mutation } from '../mutation.ts';
import { afterCompletion, countedIds } from './task-edits.ts';

type Given = Parameters<typeof mutation>[0];

function extensionMutation(rule: string, given: Omit<Given, 'rule'>): Mutation {
  return mutation({
    rule: `ext-tasks/${rule}`,
    transports: ['stdio', 'http'],
    revisions: [statelessRevision],
    ...given,
  });
}

export const extensionTaskMutations: readonly Mutation[] = [
  extensionMutation('declaration-undeclared-creation', {
    description: 'Every call of a long tool gets a task.',
    alsoBreaks: ['*'],
    change: { neglects: ['spare-undeclared-calls'] },
  }),
  extensionMutation('declaration-server-place', {
    description: 'Every call of a tool gets a task, although no extension is advertised.',
    alsoBreaks: ['*'],
    change: {
      outgoing: editing(
        ({ era, kind, method }) =>
          era === 'stateless' && kind === 'result' && (method === 'server/discover' || method === 'tools/call'),
        (message, { method }) => {
          if (method === 'server/discover')
            return withResult(({ capabilities }) => ({
              capabilities: without(capabilities as JsonObject, 'extensions'),
            }))(message);
          const now = new Date().toISOString();
          return {
            ...message,
            result: {
              resultType: 'task',
              taskId: randomUUID(),
              status: 'working',
              createdAt: now,
              lastUpdatedAt: now,
              ttlMs: null,
            },
          };
        },
      ),
    },
  }),
  extensionMutation('errors-undeclared-methods', {
    description: 'The methods of tasks are served to every client.',
    change: { neglects: ['refuse-undeclared-task-methods'] },
  }),
  extensionMutation('task-terminal-finality', {
    description: 'A task that was completed is at work again.',
    change: afterCompletion('working'),
  }),
  extensionMutation('security-id-entropy', {
    description: 'Tasks are counted.',
    change: countedIds,
  }),
  extensionMutation('get-cancelled', {
    description: 'A task that was cancelled is at work again.',
    alsoBreaks: ['ext-tasks/task-terminal-finality'],
    change: {
      outgoing: editing(resultOf('tasks/get'), (message, { session }) => {
        const { taskId, status } = message.result as JsonObject;
        const key = `cancelled ${String(taskId)}`;
        if (session.host.scratch.has(key)) return withResult(() => ({ status: 'working' }))(message);
        if (status === 'cancelled') session.host.scratch.set(key, true);
        return message;
      }),
    },
  }),
  extensionMutation('task-failed-meaning', {
    description: 'A task whose tool says that it failed has failed.',
    change: {
      outgoing(message, about) {
        const place = isReported(about) ? 'result' : about.method === 'notifications/tasks' ? 'params' : undefined;
        const task = place === undefined ? undefined : message[place];
        if (place === undefined || !isObject(task) || !isObject(task.result) || task.result.isError !== true)
          return [message];
        return [
          {
            ...message,
            [place]: {
              ...without(task, 'result'),
              status: 'failed',
              error: { code: -32603, message: 'The tool failed' },
            },
          },
        ];
      },
    },
  }),
  extensionMutation('update-key-uniqueness', {
    description: 'The question that is left over after a part was answered is another one.',
    change: {
      outgoing: asking(({ season, ...others }) =>
        season === undefined || 'destination' in others
          ? undefined
          : { ...others, season: { method: 'roots/list', params: {} } },
      ),
    },
  }),
  extensionMutation('update-key-reuse', {
    description: 'The last question comes under the key of the first.',
    change: { outgoing: asking(({ lodging }) => (lodging === undefined ? undefined : { destination: lodging })) },
  }),
  extensionMutation('update-unknown-keys', {
    description: 'Answers to questions that were not asked are refused.',
    change: {
      incoming(message, _session, sink) {
        const answers = isObject(message.params) ? message.params.inputResponses : undefined;
        if (message.method !== 'tasks/update' || !isObject(answers) || !('mcpc-never-asked' in answers)) return false;
        return refuse(message, sink, -32602, 'Nobody asked that');
      },
    },
  }),
  extensionMutation('notification-undeclared-refusal', {
    description: 'Every client is notified of tasks.',
    change: { neglects: ['refuse-undeclared-task-listening'] },
  }),
  extensionMutation('notification-acknowledged-ids', {
    description: 'A task more is granted than was asked for.',
    alsoBreaks: ['subscriptions/acknowledgement-granted-subset'],
    change: {
      outgoing: editing(
        ({ method }, { params }) =>
          method === 'notifications/subscriptions/acknowledged' &&
          isObject(params) &&
          isObject(params.notifications) &&
          Array.isArray(params.notifications.taskIds),
        withParams(({ notifications }) => ({
          notifications: { taskIds: [...((notifications as JsonObject).taskIds as string[]), 'everything'] },
        })),
      ),
    },
  }),
  extensionMutation('notification-other-messages', {
    description: 'Status changes of a task are logged on the subscription.',
    alsoBreaks: [
      'logging/request-level-opt-in',
      'logging/request-level-stream',
      'subscriptions/filter-request-scoped-exclusion',
    ],
    change: {
      outgoing: editing(
        ({ method }) => method === 'notifications/tasks',
        (message) => {
          const { status, _meta } = message.params as JsonObject;
          return [
            message,
            {
              jsonrpc: '2.0',
              method: 'notifications/message',
              params: {
                level: 'info',
                data: status,
                _meta: { [metaKey.subscriptionId]: (_meta as JsonObject)[metaKey.subscriptionId] },
              },
            },
          ];
        },
      ),
    },
  }),
];

/** The answer to tasks/get, in the era of the extension. */
function isReported(about: About): boolean {
  return about.era === 'stateless' && about.kind === 'result' && about.method === 'tasks/get';
}

/** An outgoing seam that replaces the questions of a task. */
function asking(change: (questions: JsonObject) => JsonObject | undefined): ReturnType<typeof editing> {
  return editing(
    (about, { result }) => isReported(about) && isObject(result) && isObject(result.inputRequests),
    withResult(({ inputRequests }) => {
      const other = change(inputRequests as JsonObject);
      return other === undefined ? {} : { inputRequests: other };
    }),
  );
}

export const extensionTaskVariants: readonly Variant[] = [
  {
    id: 'extension-tasks-absent',
    revisions: [statelessRevision],
    transports: ['stdio', 'http'],
    lacks: [
      'ext-tasks/declaration-server-choice',
      'ext-tasks/notification-emission',
      'ext-tasks/update-partial',
      'extensions/declaration-permission',
      'jsonrpc/result-type-extension-values',
    ],
    description: 'No extension is advertised; the methods of tasks are unknown, and no call becomes a task.',
    change: {
      capabilities: (declared) => without(declared, 'extensions'),
    },
  },
  {
    id: 'extension-tasks-bare',
    revisions: [statelessRevision],
    transports: ['stdio', 'http'],
    description: 'Tasks are kept forever, have no pollIntervalMs, and their times have an offset.',
    change: {
      outgoing(message, about) {
        const bare = ({ createdAt, lastUpdatedAt }: JsonObject): JsonObject => ({
          ttlMs: null,
          pollIntervalMs: undefined,
          createdAt: offset(createdAt),
          lastUpdatedAt: offset(lastUpdatedAt),
        });
        if (about.method === 'notifications/tasks') return [withParams(bare)(message)];
        return [
          isObject(message.result) && 'ttlMs' in message.result && 'taskId' in message.result
            ? withResult(bare)(message)
            : message,
        ];
      },
    },
  },
  {
    id: 'extension-tasks-for-all',
    solitary: true,
    revisions: [statelessRevision],
    transports: ['stdio', 'http'],
    description: 'Whichever tool is called by a client that declares the extension, the call becomes a task.',
    change: { neglects: ['run-short-tools-plainly'] },
  },
  {
    id: 'extension-tasks-whole-answers',
    revisions: [statelessRevision],
    transports: ['stdio', 'http'],
    lacks: ['ext-tasks/update-partial'],
    description: 'All open questions of a task have to be answered at once; a part of the answers is refused.',
    change: {
      incoming(message, { host }, sink) {
        if (message.method !== 'tasks/update' || !isObject(message.params) || !isObject(message.params.inputResponses))
          return false;
        const open = openKeys(host, message.params.taskId);
        const given = Object.keys(message.params.inputResponses);
        const isPart = open.some((key) => given.includes(key)) && !open.every((key) => given.includes(key));
        return isPart && refuse(message, sink, -32602, 'All questions have to be answered at once');
      },
    },
  },
  {
    id: 'extension-tasks-late',
    revisions: [statelessRevision],
    transports: ['stdio', 'http'],
    lacks: ['ext-tasks/notification-emission'],
    uses: [
      'ext-tasks/update-late-effect',
      'ext-tasks/cancel-late-effect',
      'ext-tasks/task-ttl-change',
      'ext-tasks/task-interval-change',
    ],
    description:
      'What changes a task is acknowledged, and shows at the second look; how long a task is kept, and how often it may be asked about, is known better later; nobody is told of it.',
    change: {
      incoming(message, { host }) {
        const changes = message.method === 'tasks/update' || message.method === 'tasks/cancel';
        if (changes && isObject(message.params)) host.scratch.set(`changed ${String(message.params.taskId)}`, true);
        return false;
      },
      outgoing: editing(
        (about) => isReported(about) || about.method === 'notifications/tasks',
        (message, about) => {
          if (!isReported(about)) return [];
          const { host } = about.session;
          const now: JsonObject = { ...(message.result as JsonObject), ttlMs: 90_000, pollIntervalMs: 25 };
          const [changed, shown] = [`changed ${String(now.taskId)}`, `shown ${String(now.taskId)}`];
          const before = host.scratch.get(shown);
          if (host.scratch.delete(changed) && before !== undefined) return { ...message, result: before };
          host.scratch.set(shown, now);
          return { ...message, result: now };
        },
      ),
    },
  },
];

/** The keys of the questions that a task has open; none of a task that is not known. */
function openKeys(host: Host, taskId: unknown): string[] {
  try {
    const { inputRequests } = host.extensionTasks.find(taskId).detailed();
    return isObject(inputRequests) ? Object.keys(inputRequests) : [];
  } catch {
    return [];
  }
}

/** A time as other libraries write it: with an offset, and to the microsecond. */
function offset(time: unknown): string {
  return String(time).replace(/Z$/, '000+00:00');
}
