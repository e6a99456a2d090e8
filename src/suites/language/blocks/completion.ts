/** `assert_completion`: values for an argument are asked for. */
import { assertDemands, expectSchema, mainStep, objectOf, textOf } from './block.ts';
import type { Block } from './block.ts';

export const completionBlock: Block = {
  key: 'assert_completion',
  says: 'Asks for completions of an argument; the text is the JSON of the result.',
  expects: 'answer',
  schema: objectOf({
    ref: objectOf({
      type: textOf('ref/prompt or ref/resource.'),
      name: textOf('Name of the prompt, or URI (template) of the resource.'),
    }),
    argument: objectOf({ name: textOf('Name of the argument.'), value: textOf('What has been typed so far.') }),
    expect: expectSchema('answer'),
  }),
  read(part) {
    const ref = part.at('ref');
    const type = ref.at('type').text() ?? '';
    const name = ref.at('name').text() ?? '';
    const argument = {
      name: part.at('argument').at('name').text() ?? '',
      value: part.at('argument').at('value').text() ?? '',
    };
    if (type !== 'ref/prompt' && type !== 'ref/resource') {
      return {
        steps: [
          mainStep(part, {
            title: 'completion/complete',
            act: {
              kind: 'impossible',
              words: `unsupported completion ref type ${JSON.stringify(type)}; use ref/prompt or ref/resource`,
            },
          }),
        ],
      };
    }
    const params = { ref: type === 'ref/prompt' ? { type, name } : { type, uri: name }, argument };
    return {
      about: name,
      steps: [
        mainStep(part, {
          title: `completion/complete ${name}`,
          act: {
            kind: 'request',
            method: 'completion/complete',
            params,
            scope: 'none',
            view: 'json',
            failed: `completion/complete failed for ${JSON.stringify(name)}, argument ${JSON.stringify(argument.name)}`,
          },
          demands: assertDemands(part, 'answer'),
        }),
      ],
    };
  },
};
