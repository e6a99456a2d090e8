/** A part of many cases that are alike: which ones changes from commit to commit, so that each is met again and again. */
import { everything, seed } from './options.ts';
import { shuffled } from './seed.ts';

/**
 * One in so many of the cases, at least one, in the order in which they were given; all of them in the full run
 * (`--mode all`).
 *
 * @param share 2 for every second case
 * @param nameOf tells the cases apart
 * @param isDue whether a case takes part whatever is drawn, as one of a rule that the commit changes
 */
export function someOf<T>(
  cases: readonly T[],
  share: number,
  nameOf: (one: T) => string,
  isDue: (one: T) => boolean = () => false,
): T[] {
  if (everything) return [...cases];
  const chosen = new Set(drawnFrom(cases, share, seed, nameOf));
  return cases.filter((one) => chosen.has(one) || isDue(one));
}

/** The part that a seed gives. */
export function drawnFrom<T>(cases: readonly T[], share: number, by: string, nameOf: (one: T) => string): T[] {
  const chosen = new Set(shuffled(cases, by, nameOf).slice(0, Math.ceil(cases.length / share)));
  return cases.filter((one) => chosen.has(one));
}
