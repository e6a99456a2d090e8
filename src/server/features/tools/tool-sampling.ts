/** A tool that lets the model of the client use tools, in a loop that comes to an end. */
import type { JsonObject } from '../../protocol/json-rpc.ts';
import { isObject } from '../../protocol/json-rpc.ts';
import type { RequestContext } from '../../session/request-context.ts';
import { failure, isUseless, uselessSample, whileAsking } from '../kinds/ask-client.ts';
import type { Tool } from '../kinds/tool.ts';
import { text } from '../kinds/tool.ts';

const mostRounds = 5;

const meanings = {
  name: 'look-up-meaning',
  description: 'Tells what a word means.',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  outputSchema: {
    type: 'object',
    properties: { word: { type: 'string' }, meanings: { type: 'integer' } },
    required: ['word', 'meanings'],
  },
};
const letters = {
  name: 'count-letters',
  description: 'Counts the letters of a word.',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};

export const samplingTools: readonly Tool[] = [
  {
    name: 'ask-model-with-tools',
    title: 'Ask the model, with tools',
    description: 'Lets the model of the client answer with the help of two tools (sampling).',
    readOnly: true,
    since: '2025-11-25',
    run: (_given, context) => whileAsking(() => converse(context)),
  },
];

async function converse(context: RequestContext): Promise<JsonObject> {
  const messages: JsonObject[] = [{ role: 'user', content: { type: 'text', text: 'What does "ping" mean?' } }];
  for (let round = 1; ; round += 1) {
    const toolChoice = { mode: 'auto' };
    const answer = await context.ask(`round-${round}`, 'sampling/createMessage', {
      messages,
      maxTokens: 200,
      tools: [meanings, letters],
      toolChoice,
    });
    if (isUseless(answer, context)) return failure(uselessSample);
    const uses = [answer.content]
      .flat()
      .filter((block): block is JsonObject => isObject(block) && block.type === 'tool_use');
    if (answer.stopReason !== 'toolUse' || uses.length === 0)
      return text(`The model said: ${JSON.stringify(answer.content)}`);
    if (round >= mostRounds && context.host.keeps('limit-tool-loops'))
      return failure(`The model used tools ${round} times without an answer.`);
    messages.push({ role: 'assistant', content: answer.content }, { role: 'user', content: uses.map(resultOf) });
  }
}

/** Results in the order of the tool uses. */
function resultOf({ id, name, input }: JsonObject): JsonObject {
  const word = isObject(input) && typeof input.word === 'string' ? input.word : '';
  if (name === meanings.name) {
    const structuredContent = { word, meanings: 1 };
    return {
      type: 'tool_result',
      toolUseId: id,
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      structuredContent,
    };
  }
  if (name === letters.name)
    return { type: 'tool_result', toolUseId: id, content: [{ type: 'text', text: `${word.length} letters` }] };
  return {
    type: 'tool_result',
    toolUseId: id,
    content: [{ type: 'text', text: 'There is no such tool.' }],
    isError: true,
  };
}
