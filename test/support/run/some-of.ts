/** The part of many cases that `npm test` plays; see draw.ts. */
import { drawnFrom } from './draw.ts';
import { everything } from './options.ts';

/**
 * One in so many of the cases, at least one, in the order in which they were given; all of them in the full run.
 *
 * @param share 2 for every second case
 * @param nameOf tells the cases apart
 * @param isDue whether a case takes part in any case, as one of a rule that changed
 */
export function someOf<T>(
  cases: readonly T[],
  share: number,
  nameOf: (one: T) => string,
  isDue: (one: T) => boolean = () => false,
): T[] {
  if (everything) return [...cases];
  const chosen = new Set(drawnFrom(cases, share, nameOf));
  return cases.filter((one) => chosen.has(one) || isDue(one));
}
