/** The probably meant name for one that does not exist. */
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
  return { name: found, near: isNear(name, found) };
}

/** Of a short word nearly every letter counts; letters in another order are the commonest slip. */
function isNear(name: string, found: string): boolean {
  const most = name.length <= 4 ? 1 : Math.max(2, Math.floor(name.length / 4));
  return distance(name, found) <= most || sorted(name) === sorted(found);
}

function sorted(word: string): string {
  return [...word].sort().join('');
}
