/** Each lint rule on tools that it reports and on tools that it does not; the file of the rules and its documentation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { readGeneratedPlan } from '../../src/check/plan.ts';
import { operatorsByName } from '../../src/core/evaluate/operators/operators.ts';
import type { LintFix, LintReport } from '../../src/core/drift/lint-report.ts';
import { lintOffer, lintRules } from '../../src/drift/lint/lint.ts';
import type { RecordedCalls } from '../../src/drift/lint/subjects.ts';
import { root } from '../cli/harness.ts';

type Json = Record<string, unknown>;
type Tools = Json[];
type Example = Tools | { calls: RecordedCalls[] };

const surfaceRules = readGeneratedPlan().rules.filter(({ area }) => area === 'tool-surface');

function lint(example: Example, more: Json = {}): { report: LintReport; fixes: LintFix[] } {
  const tools = Array.isArray(example) ? (JSON.parse(JSON.stringify(example)) as Tools) : [];
  const calls = Array.isArray(example) ? [] : example.calls;
  const offer = {
    revision: '2025-11-25',
    serverInfo: { name: 'notes', version: '1' },
    capabilities: {},
    instructions: undefined,
    tools,
    prompts: [],
    resources: [],
    templates: [],
    ...more,
  };
  return lintOffer({ server: 'notes', offer, calls, maxBytes: 102_400, skip: new Set(), surfaceRules });
}

const codesOf = (example: Example): string[] => lint(example).report.findings.map(({ code }) => code);

const says = 'Finds notes by a word in their title and returns them as text.';
const tool = (more: Json = {}): Json => ({
  name: 'find_notes',
  description: says,
  inputSchema: { type: 'object' },
  ...more,
});
/** A tool with these parameters, which its description mentions. */
const takes = (properties: Json, required: string[] = [], description = ''): Tools => [
  tool({
    description: description === '' ? `${says} Takes ${Object.keys(properties).join(', ')}.` : description,
    inputSchema: { type: 'object', properties, ...(required.length === 0 ? {} : { required }) },
  }),
];
const text = (more: Json = {}): Json => ({ type: 'string', description: 'A word of the title.', ...more });
const many = (count: number): Tools => Array.from({ length: count }, (_, at) => tool({ name: `tool${at}` }));
const nested = (levels: number): Json =>
  levels === 0 ? text() : { type: 'object', description: 'One.', properties: { where: nested(levels - 1) } };
const open = (more: Json): Json => tool({ name: 'open_note', ...more });
const close = (more: Json): Json => tool({ name: 'close_note', ...more });
const handle = (more: Json): Json => ({ type: 'object', properties: { handle: { type: 'string', ...more } } });
const needsHandle = { ...handle({ description: 'From open_note.' }), required: ['handle'] };
const call = (more: Partial<RecordedCalls>): Example => ({
  calls: [{ name: 'find_notes', times: 1, answers: 1, bytes: 10, ...more }],
});

const examples: Record<string, { finds: Example[]; passes: Example[] }> = {
  E101: { finds: [[tool({ description: undefined })], [tool({ description: ' \n' })]], passes: [[tool()]] },
  E102: {
    finds: [takes({ word: { description: 'A word.' } })],
    passes: [takes({ word: text() }), takes({ word: { enum: ['a', 1], description: 'A word.' } })],
  },
  E103: {
    finds: [takes({ word: { type: 'string', minLength: 1 } }, ['word'])],
    passes: [takes({ word: text() }, ['word']), takes({ word: { type: 'string' } })],
  },
  E105: {
    finds: [
      [
        open({ description: 'Opens a note and returns its handle for close_note.', outputSchema: handle({}) }),
        close({ description: 'Closes a note by its handle and returns nothing.', inputSchema: needsHandle }),
      ],
    ],
    passes: [
      [
        open({ outputSchema: handle({ description: 'A UUID.' }) }),
        close({ description: 'Closes the handle of open_note and returns nothing.', inputSchema: needsHandle }),
      ],
      // Nothing connects the two.
      [open({ outputSchema: handle({}) }), close({ description: 'Of any handle.', inputSchema: needsHandle })],
    ],
  },
  E107: {
    finds: [[open({ description: 'Call close_note before.' }), close({ description: 'Call it after open_note.' })]],
    passes: [[open({ description: 'Returns a note.' }), close({ description: 'Call it after open_note.' })]],
  },
  E112: {
    finds: ['password', 'apiKey', 'access_token', 'client_secret', 'auth'].map((name) => takes({ [name]: text() })),
    passes: [
      takes({ password: text({ writeOnly: true }) }),
      takes({
        max_tokens: { type: 'integer', description: 'At most so many.' },
        pageToken: text(),
        author: text(),
        show_password: { type: 'boolean', description: 'Whether it is shown.' },
      }),
    ],
  },
  E113: { finds: [[tool(), tool({ title: 'Again' })]], passes: [[tool()]] },
  E301: { finds: [call({ bytes: 102_401 })], passes: [call({ bytes: 102_400 })] },
  W101: {
    finds: ['Get data', 'Helper.', 'Searches', 'handles requests.'].map((description) => [tool({ description })]),
    passes: [[tool()], [tool({ description: undefined })]],
  },
  W102: { finds: [takes({ word: { type: 'string' } })], passes: [takes({ word: text() })] },
  W103: {
    finds: [takes({ word: text() }, ['word'])],
    passes: [
      takes({ word: text({ examples: ['milk'] }) }, ['word']),
      takes({ word: { type: 'integer', description: 'A number.' } }, ['word']),
      takes({ word: text() }),
    ],
  },
  W104: {
    finds: [takes({ data: { type: 'string' } })],
    passes: [takes({ data: text() }), takes({ word: { type: 'string' } })],
  },
  W105: {
    finds: [[tool(), tool({ name: 'find_files', description: says.replace('notes', 'files') })]],
    passes: [[tool(), tool({ name: 'remove', description: 'Removes a file. Nothing comes back as output.' })]],
  },
  W106: { finds: [[tool({ description: 'word '.repeat(6_500) })]], passes: [[tool()]] },
  W107: { finds: [call({ times: 2, answers: 2 })], passes: [call({ times: 2, answers: 1 })] },
  W108: {
    finds: ['delete_note', 'updateUser'].map((name) => [
      tool({ name, description: 'The one of a number; no result.' }),
    ]),
    passes: [
      [tool({ name: 'delete_note', description: 'Deletes a note for good; no result.' })],
      [tool({ name: 'settings', description: 'What is configured; as a result.' })],
    ],
  },
  W109: {
    finds: [takes({ email: text({ format: 'email' }) })],
    passes: [takes({ email: text({ examples: ['a@example.com'] }) }), takes({ word: text() })],
  },
  W110: {
    finds: [
      takes({ word: text(), limit: { type: 'integer', description: 'At most.' } }, [], says.replace('word', 'text')),
    ],
    passes: [takes({ noteId: text() }, [], 'Finds a note by its note id and returns it.'), [tool()]],
  },
  W111: {
    finds: [[tool({ description: 'Returns some notes.' })], [tool({ description: 'Returns notes. '.repeat(40) })]],
    passes: [[tool()], [tool({ description: undefined })]],
  },
  W112: { finds: [many(21)], passes: [many(20)] },
  W114: {
    finds: [
      [tool({ inputSchema: nested(4) })],
      [tool({ inputSchema: { type: 'object', properties: { a: { type: 'array', items: { anyOf: [nested(2)] } } } } })],
    ],
    passes: [[tool({ inputSchema: nested(3) })]],
  },
  W115: { finds: [[tool({ description: 'word '.repeat(820) })]], passes: [[tool()]] },
  W116: {
    finds: [[tool({ description: 'Finds notes by a word in their title.' })]],
    passes: [
      [tool()],
      [tool({ description: 'Finds notes by a word in their title.', outputSchema: { type: 'object' } })],
      [tool({ description: undefined })],
    ],
  },
};

describe.each(lintRules.map(({ code }) => code))('%s', (code) => {
  test('is reported where it should be, and not elsewhere', () => {
    const { finds, passes } = examples[code]!;
    for (const example of finds) expect(codesOf(example), JSON.stringify(example).slice(0, 300)).toContain(code);
    for (const example of passes) expect(codesOf(example), JSON.stringify(example).slice(0, 300)).not.toContain(code);
  });
});

test('a plain tool has no finding, and hostile definitions end in findings', () => {
  expect(codesOf([tool()])).toEqual([]);
  let deep: Json = { type: 'object' };
  for (let level = 0; level < 2_000; level += 1) deep = { type: 'object', properties: { __proto__x: deep }, anyOf: [] };
  const odd = [
    tool({ name: 7, description: { toString: 'no function' } }),
    tool({
      name: 'constructor',
      inputSchema: { properties: { toString: true, hasOwnProperty: null }, required: 'all' },
    }),
    tool({ name: 'deep', inputSchema: deep }),
    {},
  ];
  expect(() => lint(odd)).not.toThrow();
});

test('hidden characters are reported by the rules of the tool surface, with code points only', () => {
  const { report } = lint([tool({ description: `${says}\u{e0041}` })], {
    instructions: 'Read\u200b this.',
    prompts: [{ name: 'ask', description: 'a\u202eb' }],
  });
  expect(report.findings.map(({ tool: of, code }) => `${of} ${code}`)).toEqual([
    '(server) tool-surface/text-invisible',
    'find_notes tool-surface/text-tags',
    '(prompts) tool-surface/text-bidirectional',
  ]);
  expect(report).toMatchObject({ errors: 0, warnings: 3 });
  expect(JSON.stringify(report)).toContain('U+E0041 at');
  expect(JSON.stringify(report)).not.toMatch(/[\u200b\u202e\u{e0041}]/u);
  expect(codesOf([tool({ description: `${says} שלום 👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿` })])).toEqual([]);
});

test('suggestions fit the tool', () => {
  const { fixes } = lint([
    tool({ name: 'delete_note', description: 'The one of a number' }),
    ...takes({ user_email: text(), query: text() }, ['user_email', 'query']),
    tool({ name: 'get_user', description: undefined, inputSchema: { type: 'object', properties: { id: text() } } }),
  ]);
  expect(fixes.map(({ tool: of, code, action, value }) => [of, code, action, value])).toEqual([
    ['delete_note', 'W108', 'set_description', 'Changes data. The one of a number.'],
    ['delete_note', 'W111', 'set_description', 'Delete note: The one of a number.'],
    ['delete_note', 'W116', 'set_description', 'The one of a number. Returns a confirmation.'],
    ['find_notes', 'W103', 'set_format', 'email'],
    ['find_notes', 'W109', 'set_examples', 'search term'],
    ['get_user', 'E101', 'set_description', 'Get user, given id. Returns the result.'],
  ]);
});

test('the file fits its schema and names operators that exist; the documentation has each rule', () => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(
    JSON.parse(read('rules/language/lint.schema.json')) as object,
  );
  const file = JSON.parse(read('rules/language/lint.json')) as object;
  expect(validate(file), JSON.stringify(validate.errors)).toBe(true);
  const operators = [...JSON.stringify(file).matchAll(/"operator":"(\w+)"/g)].map(([, name]) => name!);
  expect(operators.filter((name) => !operatorsByName.has(name))).toEqual([]);
  const docs = read('docs/lint.md');
  for (const { code, severity, requirement, fixes } of lintRules)
    expect(docs).toContain(`| ${code} | ${severity} | ${requirement} |${fixes === undefined ? ' ' : ' yes '}|`);
  expect(Object.keys(examples)).toEqual(lintRules.map(({ code }) => code));
});
