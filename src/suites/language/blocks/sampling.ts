/** `assert_sampling`: a tool is called that asks the client for a sample, which is made up. */
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

export const samplingBlock: Block = {
  key: 'assert_sampling',
  says: 'Calls a tool and answers its sampling/createMessage with a given text.',
  expects: 'answer',
  schema: objectOf({
    tool: textOf('Name of the tool.'),
    args: argumentsSchema,
    mock_text: textOf('Text of the sample.'),
    mock_model: textOf('Name of the model; `mock` by default.'),
    mock_stop_reason: textOf('Why the model stopped; `end_turn` by default.'),
    expect: expectSchema('answer'),
  }),
  read(part, file) {
    const tool = part.at('tool').text() ?? '';
    return {
      about: tool,
      features: {
        sampling: {
          text: part.at('mock_text').text() ?? '',
          model: part.at('mock_model').text() ?? 'mock',
          stopReason: part.at('mock_stop_reason').text() ?? 'end_turn',
        },
      },
      steps: [
        ...setupSteps(file),
        mainStep(part, {
          title: `tools/call ${tool}`,
          act: toolCall(tool, argumentsOf(part), `tool call ${tool} failed`),
          demands: assertDemands(part, 'answer'),
        }),
      ],
    };
  },
};
