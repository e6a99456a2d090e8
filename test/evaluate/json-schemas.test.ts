/** Schemas that a target published: what is judged, what is left undecided, and that none of them can hang or reach out. */
import { describe, expect, test } from 'vitest';
import { createJsonSchemas } from '../../src/core/json-schema/json-schemas.ts';
import { danglingReference } from '../../rules/schema/validation-reference-resolution.facts.ts';

const newest = createJsonSchemas('2025-11-25');
const older = createJsonSchemas('2025-06-18');
const draft07 = 'http://json-schema.org/draft-07/schema#';
const tuple = { type: 'object', properties: { pair: { type: 'array', items: [{ type: 'string' }] } } };

describe('validity', () => {
  test.each([
    { type: 'object' },
    { type: 'object', properties: { a: { type: ['string', 'null'], format: 'own', 'x-own': 1 }, b: true } },
    { $schema: draft07, ...tuple },
    { $schema: 'https://json-schema.org/draft/2019-09/schema', ...tuple },
    { $ref: 'https://example.com/elsewhere.json' },
  ])('%j is valid', (schema) => {
    expect(newest.validity(schema)).toEqual([]);
  });

  test.each([
    [{ type: 'object', properties: { a: { type: 'any' } } }, 'properties.a.type'],
    [{ type: 'object', properties: { a: { minimum: '1' } } }, 'properties.a.minimum'],
    [{ type: 'object', properties: { a: { exclusiveMinimum: true } } }, 'properties.a.exclusiveMinimum'],
    [{ type: 'object', required: 'a' }, 'required'],
    [tuple, 'properties.pair.items'],
    [{ $schema: draft07, type: 'object', properties: { a: { minLength: '1' } } }, 'properties.a.minLength'],
  ])('%j is not', (schema, path) => {
    expect(newest.validity(schema)?.map((finding) => finding.path)).toEqual([path]);
  });

  test('any draft will do where the revision fixes none', () => {
    expect(older.validity(tuple)).toEqual([]);
    expect(older.validity({ type: 'object', properties: { a: { type: 'any' } } })).toHaveLength(1);
  });

  test.each([
    { $schema: 'http://json-schema.org/draft-04/schema#', type: 5 },
    { $schema: 5 },
    { type: 'object', description: 'x'.repeat(300_000) },
    'text',
    true,
    null,
  ])('%j is left undecided', (schema) => {
    expect(newest.validity(schema)).toBeUndefined();
  });
});

describe('references within a schema', () => {
  const node = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } } };
  test.each([
    [{ properties: { a: { $ref: '#/$defs/a' } } }, '#/$defs/a'],
    [{ properties: { a: { $ref: '#/$defs/b' } }, $defs: { a: {} } }, '#/$defs/b'],
    [{ allOf: [{}, { $ref: '#/allOf/2' }] }, '#/allOf/2'],
  ])('%j leads nowhere', (schema, reference) => {
    expect(danglingReference(schema)).toBe(reference);
  });

  test.each([
    { properties: { tree: { $ref: '#/$defs/node' } }, $defs: { node } },
    { definitions: { 'a/b~c d': {} }, $ref: '#/definitions/a~1b~0c%20d' },
    { properties: { self: { $ref: '#' }, other: { $ref: 'https://example.com/a#/b' }, named: { $ref: '#named' } } },
    { properties: { a: { $ref: '#/$defs/a' } }, $defs: { b: { $id: 'https://example.com/b' } } },
    { properties: { a: { $ref: '#/%' } } },
    { default: { $ref: '#/nowhere' }, enum: [{ $ref: '#/nowhere' }] },
    true,
    null,
  ])('%j has none of which that is certain', (schema) => {
    expect(danglingReference(schema)).toBeUndefined();
  });
});

describe('conformance', () => {
  test.each([
    [
      { properties: { a: { type: 'number', exclusiveMinimum: 3 } }, required: ['a'] },
      { a: 3 },
      'a',
      'is 3, which is not above 3',
    ],
    [{ properties: { a: { type: 'number' } }, required: ['a'] }, {}, 'a', 'is missing'],
    [{ properties: { a: {} }, additionalProperties: false }, { a: 1, b: 2 }, 'b', 'is not allowed'],
    [{ properties: { a: { pattern: '^a+$' } } }, { a: 'b' }, 'a', 'is "b", which does not match "^a+$"'],
    [
      { anyOf: [{ type: 'string' }, { type: 'object', properties: { x: { type: 'number' } } }] },
      { x: '5' },
      'x',
      'is a string where a number must stand',
    ],
    [
      { $defs: { n: { properties: { next: { $ref: '#/$defs/n' }, v: { type: 'string' } } } }, $ref: '#/$defs/n' },
      { next: { next: { v: 4 } } },
      'next.next.v',
      'is a number where a string must stand',
    ],
    [
      { properties: { t: { prefixItems: [{ type: 'string' }], items: false } } },
      { t: ['a', 1] },
      't',
      'has more elements than 1',
    ],
    [{ properties: { o: { dependentRequired: { a: ['b'] } } } }, { o: { a: 1 } }, 'o.b', 'is missing next to a'],
  ])('%j refuses %j', (schema, value, path, message) => {
    expect(newest.conformance(schema, value)).toEqual([{ path, message, kind: 'shape' }]);
  });

  test.each([
    [{ type: 'object', properties: { d: { type: 'string', format: 'date-time' } } }, { d: 'whenever' }],
    [{ properties: { a: { multipleOf: 0.01 } } }, { a: 0.07 }],
    [
      {
        $schema: draft07,
        properties: { x: { $ref: '#/definitions/s', type: 'number' } },
        definitions: { s: { type: 'string' } },
      },
      { x: 'text' },
    ],
    [{ $id: 'https://example.com/one', type: 'object' }, {}],
    [{ properties: { const: { const: { $ref: 'kept' } } } }, { const: { $ref: 'kept' } }],
  ])('%j takes %j', (schema, value) => {
    expect(newest.conformance(schema, value)).toEqual([]);
  });

  test('one address may stand for two schemas', () => {
    expect(newest.conformance({ $id: 'https://example.com/two', type: 'object' }, {})).toEqual([]);
    expect(newest.conformance({ $id: 'https://example.com/two', type: 'string' }, {})).toHaveLength(1);
  });

  test.each([
    ['a reference that leads out of it', { $ref: 'https://example.com/x.json' }, {}],
    ['a reference that leads nowhere', { $ref: '#/$defs/none' }, {}],
    ['a dynamic reference', { $dynamicRef: '#x' }, {}],
    ['a pattern that looks ahead', { properties: { a: { pattern: '^(?=x)' } } }, { a: 'x' }],
    ['a pattern whose classes differ on such a text', { properties: { a: { pattern: '^\\w+$' } } }, { a: 'ä' }],
    ['another dialect inside', { properties: { a: { $schema: draft07, type: 'string' } } }, { a: 1 }],
    ['an invalid schema', { properties: { a: { type: 'any' } } }, { a: 1 }],
    ['a huge value', { type: 'object' }, { a: 'x'.repeat(600_000) }],
  ])('%s leaves it undecided', (_what, schema, value) => {
    expect(newest.conformance(schema, value)).toBeUndefined();
  });
});

// Each of these would take longer than anybody waits, were it tried.
describe('schemas that would run away', () => {
  test('a pattern that backtracks', () => {
    expect(
      newest.conformance({ properties: { a: { pattern: '(a+)+$' } } }, { a: `${'a'.repeat(50_000)}b` }),
    ).toHaveLength(1);
  });

  test('references that double at every step', () => {
    const $defs: Record<string, unknown> = { d40: { type: 'string' } };
    for (let step = 0; step < 40; step += 1)
      $defs[`d${step}`] = { anyOf: [{ $ref: `#/$defs/d${step + 1}` }, { $ref: `#/$defs/d${step + 1}` }] };
    expect(newest.conformance({ $defs, $ref: '#/$defs/d0' }, 5)).toBeUndefined();
  });

  test('a reference to itself', () => {
    expect(newest.conformance({ $ref: '#' }, {})).toBeUndefined();
  });

  test('many entries that have to differ', () => {
    expect(
      newest.conformance(
        { uniqueItems: true },
        Array.from({ length: 30_000 }, (_, index) => ({ index })),
      ),
    ).toBeUndefined();
  });
});

test.each(['http://json-schema.org/draft-06/schema#', draft07])(
  'an enum that is empty or repeats a value is valid by the text of %s',
  ($schema) => {
    const { validity, conformance } = createJsonSchemas('2025-11-25');
    const within = (value: unknown): object => ({ $schema, type: 'object', properties: { a: value } });
    expect(validity(within({ enum: [] }))).toEqual([]);
    expect(validity(within({ enum: [1, 1] }))).toEqual([]);
    expect(validity(within({ enum: 'one' }))).toHaveLength(1);
    expect(validity(within({ type: 'text' }))).not.toEqual([]);
    // What no value can fit is no reason to say that one does not.
    expect(conformance(within({ enum: [] }), { a: 1 }) ?? ['undecided']).not.toEqual([]);
    expect(conformance(within({ enum: [1, 2] }), { a: 1 })).toEqual([]);
  },
);
