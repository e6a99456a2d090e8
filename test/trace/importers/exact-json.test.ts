/** Numbers that JavaScript would change keep their digits, wherever in a text they stand; text that only looks like them is no reason to parse it in another way. */
import fc from 'fast-check';
import { isLosslessNumber, parse as parseLossless, stringify } from 'lossless-json';
import { describe, expect, test } from 'vitest';
import { parseExact, stringifyExact } from '../../../src/core/trace/importers/exact-json.ts';

const changing = [
  '-0',
  '-0.0',
  '12345678901234567',
  '-12345678901234567',
  '1e999',
  '-1E400',
  '0.12345678901234567',
  '123456789.12345678',
  '9007199254740993',
  '1234567890123456e2',
];
const places = ['N', '[N]', '[1,N]', '[ N]', '{"a":N}', '{"a": N,"b":[]}', '{"a":{"b":[true,\n\tN]}}', '\tN '];

describe.each(places)('at the place of N in %j', (place) => {
  test.each(changing)('%s keeps its digits', (digits) => {
    const text = place.replace('N', digits);
    expect(stringifyExact(parseExact(text))).toBe(stringify(parseLossless(text)));
  });
});

test('spellings are kept where they are wanted', () => {
  for (const digits of ['1.0', '1e3', '10.50', '-1E2']) {
    expect(isLosslessNumber((parseExact(`{"a":${digits}}`, { spelling: true }) as { a: unknown }).a)).toBe(true);
    expect(parseExact(`{"a":${digits}}`)).toEqual({ a: Number(digits) });
  }
});

test('dates and identifiers in texts change nothing', () => {
  const value = {
    at: '2026-11-05T09:00:00Z',
    id: '3e4f0a1b-0c2d',
    long: '12345678901234567',
    list: ['a 3e4', '-0', ': 1e999'],
  };
  expect(parseExact(JSON.stringify(value))).toEqual(value);
});

const digits = fc.bigInt({ min: 0n, max: 10n ** 19n }).map(String);
const numbers = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits,
    fc.option(fc.stringMatching(/^\d{1,18}$/)),
    fc.option(fc.stringMatching(/^[eE][+-]?\d{1,3}$/)),
  )
  .map(
    ([sign, whole, fraction, exponent]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent ?? ''}`,
  );

test('of all numbers either the digits are kept, or there are few of them and they mean the same', () => {
  fc.assert(
    fc.property(numbers, fc.constantFrom(...places), (number, place) => {
      const text = place.replace('N', number);
      const shown = stringifyExact(parseExact(text));
      if (shown === stringify(parseLossless(text))) return;
      expect(number.replaceAll(/[^0-9]/g, '').length).toBeLessThan(16);
      expect(JSON.parse(shown)).toEqual(JSON.parse(text));
    }),
    { numRuns: 2_000 },
  );
});
