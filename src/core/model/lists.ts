/**
 * Lists of any length. A call with a spread list (`into.push(...items)`, `Math.max(...values)`) puts every item on
 * the stack, which ends the process above some 100,000 items; a peer decides how long most lists are.
 */

/** Puts the items behind those of the list. */
export function append<T>(into: T[], items: Iterable<T>): void {
  for (const item of items) into.push(item);
}

/** Takes the first preferred item out of the list; the first of all where none is preferred. */
export function takePreferred<T>(from: T[], isPreferred: (item: T) => boolean): T | undefined {
  return from.splice(Math.max(0, from.findIndex(isPreferred)), 1)[0];
}

/** The largest number; -Infinity of none, as `Math.max` has it. */
export function largest(values: Iterable<number>): number {
  let found = Number.NEGATIVE_INFINITY;
  for (const value of values) found = Math.max(found, value);
  return found;
}

/** The smallest number; Infinity of none. */
export function smallest(values: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const value of values) found = Math.min(found, value);
  return found;
}

/** Up to so many, looking through a list costs less than a set. */
const fewEvents = 16;

/** Both lists, without what the first has already. A call with progress makes either as long as its sender likes. */
export function together(first: readonly number[], second: readonly number[]): number[] {
  if (first.length + second.length > fewEvents) return [...new Set([...first, ...second])];
  const all: number[] = [];
  for (const seq of first) if (!all.includes(seq)) all.push(seq);
  for (const seq of second) if (!all.includes(seq)) all.push(seq);
  return all;
}
