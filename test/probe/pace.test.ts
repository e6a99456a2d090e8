/** How many sessions share the probes that disturb nobody, by how long answers take. */
import { expect, test } from 'vitest';
import { lanesFor, servesInTurn, usesAtOnce } from '../../src/client/schedule/pace.ts';

test.each([
  ['answers come at once', 5, 6, 1],
  ['as long as the way to a far server', 60, 75, 3],
  ['very long', 250, 300, 6],
  ['very long, and a little longer beside another session', 1500, 2100, 6],
  ['twice as long beside another session: one is served after the other', 60, 120, 1],
  ['the same, where answers take very long', 1500, 3000, 1],
  ['not known', undefined, 10, 1],
] as const)('%s', (_, replyMs, besideMs, sessions) => {
  expect(lanesFor(replyMs, besideMs)).toBe(sessions);
});

test.each([
  ['answers come at once', 5, 12, false],
  ['one after the other, and soon', 60, 120, false],
  ['one after the other, each after long', 700, 1400, true],
  ['long, and both at a time', 700, 800, false],
  ['not known', undefined, 1400, false],
] as const)('one probe at a time: %s', (_, replyMs, besideMs, expected) => {
  expect(servesInTurn(replyMs, besideMs)).toBe(expected);
});

test('several uses at once go to a server over HTTP that takes very long for each', () => {
  expect([usesAtOnce(6, 'http'), usesAtOnce(6, 'stdio'), usesAtOnce(3, 'http'), usesAtOnce(1, 'http')]).toEqual([
    5, 1, 1, 1,
  ]);
});
