/** Tools that need something from the client: a model's answer, a user's answer, its roots. */
import type { JsonObject } from '../core/json-rpc.ts';
import type { ClientMethod, RequestContext } from '../core/request-context.ts';
import { MissingCapability } from '../core/request-context.ts';
import { ClientRefusal } from '../core/session.ts';
import type { Tool } from './tool.ts';
import { text } from './tool.ts';

/** Asks, and tells of an undeclared capability as a failure of the tool. */
async function asking(
  context: RequestContext,
  method: ClientMethod,
  params: JsonObject | undefined,
  tell: (answer: JsonObject) => string,
): Promise<JsonObject> {
  try {
    return text(tell(await context.ask('answer', method, params)));
  } catch (thrown) {
    if (thrown instanceof MissingCapability) return { ...text(thrown.message), isError: true };
    if (thrown instanceof ClientRefusal) return { ...text(`The client refused: ${thrown.message}`), isError: true };
    throw thrown;
  }
}

export const clientTools: readonly Tool[] = [
  {
    name: 'ask-model',
    title: 'Ask the model',
    description: 'Asks the model of the client for a short answer (sampling).',
    properties: { question: { type: 'string', description: 'What to ask; a colour by default.' } },
    readOnly: true,
    run(given, context) {
      const question = typeof given.question === 'string' ? given.question : 'Name a colour.';
      const messages = [{ role: 'user', content: { type: 'text', text: question } }];
      return asking(context, 'sampling/createMessage', { messages, maxTokens: 50 }, (answer) => `The model said: ${JSON.stringify(answer.content)}`);
    },
  },
  {
    name: 'ask-user',
    title: 'Ask the user',
    description: 'Asks the user for a team name (elicitation).',
    readOnly: true,
    run(_given, context) {
      const requestedSchema = { type: 'object', properties: { team: { type: 'string', title: 'Team', description: 'Name of your team.' } }, required: ['team'] };
      return asking(context, 'elicitation/create', { message: 'Which team are you in?', requestedSchema }, (answer) =>
        answer.action === 'accept' ? `The user said: ${JSON.stringify(answer.content)}` : `The user chose: ${String(answer.action)}`,
      );
    },
  },
  {
    name: 'list-roots',
    title: 'List roots',
    description: 'Asks the client for its roots and returns them.',
    readOnly: true,
    run: (_given, context) => asking(context, 'roots/list', undefined, (answer) => `The roots are: ${JSON.stringify(answer.roots)}`),
  },
];
