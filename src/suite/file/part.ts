/** A part of a suite file: a value with its place, and readers that take scalars as they were written. */
import type { Path, Place, YamlDocument } from './yaml-source.ts';

export interface Part {
  readonly path: Path;
  /** What stands there; undefined when nothing does. */
  readonly value: unknown;
  readonly place: Place;
  /** A member or an item. */
  at(name: string | number): Part;
  /** Whether something other than null stands there. */
  has(name: string | number): boolean;
  /** A scalar as text, in the spelling of the file (`1.50`); undefined for anything else. */
  text(): string | undefined;
  /** Items of a list. */
  items(): Part[];
  /** Members of a mapping. */
  members(): [name: string, part: Part][];
}

/** The part of a document at a path. */
export function partOf(document: YamlDocument, path: Path = []): Part {
  let value: unknown = document.value;
  for (const name of path) value = isContainer(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  const at = (name: string | number): Part => partOf(document, [...path, name]);
  return {
    path,
    value,
    get place() {
      return document.placeOf(path);
    },
    at,
    has: (name) => isContainer(value) && Object.hasOwn(value, name) && value[name] !== null && value[name] !== undefined,
    text() {
      if (typeof value === 'string') return value;
      return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' ? (document.sourceOf(path) ?? String(value)) : undefined;
    },
    items: () => (Array.isArray(value) ? value.map((_item, index) => at(index)) : []),
    members: () => (isContainer(value) && !Array.isArray(value) ? Object.keys(value).map((name) => [name, at(name)]) : []),
  };
}

function isContainer(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}
