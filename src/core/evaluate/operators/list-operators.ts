/** The operators on lists of values in the order in which they came: what groups collect, and times. */
import type { Operator } from './operator.ts';
import { isPlainObject, ordered } from './value-tests.ts';
import { asNumber, asText } from '../../model/json.ts';

const directions = {
  increasing: (before: number, after: number) => after >= before,
  'strictly-increasing': (before: number, after: number) => after > before,
  decreasing: (before: number, after: number) => after <= before,
  'strictly-decreasing': (before: number, after: number) => after < before,
} as const;

export const listOperators: readonly Operator[] = [
  {
    name: 'countIs',
    description: 'A list with as many entries as the option says.',
    option: { type: 'integer', minimum: 0 },
    expectation: (option) => `has exactly ${asText(option)} entries`,
    test: (actual, option) => Array.isArray(actual) && actual.length === option,
    finding: (actual, _option, _context, place) =>
      Array.isArray(actual) ? `${place ?? 'the list'} has ${actual.length} entries` : undefined,
  },
  {
    name: 'hasLengthAtLeast',
    description: 'A string or list with at least as many characters or entries as the option says.',
    option: { type: 'number' },
    expectation: (option) => `has a length of at least ${asText(option)}`,
    test: (actual, option) =>
      (typeof actual === 'string' || Array.isArray(actual)) && actual.length >= (option as number),
  },
  {
    name: 'isMonotonic',
    lasting: true,
    description:
      'A list of numbers in which each two neighbours stand in the order of the option; equal neighbours are allowed unless it says "strictly".',
    option: { enum: Object.keys(directions) },
    expectation: (option) => `is ${asText(option).replace('-', ' ')}`,
    test: (actual, option) => ordered(actual, directions[option as keyof typeof directions]),
    finding: (actual, option, _context, place) => {
      if (!Array.isArray(actual)) return undefined;
      const holds = directions[option as keyof typeof directions];
      const at = actual.findIndex((value, index) => index > 0 && !holds(asNumber(actual[index - 1]), asNumber(value)));
      return at === -1
        ? undefined
        : `${place ?? 'the list'} has ${String(actual[at])} behind ${String(actual[at - 1])}`;
    },
  },
  {
    name: 'followsTransitions',
    lasting: true,
    description:
      'A list of strings in which each change of value is one that the option allows. A value that the option does not name allows no change.',
    option: { type: 'object', minProperties: 1, additionalProperties: { type: 'array', items: { type: 'string' } } },
    expectation: (option) => `takes only the steps ${steps(option)}`,
    test: (actual, option) => Array.isArray(actual) && brokenStep(actual, option) === undefined,
    finding: (actual, option, _context, place) => {
      const broken = Array.isArray(actual) ? brokenStep(actual, option) : undefined;
      return broken && `${place ?? 'the list'} goes from ${JSON.stringify(broken[0])} to ${JSON.stringify(broken[1])}`;
    },
  },
  {
    name: 'atMostWithin',
    lasting: true,
    description: 'A list of times in milliseconds, in order, with at most `count` of them within `ms`.',
    option: {
      type: 'object',
      properties: { count: { type: 'integer', minimum: 1 }, ms: { type: 'number', exclusiveMinimum: 0 } },
      required: ['count', 'ms'],
      additionalProperties: false,
    },
    expectation: (option) => `has at most ${String((option as Pace).count)} within ${String((option as Pace).ms)} ms`,
    test: (actual, option) => {
      const most = mostWithin(actual, option as Pace);
      return most !== undefined && most <= (option as Pace).count;
    },
    finding: (actual, option, _context, place) =>
      `${place ?? 'the list'} has ${String(mostWithin(actual, option as Pace))} within ${String((option as Pace).ms)} ms`,
  },
];

interface Pace {
  count: number;
  ms: number;
}

/** The most times that lie within the span; undefined when the value is no list of numbers. */
function mostWithin(times: unknown, { ms }: Pace): number | undefined {
  if (!Array.isArray(times) || !times.every((time) => typeof time === 'number')) return undefined;
  let most = 0;
  let from = 0;
  for (const [at, time] of times.entries()) {
    while (time - times[from]! > ms) from += 1;
    most = Math.max(most, at - from + 1);
  }
  return most;
}

/** The first step that the table does not allow. */
function brokenStep(values: readonly unknown[], table: unknown): [unknown, unknown] | undefined {
  if (!isPlainObject(table)) return undefined;
  for (let at = 1; at < values.length; at += 1) {
    const before = values[at - 1];
    const after = values[at];
    if (before === after) continue;
    const allowed = typeof before === 'string' && Object.hasOwn(table, before) ? table[before] : [];
    if (!Array.isArray(allowed) || !allowed.includes(after)) return [before, after];
  }
  return undefined;
}

function steps(table: unknown): string {
  return isPlainObject(table)
    ? Object.entries(table)
        .map(([from, to]) => `${from} -> ${[to].flat().map(asText).join(' or ') || 'nothing'}`)
        .join(', ')
    : asText(table);
}
