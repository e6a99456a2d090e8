/** Conversions of a lenient server before it validates arguments; accepting the result is not certainly wrong. Pure. */
import { plainForms } from '../../../core/json-schema/plain-forms.ts';
import { asText, isObject } from '../../../core/model/json.ts';

type Json = Record<string, unknown>;

const scalars = new Set(['string', 'number', 'integer', 'boolean']);
const mostDepth = 8;

/**
 * The arguments with scalars converted to the expected type, without nulls for optional members and without unknown
 * members.
 */
export function asLenient(given: unknown, schema: unknown, root: unknown = schema, depth = 0): unknown {
  if (!isObject(schema) || depth > mostDepth) return given;
  const [form] = plainForms(schema, root);
  if (form === undefined) return given;
  if (Array.isArray(given)) return given.map((item) => asLenient(item, form['items'], root, depth + 1));
  if (isObject(given)) {
    const properties = isObject(form['properties']) ? form['properties'] : {};
    const required = new Set(Array.isArray(form['required']) ? (form['required'] as unknown[]) : []);
    const kept = Object.entries(given).filter(
      ([name, value]) =>
        (value !== null || required.has(name)) &&
        (Object.hasOwn(properties, name) || form['additionalProperties'] !== false),
    );
    return Object.fromEntries(kept.map(([name, value]) => [name, asLenient(value, properties[name], root, depth + 1)]));
  }
  return coerced(given, form);
}

/** A scalar as the type that the schema names, where one is. */
function coerced(given: unknown, { type }: Json): unknown {
  if (typeof type !== 'string' || !scalars.has(type) || !['string', 'number', 'boolean'].includes(typeof given))
    return given;
  if (type === 'string') return typeof given === 'string' ? given : asText(given);
  if (type === 'boolean')
    return given === 1 || given === '1' || given === 'true'
      ? true
      : given === 0 || given === '0' || given === 'false'
        ? false
        : given;
  const number =
    typeof given === 'string' && given.trim() !== ''
      ? Number(given)
      : typeof given === 'boolean'
        ? Number(given)
        : given;
  return Number.isNaN(number) ? given : number;
}
