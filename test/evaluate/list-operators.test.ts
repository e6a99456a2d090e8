/** The operators on lists: what holds, and what a finding says of a list that does not. */
import { expect, test } from 'vitest';
import { operatorsByName } from '../../src/core/evaluate/operators/operators.ts';

const context = { schemaFindings: () => undefined };

test.each<[name: string, actual: unknown, option: unknown, holds: boolean, finding?: string]>([
  ['countIs', [1, 2], 2, true],
  ['countIs', [1, 2], 1, false, 'it has 2 entries'],
  ['countIs', 'ab', 2, false],
  ['countIs', undefined, 0, false],
  ['hasLengthAtLeast', [1, 2], 2, true],
  ['hasLengthAtLeast', 'a', 2, false],
  ['hasLengthAtLeast', undefined, 0, false],
  ['isMonotonic', [1, 1, 2], 'increasing', true],
  ['isMonotonic', [1, 1, 2], 'strictly-increasing', false, 'it has 1 behind 1'],
  ['isMonotonic', [3, 2, 2], 'decreasing', true],
  ['isMonotonic', [3, 2, 4], 'decreasing', false, 'it has 4 behind 2'],
  ['isMonotonic', [3, 1], 'strictly-decreasing', true],
  ['isMonotonic', [1, '2'], 'increasing', false],
  ['isMonotonic', [], 'increasing', true],
  ['followsTransitions', ['a', 'a', 'b'], { a: ['b'], b: [] }, true],
  ['followsTransitions', ['a', 'b', 'a'], { a: ['b'], b: [] }, false, 'it goes from "b" to "a"'],
  ['followsTransitions', ['x', 'a'], { a: ['b'] }, false, 'it goes from "x" to "a"'],
  ['followsTransitions', ['constructor', 'a'], { a: ['b'] }, false, 'it goes from "constructor" to "a"'],
  ['followsTransitions', [], { a: ['b'] }, true],
  ['followsTransitions', undefined, { a: ['b'] }, false],
  ['atMostWithin', [0, 100, 1000, 1100], { count: 2, ms: 500 }, true],
  ['atMostWithin', [0, 100, 200], { count: 2, ms: 500 }, false, 'it has 3 within 500 ms'],
  ['atMostWithin', 'x', { count: 2, ms: 500 }, false],
])('%s: %j with %j', (name, actual, option, holds, finding) => {
  const operator = operatorsByName.get(name)!;
  expect(operator.test(actual, option, context)).toBe(holds);
  if (finding !== undefined) expect(operator.finding?.(actual, option, context, 'it')).toBe(finding);
});
