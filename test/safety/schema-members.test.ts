/** Schemas of a server with members by the ten thousand: arguments for them take time in proportion. */
import { expect, test } from 'vitest';
import { fuzzInputs } from '../../src/suites/exercise/fuzz/cases.ts';
import { generateValue } from '../../src/core/json-schema/generate-value.ts';
import { nearMisses } from '../../src/core/json-schema/near-miss.ts';
import { growthOf } from './cpu.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';

const required = (count: number): object => ({
  type: 'object',
  required: Array.from({ length: count }, (_, index) => `member${index}`),
});
const described = (count: number): object => ({
  ...required(count),
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`member${index}`, { type: 'string', maxLength: 20 }]),
  ),
});

test.runIf(thorough).each(
  someOf(
    [
      ['required', required],
      ['described', described],
    ] as const,
    2,
    ([what]) => `members ${what}`,
  ),
)(
  'near misses and arguments of a fuzz: %s',
  async (_, schemaOf) => {
    const { smallMs, largeMs, linear } = await growthOf((count) => {
      const schema = schemaOf(count);
      nearMisses(schema);
      for (const { given } of fuzzInputs(schema, generateValue(schema) as Record<string, unknown>, {
        runs: 20,
        seed: 7,
      }))
        JSON.stringify(given);
    }, 2000);
    expect(linear, `2000 took ${smallMs} ms of CPU, 20,000 took ${largeMs} ms`).toBe(true);
  },
  120_000,
);

test('of every kind there is a near miss, also of large schemas', () => {
  expect(nearMisses(described(300)).map(({ what }) => what)).toEqual([
    '$.member0 is missing',
    '$.member0 is not of type string',
    '$.member0 has more than 20 characters',
    '$.member1 is missing',
    '$.member0 is not of type string',
    '$.member1 has more than 20 characters',
  ]);
});
