/** Changes a JSON value where a JSONPath (RFC 9535) points to. The value itself is left as it is. */
import { compile, jsonpath, JSONPathQuery, type JSONValue } from 'json-p3';
import { isObject } from '../model/json.ts';

type Location = readonly (string | number)[];

/**
 * @param change gives the new value from the old one, undefined where there was none
 * @returns a copy with what the path selects changed. A path that ends in a name adds that member to the objects
 *   that lack it; what selects nothing changes nothing.
 * @throws Error for a path that cannot be read
 */
export function setAt(value: unknown, path: string, change: (old: unknown) => unknown): unknown {
  const query = compile(path);
  if (query.segments.length === 0) return change(value);
  const name = nameAtEnd(query);
  const copy = structuredClone(value);
  if (name === undefined) {
    for (const location of locationsOf(query, copy)) replace(copy, location, change);
    return copy;
  }
  const parents = locationsOf(new JSONPathQuery(query.environment, query.segments.slice(0, -1)), copy);
  for (const location of parents) replace(copy, [...location, name], change);
  return copy;
}

/** @returns a copy without what the path selects. @throws Error for a path that cannot be read */
export function removeAt(value: unknown, path: string): unknown {
  const copy = structuredClone(value);
  // From the end, so that positions in lists stay what they were.
  for (const location of locationsOf(compile(path), copy).reverse()) {
    const parent = at(copy, location.slice(0, -1));
    const last = location.at(-1);
    if (Array.isArray(parent) && typeof last === 'number') parent.splice(last, 1);
    else if (isObject(parent) && typeof last === 'string') delete parent[last];
  }
  return copy;
}

function locationsOf(query: JSONPathQuery, value: unknown): Location[] {
  return query.query(value as JSONValue).nodes.map((node) => node.location);
}

/** The name in which a path ends; undefined where it ends in a position, a filter or the like. */
function nameAtEnd(query: JSONPathQuery): string | undefined {
  const last = query.segments.at(-1);
  const [selector, ...others] = last?.selectors ?? [];
  const isDescendant = last?.toString().startsWith('..') === true;
  return selector instanceof jsonpath.selectors.NameSelector && others.length === 0 && !isDescendant
    ? selector.name
    : undefined;
}

function replace(root: unknown, location: Location, change: (old: unknown) => unknown): void {
  const parent = at(root, location.slice(0, -1));
  const last = location.at(-1)!;
  if (Array.isArray(parent) && typeof last === 'number') parent[last] = change(parent[last]);
  else if (isObject(parent) && typeof last === 'string') {
    const made = change(Object.hasOwn(parent, last) ? parent[last] : undefined);
    // Assigning would set the prototype for a member of that name.
    Object.defineProperty(parent, last, { value: made, enumerable: true, configurable: true, writable: true });
  }
}

function at(root: unknown, location: Location): unknown {
  return location.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], root);
}
