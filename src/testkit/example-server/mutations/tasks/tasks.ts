/** Mutations of tasks: how they are negotiated and made, their ids and statuses, what they ask for and what they give. */
import type { BehaviourChange } from '../../../../server/session/behaviour.ts';
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { errorCode, isObject } from '../../../../server/protocol/json-rpc.ts';
import type { Session } from '../../../../server/session/session.ts';
import { relatedMeta, relatedTask } from '../../../../server/session/task.ts';
import { editing, progressNotice, refuse, requestNamed, resultOf, without, withParams, withResult } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { httpOnly, mutation } from '../mutation.ts';
import { afterCompletion, isQuestion, showing, taskMutation } from './task-edits.ts';

const refused = 'The request was refused';

function hasTask(message: JsonObject, method: string): boolean {
  return message.method === method && isObject(message.params) && message.params.task !== undefined;
}

/** A task that was seen waiting for the client is shown so ever after. */
const stuckInput: BehaviourChange = {
  outgoing: editing(resultOf('tasks/get'), (message, { session }) => {
    const { taskId, status } = message.result as JsonObject;
    const key = `stuck ${String(taskId)}`;
    if (status === 'input_required') session.host.scratch.set(key, true);
    return session.host.scratch.has(key) ? withResult(() => ({ status: 'input_required' }))(message) : message;
  }),
};

const lastProgress = new WeakMap<Session, JsonObject>();

/** Repeats the last progress of a task whenever the client pings. */
const lateProgress: BehaviourChange = {
  outgoing: (message, about) => {
    const { session } = about;
    const meta = isObject(message.params) ? message.params._meta : undefined;
    if (progressNotice(about, message) && isObject(meta) && relatedTask in meta) lastProgress.set(session, message);
    const late = lastProgress.get(session);
    if (resultOf('ping')(about, message) && late !== undefined) session.deliver(late);
    return [message];
  },
};

const lastQuestion = new WeakMap<Session, unknown>();

/** Cancels the request that became a task when the task is looked at. */
const cancelsTheRequest: BehaviourChange = {
  outgoing: (message, about) => {
    if (isQuestion(about) && isObject(message.params) && message.params.task !== undefined)
      lastQuestion.set(about.session, message.id);
    if (!requestNamed('tasks/get')(about, message)) return [message];
    return [
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: lastQuestion.get(about.session) } },
      message,
    ];
  },
};

const negotiationMutations: readonly Mutation[] = [
  taskMutation('capability-declaration', {
    description: 'Tool calls become tasks, but the capability is not declared.',
    alsoBreaks: ['tasks/capability-undeclared-processing'],
    change: {
      neglects: ['refuse-tasks-of-other-tools'],
      outgoing: editing(
        resultOf('initialize'),
        withResult((result) => ({ capabilities: without(result.capabilities as JsonObject, 'tasks') })),
      ),
    },
  }),
  taskMutation('capability-undeclared-processing', {
    description: 'Without tasks a tool call with a task parameter is refused.',
    change: {
      capabilities: (declared) => without(declared, 'tasks'),
      incoming: (message, _session, sink) =>
        hasTask(message, 'tools/call') && refuse(message, sink, errorCode.invalidParams, refused),
    },
  }),
  taskMutation('capability-request-exhaustiveness', {
    description: 'Listing the tools with a task parameter is answered with a task.',
    // An empty list replaces the list.
    alsoBreaks: ['tasks/capability-undeclared-processing', 'tools/list-changed-emission'],
    change: {
      incoming: (message, _session, sink) => {
        if (!hasTask(message, 'tools/list')) return false;
        const now = new Date().toISOString();
        const task = {
          taskId: crypto.randomUUID(),
          status: 'working',
          createdAt: now,
          lastUpdatedAt: now,
          ttl: 60_000,
        };
        sink.finish([{ jsonrpc: '2.0', id: message.id, result: { tools: [], task } }], { method: 'tools/list' });
        return true;
      },
    },
  }),
  taskMutation('capability-list-and-cancel', {
    description: 'tasks/list is declared, but an unknown method.',
    alsoBreaks: ['tasks/errors-invalid-cursor'],
    change: {
      incoming: (message, _session, sink) =>
        message.method === 'tasks/list' && refuse(message, sink, errorCode.methodNotFound, refused),
    },
  }),
  taskMutation('capability-requestor-abstention', {
    description: 'Requests to the client ask for a task, though it declared none.',
    alsoBreaks: ['tasks/capability-requestor-adherence'],
    change: {
      outgoing: editing(
        isQuestion,
        withParams(() => ({ task: { ttl: 60_000 } })),
      ),
    },
  }),
  taskMutation('capability-requestor-adherence', {
    description: 'Samplings ask for a task of a client that declared tasks for elicitations only.',
    change: {
      outgoing: editing(
        (about, message) =>
          requestNamed('sampling/createMessage')(about, message) && isObject(about.session.clientCapabilities.tasks),
        withParams(() => ({ task: { ttl: 60_000 } })),
      ),
    },
  }),
  taskMutation('tool-forbidden-server', {
    description: 'Tools that forbid tasks are called as tasks nevertheless.',
    change: { neglects: ['refuse-tasks-of-other-tools'] },
  }),
  taskMutation('tool-mandatory-server', {
    description: 'A tool that demands a task runs without one.',
    change: { neglects: ['demand-tasks'] },
  }),
];

const courseMutations: readonly Mutation[] = [
  taskMutation('create-result', {
    description: 'A task call is answered with the result of the tool.',
    change: { neglects: ['create-tasks'] },
  }),
  taskMutation('create-result-promptness', {
    // Over HTTP the steps come on another stream than the answer, and may have overtaken it.
    transports: ['stdio'],
    description: 'A task is announced when its work is done.',
    alsoBreaks: ['http/get-message-independence'],
    change: { neglects: ['answer-before-the-work', 'hold-questions-of-tasks'] },
  }),
  taskMutation('get-transport-rules', {
    transports: httpOnly,
    description: 'tasks/get is answered as plain text.',
    alsoBreaks: ['http/post-response-type'],
    change: {
      http: {
        replies: 'json',
        reply: (reply) =>
          reply.method === 'tasks/get' && reply.status === 200
            ? { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } }
            : reply,
      },
    },
  }),
  taskMutation('get-sse-avoidance', {
    transports: httpOnly,
    description: 'Every request is answered on an event stream.',
    change: { http: { replies: 'sse' } },
  }),
  taskMutation('get-poll-interval', {
    description: 'A task of the client is asked about three times in a row.',
    change: { neglects: ['poll-patiently'] },
  }),
  mutation({
    rule: 'cancellation/task-dedicated-method',
    revisions: ['2025-11-25'],
    description: 'A task of the client is cancelled like a request.',
    change: cancelsTheRequest,
  }),
  taskMutation('result-final-outcome', {
    description: 'tasks/result gives the task instead of its result.',
    alsoBreaks: ['tasks/result-equivalence'],
    change: {
      outgoing: editing(resultOf('tasks/result'), (message) => ({
        ...message,
        result: { taskId: 'x', status: 'completed', _meta: (message.result as JsonObject)._meta },
      })),
    },
  }),
  taskMutation('result-blocking', {
    description: 'The result of an unfinished task is refused instead of waited for.',
    change: { neglects: ['hold-task-results', 'hold-questions-of-tasks'] },
  }),
  taskMutation('result-equivalence', {
    description: 'tasks/result wraps the result of the tool.',
    change: {
      outgoing: editing(resultOf('tasks/result'), (message) => {
        const { _meta, ...result } = message.result as JsonObject;
        return { ...message, result: { content: [], payload: result, _meta } };
      }),
    },
  }),
  taskMutation('status-notification-metadata-absence', {
    description: 'Status notifications name a foreign task in their metadata.',
    change: {
      outgoing: editing(
        ({ method }) => method === 'notifications/tasks/status',
        withParams(() => ({ _meta: relatedMeta('foreign') })),
      ),
    },
  }),
];

const stateMutations: readonly Mutation[] = [
  taskMutation('id-type', {
    description: 'Task ids are numbers.',
    alsoBreaks: [
      'http/sse-interim-relevance',
      'tasks/schema-create-result',
      'tasks/schema-get-and-cancel-result',
      'tasks/schema-list-result',
      'tasks/schema-metadata',
      'tasks/schema-status-notification',
      'tools/call-result-schema',
    ],
    change: { tasks: { id: (_random, n) => n } },
  }),
  taskMutation('id-receiver-generation', {
    description: 'An id that the client proposes is taken.',
    change: { tasks: { id: (random, _n, proposed) => proposed ?? random } },
  }),
  taskMutation('id-uniqueness', {
    description: 'Every third task gets an id that was given before.',
    alsoBreaks: [
      'tasks/security-id-entropy',
      'tasks/ttl-created-at',
      'tasks/status-terminal-finality',
      'tasks/status-transitions',
      'tasks/cancel-permanence',
      'tasks/list-next-cursor',
      'tasks/result-equivalence',
      'progress/task-terminal-stop',
    ],
    change: { tasks: { id: (_random, n) => `4f1c2ad9-77b0-4c8e-9d35-0000000000${n % 3}` } },
  }),
  taskMutation('status-initial', {
    description: 'A new task is shown as submitted.',
    alsoBreaks: ['tasks/schema-create-result', 'tasks/schema-task', 'tasks/status-transitions'],
    change: { outgoing: showing((task) => ({ ...task, status: 'submitted' }), ['create']) },
  }),
  taskMutation('status-transitions', {
    description: 'A completed task is working again at the next look.',
    alsoBreaks: ['tasks/status-terminal-finality'],
    change: afterCompletion('working'),
  }),
  taskMutation('status-transitions', {
    as: 'unknown',
    description: "Finished tasks have a status of the server's own.",
    alsoBreaks: ['tasks/schema-get-and-cancel-result', 'tasks/schema-task', 'tasks/status-terminal-finality'],
    change: {
      outgoing: editing(
        resultOf('tasks/get'),
        withResult(({ status }) => ({ status: status === 'completed' ? 'done' : status })),
      ),
    },
  }),
  taskMutation('status-terminal-finality', {
    description: 'A completed task has failed at the next look.',
    change: afterCompletion('failed'),
  }),
  taskMutation('input-status-entry', {
    description: 'A task that waits for the client is shown as working.',
    change: { neglects: ['enter-input-required'] },
  }),
  taskMutation('input-related-metadata', {
    description: 'Requests for the sake of a task do not name it.',
    change: {
      outgoing: editing(isQuestion, (message) => ({
        ...message,
        params: without(message.params as JsonObject, '_meta'),
      })),
    },
  }),
  taskMutation('input-status-exit', {
    description: 'A task stays input_required when the client has answered.',
    alsoBreaks: ['tasks/status-terminal-finality', 'tasks/status-transitions'],
    change: stuckInput,
  }),
  mutation({
    rule: 'progress/task-terminal-stop',
    revisions: ['2025-11-25'],
    description: 'Progress of tasks goes on when they are over.',
    alsoBreaks: ['tasks/cancel-work-stop'],
    change: lateProgress,
  }),
];

export const taskMutations: readonly Mutation[] = [...negotiationMutations, ...courseMutations, ...stateMutations];
