/** The operators on lists of numbers without an order: what a group measured, such as the times of its exchanges. */
import { asText } from '../../model/json.ts';
import type { Operator } from './operator.ts';
import { isPlainObject } from './value-tests.ts';

/** A share of a list of numbers and the limit that it keeps. */
interface Share {
  /** Above 0, at most 100. */
  percent: number;
  value: number;
}

const shareOption = {
  type: 'object',
  properties: { percent: { type: 'number', exclusiveMinimum: 0, maximum: 100 }, value: { type: 'number' } },
  required: ['percent', 'value'],
  additionalProperties: false,
};

export const numberOperators: readonly Operator[] = [
  {
    name: 'everyAtLeast',
    lasting: true,
    description: 'A list of numbers, none of them below the option (an empty list holds).',
    option: { type: 'number' },
    expectation: (option) => `holds no number below ${asText(option)}`,
    test: (actual, option) => isNumbers(actual) && actual.every((one) => one >= (option as number)),
    finding: (actual, option, _context, place) => outlier(actual, (one) => one < (option as number), place),
  },
  {
    name: 'everyAtMost',
    lasting: true,
    description: 'A list of numbers, none of them above the option (an empty list holds).',
    option: { type: 'number' },
    expectation: (option) => `holds no number above ${asText(option)}`,
    test: (actual, option) => isNumbers(actual) && actual.every((one) => one <= (option as number)),
    finding: (actual, option, _context, place) => outlier(actual, (one) => one > (option as number), place),
  },
  {
    name: 'percentAtLeast',
    description:
      'A list of numbers in which at least `percent` in 100 are not below `value` (an empty list holds). Measure enough of them: ask for the count in `when`.',
    option: shareOption,
    expectation: (option) => `has ${shareOf(option).percent} in 100 numbers at or above ${shareOf(option).value}`,
    test: (actual, option) => isNumbers(actual) && holds(actual, option, (one, limit) => one >= limit),
    finding: (actual, option, _context, place) =>
      shortfall(actual, option, (one, limit) => one >= limit, 'at or above', place),
  },
  {
    name: 'percentAtMost',
    description:
      'A list of numbers in which at least `percent` in 100 are not above `value` (an empty list holds). Measure enough of them: ask for the count in `when`.',
    option: shareOption,
    expectation: (option) => `has ${shareOf(option).percent} in 100 numbers at or below ${shareOf(option).value}`,
    test: (actual, option) => isNumbers(actual) && holds(actual, option, (one, limit) => one <= limit),
    finding: (actual, option, _context, place) =>
      shortfall(actual, option, (one, limit) => one <= limit, 'at or below', place),
  },
];

function isNumbers(values: unknown): values is number[] {
  return Array.isArray(values) && values.every((one) => typeof one === 'number');
}

function shareOf(option: unknown): Share {
  return isPlainObject(option) ? (option as unknown as Share) : { percent: 100, value: Number.NaN };
}

type Keeps = (one: number, limit: number) => boolean;

function within(values: readonly number[], option: unknown, keeps: Keeps): number {
  return values.filter((one) => keeps(one, shareOf(option).value)).length;
}

function holds(values: readonly number[], option: unknown, keeps: Keeps): boolean {
  // Whole numbers on both sides: 95 in 100 of 20 are 19, without a rounding error.
  return within(values, option, keeps) * 100 >= shareOf(option).percent * values.length;
}

function outlier(values: unknown, isOutlier: (one: number) => boolean, place = 'the list'): string | undefined {
  const found = isNumbers(values) ? values.find(isOutlier) : undefined;
  return found === undefined ? undefined : `${place} holds ${found}`;
}

function shortfall(
  values: unknown,
  option: unknown,
  keeps: Keeps,
  words: string,
  place = 'the list',
): string | undefined {
  if (!isNumbers(values)) return undefined;
  return `${within(values, option, keeps)} of ${values.length} in ${place} are ${words} ${shareOf(option).value}`;
}
