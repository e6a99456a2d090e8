/** The matchers of the lane form: what a value has to be. One entry each; the schema and the documentation are made from them. */
import type { JsonSchemas } from '../../../core/json-schema/json-schemas.ts';
import { isObject } from '../../../core/model/json.ts';
import { printed, quoted, type JsonSchema } from '../expectation.ts';
import { compilePattern, preparePatterns } from '../expectations/patterns.ts';

export interface Matcher {
  name: string;
  says: string;
  schema: JsonSchema;
  /** Loads what the test needs. */
  prepare?(): Promise<void>;
  /**
   * @returns `holds`, and what the value had to be; `problem` where that cannot be decided, so that its negation holds no more
   */
  test(value: unknown, option: unknown): { holds: boolean; wanted: string } | { problem: string };
}

/** Options of a matcher, by name; `not` contains others, none of which may hold. */
export type MatcherOption = Record<string, unknown>;

const jsonTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;

let schemas: JsonSchemas | undefined;

async function prepareSchemas(): Promise<void> {
  schemas ??= (await import('../../../core/json-schema/json-schemas.ts')).createJsonSchemas('2025-11-25');
}

const bounds: JsonSchema = {
  type: 'object',
  properties: { min: { type: 'number' }, max: { type: 'number' } },
  additionalProperties: false,
  minProperties: 1,
};

export const matchers: readonly Matcher[] = [
  {
    name: 'exact',
    says: 'The same value of the same type.',
    schema: {},
    test: (value, option) => ({ holds: equal(value, option), wanted: printed(option) }),
  },
  {
    name: 'contains',
    says: 'A text that contains this text, or a list with this item.',
    schema: {},
    test(value, option) {
      const wanted = `something that contains ${printed(option)}`;
      if (typeof value === 'string') return { holds: typeof option === 'string' && value.includes(option), wanted };
      return { holds: Array.isArray(value) && value.some((item) => equal(item, option)), wanted };
    },
  },
  {
    name: 'regex',
    says: 'A text with a match of this pattern (RE2).',
    schema: { type: 'string' },
    prepare: preparePatterns,
    test(value, option) {
      const pattern = compilePattern(option as string);
      if ('problem' in pattern) return { problem: `invalid pattern ${quoted(option as string)}: ${pattern.problem}` };
      return {
        holds: typeof value === 'string' && pattern.matches(value),
        wanted: `a text that matches ${quoted(option as string)}`,
      };
    },
  },
  {
    name: 'schema',
    says: 'A value that matches this JSON Schema or schema file.',
    schema: { type: ['object', 'boolean', 'string'] },
    prepare: prepareSchemas,
    test(value, option) {
      const findings = schemas!.conformance(option, value);
      if (findings === undefined)
        return { problem: 'the schema cannot be judged: its dialect is not known, or it is too large' };
      const [first] = findings;
      return {
        holds: first === undefined,
        wanted:
          first === undefined
            ? 'a value that fits the schema'
            : `${first.path === '' ? 'the value' : first.path} ${first.message}`,
      };
    },
  },
  {
    name: 'type',
    says: `A value of this type: ${jsonTypes.join(', ')}.`,
    schema: { enum: [...jsonTypes] },
    test: (value, option) => ({
      holds: typeOf(value) === option || (option === 'number' && typeOf(value) === 'integer'),
      wanted: `type ${String(option as string)}`,
    }),
  },
  {
    name: 'range',
    says: 'A number from `min` to `max`, both included.',
    schema: bounds,
    test: (value, option) => ({
      holds: isNumber(value) && within(value, option),
      wanted: `a number ${boundsText(option)}`,
    }),
  },
  {
    name: 'length',
    says: 'A text, list or object with this number of characters, items or properties, or `min` and `max`.',
    schema: { anyOf: [{ type: 'integer', minimum: 0 }, bounds] },
    test(value, option) {
      const length = lengthOf(value);
      const exact = typeof option === 'number';
      return {
        holds: length !== undefined && (exact ? length === option : within(length, option)),
        wanted: `length ${exact ? option : boundsText(option)}`,
      };
    },
  },
];

/** The failed part of a matcher; undefined when all of it holds. */
export function mismatch(value: unknown, option: MatcherOption): string | undefined {
  for (const [name, inner] of Object.entries(option)) {
    if (name === 'not') {
      const held = negated(value, inner as MatcherOption);
      if (held !== undefined) return held;
      continue;
    }
    const matcher = matchers.find((one) => one.name === name);
    if (matcher === undefined) continue;
    const came = matcher.test(value, inner);
    if ('problem' in came) return `${name}: ${came.problem}`;
    if (!came.holds) return `${name}: want ${came.wanted}, got ${printed(value)}`;
  }
  return undefined;
}

/** Why the negation does not hold: everything within it holds, or is undecidable. */
function negated(value: unknown, option: MatcherOption): string | undefined {
  const wanted: string[] = [];
  for (const [name, inner] of Object.entries(option)) {
    const matcher = matchers.find((one) => one.name === name);
    if (matcher === undefined) continue;
    const came = matcher.test(value, inner);
    if ('problem' in came) return `not ${name}: ${came.problem}`;
    if (!came.holds) return undefined;
    wanted.push(`${name} ${printed(inner)}`);
  }
  return wanted.length === 0 ? undefined : `not ${wanted.join(', ')}: it is, got ${printed(value)}`;
}

/** Same type and same value; objects whatever the order of their members. */
function equal(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => equal(item, other[index]));
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length &&
      names.every((name) => Object.hasOwn(other, name) && equal(one[name], other[name]))
    );
  }
  // A whole number that no double holds is a bigint on one side or on both.
  if (typeof one === 'bigint' || typeof other === 'bigint')
    return isNumber(one) && isNumber(other) && String(one) === String(other);
  return one === other;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function typeOf(value: unknown): (typeof jsonTypes)[number] | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'object'
    ? (typeof value as 'string')
    : undefined;
}

function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string') return Array.from(value).length;
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : undefined;
}

function within(value: number | bigint, option: unknown): boolean {
  const { min = -Infinity, max = Infinity } = option as { min?: number; max?: number };
  return value >= min && value <= max;
}

function boundsText(option: unknown): string {
  const { min, max } = option as { min?: number; max?: number };
  if (min === undefined) return `of at most ${max}`;
  return max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
}
