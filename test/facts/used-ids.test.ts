import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUsedIds } from '../../src/core/facts/requests/used-ids.ts';

const key = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(1.5, 'string:1', 'string:a', 'object:null', -0));

test('ids are known once they were used, in whatever order', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 40 }), fc.array(key, { maxLength: 20 }), (used, asked) => {
      const ids = createUsedIds(1000);
      const plain = new Set(used);
      for (const one of used) ids.add(one);
      for (const one of [...used, ...asked]) expect(ids.has(one)).toBe(plain.has(one));
    }),
  );
});

test('a count takes no room, other ids only as much as they may', () => {
  const ids = createUsedIds(3);
  for (let id = 1; id <= 100_000; id += 1) ids.add(id);
  for (const id of ['string:a', 'string:b', 'string:c', 'string:d']) ids.add(id);
  expect([1, 50_000, 100_000, 100_001, 0.5].map((id) => ids.has(id))).toEqual([true, true, true, false, false]);
  expect([ids.has('string:c'), ids.has('string:d')]).toEqual([true, false]);
});
