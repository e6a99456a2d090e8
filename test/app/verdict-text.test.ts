/** Messages of rules name parts of what was seen; a part that is a structure reads as JSON, however deep it lies. */
import { expect, test } from 'vitest';
import { createTextRenderer, failureText } from '../../src/check/reporting/verdict-text.ts';
import { noWords } from '../../src/core/evaluate/outcome-cases.ts';
import type { CompiledRule } from '../../src/core/model/rules/rule.ts';

test.each([
  ['{{params}}', '{"a":{"b":[1,{"c":2}]}}'],
  ['{{params.a}}', '{"b":[1,{"c":2}]}'],
  ['{{params.a.b}}', '[1,{"c":2}]'],
  ['{{params.a.b.[1]}}', '{"c":2}'],
  ['{{params.a.b.[1].c}}', '2'],
])('%s', (message, text) => {
  const rule = { message } as CompiledRule;
  const facts = { params: { a: { b: [1, { c: 2 }] } } };
  expect(failureText({ rule, facts, events: [], words: noWords }, createTextRenderer())).toBe(text);
});
