/** `assert_prompts`: prompts are listed, or one is got. */
import type { Part } from '../part.ts';
import type { SendRequest, View } from '../model.ts';
import { assertDemands, expectSchema, mainStep, objectOf, setupSteps, textOf } from './block.ts';
import type { Block } from './block.ts';

export const listSchema = objectOf({
  cursor: textOf('Asks for the page behind this cursor; without it all pages are asked for.'),
});

export const promptsBlock: Block = {
  key: 'assert_prompts',
  says: 'Lists prompts (the text is the JSON of the result), or gets one (the text is its description and messages).',
  expects: 'answer',
  schema: objectOf({
    list: listSchema,
    get: objectOf({
      name: textOf('Name of the prompt.'),
      arguments: {
        type: 'object',
        additionalProperties: { type: ['string', 'number', 'boolean'] },
        description: 'Arguments; all are sent as text.',
      },
    }),
    expect: expectSchema('answer'),
  }),
  read(part, file) {
    if (part.has('list'))
      return {
        steps: [
          ...setupSteps(file),
          mainStep(part, {
            title: 'prompts/list',
            act: listOf(part.at('list'), 'prompts/list', 'prompts'),
            demands: assertDemands(part, 'answer'),
          }),
        ],
      };
    if (!part.has('get'))
      return {
        steps: [
          mainStep(part, {
            title: 'assert_prompts',
            act: { kind: 'impossible', words: "assert_prompts requires either 'list' or 'get'" },
          }),
        ],
      };
    const get = part.at('get');
    const name = get.at('name').text() ?? '';
    const given = get
      .at('arguments')
      .members()
      .map(([key, value]) => [key, value.text() ?? '']);
    const act: SendRequest = {
      kind: 'request',
      method: 'prompts/get',
      params: { name, ...(get.has('arguments') ? { arguments: Object.fromEntries(given) } : {}) },
      scope: 'text',
      view: 'prompt',
      failed: `prompts/get failed for ${JSON.stringify(name)}`,
    };
    return {
      about: name,
      steps: [
        ...setupSteps(file),
        mainStep(part, { title: `prompts/get ${name}`, act, demands: assertDemands(part, 'answer') }),
      ],
    };
  },
};

/** A list: one page when a cursor is named, else all of them. */
export function listOf(part: Part, method: string, member: string, view: View = 'json'): SendRequest {
  const cursor = part.at('cursor').text();
  return {
    kind: 'request',
    method,
    params: cursor === undefined ? undefined : { cursor },
    scope: 'text',
    view,
    failed: `${method} failed${cursor === undefined ? '' : ` for the cursor ${JSON.stringify(cursor)}`}`,
    ...(cursor === undefined ? { pages: member } : {}),
  };
}
