/** Differences between two readings of one server within a run. Pure. */
import { canonical } from '../model/json.ts';
import type { Offer } from './lock.ts';

/** @returns names of lists, and `instructions`; the order of entries does not count */
export function differing(one: Offer, other: Offer): string[] {
  const sorted = (all: readonly unknown[]): string => all.map(canonical).toSorted().join('\n');
  const lists = (['tools', 'prompts', 'resources', 'templates'] as const).filter(
    (list) => sorted(one[list]) !== sorted(other[list]),
  );
  return [...lists, ...(one.instructions === other.instructions ? [] : ['instructions'])];
}
