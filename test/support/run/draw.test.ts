/** The part of the cases that a run plays rests on their names alone. */
import { expect, test } from 'vitest';
import { changedFiles, rulesAmong } from './changed.ts';
import { drawnFrom } from './draw.ts';
import { someOf } from './some-of.ts';
import { everything } from './options.ts';

const cases = Array.from({ length: 31 }, (_, index) => `case ${index}`);
const part = (of: readonly string[]): string[] => drawnFrom(of, 3, (one) => one);

test('a third of them, in their order, whatever stands around them', () => {
  expect(part(cases)).toHaveLength(11);
  expect(part(cases)).toEqual(cases.filter((one) => part(cases).includes(one)));
  expect(new Set(part([...cases].reverse()))).toEqual(new Set(part(cases)));
});

test('at least one where there are few', () => {
  expect(drawnFrom(['only'], 3, (one) => one)).toEqual(['only']);
  expect(drawnFrom([], 3, String)).toEqual([]);
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

test('a revision that git does not know is an error that names it', () => {
  expect(() => changedFiles('no-such-revision')).toThrow('no-such-revision');
});
