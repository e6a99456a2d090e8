/**
 * A map that remembers what was put in lately and forgets the rest, so that transcripts of millions of
 * messages are followed in bounded memory. Two generations: deleting the oldest entry of one map, entry by
 * entry, would walk over the holes that earlier deletions left.
 */

import type { IdKey } from '../values/rpc.ts';

export interface RecentMap<V> {
  get(key: IdKey): V | undefined;
  has(key: IdKey): boolean;
  set(key: IdKey, value: V): void;
  /** Something has been forgotten: that a key is missing proves nothing any more. */
  readonly forgetful: boolean;
}

/** @param kept entries that are remembered at least; at most twice as many are held */
export function createRecentMap<V>(kept: number): RecentMap<V> {
  let young = new Map<IdKey, V>();
  let old = new Map<IdKey, V>();
  let forgetful = false;
  return {
    get forgetful() {
      return forgetful;
    },
    get: (key) => young.get(key) ?? old.get(key),
    has: (key) => young.has(key) || old.has(key),
    set(key, value) {
      young.set(key, value);
      if (young.size < kept) return;
      forgetful ||= old.size > 0;
      old = young;
      young = new Map();
    },
  };
}
