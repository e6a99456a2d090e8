/** Which tools are called in order to be asked something, and which are left alone. */
import { describe, expect, test } from 'vitest';
import { noPermission } from '../../src/core/permission/decide.ts';
import { chooseTools } from '../../src/client/offers/choose-tools.ts';
import { usualPlaces } from '../../src/core/json-schema/places.ts';

type Json = Record<string, unknown>;

function chosen(tools: Json[], most = 8): string[] {
  const listing = {
    tools: tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })),
    prompts: [],
    resources: [],
    templates: [],
  };
  return chooseTools(listing, { choice: 'asks-client', most }, { permission: noPermission, places: usualPlaces }).map(
    ({ name }) => name,
  );
}

describe('tools that ask the client', () => {
  test.each([
    { name: 'trigger-elicitation-request', annotations: { readOnlyHint: true } },
    { name: 'test_sampling', annotations: { readOnlyHint: true } },
    { name: 'sampleLLM', annotations: { readOnlyHint: true } },
    { name: 'ask_user', annotations: { readOnlyHint: true } },
    { name: 'get-roots-list' },
    { name: 'plan', description: 'Asks the user for a date.', annotations: { readOnlyHint: true } },
  ])('$name is one', (tool) => expect(chosen([tool])).toEqual([tool.name]));

  test.each([
    { name: 'list-tasks', description: 'Lists the tasks of a project.' },
    { name: 'get-sample', description: 'Returns sample data.' },
    { name: 'mask', description: 'Masks a picture.' },
    { name: 'read-file', description: 'Reads a file below the grassroots folder.' },
  ])('$name is none', (tool) => expect(chosen([tool])).toEqual([]));

  test.each([
    { name: 'delete_account', description: 'Asks the user to confirm by elicitation.' },
    { name: 'elicit-payment', annotations: { destructiveHint: true } },
    { name: 'book_flight', description: 'Asks the user for a date.' },
    { name: 'elicit-secret', annotations: { readOnlyHint: true } },
    {
      name: 'connect',
      description: 'Connects an account by URL elicitation.',
      annotations: { destructiveHint: false },
    },
    { name: 'book', description: 'Asks the user for a date before it books.', annotations: { readOnlyHint: true } },
    { name: 'ask_user' },
  ])('$name is left alone when many are called', (tool) => expect(chosen([tool])).toEqual([]));

  test('are called in bounded number', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      name: `ask-user-${index}`,
      annotations: { readOnlyHint: true },
    }));
    expect(chosen(many)).toHaveLength(8);
  });
});
