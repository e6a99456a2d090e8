/**
 * Changes of a JSON Schema: whether it accepts less or more than before. It decides the keywords that can be decided on
 * their own, and says "not decided" of all others; it never takes an undecided change for a harmless one. Pure.
 */
import { canonical, isObject } from '../model/json.ts';

type Json = Record<string, unknown>;

/** `text`: words for a reader, which a model reads too; `note`: says nothing about values. */
export type SchemaChangeKind = 'narrower' | 'wider' | 'undecided' | 'text' | 'note';

export interface SchemaChange {
  kind: SchemaChangeKind;
  /** JSON Pointer to the keyword. */
  at: string;
  /** The change, a sentence without a full stop. */
  says: string;
  /** Values may lack a member that they had: a loss to those who read them, though more is taken. */
  loses?: true;
}

const notes = new Set(['title', 'default', 'examples', 'example', 'deprecated', '$comment', '$schema', '$id']);
/** A larger value takes less. */
const lowerBounds = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains']);
/** A smaller value takes less. */
const upperBounds = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains']);
/** Keywords that take less where they are there, and whose values cannot be compared. */
const restrictions = new Set(['pattern', 'format', 'multipleOf', 'uniqueItems', 'not', 'propertyNames', 'contains']);
const mostDepth = 64;

/** @returns nothing for equal schemas */
export function schemaChanges(before: unknown, after: unknown, at = '', depth = 0): SchemaChange[] {
  if (canonical(before) === canonical(after)) return [];
  if (before === false || after === true) return [{ kind: 'wider', at, says: 'takes any value now' }];
  if (after === false) return [{ kind: 'narrower', at, says: 'takes no value any more' }];
  const [one, other] = [before === true ? {} : before, after];
  if (!isObject(one) || !isObject(other) || depth > mostDepth) return [undecided(at, 'schema')];
  const keywords = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return keywords.flatMap((keyword) => keywordChanges(keyword, one, other, `${at}/${escaped(keyword)}`, depth));
}

function keywordChanges(keyword: string, before: Json, after: Json, at: string, depth: number): SchemaChange[] {
  const [one, other] = [before[keyword], after[keyword]];
  if (canonical(one) === canonical(other)) return [];
  if (keyword === 'description') return [{ kind: 'text', at, says: 'description changed' }];
  if (notes.has(keyword)) return [{ kind: 'note', at, says: `${keyword} changed` }];
  if (keyword === 'type') return typeChanges(one, other, at);
  if (keyword === 'required') return requiredChanges(one, other, at);
  if (keyword === 'properties') return propertyChanges(one, other, after, at, depth);
  if (keyword === 'enum' || keyword === 'const') return valueChanges(before, after, keyword, at);
  if (keyword === 'additionalProperties' || keyword === 'items' || keyword === 'unevaluatedProperties')
    return Array.isArray(one) || Array.isArray(other)
      ? [undecided(at, keyword)]
      : schemaChanges(one ?? true, other ?? true, at, depth + 1);
  const isLower = lowerBounds.has(keyword);
  if (isLower || upperBounds.has(keyword)) return boundChanges(one, other, isLower, keyword, at);
  if (restrictions.has(keyword)) {
    if (one === undefined) return [{ kind: 'narrower', at, says: `${keyword} was added` }];
    if (other === undefined) return [{ kind: 'wider', at, says: `${keyword} was removed` }];
  }
  return [undecided(at, keyword)];
}

function typeChanges(before: unknown, after: unknown, at: string): SchemaChange[] {
  const [one, other] = [typesOf(before), typesOf(after)];
  if (one === undefined || other === undefined) return [undecided(at, 'type')];
  const lost = [...one].filter((type) => !takes(other, type));
  const won = [...other].filter((type) => !takes(one, type));
  const says = `type was ${named(before)}, is ${named(after)}`;
  return [
    ...(lost.length > 0 ? [{ kind: 'narrower' as const, at, says }] : []),
    ...(won.length > 0 ? [{ kind: 'wider' as const, at, says }] : []),
  ];
}

const allTypes = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

function typesOf(value: unknown): Set<string> | undefined {
  if (value === undefined) return new Set(allTypes);
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.every((one): one is string => typeof one === 'string' && allTypes.includes(one))
    ? new Set(all)
    : undefined;
}

function takes(types: ReadonlySet<string>, type: string): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}

function requiredChanges(before: unknown, after: unknown, at: string): SchemaChange[] {
  const [one, other] = [textsOf(before), textsOf(after)];
  if (one === undefined || other === undefined) return [undecided(at, 'required')];
  return [
    ...other
      .filter((name) => !one.includes(name))
      .map((name): SchemaChange => ({ kind: 'narrower', at, says: `${JSON.stringify(name)} is required now` })),
    ...one
      .filter((name) => !other.includes(name))
      .map(
        (name): SchemaChange => ({
          kind: 'wider',
          at,
          says: `${JSON.stringify(name)} is no longer required`,
          loses: true,
        }),
      ),
  ];
}

function textsOf(value: unknown): string[] | undefined {
  if (value === undefined) return [];
  return Array.isArray(value) && value.every((one): one is string => typeof one === 'string') ? value : undefined;
}

function propertyChanges(before: unknown, after: unknown, wholeAfter: Json, at: string, depth: number): SchemaChange[] {
  const [one, other] = [before ?? {}, after ?? {}];
  if (!isObject(one) || !isObject(other)) return [undecided(at, 'properties')];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return names.flatMap((name): SchemaChange[] => {
    const place = `${at}/${escaped(name)}`;
    if (!Object.hasOwn(one, name)) {
      // Before, a value of any kind may have been taken under this name; to those who sent none it is a new possibility.
      const isNeeded = textsOf(wholeAfter['required'])?.includes(name) === true;
      return isNeeded
        ? []
        : [{ kind: 'wider', at: place, says: `the optional property ${JSON.stringify(name)} is new` }];
    }
    if (!Object.hasOwn(other, name))
      return [{ kind: 'narrower', at: place, says: `the property ${JSON.stringify(name)} is gone`, loses: true }];
    return schemaChanges(one[name], other[name], place, depth + 1);
  });
}

function valueChanges(before: Json, after: Json, keyword: string, at: string): SchemaChange[] {
  const [one, other] = [valuesOf(before[keyword], keyword), valuesOf(after[keyword], keyword)];
  if (one === undefined) return [{ kind: 'narrower', at, says: `${keyword} was added: only certain values are taken` }];
  if (other === undefined) return [{ kind: 'wider', at, says: `${keyword} was removed` }];
  const lost = [...one].filter((value) => !other.has(value));
  const won = [...other].filter((value) => !one.has(value));
  return [
    ...(lost.length > 0 ? [{ kind: 'narrower' as const, at, says: `${lost.join(', ')} is no longer a value` }] : []),
    ...(won.length > 0 ? [{ kind: 'wider' as const, at, says: `${won.join(', ')} is a new value` }] : []),
  ];
}

function valuesOf(value: unknown, keyword: string): Set<string> | undefined {
  if (value === undefined) return undefined;
  return new Set((keyword === 'enum' && Array.isArray(value) ? value : [value]).map(canonical));
}

function boundChanges(before: unknown, after: unknown, isLower: boolean, keyword: string, at: string): SchemaChange[] {
  const says = `${keyword} was ${named(before)}, is ${named(after)}`;
  if (before === undefined && typeof after === 'number') return [{ kind: 'narrower', at, says }];
  if (after === undefined && typeof before === 'number') return [{ kind: 'wider', at, says }];
  if (typeof before !== 'number' || typeof after !== 'number') return [undecided(at, keyword)];
  return [{ kind: after > before === isLower ? 'narrower' : 'wider', at, says }];
}

function undecided(at: string, keyword: string): SchemaChange {
  return { kind: 'undecided', at, says: `${keyword} changed; whether it takes less is not decided` };
}

function named(value: unknown): string {
  return value === undefined ? 'absent' : canonical(value);
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
