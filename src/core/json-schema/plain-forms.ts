/**
 * Takes the combinations out of a schema: the forms that a value may have, each a schema without references,
 * `allOf`, `anyOf`, `oneOf` and `if`. Bounded; what it leaves out (`not`, remote references) the caller checks.
 */
import { resolveLocal } from './schema-fit.ts';

type Json = Record<string, unknown>;

const mostForms = 24;
const deepest = 10;
const combining = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

/** The forms, the most common one first; forms that are just null come last. */
export function plainForms(schema: Json, root: unknown): Json[] {
  const forms = expand(schema, root, 0);
  const isNull = (form: Json): boolean => form.type === 'null' || ('const' in form && form.const === null);
  return [...forms.filter((form) => !isNull(form)), ...forms.filter(isNull)];
}

function expand(schema: unknown, root: unknown, depth: number): Json[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [{}];
  const node = schema as Json;
  if (depth > deepest) return [node];
  const own = Object.fromEntries(
    Object.entries(node).filter(([keyword]) => !(combining as readonly string[]).includes(keyword)),
  );
  let forms: Json[] = [own];
  const join = (others: readonly Json[]): void => {
    forms = forms.flatMap((form) => others.map((other) => merge(form, other))).slice(0, mostForms);
  };
  if (typeof node.$ref === 'string') join(expand(resolveLocal(node.$ref, root), root, depth + 1));
  for (const part of listOf(node.allOf)) join(expand(part, root, depth + 1));
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = listOf(node[keyword]);
    if (branches.length > 0) join(branches.slice(0, mostForms).flatMap((branch) => expand(branch, root, depth + 1)));
  }
  if (node.if !== undefined) {
    const both = { allOf: [node.if, node.then ?? {}] };
    join([...expand(node.else ?? {}, root, depth + 1), ...expand(both, root, depth + 1)]);
  }
  return forms;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** One schema that asks for what both ask for. */
function merge(a: Json, b: Json): Json {
  const merged: Json = { ...b, ...a };
  for (const keyword of Object.keys(merged)) {
    if (keyword in a && keyword in b) merged[keyword] = both(keyword, a[keyword], b[keyword]);
  }
  return merged;
}

const larger = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const smaller = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

function both(keyword: string, a: unknown, b: unknown): unknown {
  if (typeof a === 'number' && typeof b === 'number') {
    if (larger.has(keyword)) return Math.max(a, b);
    if (smaller.has(keyword)) return Math.min(a, b);
    if (keyword === 'multipleOf') return commonMultiple(a, b);
  }
  if (keyword === 'required') return [...new Set([...listOf(a), ...listOf(b)])];
  if (keyword === 'enum')
    return listOf(a).filter((one) => listOf(b).some((other) => JSON.stringify(one) === JSON.stringify(other)));
  if (keyword === 'uniqueItems') return a === true || b === true;
  if (keyword === 'type') return commonTypes(a, b);
  if (keyword === 'properties') return mergedProperties(a, b);
  if (keyword === 'items' && isSchema(a) && isSchema(b)) return { allOf: [a, b] };
  return a;
}

function isSchema(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mergedProperties(a: unknown, b: unknown): Json {
  const [ours, theirs] = [isSchema(a) ? a : {}, isSchema(b) ? b : {}];
  return Object.fromEntries(
    [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].map((name) => {
      const inBoth = Object.hasOwn(ours, name) && Object.hasOwn(theirs, name);
      return [
        name,
        inBoth ? { allOf: [ours[name], theirs[name]] } : Object.hasOwn(ours, name) ? ours[name] : theirs[name],
      ];
    }),
  );
}

function commonTypes(a: unknown, b: unknown): unknown {
  const names = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
  const accepts = (types: unknown[], one: unknown): boolean =>
    types.includes(one) || (one === 'integer' && types.includes('number'));
  const common = [
    ...new Set([
      ...names(a).filter((one) => accepts(names(b), one)),
      ...names(b).filter((one) => accepts(names(a), one)),
    ]),
  ];
  return common.length === 1 ? common[0] : common;
}

function commonMultiple(a: number, b: number): number {
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b) || a <= 0 || b <= 0) return Math.max(a, b);
  const divisor = (x: number, y: number): number => (y === 0 ? x : divisor(y, x % y));
  return (a / divisor(a, b)) * b;
}
