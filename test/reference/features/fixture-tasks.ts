/**
 * Tools for the tasks extension that the official conformance suite calls by their names; served only with --fixtures.
 */
import type { JsonObject } from '../core/json-rpc.ts';
import { errorCode, isObject, RpcError } from '../core/json-rpc.ts';
import { pause, type Questions } from '../core/request-context.ts';
import { statelessRevision } from '../core/revisions.ts';
import type { Tool } from './tool.ts';
import { text } from './tool.ts';

const since = statelessRevision;
/** Milliseconds that the jobs work before they fail. */
const failingAfter = 50;
/** Seconds; a task is kept for no longer. */
const longest = 60;

function inForm(message: string, field: string, type: 'string' | 'boolean'): Questions[string] {
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties: { [field]: { type } } } },
  };
}

const accepted = (answer: JsonObject | undefined): boolean => answer?.action === 'accept';

export const fixtureTasks: readonly Tool[] = [
  {
    name: 'greet',
    title: 'Greeting',
    description: 'Greets, and never runs as a task.',
    properties: { name: { type: 'string', description: 'Whom to greet.' } },
    required: ['name'],
    readOnly: true,
    since,
    run: ({ name }) => text(`Hello, ${String(name)}!`),
  },
  {
    name: 'slow_compute',
    title: 'Slow computation',
    description: 'Computes for as long as it is told to.',
    properties: {
      seconds: { type: 'number', description: 'How long; 0 where it is left out.', minimum: 0, maximum: longest },
      label: { type: 'string', description: 'What the result is called.' },
    },
    readOnly: true,
    since,
    longRunning: 'where-declared',
    async run({ seconds, label }, context) {
      await pause(Number(seconds ?? 0) * 1000, context.signal);
      return text(`Computed: ${String(label ?? 'nothing in particular')}`);
    },
  },
  {
    name: 'failing_job',
    title: 'Failing job',
    description: 'Fails as tools do, and runs as a task only.',
    readOnly: true,
    since,
    longRunning: 'always',
    async run(_given, context) {
      await pause(failingAfter, context.signal);
      return { ...text('The job failed.'), isError: true };
    },
  },
  {
    name: 'protocol_error_job',
    title: 'Broken job',
    description: 'Fails with an error of the protocol.',
    readOnly: true,
    since,
    longRunning: 'where-declared',
    async run(_given, context) {
      await pause(failingAfter, context.signal);
      throw new RpcError(errorCode.internal, 'The job broke down', { reason: 'tool-broke-off' });
    },
  },
  {
    name: 'confirm_delete',
    title: 'Confirmed deletion',
    description: 'Asks whether a file may go; there is no file, and none is deleted.',
    properties: { filename: { type: 'string', description: 'The name of the file.' } },
    readOnly: true,
    since,
    longRunning: 'where-declared',
    async run({ filename }, context) {
      const { confirm } = await context.askTogether({
        confirm: inForm(`Delete ${String(filename ?? 'it')}?`, 'confirm', 'boolean'),
      });
      const yes = accepted(confirm) && isObject(confirm!.content) && confirm!.content.confirm === true;
      return text(yes ? 'It is gone.' : 'It stays.');
    },
  },
  {
    name: 'multi_input',
    title: 'Two questions at once',
    description: 'Asks for two names at once.',
    readOnly: true,
    since,
    longRunning: 'where-declared',
    async run(_given, context) {
      const answers = await context.askTogether({
        first: inForm('Who is first?', 'name', 'string'),
        second: inForm('Who is second?', 'name', 'string'),
      });
      return text(Object.values(answers).every(accepted) ? 'Both are known.' : 'Somebody is not known.');
    },
  },
  {
    name: 'test_tool_with_task',
    title: 'Question before the task',
    description: 'Asks for a name in a round of the request; its work then runs as a task.',
    readOnly: true,
    since,
    longRunning: 'always',
    settleFirst: (context) => context.askTogether({ user_name: inForm('What is your name?', 'name', 'string') }),
    async run({ user_name: answer }, context) {
      await pause(failingAfter, context.signal);
      const content = isObject(answer) && isObject(answer.content) ? answer.content : {};
      return text(
        typeof content.name === 'string' ? `The task was done for ${content.name}.` : 'The task was done for nobody.',
      );
    },
  },
];
