/** The operators on lists and numbers: what holds, and what a finding says of a list that does not. */
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
  ['everyAtLeast', [2, 3], 2, true],
  ['everyAtLeast', [2, 1], 2, false, 'it holds 1'],
  ['everyAtLeast', [], 2, true],
  ['everyAtLeast', 3, 2, false],
  ['everyAtMost', [2, 2], 2, true],
  ['everyAtMost', [1, 3, 4], 2, false, 'it holds 3'],
  ['everyAtMost', [1, '1'], 2, false],
  ['percentAtMost', [...Array.from({ length: 19 }, () => 10), 900], { percent: 95, value: 200 }, true],
  [
    'percentAtMost',
    [...Array.from({ length: 18 }, () => 10), 900, 900],
    { percent: 95, value: 200 },
    false,
    '18 of 20 in it are at or below 200',
  ],
  ['percentAtMost', [200], { percent: 100, value: 200 }, true],
  ['percentAtMost', [], { percent: 95, value: 200 }, true],
  ['percentAtMost', undefined, { percent: 95, value: 200 }, false],
  ['percentAtLeast', [1, 5, 5, 5], { percent: 75, value: 5 }, true],
  ['percentAtLeast', [1, 1, 5, 5], { percent: 75, value: 5 }, false, '2 of 4 in it are at or above 5'],
])('%s: %j with %j', (name, actual, option, holds, finding) => {
  const operator = operatorsByName.get(name)!;
  expect(operator.test(actual, option, context)).toBe(holds);
  if (finding !== undefined) expect(operator.finding?.(actual, option, context, 'it')).toBe(finding);
});
