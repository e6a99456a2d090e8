/**
 * Tools and a prompt of the stateless era that the official conformance suite calls by their names; served only with
 * --fixtures. Most ask the client for something, in a result.
 */
import type { JsonObject } from '../core/json-rpc.ts';
import { isObject } from '../core/json-rpc.ts';
import type { ClientMethod, Questions, RequestContext } from '../core/request-context.ts';
import { canAsk } from '../core/request-context.ts';
import { statelessRevision } from '../core/revisions.ts';
import { isUseless, uselessSample, whileAsking, failure } from './ask-client.ts';
import type { Prompt } from './prompts.ts';
import type { Tool } from './tool.ts';
import { text } from './tool.ts';

function form(
  message: string,
  field: string,
  type: 'string' | 'boolean' = 'string',
): { method: ClientMethod; params: JsonObject } {
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties: { [field]: { type } } } },
  };
}

function sample(question: string): { method: ClientMethod; params: JsonObject } {
  return {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: question } }], maxTokens: 100 },
  };
}

const name = form('What is your name?', 'name');
const roots: { method: ClientMethod } = { method: 'roots/list' };

/** Asks everything of a round at once; forms that hold what they were not asked for, and samples that are none, are refused. */
async function round(
  context: RequestContext,
  questions: Questions,
  sealed: boolean,
): Promise<Record<string, JsonObject>> {
  const answers = await context.askTogether(questions, { sealed });
  for (const [key, { method, params }] of Object.entries(questions)) {
    const answer = answers[key]!;
    if (method === 'sampling/createMessage' && isUseless(answer, context)) throw new UselessAnswer(uselessSample);
    const field = formFieldOf(params);
    const given = isObject(answer.content) && field !== undefined ? answer.content[field.name] : undefined;
    if (
      method === 'elicitation/create' &&
      answer.action === 'accept' &&
      given !== undefined &&
      typeof given !== field!.type &&
      context.host.keeps('validate-elicited-content')
    ) {
      throw new UselessAnswer(`The answer is no use: ${field!.name} does not fit`);
    }
  }
  return answers;
}

class UselessAnswer extends Error {}

function formFieldOf(params: JsonObject | undefined): { name: string; type: unknown } | undefined {
  const schema = params?.requestedSchema;
  const [first] = isObject(schema) && isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return first && { name: first[0], type: isObject(first[1]) ? first[1].type : undefined };
}

/** A tool that asks for these things, round by round, and then is done. */
function asker(
  toolName: string,
  description: string,
  ...rounds: readonly ((context: RequestContext) => Questions)[]
): Tool {
  return {
    name: toolName,
    title: description.replace(/\.$/, ''),
    description,
    readOnly: true,
    since: statelessRevision,
    run: (_given, context) =>
      whileAsking(async () => {
        try {
          for (const questions of rounds) {
            // One of them, whose state would tell nothing, goes without.
            const answers = await round(
              context,
              questions(context),
              toolName !== 'test_input_required_result_elicitation',
            );
            const declined = Object.values(answers).find(({ action }) => action === 'decline' || action === 'cancel');
            if (declined) return text(`The user chose: ${String(declined.action)}`);
          }
          return text(`${rounds.length} rounds of questions were answered.`);
        } catch (thrown) {
          if (thrown instanceof UselessAnswer) return failure(thrown.message);
          throw thrown;
        }
      }),
  };
}

/** Only what the client has declared; whoever declared nothing is asked nothing. */
function declaredOnly(context: RequestContext): Questions {
  const all: Questions = { who: name, capital: sample('What is the capital of France?'), where: roots };
  return Object.fromEntries(
    Object.entries(all).filter(([, { method, params }]) => canAsk(context.clientCapabilities, method, params)),
  );
}

export const fixtureRounds: readonly Tool[] = [
  asker('test_missing_capability', 'Cannot do without the model of the client.', () => ({
    greeting: sample('Say hello.'),
  })),
  asker('test_streaming_elicitation', 'Asks the user for a name.', () => ({ user_name: name })),
  asker('test_input_required_result_elicitation', 'Asks the user for a name, in a result.', () => ({
    user_name: name,
  })),
  asker('test_input_required_result_sampling', 'Asks the model for a capital, in a result.', () => ({
    capital_question: sample('What is the capital of France?'),
  })),
  asker('test_input_required_result_list_roots', 'Asks for the roots, in a result.', () => ({ client_roots: roots })),
  asker('test_input_required_result_request_state', 'Asks for a yes, with a state.', () => ({
    confirm: form('Go on?', 'ok', 'boolean'),
  })),
  asker('test_input_required_result_tampered_state', 'Asks for a yes, with a state that is sealed.', () => ({
    confirm: form('Go on?', 'ok', 'boolean'),
  })),
  asker('test_input_required_result_multiple_inputs', 'Asks user, model and client at once.', () => ({
    user_name: name,
    greeting: sample('Say hello.'),
    client_roots: roots,
  })),
  asker(
    'test_input_required_result_multi_round',
    'Asks the user twice, one answer after another.',
    () => ({ first: name }),
    () => ({ second: form('Which colour?', 'color') }),
  ),
  asker('test_input_required_result_capabilities', 'Asks for whatever the client can be asked for.', declaredOnly),
  {
    name: 'test_logging_tool',
    title: 'Log',
    description: 'Logs while it works, for those who want it.',
    readOnly: true,
    since: statelessRevision,
    run(_given, context) {
      context.log('info', 'working');
      return text('done');
    },
  },
  {
    name: 'test_trigger_tool_change',
    title: 'Change the tools',
    description: 'Adds a tool to the list, or removes it again, and announces that.',
    readOnly: false,
    since: statelessRevision,
    run: (_given, context) => changed(context, 'tools'),
  },
  {
    name: 'test_trigger_prompt_change',
    title: 'Change the prompts',
    description: 'Adds a prompt to the list, or removes it again, and announces that.',
    readOnly: false,
    since: statelessRevision,
    run: (_given, context) => changed(context, 'prompts'),
  },
  {
    name: 'test_param_header',
    title: 'Parameter in a header',
    description: 'Takes a region, which travels as a header too.',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', description: 'Where to look.', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
    readOnly: true,
    since: statelessRevision,
    run: ({ region }) =>
      typeof region === 'string' ? text(`The region is ${region}.`) : failure('The region has to be a string.'),
  },
];

/** The entries are those that change-lists adds, one list at a time. */
function changed(context: RequestContext, list: 'tools' | 'prompts'): JsonObject {
  const { world } = context;
  if (list === 'tools') world.fixtureTool = !world.fixtureTool;
  else world.fixturePrompt = !world.fixturePrompt;
  context.listChanged(list);
  return text(`The ${list} have changed.`);
}

export const changedTool: Tool = {
  name: 'test_changed_tool',
  title: 'Changed tool',
  description: 'Listed only after test_trigger_tool_change.',
  readOnly: true,
  run: () => text('changed'),
};

const said = (words: string): JsonObject => ({ role: 'user', content: { type: 'text', text: words } });

export const changedPrompt: Prompt = {
  name: 'test_changed_prompt',
  title: 'Changed prompt',
  description: 'Listed only after test_trigger_prompt_change.',
  render: () => [said('Say changed.')],
};

export const askingPrompt: Prompt = {
  name: 'test_input_required_result_prompt',
  title: 'Asking prompt',
  description: 'A prompt that asks the user for its context.',
  since: statelessRevision,
  async render(_given, context) {
    const { context: answer } = await context.askTogether({ context: form('In which context?', 'context') });
    return [said(`The context is ${JSON.stringify(answer!.content ?? null)}.`)];
  },
};
