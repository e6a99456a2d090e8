/** Which runs beside a run are of the same fleet: others in the folder are no earlier runs of it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { previousRun, readFleetHistory, usualHistory } from '../../src/fleet/run/history.ts';

let parent = '';
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function run(name: string, day: number, ids: readonly string[], file?: string): string {
  const directory = path.join(parent, name);
  const startedAt = `2026-11-0${day}T00:00:00.000Z`;
  const ruleSet = { digest: 'd', rules: 1 };
  mkdirSync(directory, { recursive: true });
  const write = (to: string, value: object): void =>
    writeFileSync(path.join(directory, to), JSON.stringify({ version: 1, startedAt, ruleSet, ...value }));
  write('run.json', { format: 'mcpc-fleet-run', file, servers: ids.map((id) => ({ id, name: id })) });
  write('fleet.json', {
    format: 'mcpc-fleet-report',
    incomplete: null,
    servers: ids.map((id) => ({ id, name: id, status: 'checked', score: 100 })),
  });
  return directory;
}

test.each<[title: string, ids: string[], file: string | undefined, same: boolean]>([
  ['the same file with a server in common', ['b', 'c'], 'fleet.yaml', true],
  ['a file of another name, though a server has the same id', ['a', 'b'], 'others.yaml', false],
  ['the same name and no server in common', ['x', 'y'], 'fleet.yaml', false],
  ['an older run that does not name its file, with a server in common', ['b'], undefined, true],
  ['an older run that does not name its file, without one', ['x'], undefined, false],
])('%s', (_title, ids, file, same) => {
  parent = mkdtempSync(path.join(tmpdir(), 'mcpc-same-fleet-'));
  run('before', 1, ids, file);
  const now = run('now', 2, ['a', 'b'], 'fleet.yaml');
  expect(previousRun(now)?.dir ?? null).toBe(same ? path.join(parent, 'before') : null);
  expect(readFleetHistory(now, usualHistory)).toHaveLength(same ? 1 : 0);
});

test('a run of another fleet between two runs hides neither', () => {
  parent = mkdtempSync(path.join(tmpdir(), 'mcpc-same-fleet-'));
  run('tuesday', 1, ['a', 'b'], 'fleet.yaml');
  run('mixed', 2, ['x'], 'mixed.yaml');
  const now = run('wednesday', 3, ['a', 'b'], 'fleet.yaml');
  expect(previousRun(now)?.dir).toBe(path.join(parent, 'tuesday'));
});
