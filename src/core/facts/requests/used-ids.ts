/** Ids that one party has used. Most clients use consecutive integer ids, so ranges are stored. */
import type { IdKey } from '../values/rpc.ts';

export interface UsedIds {
  has(key: IdKey): boolean;
  add(key: IdKey): void;
}

/** @param kept ids outside the run that are remembered; later ones are not */
export function createUsedIds(kept: number): UsedIds {
  const others = new Set<IdKey>();
  let first = NaN;
  let next = NaN;

  function has(key: IdKey): boolean {
    return (typeof key === 'number' && key >= first && key < next && Number.isInteger(key)) || others.has(key);
  }

  return {
    has,
    add(key) {
      if (Number.isNaN(first) && Number.isSafeInteger(key)) {
        first = key as number;
        next = first + 1;
      } else if (key === next) next += 1;
      else if (!has(key) && others.size < kept) others.add(key);
    },
  };
}
