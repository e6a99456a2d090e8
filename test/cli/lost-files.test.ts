/** mcpc is installed anew while it runs: what it would load next is gone. It ends all the same. */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linkedCopy } from '../support/linked-copy.ts';
import { root, Workspace } from './harness.ts';

const space = new Workspace();

test('an error that cannot be told ends the process', () => {
  for (const part of ['bin', 'dist', 'package.json', 'oclif.manifest.json'])
    linkedCopy(join(root, part), space.path(part));
  const chunks = space.path('dist/chunks');
  const lost = readdirSync(chunks).filter((name) => name.startsWith('run-redactor'));
  expect(lost).not.toEqual([]);
  for (const name of lost) rmSync(join(chunks, name));
  const { status, signal, stderr } = spawnSync(
    process.execPath,
    [space.path('bin/mcpc.js'), 'check', '--no-such-flag'],
    { cwd: space.folder, encoding: 'utf8', timeout: 60_000, killSignal: 'SIGKILL' },
  );
  expect(signal).toBeNull();
  expect(status).toBeGreaterThan(1);
  expect(stderr).toContain('mcpc failed for an unknown reason');
});
