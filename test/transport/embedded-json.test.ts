/** JSON that stands in text: found over line ends and beside words, in one pass, and given up where it grows too long. */
import { expect, test } from 'vitest';
import { createEmbeddedJson, endsWhole } from '../../src/client/transport/process/embedded-json.ts';

const found = (lines: readonly string[], most = 1000): [string, number][] => {
  const reader = createEmbeddedJson(most);
  return lines.flatMap((line) => reader.push(line)).map(({ text, lines: over }) => [text, over]);
};

test('objects over several lines, several in a line, behind words, and with braces in strings', () => {
  expect(found(['{', ' "a": {"b": "}"}', '}'])).toEqual([['{\n "a": {"b": "}"}\n}', 3]]);
  expect(found(['[send] {"a":1}{"b":"{\\"}"} done'])).toEqual([
    ['{"a":1}', 1],
    ['{"b":"{\\"}"}', 1],
  ]);
  expect(found(['a quote " before', '{"a":1}'])).toEqual([['{"a":1}', 1]]);
  expect(found(['starting {', 'more', 'more'])).toEqual([]);
});

test('an object longer than the limit is given up, and what follows is found', () => {
  expect(found([`{"a":"${'x'.repeat(50)}`, '{"b":1}'], 20)).toEqual([['{"b":1}', 1]]);
});

test.each([
  ['{"a":1}', true],
  ['{"a":1}{"b":2}', true],
  ['{"a":{"b":1}', false],
  ['{"a":"}', false],
  ['text', false],
  ['}', false],
])('%s ends whole: %s', (text, whole) => {
  expect(endsWhole(Buffer.from(text))).toBe(whole);
});
