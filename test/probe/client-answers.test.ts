/** What the checker answers to questions of a server has the shape that the revision wants, and does no harm. */
import { describe, expect, test } from 'vitest';
import { contentFaults } from '../../src/core/facts/client-requests/elicitation-facts.ts';
import type { Revision } from '../../src/core/model/rules/requirement.ts';
import { clientCapabilities, createAnswerer } from '../../src/client/peer/answers/client-answers.ts';
import type { ClientBehavior } from '../../src/client/peer/answers/client-behavior.ts';
import { loadValidators } from '../../src/files/package/load-validators.ts';

type Json = Record<string, unknown>;

const both = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

async function ask(
  method: string,
  params: Json,
  declared: Json = both,
  behavior: ClientBehavior = 'usual',
): Promise<Json> {
  const answerer = createAnswerer();
  answerer.behavior = behavior;
  return (await answerer.respond(method, params, declared)).reply;
}

const requestedSchema: Json = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 3, maxLength: 8 },
    mail: { type: 'string', format: 'email' },
    site: { type: 'string', format: 'uri' },
    born: { type: 'string', format: 'date' },
    seen: { type: 'string', format: 'date-time' },
    age: { type: 'integer', minimum: 18, maximum: 20 },
    height: { type: 'number', minimum: 0.5 },
    news: { type: 'boolean' },
    size: { type: 'string', enum: ['s', 'm'] },
    colour: { type: 'string', oneOf: [{ const: '#f00', title: 'Red' }] },
    days: { type: 'array', maxItems: 2, items: { type: 'string', enum: ['mon', 'tue'] } },
    parts: {
      type: 'array',
      minItems: 2,
      items: {
        anyOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'B' },
        ],
      },
    },
  },
  required: ['name', 'age'],
};
const form = { message: 'Who are you?', requestedSchema };
const page = { mode: 'url', message: 'Please sign in.', url: 'https://accounts.mcpc.example/1', elicitationId: '1' };

describe('forms', () => {
  test.each(['2025-06-18', '2025-11-25'] as const)('are filled in as %s wants it', async (revision) => {
    const { result } = await ask('elicitation/create', form, { elicitation: {} });
    const shapes = await loadValidators(revision as Revision);
    const known =
      revision === '2025-06-18'
        ? { ...(result as Json), content: omit((result as Json).content as Json, ['days', 'parts']) }
        : result;
    expect(shapes.validate('ElicitResult', known)).toEqual([]);
  });

  test('have a fitting value in every field', async () => {
    const { result } = await ask('elicitation/create', form);
    const { action, content } = result as { action: string; content: Json };
    expect(action).toBe('accept');
    expect(Object.keys(content)).toEqual(Object.keys(requestedSchema.properties as Json));
    expect(contentFaults(form, content)).toEqual([]);
    expect((content.days as unknown[]).length).toBe(1);
  });

  test('leave out optional fields with a pattern, which nobody runs', async () => {
    const properties = { code: { type: 'string', pattern: '^[A-Z]{3}$' }, note: { type: 'string' } };
    const { result } = await ask('elicitation/create', {
      message: '?',
      requestedSchema: { type: 'object', properties },
    });
    expect(Object.keys((result as Json).content as Json)).toEqual(['note']);
  });

  test('are filled in wrongly in every field when a step wants it, and this is said', async () => {
    const answerer = createAnswerer();
    answerer.behavior = 'unfit';
    const { reply, deviation } = await answerer.respond('elicitation/create', form, both);
    const { content } = reply.result as { content: Json };
    expect(new Set(contentFaults(form, content).map(({ field }) => field))).toEqual(new Set(Object.keys(content)));
    expect(deviation).toBeDefined();
  });

  test('without fields cannot be filled in wrongly', async () => {
    const answerer = createAnswerer();
    answerer.behavior = 'unfit';
    const answer = await answerer.respond(
      'elicitation/create',
      { message: 'Shall I?', requestedSchema: { type: 'object', properties: {} } },
      both,
    );
    expect(answer).toEqual({ reply: { result: { action: 'accept', content: {} } } });
  });
});

describe('the behavior of answers', () => {
  test.each([
    ['usual', 'accept', 'decline'],
    ['accept', 'accept', 'accept'],
    ['decline', 'decline', 'decline'],
    ['cancel', 'cancel', 'cancel'],
  ] as const)('%s: %s to forms, %s to pages', async (behavior, toForms, toPages) => {
    expect((await ask('elicitation/create', form, both, behavior)).result).toMatchObject({ action: toForms });
    expect((await ask('elicitation/create', page, both, behavior)).result).toEqual({ action: toPages });
  });
});

describe('what was not declared', () => {
  test.each([
    ['elicitation/create', form, {}, -32601],
    ['elicitation/create', form, { elicitation: { url: {} } }, -32602],
    ['elicitation/create', page, { elicitation: {} }, -32602],
    ['sampling/createMessage', { messages: [], maxTokens: 1 }, {}, -32601],
    ['sampling/createMessage', { messages: [], maxTokens: 1, tools: [] }, { sampling: {} }, -32602],
    ['sampling/createMessage', { messages: [], maxTokens: 1, toolChoice: { mode: 'none' } }, { sampling: {} }, -32602],
    ['roots/list', {}, {}, -32601],
  ] as [string, Json, Json, number][])('%s is refused', async (method, params, declared, code) => {
    expect((await ask(method, params, declared)).error).toMatchObject({ code });
  });

  test('is what the revision does not have', () => {
    expect(clientCapabilities('2025-03-26')).toEqual({ roots: { listChanged: true }, sampling: {} });
    expect(clientCapabilities('2025-06-18')).toMatchObject({ sampling: {}, elicitation: {} });
    expect(clientCapabilities('2025-11-25')).toMatchObject({
      sampling: { tools: {} },
      elicitation: { form: {}, url: {} },
    });
  });
});

describe('sampling', () => {
  const tool = (name: string, more: Json = {}): Json => ({
    name,
    inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    ...more,
  });
  const start = { messages: [{ role: 'user', content: { type: 'text', text: 'Go.' } }], maxTokens: 10 };

  test('gives a text where no tools are offered', async () => {
    const { result } = await ask('sampling/createMessage', start);
    expect(result).toMatchObject({ content: { type: 'text' }, stopReason: 'endTurn' });
  });

  test('uses offered tools, with input that fits', async () => {
    const { result } = await ask('sampling/createMessage', {
      ...start,
      tools: [tool('count-letters'), tool('look-up-meaning')],
    });
    const shapes = await loadValidators('2025-11-25');
    expect(shapes.validate('CreateMessageResult', result)).toEqual([]);
    expect(result).toMatchObject({
      stopReason: 'toolUse',
      content: [{ name: 'count-letters', input: { word: expect.any(String) } }, { name: 'look-up-meaning' }],
    });
  });

  test.each([
    ['none are wanted', { tools: [tool('count-letters')], toolChoice: { mode: 'none' } }],
    [
      'all of them may do damage',
      { tools: [tool('delete-files'), tool('count-letters', { annotations: { destructiveHint: true } })] },
    ],
  ])('uses no tools when %s', async (_why, more) => {
    expect((await ask('sampling/createMessage', { ...start, ...more })).result).toMatchObject({
      stopReason: 'endTurn',
    });
  });

  /** Rounds until the model gives a text, with a server that answers every tool use. */
  async function rounds(behavior: ClientBehavior): Promise<number> {
    const answerer = createAnswerer();
    answerer.behavior = behavior;
    const messages: Json[] = [...start.messages];
    for (let round = 0; round < 1000; round += 1) {
      const { reply } = await answerer.respond(
        'sampling/createMessage',
        { messages, maxTokens: 10, tools: [tool('count-letters')] },
        both,
      );
      const { content, stopReason } = reply.result as { content: Json[]; stopReason: string };
      if (stopReason !== 'toolUse') return round;
      messages.push(
        { role: 'assistant', content },
        { role: 'user', content: content.map(({ id }) => ({ type: 'tool_result', toolUseId: id, content: [] })) },
      );
    }
    return Infinity;
  }

  test('uses tools once, or long enough to try the patience of a server, but never for ever', async () => {
    expect(await rounds('usual')).toBe(1);
    expect(await rounds('loop')).toBe(105);
  });

  test('gives up on a server that never shows the results', async () => {
    const answerer = createAnswerer();
    const reasons = await Promise.all(
      Array.from({ length: 500 }, () =>
        answerer.respond('sampling/createMessage', { ...start, tools: [tool('count-letters')] }, both),
      ),
    );
    expect((reasons.at(-1)!.reply.result as Json).stopReason).toBe('endTurn');
  });
});

test('a server that asks for ever gets an error in the end', async () => {
  const answerer = createAnswerer();
  const replies: Json[] = [];
  for (let question = 0; question < 1501; question += 1)
    replies.push((await answerer.respond('elicitation/create', form, both)).reply);
  expect(replies.at(-2)).toHaveProperty('result');
  expect(replies.at(-1)).toHaveProperty('error');
  expect((await answerer.respond('ping', undefined, both)).reply).toEqual({ result: {} });
});

function omit(object: Json, names: string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

test('a server that goes on asking is refused, and then answered no more', async () => {
  const answerer = createAnswerer();
  const answers: Json[] = [];
  for (let n = 0; n < 10_000; n += 1)
    if (answerer.mayAnswer()) answers.push((await answerer.respond('roots/list', {}, both)).reply);
  expect(answers).toHaveLength(3000);
  expect(answers.filter((reply) => 'result' in reply)).toHaveLength(1500);
});
