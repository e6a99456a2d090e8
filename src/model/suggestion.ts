/** The name that somebody perhaps meant who wrote one that does not exist. */
import { closest, distance } from 'fastest-levenshtein';

/** A sentence with a blank before it; empty when no known name is near. */
export function suggestion(name: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const nearest = closest(name, [...known]);
  return distance(name, nearest) <= Math.max(2, Math.floor(name.length / 3)) ? ` Did you mean "${nearest}"?` : '';
}
