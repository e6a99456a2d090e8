/**
 * The closed set of operators that conditions may use. Each is false on an absent value (but `exists`), has a
 * JSON Schema of its option and a line of description, from which generated/FACTS.md is written.
 */
import { entryOf, inEntry, within } from './finding-place.ts';
import { listOperators } from './list-operators.ts';
import { numberOperators } from './number-operators.ts';
import type { Operator } from './operator.ts';
import { schemaOperators } from './schema-operators.ts';
import {
  equalTo,
  equalToAny,
  isEmptyValue,
  isPlainObject,
  matching,
  ofTypes,
  ordered,
  type ValueTest,
} from './value-tests.ts';
import { asText } from '../../model/json.ts';

/** An operator's test, made by what prepares it. */
function prepared(prepare: (option: unknown) => ValueTest): Pick<Operator, 'test' | 'prepare'> {
  return { prepare, test: (actual, option) => prepare(option)(actual) };
}

const anyValue = {};
const trueOrFalse = { type: 'boolean' };
const aNumber = { type: 'number' };
const names = { type: 'array', items: { type: 'string' } };
const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const typeOption = {
  anyOf: [{ enum: jsonTypes }, { type: 'array', items: { enum: jsonTypes }, minItems: 1 }],
};

function listed(option: unknown): string[] {
  return (Array.isArray(option) ? option : [option]).map(asText);
}

function show(option: unknown): string {
  return typeof option === 'string' ? option : JSON.stringify(option);
}

export const operators: Operator[] = [
  {
    name: 'exists',
    description: 'The value is there (true) or is absent (false). Null counts as there.',
    option: trueOrFalse,
    expectation: (option) => (option === false ? 'is absent' : 'is there'),
    ...prepared((option) => (option === false ? (actual) => actual === undefined : (actual) => actual !== undefined)),
  },
  {
    name: 'is',
    description: 'The value equals the option, compared as JSON.',
    option: anyValue,
    expectation: (option) => `is ${show(option)}`,
    ...prepared(equalTo),
  },
  {
    name: 'isNot',
    description: 'The value is there and differs from the option, compared as JSON.',
    option: anyValue,
    expectation: (option) => `is not ${show(option)}`,
    ...prepared((option) => {
      const equals = equalTo(option);
      return (actual) => actual !== undefined && !equals(actual);
    }),
  },
  {
    name: 'isOneOf',
    description: 'The value equals one of the listed values.',
    option: { type: 'array', minItems: 1 },
    expectation: (option) => `is one of ${listed(option).join(', ')}`,
    ...prepared(equalToAny),
  },
  {
    name: 'isNoneOf',
    description: 'The value is there and equals none of the listed values.',
    option: { type: 'array', minItems: 1 },
    expectation: (option) => `is none of ${listed(option).join(', ')}`,
    ...prepared((option) => {
      const equals = equalToAny(option);
      return (actual) => actual !== undefined && !equals(actual);
    }),
  },
  {
    name: 'hasType',
    description: 'The JSON type of the value is the option, or one of its entries; 1.0 is an integer.',
    option: typeOption,
    expectation: (option) => `is of type ${listed(option).join(' or ')}`,
    ...prepared(ofTypes),
  },
  {
    name: 'atLeast',
    description: 'A number not below the option.',
    option: aNumber,
    expectation: (option) => `is at least ${show(option)}`,
    ...prepared((option) => (actual) => typeof actual === 'number' && actual >= (option as number)),
  },
  {
    name: 'atMost',
    description: 'A number not above the option.',
    option: aNumber,
    expectation: (option) => `is at most ${show(option)}`,
    ...prepared((option) => (actual) => typeof actual === 'number' && actual <= (option as number)),
  },
  {
    name: 'matches',
    description: 'A text that the regular expression of the option matches.',
    option: { type: 'string', format: 'regex' },
    expectation: (option) => `matches ${show(option)}`,
    ...prepared(matching),
  },
  {
    name: 'hasLengthAtMost',
    lasting: true,
    description: 'A text or list with at most as many characters or entries as the option says.',
    option: aNumber,
    expectation: (option) => `has a length of at most ${show(option)}`,
    test: (actual, option) =>
      (typeof actual === 'string' || Array.isArray(actual)) && actual.length <= (option as number),
  },
  {
    name: 'isEmpty',
    description: 'A list, object or text without entries (true), or with some (false).',
    option: trueOrFalse,
    expectation: (option) => (option === false ? 'has entries' : 'is empty'),
    ...prepared((option) =>
      option === false ? (actual) => isEmptyValue(actual) === false : (actual) => isEmptyValue(actual) === true,
    ),
  },
  {
    name: 'hasMembers',
    description: 'An object that has all the named members.',
    option: names,
    expectation: (option) => `has the members ${listed(option).join(', ')}`,
    test: (actual, option) => isPlainObject(actual) && (option as string[]).every((name) => name in actual),
    finding: (actual, option) => {
      const missing = isPlainObject(actual) ? (option as string[]).filter((name) => !(name in actual)) : [];
      return missing.length === 0 ? undefined : `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`;
    },
    places: (actual, option) => (isPlainObject(actual) ? (option as string[]).filter((name) => !(name in actual)) : []),
  },
  {
    name: 'lacksMembers',
    description: 'An object that has none of the named members.',
    option: names,
    expectation: (option) => `has none of the members ${listed(option).join(', ')}`,
    test: (actual, option) => isPlainObject(actual) && !(option as string[]).some((name) => name in actual),
  },
  {
    name: 'hasOnlyMembers',
    description: 'An object without members other than the named ones.',
    option: names,
    expectation: (option) => `has no members besides ${listed(option).join(', ')}`,
    test: (actual, option) =>
      isPlainObject(actual) && Object.keys(actual).every((name) => (option as string[]).includes(name)),
  },
  {
    name: 'includes',
    description: 'A list that holds the option.',
    option: anyValue,
    expectation: (option) => `includes ${show(option)}`,
    prepare: (option) => {
      const equals = equalTo(option);
      return (actual) => Array.isArray(actual) && actual.some(equals);
    },
    // The option is often a fact with a different value for each subject.
    test: (actual, option) =>
      Array.isArray(actual) &&
      (typeof option === 'object' ? actual.some(equalTo(option)) : option !== undefined && actual.includes(option)),
  },
  {
    name: 'everyHasType',
    lasting: true,
    description: 'A list in which every value has the JSON type of the option (an empty list holds).',
    option: typeOption,
    expectation: (option) => `holds only values of type ${listed(option).join(' or ')}`,
    ...prepared((option) => {
      const fits = ofTypes(option);
      return (actual) => Array.isArray(actual) && actual.every(fits);
    }),
    places: (actual, option) => unfit(actual, ofTypes(option)),
  },
  {
    name: 'everyMatches',
    lasting: true,
    description: 'A list of texts, every one matched by the regular expression (an empty list holds).',
    option: { type: 'string', format: 'regex' },
    expectation: (option) => `holds only texts that match ${show(option)}`,
    ...prepared((option) => {
      const fits = matching(option);
      return (actual) => Array.isArray(actual) && actual.every(fits);
    }),
    places: (actual, option) => unfit(actual, matching(option)),
  },
  {
    name: 'isStrictlyIncreasing',
    lasting: true,
    description: 'A list of numbers, each greater than the one before (true).',
    option: { const: true },
    expectation: () => 'rises with every value',
    test: (actual) => ordered(actual, (before, after) => after > before),
  },
  {
    name: 'isUnique',
    lasting: true,
    description: 'A list in which no value occurs twice (true); 1 and "1" differ.',
    option: { const: true },
    expectation: () => 'holds no value twice',
    test: (actual) => Array.isArray(actual) && new Set(actual.map((one) => JSON.stringify(one))).size === actual.length,
  },
  ...listOperators,
  ...numberOperators,
  {
    name: 'isAfter',
    description: 'A text that sorts behind the option, for revision names.',
    option: { type: 'string' },
    expectation: (option) => `is later than ${show(option)}`,
    test: (actual, option) => typeof actual === 'string' && typeof option === 'string' && actual > option,
  },
  {
    name: 'isNotAfter',
    description: 'A text that sorts before the option or equals it, for revision names.',
    option: { type: 'string' },
    expectation: (option) => `is not later than ${show(option)}`,
    test: (actual, option) => typeof actual === 'string' && typeof option === 'string' && actual <= option,
  },
  {
    name: 'matchesSchema',
    description:
      'The value has the shape of the named message type in the judged revision, for example InitializeResult.',
    option: { type: 'string' },
    expectation: (option) => `has the shape of ${show(option)}`,
    test: (actual, option, context) => {
      if (actual === undefined) return false;
      const findings = context.schemaFindings(option as string, actual);
      if (findings === undefined) throw new Error(`no message type ${asText(option)} in the judged revision`);
      return findings.length === 0;
    },
    finding: (actual, option, context, place) => {
      const [first, ...more] = actual === undefined ? [] : (context.schemaFindings(option as string, actual) ?? []);
      if (!first) return undefined;
      const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
      return `${within(place, first.path)} ${first.message}${rest}`;
    },
    places: (actual, option, context) =>
      actual === undefined ? [] : (context.schemaFindings(option as string, actual) ?? []).map(({ path }) => path),
  },
  {
    name: 'everyMatchesSchema',
    description:
      'A list in which every value has the shape of the named message type in the judged revision, for example Tool (an empty list holds).',
    option: { type: 'string' },
    expectation: (option) => `holds only values with the shape of ${show(option)}`,
    test: (actual, option, context) => {
      if (!Array.isArray(actual)) return false;
      return actual.every((one) => {
        const findings = context.schemaFindings(option as string, one);
        if (findings === undefined) throw new Error(`no message type ${asText(option)} in the judged revision`);
        return findings.length === 0;
      });
    },
    finding: (actual, option, context, place) => {
      if (!Array.isArray(actual)) return undefined;
      for (const [index, one] of actual.entries()) {
        const [first] = context.schemaFindings(option as string, one) ?? [];
        if (first) return `${within(entryOf(place, index), first.path)} ${first.message}`;
      }
      return undefined;
    },
    places: (actual, option, context) =>
      Array.isArray(actual)
        ? actual.flatMap((one, index) =>
            (context.schemaFindings(option as string, one) ?? []).map(({ path }) => inEntry(index, path)),
          )
        : [],
  },
  ...schemaOperators,
];

/** Where the entries of a list are that do not fit. */
function unfit(list: unknown, fits: ValueTest): string[] {
  return Array.isArray(list) ? list.flatMap((one: unknown, index) => (fits(one) ? [] : [inEntry(index, '')])) : [];
}

export const operatorsByName: ReadonlyMap<string, Operator> = new Map(operators.map((one) => [one.name, one]));
