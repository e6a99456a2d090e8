/** Bounded sets and maps: never above their bound, whatever is put in. */
import { expect, test } from 'vitest';
import { BoundedMap, BoundedSet } from '../../src/core/model/bounded.ts';

test('a full set takes nothing in and keeps what it has', () => {
  const set = new BoundedSet<number>(2);
  for (const one of [1, 2, 3, 1]) set.add(one);
  expect([...set]).toEqual([1, 2]);
  expect(set.isFull).toBe(true);
  set.delete(1);
  expect([...set.add(3)]).toEqual([2, 3]);
});

test('a full map takes no new key, and replaces a known one', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('c', 3).set('a', 4);
  expect([...map]).toEqual([
    ['a', 4],
    ['b', 2],
  ]);
});

test('a map that forgets lets go of its oldest entry', () => {
  const map = new BoundedMap<string, number>(2, 'forget-oldest');
  map.set('a', 1).set('b', 2).set('b', 3).set('c', 4);
  expect([...map]).toEqual([
    ['b', 3],
    ['c', 4],
  ]);
});
