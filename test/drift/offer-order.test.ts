/** Lists of what a server offers are compared by name, whatever their order. */
import { describe, expect, test } from 'vitest';
import { inOrderOf } from '../../src/core/drift/offer-order.ts';

const names = (...all: string[]) => all.map((name) => ({ name }));

describe('entries take the order of another list', () => {
  test.each([
    ['the same entries', names('a', 'b', 'c'), names('c', 'a', 'b'), names('a', 'b', 'c')],
    ['one that is new comes last', names('a', 'b'), names('new', 'b', 'a'), names('a', 'b', 'new')],
    ['one that is gone leaves no gap', names('a', 'b', 'c'), names('c', 'a'), names('a', 'c')],
    [
      'equal names keep their own order',
      names('a', 'b', 'a'),
      [{ name: 'a', n: 1 }, ...names('b'), { name: 'a', n: 2 }],
      [{ name: 'a', n: 1 }, ...names('b'), { name: 'a', n: 2 }],
    ],
    [
      'resources go by their URI',
      [
        { uri: 'x:1', name: 'n' },
        { uri: 'x:2', name: 'n' },
      ],
      [
        { uri: 'x:2', name: 'n' },
        { uri: 'x:1', name: 'n' },
      ],
      [
        { uri: 'x:1', name: 'n' },
        { uri: 'x:2', name: 'n' },
      ],
    ],
    ['what is no entry stays', [1, 2], [2, 1], [2, 1]],
  ])('%s', (_title, wanted, given, expected) => {
    expect(inOrderOf<unknown>(wanted, given)).toEqual(expected);
  });
});
