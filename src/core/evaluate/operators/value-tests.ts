/** Tests of operators on JSON values, prepared for one option: nearly every message is tested by many of them. */
import { asText } from '../../model/json.ts';

export type ValueTest = (value: unknown) => boolean;

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** True if a value has one of the types of the option. */
export function ofTypes(option: unknown): ValueTest {
  const types = new Set([option].flat().map(asText));
  const integers = types.has('integer');
  return (value) => types.has(jsonTypeOf(value)) || (integers && Number.isInteger(value));
}

/** True if a value equals the option, compared as JSON; never for an absent one, such as that of another fact. */
export function equalTo(option: unknown): ValueTest {
  if (option === undefined) return () => false;
  if (typeof option !== 'object' || option === null) return (value) => value === option;
  const text = JSON.stringify(option);
  return (value) => value === option || (typeof value === 'object' && value !== null && JSON.stringify(value) === text);
}

/** The same for a list of options. */
export function equalToAny(options: unknown): ValueTest {
  const plain = new Set(options as unknown[]);
  const nested = (options as unknown[]).filter((one) => typeof one === 'object' && one !== null).map(equalTo);
  return (value) => plain.has(value) || nested.some((equals) => equals(value));
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return jsonTypeOf(value) === 'object';
}

/** True if a value is a list of numbers and each pair of neighbours has this order. */
export function ordered(values: unknown, holds: (before: number, after: number) => boolean): boolean {
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'number')) return false;
  return values.every((value, index) => index === 0 || holds(values[index - 1] as number, value as number));
}

const longest = 10_000;
const patterns = new Map<string, ValueTest>();

/** True if a text matches. Patterns come from rule files only; never from a server. */
export function matching(pattern: unknown): ValueTest {
  let test = patterns.get(pattern as string);
  if (!test) {
    const compiled = new RegExp(pattern as string, 'u');
    test = (value) => typeof value === 'string' && compiled.test(value.slice(0, longest));
    patterns.set(pattern as string, test);
  }
  return test;
}

/** True if a text, list or object is empty; undefined for other values. */
export function isEmptyValue(value: unknown): boolean | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length === 0;
  if (!isPlainObject(value)) return undefined;
  for (const name in value) if (Object.hasOwn(value, name)) return false;
  return true;
}
