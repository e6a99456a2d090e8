/** Values made from schemas fit them by ajv's judgement, and near misses do not. */
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateValue } from '../../src/core/json-schema/generate-value.ts';
import { nearMisses, promptNearMisses } from '../../src/core/json-schema/near-miss.ts';
import { textForPattern } from '../../src/core/json-schema/pattern-text.ts';
import { fitOf, isMisfit } from '../../src/core/json-schema/schema-fit.ts';
import { anyObjectSchema, anySchema, looseSchema, simplePattern } from './schemas.ts';
import { thorough } from '../support/run/options.ts';

type Json = Record<string, unknown>;

const options = { strict: false, validateSchema: false, logger: false } as const;

function judge(schema: unknown, draft: '07' | '2020' = '2020'): (value: unknown) => boolean {
  const ajv = draft === '07' ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(ajv);
  const validate = ajv.compile(schema as Json);
  return (value) => validate(value) as boolean;
}

const runs = { numRuns: 400, seed: 20261122 };

describe('any schema of the kinds that tools have', () => {
  test('has a value that fits', () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        const value = generateValue(schema);
        expect(judge(schema)(value), JSON.stringify({ schema, value })).toBe(true);
        expect(generateValue(schema)).toEqual(value);
      }),
      runs,
    );
  });

  test.runIf(thorough)('has near misses that do not fit, each wrong in one thing that is told', () => {
    let misses = 0;
    fc.assert(
      fc.property(anyObjectSchema, (schema) => {
        const fits = judge(schema);
        const found = nearMisses(schema, 20);
        misses += found.length;
        for (const { value, what } of found) {
          expect(fits(value), JSON.stringify({ schema, value, what })).toBe(false);
          expect(what).toMatch(/^\$/);
        }
        if (Array.isArray(schema.required) && schema.required.length > 0)
          expect(found.length, JSON.stringify(schema)).toBeGreaterThan(0);
      }),
      runs,
    );
    expect(misses).toBeGreaterThan(runs.numRuns);
  });

  test.runIf(thorough)('and a value beside it: what is said for certain is what ajv says', () => {
    const certain = { fits: 0, misfit: 0 };
    fc.assert(
      fc.property(looseSchema, fc.jsonValue({ maxDepth: 3 }), fc.boolean(), (schema, any, made) => {
        const value = made ? generateValue(schema) : any;
        const fit = fitOf(schema, value);
        if (fit === 'unsure') return;
        certain[isMisfit(fit) ? 'misfit' : 'fits'] += 1;
        expect(judge(schema)(value), JSON.stringify({ schema, value, fit })).toBe(!isMisfit(fit));
      }),
      { ...runs, numRuns: 1500 },
    );
    expect(certain.fits).toBeGreaterThan(300);
    expect(certain.misfit).toBeGreaterThan(100);
  });
});

describe('patterns', () => {
  test('that are simple have a text that matches, of a length that is asked for', () => {
    fc.assert(
      fc.property(simplePattern, fc.integer({ min: 0, max: 12 }), (pattern, least) => {
        const text = textForPattern(pattern, least);
        if (text === undefined) return;
        expect(new RegExp(`^(?:${pattern})$`, 'u').test(text), JSON.stringify({ pattern, text })).toBe(true);
        expect(text.length).toBeGreaterThanOrEqual(least);
      }),
      runs,
    );
  });

  test.each([
    ['^[A-Z]{3}-\\d{4}$', 'AAA-1111'],
    ['^(?:GET|POST)$', 'GET'],
    ['^#[0-9a-f]{6}$', '#aaaaaa'],
    ['^v?\\d+\\.\\d+\\.\\d+$', '1.1.1'],
    ['^[^\\s@]+@[^\\s@]+$', 'a@a'],
  ])('%s', (pattern, text) => {
    expect(textForPattern(pattern)).toBe(text);
    expect(new RegExp(pattern).test(text)).toBe(true);
  });

  test.each([
    '^(?=a)b$',
    '(a)\\1',
    '\\bword\\b',
    'a{9999}b{9999}',
    '\\p{L}+',
    '(',
    '[z-a]',
    'a$b',
    '*',
    'x'.repeat(501),
  ])('%s is left alone', (pattern) => {
    expect(textForPattern(pattern)).toBeUndefined();
  });

  test('are never run', () => {
    const evil = {
      type: 'object',
      properties: { word: { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(40)}!` } },
      required: ['word'],
    };
    expect(fitOf(evil, { word: `${'a'.repeat(40)}!` })).toBe('unsure');
    expect(generateValue(evil)).toEqual({ word: `${'a'.repeat(40)}!` });
    expect(nearMisses(evil).length).toBeGreaterThan(0);
  });
});

describe('what a person would choose', () => {
  const of = (properties: Json, more: Json = {}): unknown =>
    generateValue({ type: 'object', properties, required: Object.keys(properties), ...more });

  test.each<[string, Json, unknown]>([
    ['a default before an example', { type: 'string', examples: ['b'], default: 'a' }, 'a'],
    ['an example before anything made up', { type: 'string', examples: ['b'] }, 'b'],
    ['no default that breaks its own schema', { type: 'integer', minimum: 5, default: 1 }, 5],
    ['the first allowed value', { enum: ['x', 'y'] }, 'x'],
    ['another branch than null', { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 3 }] }, 3],
    ['a type other than null', { type: ['null', 'boolean'] }, true],
    ['an address for a uri', { type: 'string', format: 'uri' }, 'https://example.com/'],
  ])('%s', (_title, schema, value) => {
    expect(of({ thing: schema })).toEqual({ thing: value });
  });

  test('names of text arguments', () => {
    const value = of({
      pageUrl: { type: 'string' },
      start_date: { type: 'string' },
      profile: { type: 'string' },
      update: { type: 'string' },
      city: { type: 'string', maxLength: 3 },
    });
    expect(value).toEqual({
      pageUrl: 'https://example.com/',
      start_date: '2026-01-05',
      profile: 'text',
      update: 'text',
      city: 'tex',
    });
  });

  test('nothing that is not required', () => {
    expect(
      generateValue({ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] }),
    ).toEqual({ a: 'text' });
  });

  test('references of the schema, and none that lead out of it', () => {
    const schema = {
      type: 'object',
      properties: { home: { $ref: '#/$defs/place' }, work: { $ref: 'https://example.com/place.json' } },
      required: ['home', 'work'],
      $defs: { place: { type: 'object', properties: { zip: { type: 'integer' } }, required: ['zip'] } },
    };
    expect(generateValue(schema)).toMatchObject({ home: { zip: 1 } });
  });

  test('conditions and dependencies', () => {
    const schema = {
      type: 'object',
      properties: { method: { enum: ['phone', 'email'] }, phone: { type: 'string' }, email: { type: 'string' } },
      required: ['method'],
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { method: { const: 'phone' } }, required: ['method'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      dependentRequired: { phone: ['email'] },
      additionalProperties: false,
    };
    expect(judge(schema)(generateValue(schema))).toBe(true);
  });
});

describe('schemas that are up to no good', () => {
  test.each<[string, unknown]>([
    ['a circle', { type: 'object', properties: { self: { $ref: '#' } }, required: ['self'] }],
    ['a circle of references', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    [
      'a tree that doubles',
      {
        $defs: {
          t: {
            type: 'object',
            properties: { l: { $ref: '#/$defs/t' }, r: { $ref: '#/$defs/t' } },
            required: ['l', 'r'],
          },
        },
        $ref: '#/$defs/t',
      },
    ],
    [
      'branches that double',
      { $defs: { b: { anyOf: [{ $ref: '#/$defs/b' }, { $ref: '#/$defs/b' }] } }, $ref: '#/$defs/b' },
    ],
    ['a huge list', { type: 'array', minItems: 1e9, uniqueItems: true }],
    ['a huge text', { type: 'string', minLength: 1e9 }],
    ['nothing at all', { not: {} }],
    ['no schema', 'nonsense'],
    ['keywords of other types', { type: 'object', properties: [], required: 'x', enum: 'y' }],
    ['a name that objects have anyway', { type: 'object', properties: {}, required: ['constructor'] }],
  ])('%s gives an answer', (_title, schema) => {
    expect(() => generateValue(schema)).not.toThrow();
    expect(() => nearMisses(schema)).not.toThrow();
    expect(() => JSON.stringify(generateValue(schema))).not.toThrow();
  });
});

describe('near misses', () => {
  test('of every kind, the plainest first', () => {
    const schema = {
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 1, maximum: 10 },
        mode: { type: 'string', enum: ['a', 'b'] },
        note: { type: 'string', maxLength: 3 },
      },
      required: ['count', 'mode'],
    };
    const told = nearMisses(schema, 12).map(({ what }) => what);
    expect(told[0]).toBe('$.count is missing');
    expect(told).toEqual(
      expect.arrayContaining([
        '$.count is missing',
        '$.mode is missing',
        '$.count is not of type integer',
        '$.mode is not one of the allowed values',
        '$.count is above 10',
        '$.count is below 1',
        '$.note has more than 3 characters',
      ]),
    );
    expect(nearMisses(schema, 2)).toHaveLength(2);
  });

  test('no member is left out that the server may fill in by itself', () => {
    const schema = { type: 'object', properties: { limit: { type: 'integer', default: 10 } }, required: ['limit'] };
    expect(nearMisses(schema).every(({ value }) => Object.hasOwn(value as Json, 'limit'))).toBe(true);
  });

  test('none where anything goes', () => {
    expect(nearMisses({ type: 'object' })).toEqual([]);
    expect(nearMisses({ type: 'object', properties: { any: {} } })).toEqual([]);
  });

  test('of prompts: each required argument in turn', () => {
    const prompt = {
      name: 'p',
      arguments: [{ name: 'a', required: true }, { name: 'b' }, { name: 'c', required: true }],
    };
    expect(promptNearMisses(prompt, { name: 'p', arguments: { a: '1', b: '2', c: '3' } })).toEqual([
      { name: 'p', arguments: { b: '2', c: '3' } },
      { name: 'p', arguments: { a: '1', b: '2' } },
    ]);
  });
});

test('draft-07 schemas as well', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      pair: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }], minItems: 2, additionalItems: false },
    },
    required: ['pair'],
    definitions: {},
  };
  expect(judge(schema, '07')(generateValue(schema))).toBe(true);
});
