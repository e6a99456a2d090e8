/**
 * Parameters of a tool that travel as HTTP headers, as the `x-mcp-header` annotations of its inputSchema say, and how their
 * values are written there (2026-07-28: basic/transports/streamable-http, custom headers). Pure.
 */
import { asObject } from '../model/json.ts';

export interface HeaderParameter {
  /** Text after `Mcp-Param-`. */
  header: string;
  /** Keys of `properties`, from the root of the schema. */
  path: string[];
  /** Its type, where the schema gives a single one. */
  type?: string;
}

/** Deeper schemas are not looked through, and larger ones neither. */
const deepest = 20;
const mostProperties = 5000;
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** True for what a header may be called after `Mcp-Param-`. */
export function isHeaderToken(value: unknown): value is string {
  return typeof value === 'string' && token.test(value);
}

/** Annotations that can be reached along `properties` alone; what else is annotated makes no header. */
export function headerParameters(schema: unknown): HeaderParameter[] {
  const found: HeaderParameter[] = [];
  let left = mostProperties;
  const visit = (value: unknown, path: string[]): void => {
    const properties = asObject(asObject(value)?.properties);
    if (!properties || path.length >= deepest) return;
    for (const [key, property] of Object.entries(properties)) {
      left -= 1;
      if (left < 0) return;
      const { 'x-mcp-header': header, type } = asObject(property) ?? {};
      if (isHeaderToken(header))
        found.push({ header, path: [...path, key], ...(typeof type === 'string' ? { type } : {}) });
      visit(property, [...path, key]);
    }
  };
  visit(schema, []);
  return found;
}

/** Types of parameters that may travel as headers. */
export const headerTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/** True if all of them follow the specification, so that a client may call the tool over HTTP. */
export function areSound(parameters: readonly HeaderParameter[]): boolean {
  const names = new Set(parameters.map(({ header }) => header.toLowerCase()));
  return names.size === parameters.length && parameters.every(({ type }) => headerTypes.has(type));
}

/** True if a tool has such parameters, and may be called over HTTP. */
export function hasHeaderParameters(schema: unknown): boolean {
  const found = headerParameters(schema);
  return found.length > 0 && areSound(found);
}

/** The value of a parameter in the arguments of a call. */
export function valueAt(given: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => asObject(value)?.[key], given);
}

/** The text of a value before it is encoded; undefined for null, for what is absent, and for what has no such text. */
export function headerText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return undefined;
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

const plainText = /^[\x21-\x7E]([\x20-\x7E]*[\x21-\x7E])?$/;
const prefix = '=?base64?';
const suffix = '?=';

/** Values that a header cannot carry as they are travel as marked Base64. */
export function headerValue(text: string): string {
  return plainText.test(text) && !isMarked(text) ? text : encodedValue(text);
}

/** The marked Base64 of any text. */
export function encodedValue(text: string): string {
  return `${prefix}${Buffer.from(text, 'utf8').toString('base64')}${suffix}`;
}

function isMarked(text: string): boolean {
  return text.startsWith(prefix) && text.endsWith(suffix) && text.length >= prefix.length + suffix.length;
}

/** Reading of a header value: plain, encoded with its decoded text, or with forbidden characters. */
export function readHeaderValue(value: string): { as: 'plain' | 'encoded'; text: string } | { as: 'invalid' } {
  if (!isMarked(value)) return /^[\t\x20-\x7E]*$/.test(value) ? { as: 'plain', text: value } : { as: 'invalid' };
  const inner = value.slice(prefix.length, -suffix.length);
  const bytes = Buffer.from(inner, 'base64');
  const text = bytes.toString('utf8');
  const canonical = bytes.toString('base64') === inner && Buffer.from(text, 'utf8').equals(bytes);
  return canonical ? { as: 'encoded', text } : { as: 'invalid' };
}
