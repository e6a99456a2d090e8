/** A part of the cases changes with the seed, and leaves nothing out for ever. */
import { expect, test } from 'vitest';
import { everything } from './options.ts';
import { rulesAmong } from './seed.ts';
import { drawnFrom, someOf } from './some-of.ts';

const cases = Array.from({ length: 31 }, (_, index) => `case ${index}`);
const part = (seed: string): string[] => drawnFrom(cases, 3, seed, (one) => one);

test('a third of them, in their order, the same for the same seed', () => {
  expect(part('a')).toHaveLength(11);
  expect(part('a')).toEqual(cases.filter((one) => part('a').includes(one)));
  expect(part('a')).toEqual(part('a'));
  expect(part('b')).not.toEqual(part('a'));
});

test('each comes in some commits, also where there are few', () => {
  const met = new Set(Array.from({ length: 40 }, (_, seed) => part(String(seed))).flat());
  expect([...met].sort()).toEqual([...cases].sort());
  expect(drawnFrom(['only'], 3, 'a', (one) => one)).toEqual(['only']);
  expect(drawnFrom([], 3, 'a', String)).toEqual([]);
});

test('what is due takes part whatever is drawn', () => {
  const due = someOf(
    cases,
    10,
    (one) => one,
    (one) => one.endsWith('7'),
  );
  expect(due).toEqual(expect.arrayContaining(['case 7', 'case 17', 'case 27']));
  expect(due.length).toBeLessThanOrEqual(everything ? cases.length : 4 + 3);
});

test('a rule that changed is known by its file', () => {
  expect(
    rulesAmong([
      'rules/ping/answer-empty-result.json',
      'rules/language/facts.json',
      'rules/spec/2025-11-25.md',
      'rules/todo.json',
      'src/cli.ts',
      'rules/ping/answer-empty-result.json',
    ]),
  ).toEqual(['ping/answer-empty-result']);
});
