/** The order of what a server offers means nothing: entries of lists are compared by name. Pure. */
import { canonical, isObject } from '../model/json.ts';

/** The identity of an entry: of a template its uriTemplate, of a resource its URI, of others the name. */
function identityOf(entry: unknown): string {
  if (!isObject(entry)) return '';
  const identity = entry['uriTemplate'] ?? entry['uri'] ?? entry['name'];
  return identity === undefined ? '' : canonical(identity);
}

/** Entries of a list in the order in which another list has them; entries that only this one has come last. */
export function inOrderOf<T>(wanted: readonly unknown[], given: readonly T[]): T[] {
  const places = new Map<string, number[]>();
  for (const [index, entry] of wanted.entries()) {
    const identity = identityOf(entry);
    places.set(identity, [...(places.get(identity) ?? []), index]);
  }
  return given
    .map((entry, index) => ({ entry, place: places.get(identityOf(entry))?.shift() ?? wanted.length + index }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ entry }) => entry);
}
