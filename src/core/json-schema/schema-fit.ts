/**
 * Validates a value against a JSON Schema of a server, with three answers: valid, invalid, or uncertain. The schema is
 * not trusted: none of its patterns is run, no reference leaves the schema, and both depth and work are bounded. What
 * that leaves open, and keywords on which drafts differ, make the answer unsure.
 *
 * Whatever judges asks Ajv (json-schemas.ts): rules, suites, audits, fuzz runs. It complements Ajv where Ajv is too
 * slow. Facts are read in the middle of a trace, about a schema that is used once. There compiling costs more than the
 * answer, and loading Ajv more than all of them. Generators test hundreds of parts of one schema within one budget, and
 * coverage tests once per call.
 */
import { asText, isObject } from '../model/json.ts';
import { append } from '../model/lists.ts';

type Json = Record<string, unknown>;

export interface Misfit {
  /** Place in the value, such as `$.address.street`. */
  path: string;
  /** Its fault, such as `is not one of the allowed values`. */
  what: string;
}

export type Fit = 'fits' | 'unsure' | Misfit;

/** Remaining budget, shared by all questions about one schema. */
export interface Work {
  left: number;
}

const deepest = 40;
const mostParts = 20_000;

/**
 * Relation of a value to a schema of draft-07 or 2020-12.
 * @param root target of the schema's references
 */
export function fitOf(schema: unknown, value: unknown, root: unknown = schema, work: Work = { left: mostParts }): Fit {
  return fitPart(schema, value, '$', 0, { root, work });
}

/** True only when the value certainly breaks the schema. */
export function isMisfit(fit: Fit): fit is Misfit {
  return typeof fit === 'object';
}

/** The part of `root` that a reference within it names; undefined for any other reference. */
export function resolveLocal(reference: string, root: unknown): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let current = root;
  for (const part of reference.slice(2).split('/')) {
    const key = unescaped(part);
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Json)[key];
  }
  return current;
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}

/** Keywords that depend on the draft or on other keywords in ways that are not followed here. */
const beyond = [
  '$dynamicRef',
  '$recursiveRef',
  'unevaluatedProperties',
  'unevaluatedItems',
  'dependencies',
  'contains',
  'dependentSchemas',
];

interface Whole {
  root: unknown;
  work: Work;
}

function fitPart(schema: unknown, value: unknown, path: string, depth: number, whole: Whole): Fit {
  if (schema === true) return 'fits';
  if (schema === false) return { path, what: 'is not allowed' };
  whole.work.left -= 1;
  if (!isObject(schema) || depth > deepest || whole.work.left < 0) return 'unsure';
  // References below such a part would lead elsewhere.
  if (depth > 0 && '$id' in schema) return 'unsure';
  const part = (one: unknown, of: unknown, at: string): Fit => fitPart(one, of, at, depth + 1, whole);
  const own = all([
    ...typeFits(schema, value, path),
    ...(typeof value === 'number' ? numberFits(schema, value, path) : []),
    ...(typeof value === 'string' ? textFits(schema, value, path) : []),
    ...(Array.isArray(value) ? listFits(schema, value, path, part) : []),
    ...(isObject(value) ? objectFits(schema, value, path, part) : []),
    ...combinedFits(schema, value, path, part),
    beyond.some((keyword) => keyword in schema) ? 'unsure' : 'fits',
  ]);
  if (typeof schema.$ref !== 'string') return own;
  const target = resolveLocal(schema.$ref, whole.root);
  // Siblings of a reference count in newer drafts only.
  return all([target === undefined ? 'unsure' : part(target, value, path), isMisfit(own) ? 'unsure' : own]);
}

function all(fits: readonly Fit[]): Fit {
  return fits.find(isMisfit) ?? (fits.includes('unsure') ? 'unsure' : 'fits');
}

function need(holds: boolean, path: string, what: string): Fit {
  return holds ? 'fits' : { path, what };
}

/** Tests of a value for each JSON type. */
export const jsonTypes: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

function typeFits(schema: Json, value: unknown, path: string): Fit[] {
  const fits: Fit[] = [];
  if ('type' in schema) {
    const named = (Array.isArray(schema.type) ? (schema.type as unknown[]) : [schema.type]).map(asText);
    if (named.some((name) => !Object.hasOwn(jsonTypes, name))) fits.push('unsure');
    else
      fits.push(
        need(
          named.some((name) => jsonTypes[name]!(value)),
          path,
          `is not of type ${named.join(' or ')}`,
        ),
      );
  }
  if (Array.isArray(schema.enum))
    fits.push(
      need(
        schema.enum.some((one) => same(one, value)),
        path,
        'is not one of the allowed values',
      ),
    );
  if ('const' in schema) fits.push(need(same(schema.const, value), path, 'is not the one allowed value'));
  return fits;
}

/** Equality of JSON values, members in any order. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, index) => same(one, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]))
  );
}

function numberFits(schema: Json, value: number, path: string): Fit[] {
  const fits: Fit[] = [];
  const limit = (keyword: string, holds: (bound: number) => boolean, what: string): void => {
    const bound = schema[keyword];
    if (typeof bound === 'number') fits.push(need(holds(bound), path, `${what} ${bound}`));
    // Draft-04 has booleans here.
    else if (bound !== undefined) fits.push('unsure');
  };
  limit('minimum', (bound) => value >= bound, 'is below');
  limit('maximum', (bound) => value <= bound, 'is above');
  limit('exclusiveMinimum', (bound) => value > bound, 'is not above');
  limit('exclusiveMaximum', (bound) => value < bound, 'is not below');
  const step = schema.multipleOf;
  if (typeof step === 'number' && step > 0) {
    const times = value / step;
    // Of fractions and of huge numbers the remainder is guesswork.
    const near = Math.abs(times) > Number.MAX_SAFE_INTEGER || Math.abs(times - Math.round(times)) < 1e-6;
    const exact = Number.isInteger(times) && Math.abs(times) <= Number.MAX_SAFE_INTEGER;
    fits.push(exact ? 'fits' : near ? 'unsure' : { path, what: `is no multiple of ${step}` });
  }
  return fits;
}

function textFits(schema: Json, value: string, path: string): Fit[] {
  // Characters are counted only where it matters: a reply may hold megabytes of text.
  const sized = 'minLength' in schema || 'maxLength' in schema;
  return [
    ...(sized ? sizeFits(schema, 'minLength', 'maxLength', [...value].length, path, 'characters') : []),
    'pattern' in schema || 'format' in schema ? 'unsure' : 'fits',
  ];
}

function sizeFits(schema: Json, least: string, most: string, size: number, path: string, what: string): Fit[] {
  const [low, high] = [schema[least], schema[most]];
  return [
    typeof low === 'number' ? need(size >= low, path, `has fewer than ${low} ${what}`) : 'fits',
    typeof high === 'number' ? need(size <= high, path, `has more than ${high} ${what}`) : 'fits',
  ];
}

type PartFit = (schema: unknown, value: unknown, path: string) => Fit;

function listFits(schema: Json, value: unknown[], path: string, part: PartFit): Fit[] {
  const { items, prefixItems, additionalItems } = schema;
  const leading = Array.isArray(items)
    ? (items as unknown[])
    : Array.isArray(prefixItems)
      ? (prefixItems as unknown[])
      : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  const unlike = (one: unknown, index: number): boolean => !value.slice(0, index).some((other) => same(one, other));
  return [
    ...sizeFits(schema, 'minItems', 'maxItems', value.length, path, 'items'),
    schema.uniqueItems === true && value.length <= 500
      ? need(value.every(unlike), path, 'has equal items')
      : schema.uniqueItems === true
        ? 'unsure'
        : 'fits',
    ...value.map((one, index) => {
      const fitting = index < leading.length ? leading[index] : rest;
      return fitting === undefined ? 'fits' : part(fitting, one, `${path}[${index}]`);
    }),
  ];
}

function objectFits(schema: Json, value: Json, path: string, part: PartFit): Fit[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? (schema.required as unknown[]).map(asText) : [];
  const patterned = isObject(schema.patternProperties) && Object.keys(schema.patternProperties).length > 0;
  const dependent = isObject(schema.dependentRequired) ? Object.entries(schema.dependentRequired) : [];
  const missing = [
    ...required,
    ...dependent.flatMap(([name, needs]) =>
      Object.hasOwn(value, name) && Array.isArray(needs) ? needs.map(asText) : [],
    ),
  ];
  return [
    ...missing.map((name) => need(Object.hasOwn(value, name), `${path}.${name}`, 'is missing')),
    ...sizeFits(schema, 'minProperties', 'maxProperties', Object.keys(value).length, path, 'members'),
    ...Object.entries(value).flatMap(([name, one]): Fit[] => {
      const at = `${path}.${name}`;
      const named: Fit = schema.propertyNames === undefined ? 'fits' : part(schema.propertyNames, name, at);
      if (Object.hasOwn(properties, name))
        return [named, part(properties[name], one, at), patterned ? 'unsure' : 'fits'];
      if (patterned) return [named, 'unsure'];
      return [named, schema.additionalProperties === undefined ? 'fits' : part(schema.additionalProperties, one, at)];
    }),
  ];
}

function combinedFits(schema: Json, value: unknown, path: string, part: PartFit): Fit[] {
  const fits: Fit[] = [];
  const branches = (keyword: string): Fit[] | undefined =>
    Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]).map((one) => part(one, value, path)) : undefined;
  append(fits, branches('allOf') ?? []);
  const any = branches('anyOf');
  if (any)
    fits.push(
      any.includes('fits') ? 'fits' : any.every(isMisfit) ? { path, what: 'fits none of the allowed forms' } : 'unsure',
    );
  const one = branches('oneOf');
  if (one) {
    const fitting = one.filter((fit) => fit === 'fits').length;
    const open = one.includes('unsure');
    if (fitting > 1) fits.push({ path, what: 'fits more than one form, where just one may fit' });
    else if (fitting === 0 && !open) fits.push({ path, what: 'fits none of the allowed forms' });
    else fits.push(open ? 'unsure' : 'fits');
  }
  if (schema.not !== undefined) {
    const fit = part(schema.not, value, path);
    fits.push(fit === 'unsure' ? 'unsure' : need(isMisfit(fit), path, 'has the one form that is not allowed'));
  }
  if (schema.if !== undefined) {
    const fit = part(schema.if, value, path);
    const then = schema.then === undefined ? 'fits' : part(schema.then, value, path);
    const otherwise = schema.else === undefined ? 'fits' : part(schema.else, value, path);
    if (fit === 'unsure')
      fits.push(
        then === 'fits' && otherwise === 'fits' ? 'fits' : isMisfit(then) && isMisfit(otherwise) ? then : 'unsure',
      );
    else fits.push(fit === 'fits' ? then : otherwise);
  }
  return fits;
}
