/** Locks: what changes them, what a change means, and which lock is refused. */
import { describe, expect, test } from 'vitest';
import { approved } from '../../src/core/drift/approve.ts';
import { compareLocks } from '../../src/core/drift/compare-locks.ts';
import { hiddenCharacters } from '../../src/core/model/hidden-characters.ts';
import { lock, lockText, parseLock, type Offer } from '../../src/core/drift/lock.ts';
import { schemaChanges } from '../../src/core/drift/schema-changes.ts';

type Json = Record<string, unknown>;

const add = {
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number', description: 'One.' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  annotations: { readOnlyHint: true },
};
const greet = { name: 'greet', arguments: [{ name: 'who', description: 'Whom.' }] };
const note = { uri: 'note://1', name: 'One', mimeType: 'text/plain' };

function offer(changed: Partial<Offer> = {}): Offer {
  return {
    revision: '2025-11-25',
    serverInfo: { name: 'notes', version: '1' },
    capabilities: { tools: {}, prompts: {} },
    instructions: 'Use add.',
    tools: [add, { name: 'pong', inputSchema: { type: 'object' } }],
    prompts: [greet],
    resources: [note],
    templates: [],
    ...changed,
  };
}

const before = lock(offer());

/** Classes and sentences of the changes to another offer. */
function changed(other: Partial<Offer>): string[] {
  return compareLocks(before, lock(offer(other))).map(
    (change) => `${change.class} ${change.name}${change.at}: ${change.says}`,
  );
}

const withAdd = (change: Json): Partial<Offer> => ({ tools: [{ ...add, ...change }, offer().tools[1]!] });
const withInput = (change: Json): Partial<Offer> => withAdd({ inputSchema: { ...add.inputSchema, ...change } });

describe('a change of', () => {
  test.each<[string, Partial<Offer>, string[]]>([
    [
      'the order of tools and members',
      { tools: [offer().tools[1]!, Object.fromEntries(Object.entries(add).reverse())] },
      [],
    ],
    ['a description', withAdd({ description: 'Adds.' }), ['security add/description: the description changed']],
    ['the instructions', { instructions: 'Use pong.' }, ['security instructions: the text changed']],
    [
      'annotations that promise less',
      withAdd({ annotations: { readOnlyHint: false } }),
      ['security add/annotations/readOnlyHint: readOnlyHint was true, is false'],
    ],
    [
      'annotations that promise more',
      withAdd({ annotations: { readOnlyHint: true, destructiveHint: false } }),
      ['additive add/annotations/destructiveHint: destructiveHint was absent, is false'],
    ],
    [
      'the tools, by a new one',
      { tools: [...offer().tools, { name: 'zz', inputSchema: { type: 'object' } }] },
      ['security zz: the tool is new'],
    ],
    ['the tools, by one less', { tools: [add] }, ['breaking pong: the tool is gone']],
    ['a name', withAdd({ name: 'sum' }), ['breaking add: the tool is called "sum" now, with the same schemas']],
    ['a title', withAdd({ title: 'Addition' }), ['cosmetic add/title: title changed']],
    [
      'an argument that is required',
      withInput({ properties: { ...add.inputSchema.properties, c: {} }, required: ['a', 'b', 'c'] }),
      ['breaking add/inputSchema/required: input: "c" is required now'],
    ],
    [
      'an argument that is optional',
      withInput({ properties: { ...add.inputSchema.properties, c: {} } }),
      ['additive add/inputSchema/properties/c: input: the optional property "c" is new'],
    ],
    [
      'required arguments, by one less',
      withInput({ required: ['a'] }),
      ['additive add/inputSchema/required: input: "b" is no longer required'],
    ],
    [
      'what else an input takes',
      withInput({ additionalProperties: false }),
      ['breaking add/inputSchema/additionalProperties: input: takes no value any more'],
    ],
    [
      'what is not decided',
      withInput({ anyOf: [{ required: ['a'] }] }),
      ['breaking add/inputSchema/anyOf: input: anyOf changed; whether it takes less is not decided'],
    ],
    [
      'the output',
      withAdd({ outputSchema: { type: 'object' } }),
      ['breaking add/outputSchema: an outputSchema is new: results are structured now'],
    ],
    [
      'a prompt argument that is required',
      { prompts: [{ ...greet, arguments: [{ ...greet.arguments[0]!, required: true }] }] },
      ['breaking greet/arguments/who: the argument who is required now'],
    ],
    [
      'the resources, by a new one',
      { resources: [note, { uri: 'note://2', name: 'Two' }] },
      ['additive note://2: the resource is new'],
    ],
    ['the revision', { revision: '2025-06-18' }, ['breaking revision: the revision was 2025-11-25, is 2025-06-18']],
    [
      'a capability',
      { capabilities: { tools: {} } },
      ['breaking capabilities/prompts: the capability prompts is gone'],
    ],
    [
      'the version',
      { serverInfo: { name: 'notes', version: '2' } },
      ['cosmetic serverInfo/version: serverInfo.version changed'],
    ],
    [
      'a description by hidden characters',
      withAdd({ description: 'Adds two numbers.\u{E0041}' }),
      [
        'security add/description: the description changed',
        'security add/description: it holds hidden characters: U+E0041 (tag character)',
      ],
    ],
  ])('%s', (_what, other, expected) => {
    expect(changed(other)).toEqual(expected);
  });
});

describe('schemas', () => {
  test.each<[unknown, unknown, string[]]>([
    [{ type: 'integer' }, { type: 'number' }, ['wider']],
    [{ type: 'number' }, { type: 'integer' }, ['narrower']],
    [{ type: ['string', 'null'] }, { type: 'string' }, ['narrower']],
    [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }, ['narrower', 'wider']],
    [{ minimum: 1 }, { minimum: 2 }, ['narrower']],
    [{ maximum: 1 }, { maximum: 2 }, ['wider']],
    [{}, { maxLength: 5 }, ['narrower']],
    [{ pattern: 'a' }, { pattern: 'b' }, ['undecided']],
    [{ items: { type: 'string' } }, { items: { type: 'number' } }, ['narrower', 'wider']],
    [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }, ['undecided']],
    [{ 'x-other': 1 }, { 'x-other': 2 }, ['undecided']],
    [true, { type: 'string' }, ['narrower']],
    [{ default: 1 }, { default: 2 }, ['note']],
  ])('from %j to %j', (one, other, kinds) => {
    expect(schemaChanges(one, other).map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('a lock', () => {
  const text = lockText({ notes: before });

  test('is the same text for an offer in another order, and reads as it was written', () => {
    const turned = offer({ tools: [...offer().tools].reverse(), capabilities: { prompts: {}, tools: {} } });
    expect(lockText({ notes: lock(turned) })).toBe(text);
    expect(parseLock(text).servers['notes']).toEqual(before);
  });

  test.each<[string, string, RegExp]>([
    ['text that is no JSON', '{', /not JSON/],
    ['another format', '{}', /mcpc-lock/],
    ['a definition edited by hand', text.replace('Adds two', 'Adds 2'), /hash of servers\.notes\.tools\.add/],
    ['a version edited by hand', text.replace('"version": "1"', '"version": "2"'), /hash of servers\.notes does/],
  ])('is refused as %s', (_what, edited, says) => {
    expect(() => parseLock(edited)).toThrow(says);
  });

  test('takes in one entry and leaves the others', () => {
    const now = lock(offer({ instructions: 'Other.', ...withAdd({ description: 'Adds.' }) }));
    const after = approved(before, now, 'add');
    expect(parseLock(lockText({ notes: after })).servers['notes']).toEqual(after);
    expect(compareLocks(after, now).map(({ name }) => name)).toEqual(['instructions']);
    expect(approved(after, now, 'instructions')).toEqual(now);
  });
});

test('hidden characters are found, and those of emoji and right-to-left texts are none', () => {
  expect(hiddenCharacters('a\u200Bb\u202Ec\u{E0041}\u001B[1m').map(({ code }) => code)).toEqual([
    'U+200B',
    'U+202E',
    'U+E0041',
    'U+001B',
  ]);
  const england = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}';
  expect(hiddenCharacters(`👩‍👩‍👧 ❤️ ${england} שלום \u200Fمرحبا\tnew\nline`)).toEqual([]);
});
