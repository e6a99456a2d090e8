/** Queries of the generator about the shapes of a message layout: their members, an example, and their JSON types. */
import type { MessageLayout } from '../../core/spec/messages/message-layout.ts';
import type { Member, Shape } from '../../core/spec/messages/message-shape.ts';

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** A member with its declaring type, undefined for an inline one. */
export interface DeclaredMember extends Member {
  declaredBy: string | undefined;
}

export type ObjectShape = Extract<Shape, { kind: 'object' }>;

/**
 * Follows references.
 * @returns the referenced shape, and the names on the way, the last one first
 */
export function resolved(
  layout: MessageLayout,
  shape: Shape,
): { shape: Exclude<Shape, { kind: 'reference' }>; names: string[] } {
  const names: string[] = [];
  let current = shape;
  while (current.kind === 'reference') {
    names.unshift(current.name);
    current = layout.types.get(current.name)!;
  }
  return { shape: current, names };
}

/** The branches of a union, of the unions within it too; the shape itself where it is none. */
export function branchesOf(layout: MessageLayout, shape: Shape): Shape[] {
  const inner = resolved(layout, shape).shape;
  return inner.kind === 'union' ? inner.branches.flatMap((branch) => branchesOf(layout, branch)) : [shape];
}

/** All members of an object, inherited ones first. */
export function membersOf(layout: MessageLayout, shape: ObjectShape, name?: string): Map<string, DeclaredMember> {
  const members = new Map<string, DeclaredMember>();
  for (const base of shape.bases) {
    const inherited = resolved(layout, { kind: 'reference', name: base });
    if (inherited.shape.kind !== 'object') continue;
    for (const [key, member] of membersOf(layout, inherited.shape, base)) members.set(key, member);
  }
  for (const [key, member] of shape.members) members.set(key, { ...member, declaredBy: name });
  return members;
}

/** A value that fits, with nothing in it that may be left out. */
export function exampleOf(layout: MessageLayout, given: Shape): unknown {
  const { shape } = resolved(layout, given);
  switch (shape.kind) {
    case 'any':
      return {};
    case 'absent':
      return undefined;
    case 'literal':
      return shape.value;
    case 'scalar':
      return scalarExample(shape);
    case 'array':
      return [exampleOf(layout, shape.items)];
    case 'map':
      return { example: exampleOf(layout, shape.values) };
    case 'union':
      return exampleOf(layout, shape.branches[0]!);
    case 'choice': {
      const [[value, first]] = [...shape.cases] as [[string, Shape]];
      return { ...(exampleOf(layout, first) as object), [shape.member]: value };
    }
    case 'object':
      return Object.fromEntries(
        [...membersOf(layout, shape)]
          .filter(([, { optional }]) => !optional)
          .map(([name, member]) => [name, exampleOf(layout, member.shape)]),
      );
  }
}

function scalarExample({ type, format, minimum }: Extract<Shape, { kind: 'scalar' }>): unknown {
  if (type === 'string')
    return {
      uri: 'https://example.com/thing',
      'uri-template': 'https://example.com/{thing}',
      base64: 'aGVsbG8=',
      none: 'example',
    }[format ?? 'none'];
  if (type === 'boolean') return true;
  return type === 'null' ? null : (minimum ?? 1);
}

/** The types of JSON that a shape takes. */
export function jsonTypesOf(layout: MessageLayout, given: Shape): Set<JsonType> {
  const { shape } = resolved(layout, given);
  switch (shape.kind) {
    case 'any':
      return new Set(['null', 'boolean', 'number', 'string', 'array', 'object']);
    case 'absent':
      return new Set();
    case 'literal':
      return new Set([typeof shape.value as JsonType]);
    case 'scalar':
      return new Set([shape.type === 'integer' ? 'number' : shape.type]);
    case 'array':
      return new Set(['array']);
    case 'union':
      return new Set(shape.branches.flatMap((branch) => [...jsonTypesOf(layout, branch)]));
    default:
      return new Set(['object']);
  }
}
