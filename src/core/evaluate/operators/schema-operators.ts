/**
 * The operators on JSON Schemas that the target published. What they need to know they ask of their context,
 * so that the validator is loaded only where a rule uses one of them.
 */
import { entryOf, inEntry, within } from './finding-place.ts';
import type { Operator, OperatorContext } from './operator.ts';

/** Operators on JSON Schemas of the target; in uncertain cases the last two do not hold. */
export const schemaOperators: readonly Operator[] = [
  {
    name: 'hasDecidableSchemas',
    description:
      'A list with at least one JSON Schema that can be validated (its dialect is known, and it is not too large).',
    option: { const: true },
    expectation: () => 'holds a JSON Schema that can be judged',
    test: (actual, _option, context) =>
      Array.isArray(actual) && actual.some((one) => judgeOf(context).validity(one) !== undefined),
  },
  {
    name: 'everyIsValidSchema',
    description:
      'A list in which no JSON Schema violates the meta-schema of its dialect: that of $schema, else 2020-12 since 2025-11-25, and any draft in earlier revisions.',
    option: { const: true },
    expectation: () => 'holds only valid JSON Schemas',
    test: (actual, _option, context) =>
      Array.isArray(actual) && actual.every((one) => !judgeOf(context).validity(one)?.length),
    finding: (actual, _option, context, place) => {
      if (!Array.isArray(actual)) return undefined;
      for (const [index, one] of actual.entries()) {
        const [first] = judgeOf(context).validity(one) ?? [];
        if (first) return `${within(entryOf(place, index), first.path)} ${first.message}`;
      }
      return undefined;
    },
    places: (actual, _option, context) =>
      Array.isArray(actual)
        ? actual.flatMap((one, index) => (judgeOf(context).validity(one) ?? []).map(({ path }) => inEntry(index, path)))
        : [],
  },
  {
    name: 'isDecidableUnder',
    description: 'A value that can be validated against the JSON Schema of the option.',
    option: {},
    expectation: () => 'can be checked against the schema',
    test: (actual, option, context) =>
      actual !== undefined && judgeOf(context).conformance(option, actual) !== undefined,
  },
  {
    name: 'conformsToSchema',
    description: 'A value that fits the JSON Schema that the option is; formats are not checked.',
    option: {},
    expectation: () => 'fits the schema',
    test: (actual, option, context) =>
      actual !== undefined && judgeOf(context).conformance(option, actual)?.length === 0,
    finding: (actual, option, context, place) => {
      const [first] = actual === undefined ? [] : (judgeOf(context).conformance(option, actual) ?? []);
      return first && `${within(place, first.path)} ${first.message}`;
    },
    places: (actual, option, context) =>
      actual === undefined ? [] : (judgeOf(context).conformance(option, actual) ?? []).map(({ path }) => path),
  },
];

/** True if an operator needs `jsonSchemas` in its context. */
export function needsJsonSchemas(operator: string): boolean {
  return schemaOperators.some(({ name }) => name === operator);
}

function judgeOf({ jsonSchemas }: OperatorContext): NonNullable<OperatorContext['jsonSchemas']> {
  if (!jsonSchemas) throw new Error('no JSON Schema can be judged here');
  return jsonSchemas;
}
