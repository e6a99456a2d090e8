/** Each dear test has its turn, and no turn costs much more than another. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../rules.ts';
import { costs, isTurnOf, turns } from './turns.ts';

test('each is in one turn of four, and they cost about the same', () => {
  const byTurn = turns(costs);
  expect(byTurn.flat().sort()).toEqual(Object.keys(costs).sort());
  const sums = byTurn.map((names) => names.reduce((sum, name) => sum + costs[name]!, 0));
  expect(Math.max(...sums) - Math.min(...sums)).toBeLessThan(2);
});

test('those that are dearest share no turn', () => {
  expect(turns({ a: 1, b: 9, c: 2, d: 8, e: 7, f: 6, g: 3 })).toEqual([['b'], ['d', 'a'], ['e', 'c'], ['f', 'g']]);
});

test('the table has the tests that ask for their turn, and no other', () => {
  const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.test.ts') && !name.endsWith('run/turns.test.ts'),
  );
  const asked = files.flatMap((name) =>
    [...readFileSync(path.join(root, 'test', name), 'utf8').matchAll(/\bisTurnOf\('([^']+)'\)/g)].map(
      ([, one]) => one!,
    ),
  );
  expect([...new Set(asked)].sort()).toEqual(Object.keys(costs).sort());
});

test('a name that the table does not have is told', () => {
  expect(() => isTurnOf('nobody')).toThrow('turns.json has no "nobody"');
});
