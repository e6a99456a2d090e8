/** `assert`: one tool is called. */
import {
  argumentsOf,
  argumentsSchema,
  assertDemands,
  expectSchema,
  mainStep,
  objectOf,
  setupSteps,
  textOf,
  toolCall,
} from './block.ts';
import type { Block } from './block.ts';

export const toolBlock: Block = {
  key: 'assert',
  says: 'Calls a tool and judges its result.',
  expects: 'answer',
  schema: objectOf({
    tool: textOf('Name of the tool; it need not exist.'),
    args: argumentsSchema,
    capture_progress: { type: 'boolean', description: 'Ask for progress and count it, for min_progress.' },
    expect: expectSchema('answer'),
  }),
  read(part, file) {
    const tool = part.at('tool').text() ?? '';
    const counts = part.at('capture_progress').value === true;
    const demands = assertDemands(part, 'answer').filter(
      ({ expectation }) => counts || expectation.name !== 'min_progress',
    );
    const act = {
      ...toolCall(tool, argumentsOf(part), `tool call ${tool} failed`),
      ...(counts ? { progress: true } : {}),
    };
    return { about: tool, steps: [...setupSteps(file), mainStep(part, { title: `tools/call ${tool}`, act, demands })] };
  },
};
