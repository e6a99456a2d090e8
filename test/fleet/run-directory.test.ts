/** Runs that lie beside each other: which came before, and which is to go on. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createRunDirectory, earlierRuns, newestUnfinishedRun } from '../../src/fleet/run/run-directory.ts';
import type { FleetRunHeader } from '../../src/core/model/reports/fleet.ts';

const parent = mkdtempSync(path.join(tmpdir(), 'mcpc-runs-'));
afterAll(() => rmSync(parent, { recursive: true }));

const header = (startedAt: string): FleetRunHeader => ({
  format: 'mcpc-fleet-run',
  version: 1,
  tool: { name: 'mcpc', version: '0' },
  ruleSet: { digest: 'd', rules: 0 },
  rules: [],
  id: startedAt,
  startedAt,
  selection: { only: [], skip: [] },
  policies: [],
  servers: [],
});

test('a folder of another program, or a damaged one, hides no other run', async () => {
  const [first, second] = ['first', 'second'].map((name) => path.join(parent, name)) as [string, string];
  await createRunDirectory(first, header('2026-11-21T00:00:00.000Z'));
  await createRunDirectory(second, header('2026-11-22T00:00:00.000Z'));
  for (const [name, text] of [
    ['damaged', '{"format": "mcpc-fl'],
    ['foreign', '{"startedAt": "2026-11-20"}'],
  ] as const) {
    mkdirSync(path.join(parent, name));
    writeFileSync(path.join(parent, name, 'run.json'), text);
  }
  expect(earlierRuns(second)).toEqual([first]);
  expect(earlierRuns(first)).toEqual([]);
  expect(newestUnfinishedRun(parent)).toBe(second);
});
