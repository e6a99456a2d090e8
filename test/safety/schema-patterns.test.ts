/** Patterns in schemas of a server: neither what they are compiled to nor what they cost on a text grows beyond a bound. */
import { expect, test } from 'vitest';
import { createJsonSchemas } from '../../src/core/json-schema/json-schemas.ts';
import { leastCpuMs } from './cpu.ts';

const ofText = (pattern: string): object => ({ type: 'object', properties: { text: { type: 'string', pattern } } });

test('a pattern of thousands of instructions on a long text is undecided, soon', async () => {
  const { conformance } = createJsonSchemas('2025-11-25');
  const schema = ofText('((a|b|ab|ba|aab){1,30}[ab]{1,30}){1,30}c$');
  // Half of all letters are each, so that the engine meets ever new states.
  let seed = 7;
  const letters = Array.from({ length: 440_000 }, () =>
    ((seed = (seed * 48_271) % 2_147_483_647) & 64) === 0 ? 'a' : 'b',
  ).join('');
  let found: unknown = [];
  expect(await leastCpuMs(1, () => (found = conformance(schema, { text: `${letters}cab` })))).toBeLessThan(3_000);
  expect(found).toBeUndefined();
  // Texts of the lengths that such patterns are made for are decided.
  expect(conformance(schema, { text: `${letters.slice(0, 100)}c` })).toEqual([]);
  expect(conformance(schema, { text: letters.slice(0, 100) })).toHaveLength(1);
});

test('usual patterns are decided on long values', () => {
  const { conformance } = createJsonSchemas('2025-11-25');
  const base64 = ofText('^[A-Za-z0-9+/]*={0,2}$');
  expect(conformance(base64, { text: `${'QUJD'.repeat(100_000)}==` })).toEqual([]);
  expect(conformance(base64, { text: `${'QUJD'.repeat(100_000)}!` })).toHaveLength(1);
  const names = { type: 'array', items: { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,64}$' } };
  expect(
    conformance(
      names,
      Array.from({ length: 2000 }, (_, index) => `the-name-of-number-${index}`),
    ),
  ).toEqual([]);
});

test('patterns that become millions of instructions are not all compiled, and hold up nothing else', async () => {
  const { validity, conformance } = createJsonSchemas('2025-11-25');
  const many = (from: number): object => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [
        `p${index}`,
        { type: 'string', pattern: `(?:${'ab'.repeat(148)}${from + index}){1000}` },
      ]),
    ),
  });
  const schemas = Array.from({ length: 20 }, (_, index) => many(1000 + index * 100));
  let found: unknown[] = [];
  expect(await leastCpuMs(1, () => (found = schemas.map((schema) => conformance(schema, { p0: 'x' }))))).toBeLessThan(
    5_000,
  );
  expect(found).toEqual(schemas.map(() => undefined));
  expect(validity(schemas[0])).toEqual([]);
  expect(conformance({ type: 'object', required: ['a'] }, {})).toHaveLength(1);
});
