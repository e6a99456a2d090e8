/** Expectations about the text of an answer and its kind. */
import { beginning, expectation, kinds, quoted } from '../expectation.ts';
import type { Expectation } from '../expectation.ts';
import { compilePattern, preparePatterns } from './patterns.ts';

const empty = new Set(['', 'null', '[]', '{}']);

export const kindExpectations: readonly Expectation[] = [
  expectation({
    name: 'not_error',
    says: 'The result is not an error (`isError` is not true).',
    option: kinds.flag,
    test: ({ isError }, wanted) =>
      wanted && isError
        ? { words: 'expected no error, got isError: true', expected: 'isError is not true', actual: 'isError is true' }
        : undefined,
  }),
  expectation({
    name: 'is_error',
    says: 'The result is an error (`isError: true`). A JSON-RPC error is not such a result.',
    option: kinds.flag,
    test: ({ isError }, wanted) =>
      wanted && !isError
        ? {
            words: 'expected error, got a result without isError: true',
            expected: 'isError is true',
            actual: 'isError is not true',
          }
        : undefined,
  }),
  expectation({
    name: 'not_empty',
    says: 'The text is not blank, `null`, `[]` or `{}`.',
    option: kinds.flag,
    test: ({ text }, wanted) =>
      wanted && empty.has(text.trim())
        ? { words: `expected non-empty result, got ${quoted(text.trim())}`, expected: 'a text', actual: quoted(text) }
        : undefined,
  }),
];

export const textExpectations: readonly Expectation[] = [
  expectation({
    name: 'equals',
    says: 'The text equals this, except for spaces at both ends.',
    option: kinds.text,
    test({ text }, wanted) {
      if (text.trim() === wanted.trim()) return undefined;
      return {
        words: `expected exact match, want ${quoted(wanted.trim())}, got ${quoted(beginning(text.trim(), 2000))}`,
        expected: wanted.trim(),
        actual: text.trim(),
      };
    },
  }),
  expectation({
    name: 'contains',
    says: 'The text contains each of these.',
    option: kinds.texts,
    test({ text }, wanted) {
      const at = wanted.findIndex((one) => !text.includes(one));
      return at === -1
        ? undefined
        : {
            words: `expected result to contain ${quoted(wanted[at]!)}, got: ${beginning(text)}`,
            expected: wanted[at]!,
            actual: text,
            at: [at],
          };
    },
  }),
  expectation({
    name: 'contains_any',
    says: 'The text contains at least one of these; an empty list always holds.',
    option: kinds.texts,
    test({ text }, wanted) {
      if (wanted.length === 0 || wanted.some((one) => text.includes(one))) return undefined;
      return {
        words: `expected result to contain at least one of ${wanted.map(quoted).join(', ')}, got: ${beginning(text)}`,
        expected: wanted.join(' | '),
        actual: text,
      };
    },
  }),
  expectation({
    name: 'not_contains',
    says: 'The text contains none of these.',
    option: kinds.texts,
    test({ text }, unwanted) {
      const at = unwanted.findIndex((one) => text.includes(one));
      return at === -1
        ? undefined
        : {
            words: `expected result NOT to contain ${quoted(unwanted[at]!)}, got: ${beginning(text)}`,
            expected: `no ${unwanted[at]!}`,
            actual: text,
            at: [at],
          };
    },
  }),
  expectation({
    name: 'matches_regex',
    says: 'Each pattern (RE2; `(?i)` works) matches somewhere in the text.',
    option: kinds.texts,
    prepare: preparePatterns,
    test({ text }, patterns) {
      for (const [at, pattern] of patterns.entries()) {
        const compiled = compilePattern(pattern);
        if ('problem' in compiled)
          return { words: `matches_regex: invalid pattern ${quoted(pattern)}: ${compiled.problem}`, at: [at] };
        if (!compiled.matches(text))
          return {
            words: `expected result to match regex ${quoted(pattern)}, got: ${beginning(text)}`,
            expected: pattern,
            actual: text,
            at: [at],
          };
      }
      return undefined;
    },
  }),
];

export const orderExpectations: readonly Expectation[] = [
  expectation({
    name: 'in_order',
    says: 'The text contains these in order, without overlap.',
    option: kinds.texts,
    test({ text }, wanted) {
      let from = 0;
      for (const [at, one] of wanted.entries()) {
        const found = text.indexOf(one, from);
        if (found === -1)
          return {
            words: `in_order: ${quoted(one)} not found after position ${from}`,
            expected: wanted.join(' … '),
            actual: text,
            at: [at],
          };
        from = found + one.length;
      }
      return undefined;
    },
  }),
];
