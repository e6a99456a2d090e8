/** How many sessions share the probes that disturb nobody, by how long answers take. */
import { expect, test } from 'vitest';
import { lanesFor } from '../../src/client/schedule/pace.ts';

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
