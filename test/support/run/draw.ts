/**
 * Which of many cases that are alike `npm test` plays, and on which transport: chosen by their names alone, so that
 * two runs of the same code play the same cases. `npm run test:all` plays them all.
 */
import { createHash } from 'node:crypto';

/** A number from 0 to below 2^32 that the words give, always the same. */
export function drawn(...words: string[]): number {
  return createHash('sha256').update(JSON.stringify(words)).digest().readUInt32BE();
}

/** The list in an order that the names give, which has nothing to do with their spelling. */
export function shuffled<T>(list: readonly T[], nameOf: (one: T) => string): T[] {
  return list
    .map((one) => ({ one, at: drawn(nameOf(one)) }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** The part that the names give. */
export function drawnFrom<T>(cases: readonly T[], share: number, nameOf: (one: T) => string): T[] {
  const chosen = new Set(shuffled(cases, nameOf).slice(0, Math.ceil(cases.length / share)));
  return cases.filter((one) => chosen.has(one));
}
