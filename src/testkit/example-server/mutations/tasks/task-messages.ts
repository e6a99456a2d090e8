/** Mutations of the form of messages about tasks: their metadata, their members, their errors. */
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { errorCode } from '../../../../server/protocol/json-rpc.ts';
import type { Session } from '../../../../server/session/session.ts';
import { relatedMeta, relatedTask } from '../../../../server/session/task.ts';
import { editing, errorFor, progressNotice, refuse, withError, withParams, without } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { mutation } from '../mutation.ts';
import { isCreation, isQuestion, resulting, showing, taskMutation } from './task-edits.ts';

/** Lets the server ask the client about a task, once it is ready. */
const asking =
  (params: JsonObject) =>
  (session: Session): void => {
    if (session.revision === '2025-11-25') session.request('tasks/get', params).catch(() => {});
  };

const related: readonly Mutation[] = [
  taskMutation('related-message-metadata', {
    description: 'Progress of a task does not name the task.',
    change: {
      outgoing: editing(progressNotice, (message) => ({
        ...message,
        params: without(message.params as JsonObject, '_meta'),
      })),
    },
  }),
  mutation({
    rule: 'progress/task-token-continuation',
    revisions: ['2025-11-25'],
    description: 'Progress of a task has the id of the task for its token.',
    alsoBreaks: ['progress/token-active-reference'],
    change: {
      outgoing: editing(
        (about, message) => progressNotice(about, message) && '_meta' in (message.params as JsonObject),
        withParams(({ _meta }) => ({ progressToken: ((_meta as JsonObject)[relatedTask] as JsonObject).taskId })),
      ),
    },
  }),
  taskMutation('related-nested-identifier', {
    description: 'What a task asks of the client names another task.',
    change: {
      outgoing: editing(
        (about, message) => isQuestion(about) && '_meta' in (message.params as JsonObject),
        withParams(() => ({ _meta: relatedMeta('another-task') })),
      ),
    },
  }),
  taskMutation('related-parameter-authority', {
    description: 'The metadata of tasks/get says which task is meant.',
    change: { neglects: ['heed-only-the-task-parameter'] },
  }),
  taskMutation('related-metadata-disregard', {
    description: 'tasks/get with metadata of a task is refused.',
    change: {
      incoming(message, _session, sink) {
        const meta = (message.params as JsonObject | undefined)?._meta as JsonObject | undefined;
        if (message.method !== 'tasks/get' || meta?.[relatedTask] === undefined) return false;
        return refuse(message, sink, errorCode.invalidParams, 'Related-task metadata is not allowed here');
      },
    },
  }),
  taskMutation('related-request-omission', {
    description: 'The server asks about a task by parameter and metadata.',
    change: { onInitialized: asking({ taskId: 'task-of-the-client', _meta: relatedMeta('task-of-the-client') }) },
  }),
  taskMutation('related-result-omission', {
    description: 'tasks/get repeats the id of the task in its metadata.',
    change: { outgoing: resulting('tasks/get', (result) => ({ ...result, _meta: relatedMeta(result.taskId) })) },
  }),
  taskMutation('related-result-metadata', {
    description: 'tasks/result does not name the task.',
    change: { outgoing: resulting('tasks/result', (result) => without(result, '_meta')) },
  }),
];

const schemas: readonly Mutation[] = [
  taskMutation('schema-task', {
    description: 'The time between two questions about a task is a text.',
    alsoBreaks: ['tasks/schema-list-result'],
    change: { outgoing: showing((task) => ({ ...task, pollInterval: '50 ms' }), ['tasks/list']) },
  }),
  taskMutation('schema-create-result', {
    description: 'The answer that begins a task is the task itself.',
    alsoBreaks: ['tasks/create-result', 'tools/call-result-schema', 'progress/flow-completion-stop'],
    change: {
      outgoing: editing(isCreation, (message) => ({ ...message, result: (message.result as JsonObject).task })),
    },
  }),
  taskMutation('schema-get-and-cancel-result', {
    description: 'tasks/get holds the task under task.',
    change: { outgoing: resulting('tasks/get', (task) => ({ task })) },
  }),
  taskMutation('schema-list-result', {
    description: 'Tasks are listed by id.',
    change: {
      outgoing: resulting('tasks/list', (result) => ({
        ...result,
        tasks: Object.fromEntries((result.tasks as JsonObject[]).map((task) => [String(task.taskId), task])),
      })),
    },
  }),
  taskMutation('schema-requests', {
    description: 'The server asks about a task without saying which.',
    change: { onInitialized: asking({}) },
  }),
  taskMutation('schema-status-notification', {
    description: 'A status notification has the id and the status alone.',
    alsoBreaks: ['tasks/schema-task', 'tasks/ttl-created-at', 'tasks/ttl-last-updated-at'],
    change: { outgoing: showing(({ taskId, status }) => ({ taskId, status }), ['notification']) },
  }),
  taskMutation('schema-metadata', {
    description: 'The metadata of a task is its bare id.',
    alsoBreaks: ['tasks/related-result-metadata'],
    change: {
      outgoing: resulting('tasks/result', (result) => ({
        ...result,
        _meta: { [relatedTask]: ((result._meta as JsonObject)[relatedTask] as JsonObject).taskId },
      })),
    },
  }),
];

const errors: readonly Mutation[] = [
  taskMutation('errors-unknown-task', {
    description: 'A question about a task that does not exist is an internal error.',
    change: { outgoing: editing(errorFor('unknown-task'), withError({ code: errorCode.internal })) },
  }),
  taskMutation('errors-informative-message', {
    description: 'Errors about tasks say nothing.',
    change: { outgoing: editing(errorFor('unknown-task'), withError({ message: '' })) },
  }),
  taskMutation('errors-status-message', {
    description: 'A failed task does not give a reason.',
    change: { outgoing: showing((task) => (task.status === 'failed' ? without(task, 'statusMessage') : task)) },
  }),
  taskMutation('errors-tool-error-status', {
    description: 'A task is completed though its tool failed.',
    change: { neglects: ['fail-tasks-of-failed-tools'] },
  }),
  taskMutation('errors-wrapped-error', {
    description: 'The error of the work becomes a general one.',
    change: {
      outgoing: editing(
        (about, message) => about.method === 'tasks/result' && errorFor('tool-broke-off')(about, message),
        withError({ code: errorCode.internal, message: 'The task failed' }),
      ),
    },
  }),
  taskMutation('errors-wrapped-success', {
    description: 'A tool result that reports a failure becomes an error.',
    alsoBreaks: ['tasks/result-equivalence'],
    change: {
      outgoing: editing(
        (about, message) =>
          about.kind === 'result' && about.method === 'tasks/result' && (message.result as JsonObject).isError === true,
        ({ id }) => ({ jsonrpc: '2.0', id, error: { code: errorCode.internal, message: 'The task failed' } }),
      ),
    },
  }),
];

export const taskMessageMutations: readonly Mutation[] = [...related, ...schemas, ...errors];
