/**
 * Copies a JSON Schema of a target, keeping only what its dialect defines, so that nothing in it can surprise the
 * validator. Unknown keywords are removed and references are counted. Schemas that cannot be decided safely (too large,
 * too deep, dynamic references, another dialect inside) have no copy.
 */
type Json = Record<string, unknown>;

export type DialectName = '2020-12' | '2019-09' | 'draft-07' | 'draft-06';

/** Keywords of our own that the validator counts, so that references and comparisons cannot make it run forever. */
export const stepKeyword = 'mcpc:step';
export const pairsKeyword = 'mcpc:pairs';

export const maxSchemaLength = 200_000;
const deepest = 60;

const schemas = ['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalProperties', 'items'];
const lists = ['allOf', 'anyOf', 'oneOf'];
const maps = ['properties', 'patternProperties', 'definitions', '$defs'];
const plain = [
  'type',
  'enum',
  'const',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxProperties',
  'minProperties',
  'required',
  '$id',
  '$ref',
  '$anchor',
  'title',
  'description',
  '$comment',
];
/** Keywords of later drafts, and those of earlier ones only. */
const later = {
  schemas: ['unevaluatedItems', 'unevaluatedProperties'],
  maps: ['dependentSchemas'],
  plain: ['dependentRequired', 'minContains', 'maxContains'],
};
const earlier = { schemas: ['additionalItems'] };
/** Keywords whose meaning depends on how the schema is reached. */
const dynamic = ['$dynamicRef', '$recursiveRef'];

interface Keywords {
  schemas: ReadonlySet<string>;
  lists: ReadonlySet<string>;
  maps: ReadonlySet<string>;
  plain: ReadonlySet<string>;
  refAlone: boolean;
}

const keywordsOf: Record<DialectName, Keywords> = {
  '2020-12': keywords(
    [...schemas, ...later.schemas],
    [...lists, 'prefixItems'],
    [...maps, ...later.maps],
    [...plain, ...later.plain],
    false,
  ),
  '2019-09': keywords(
    [...schemas, ...later.schemas, ...earlier.schemas],
    lists,
    [...maps, ...later.maps],
    [...plain, ...later.plain],
    false,
  ),
  'draft-07': keywords([...schemas, ...earlier.schemas], lists, [...maps, 'dependencies'], plain, true),
  'draft-06': keywords(
    [...schemas, ...earlier.schemas].filter((name) => !['if', 'then', 'else'].includes(name)),
    lists,
    [...maps, 'dependencies'],
    plain,
    true,
  ),
};

function keywords(one: string[], list: string[], map: string[], other: string[], refAlone: boolean): Keywords {
  return { schemas: new Set(one), lists: new Set(list), maps: new Set(map), plain: new Set(other), refAlone };
}

/** Thrown inside; callers see undefined. */
class Undecidable extends Error {}

/** The copy, or undefined if the meaning of the schema is uncertain. */
export function copySchema(schema: unknown, dialect: DialectName): unknown {
  const root = typeof schema === 'object' && schema !== null ? (schema as Json).$schema : undefined;
  try {
    return copy(schema, keywordsOf[dialect], root, 0);
  } catch (error) {
    if (error instanceof Undecidable) return undefined;
    throw error;
  }
}

function copy(schema: unknown, known: Keywords, dialect: unknown, depth: number): unknown {
  if (depth > deepest) throw new Undecidable();
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const node = schema as Json;
  if (dynamic.some((name) => name in node) || (node.$schema !== undefined && node.$schema !== dialect))
    throw new Undecidable();
  const made: Json = {};
  // Up to draft-07 a reference disables its sibling keywords.
  const alone = known.refAlone && typeof node.$ref === 'string';
  for (const [name, value] of Object.entries(node)) {
    if (alone && name !== '$ref' && name !== 'definitions' && name !== '$defs') continue;
    if (known.maps.has(name)) set(made, name, copyMap(value, known, dialect, depth));
    else if (known.lists.has(name) || (known.schemas.has(name) && Array.isArray(value))) {
      set(made, name, Array.isArray(value) ? value.map((one) => copy(one, known, dialect, depth + 1)) : value);
    } else if (known.schemas.has(name)) set(made, name, copy(value, known, dialect, depth + 1));
    else if (known.plain.has(name)) set(made, name, value);
  }
  if (node.uniqueItems === true) made[pairsKeyword] = true;
  return typeof made.$ref === 'string' ? counted(made) : made;
}

/** The reference in a separate step: the first failure hides later ones. */
function counted({ $ref, allOf, ...rest }: Json): Json {
  return { ...rest, allOf: [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), { [stepKeyword]: true }, { $ref }] };
}

function copyMap(value: unknown, known: Keywords, dialect: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const made: Json = {};
  for (const [name, one] of Object.entries(value))
    set(made, name, Array.isArray(one) ? one : copy(one, known, dialect, depth + 1));
  return made;
}

/** As a member of its own, whatever the name. */
function set(target: Json, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
