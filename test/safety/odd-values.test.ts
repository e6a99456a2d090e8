/**
 * What a server sends is of any JSON type at any place. An object whose own `toString` is no function makes `String`,
 * templates and `join` throw; the lint rule no-base-to-string (.oxlintrc.json) leaves `asText` as the only way to a text.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createTextRenderer } from '../../src/check/reporting/verdict-text.ts';
import { asNumber, asText } from '../../src/core/model/json.ts';
import { typedKey } from '../../src/core/facts/values/rpc.ts';
import { choosePrompts } from '../../src/client/offers/choose-offered.ts';
import type { Listing } from '../../src/client/offers/survey.ts';
import { createAnswerer } from '../../src/client/peer/answers/client-answers.ts';
import { chooseTools, leftOut, permissionOf } from '../../src/client/offers/choose-tools.ts';
import { usualPlaces } from '../../src/core/json-schema/places.ts';
import { root } from './source-syntax.ts';

const stubborn = { toString: null, valueOf: 1 };
const odd: unknown[] = [
  null,
  0,
  1e308,
  '',
  'text',
  true,
  [],
  [null],
  [[]],
  {},
  stubborn,
  [stubborn],
  { length: 4_294_967_296 },
];

test('every JSON value has a text and a number', () => {
  expect(() => String(stubborn)).toThrow(TypeError);
  for (const value of odd) {
    expect(typeof asText(value)).toBe('string');
    expect(typeof asNumber(value)).toBe('number');
    expect(typedKey(value)).toBeDefined();
  }
  expect(odd.slice(0, 6).map(asText)).toEqual(odd.slice(0, 6).map(String));
});

test('the lint rule that forbids other ways is in force for src', () => {
  const { overrides } = JSON.parse(readFileSync(`${root}/.oxlintrc.json`, 'utf8')) as { overrides: unknown };
  expect(overrides).toContainEqual({
    files: ['src/{core,files,client,report,check,suites,fleet}/**'],
    rules: { 'typescript/no-base-to-string': ['error', { checkUnknown: true }] },
  });
});

test('lists of odd entries are chosen from without an exception', () => {
  const entry = (value: unknown): Record<string, unknown> => ({
    name: 'get_x',
    description: value,
    arguments: value,
    inputSchema: value,
    annotations: value,
    execution: { taskSupport: value },
    uri: value,
  });
  const entries = [
    ...odd.map(entry),
    ...odd.map((value) => ({ ...entry([]), name: value })),
    ...odd.map((value) => ({
      name: 'get_y',
      arguments: [value, { name: value, required: true }],
      inputSchema: { properties: value, required: value },
    })),
    ...odd.map((value) => ({
      name: 'get_z',
      inputSchema: {
        type: value,
        properties: { count: value, items: { type: value, enum: value } },
        required: [value],
      },
    })),
  ];
  const listing: Listing = { tools: entries, prompts: entries, resources: entries, templates: entries };
  const permission = permissionOf({});
  for (const choice of ['any', 'with-arguments', 'no-arguments'] as const)
    expect(choosePrompts(listing, choice, 100)).not.toEqual([]);
  for (const choice of ['any', 'slow', 'with-param-headers', 'with-typed-arguments', 'with-output-schema'] as const)
    expect(() =>
      chooseTools(listing, { choice, most: 100, taskSupport: ['optional'] }, { permission, places: usualPlaces }),
    ).not.toThrow();
  expect(leftOut(entries, permission).length).toBeGreaterThan(0);
});

test('requests of the server of odd forms are answered', async () => {
  const answerer = createAnswerer({}, permissionOf({}));
  const declared = {
    roots: {},
    sampling: { tools: {} },
    elicitation: { form: {}, url: {} },
    tasks: { requests: { sampling: { createMessage: {} } } },
  };
  for (const value of odd) {
    expect((await answerer.respond(value, value as never, declared)).reply).toBeDefined();
    for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list', 'tasks/get', 'tasks/result']) {
      expect((await answerer.respond(method, value as never, declared)).reply).toBeDefined();
      const params = {
        task: value,
        taskId: value,
        mode: value,
        requestedSchema: value,
        messages: [value, { content: value }],
        tools: [value, { name: 'get_x', inputSchema: value }],
        toolChoice: value,
      };
      expect((await answerer.respond(method, params, declared)).reply).toBeDefined();
      const form = {
        requestedSchema: {
          properties: { a: value, b: { type: value, enum: value, minItems: value } },
          required: [value],
        },
      };
      expect((await answerer.respond(method, form, declared)).reply).toBeDefined();
    }
  }
});

test('texts of rules are rendered of values that have no text', async () => {
  const render = createTextRenderer();
  expect(render('{{a.b}} {{#each c}}{{this}};{{/each}}', { a: { b: [stubborn] }, c: [stubborn, 'd'] })).toBe(
    '[{"toString":null,"valueOf":1}] {"toString":null,"valueOf":1};d;',
  );
});
