/** The name that somebody perhaps meant who wrote one that does not exist. */
import { closest, distance } from 'fastest-levenshtein';

/** A sentence with a blank before it; empty when no known name is near. */
export function suggestion(name: string, known: readonly string[]): string {
  const found = closestName(name, known);
  return found?.near === true ? ` Did you mean "${found.name}"?` : '';
}

/** The known name that differs least, and whether it is near enough to be meant; undefined when none is known. */
export function closestName(name: string, known: readonly string[]): { name: string; near: boolean } | undefined {
  if (known.length === 0) return undefined;
  const found = closest(name, [...known]);
  return { name: found, near: distance(name, found) <= nearness(name.length) };
}

/** Of a short word nearly every letter counts. */
function nearness(length: number): number {
  return length <= 4 ? 1 : Math.max(2, Math.floor(length / 4));
}
