/** Tests of clients under vitest: each must break nothing that the specification demands. */
import { checkClient } from 'mcpc/client';
import { expect, test } from 'vitest';
import { client as ofSdk1 } from './sdk-1.mjs';
import { client as ofSdk2 } from './sdk-2.mjs';

test.each([
  ['SDK 1.x', ofSdk1],
  ['SDK 2.x', ofSdk2],
])('a client on %s obeys the specification', { timeout: 120_000 }, async (name, client) => {
  const report = await checkClient(client, { name });
  const broken = report.parts.flatMap(({ verdicts }) => verdicts.filter(({ status }) => status === 'fail'));
  expect(broken.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
  expect(report.compliant).toBe(true);
});
