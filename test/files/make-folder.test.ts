/** Folders are made with those on the way to them, and what cannot be made is told at once. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from '../../src/files/output/make-folder.ts';
import { Workspace } from '../cli/harness.ts';

const base = mkdtempSync(join(tmpdir(), 'mcpc-folders-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

test('one that is there, and one far below it', () => {
  makeFolder(base);
  makeFolder(join(base, 'a', 'b', 'c'));
  makeFolder(join(base, 'a', 'b', 'c'));
  expect(existsSync(join(base, 'a', 'b', 'c'))).toBe(true);
});

test('a file in the way is told', () => {
  writeFileSync(join(base, 'file'), '');
  expect(() => makeFolder(join(base, 'file'))).toThrow(/EEXIST/);
  expect(() => makeFolder(join(base, 'file', 'below'))).toThrow(/ENOTDIR/);
});

test('a place that takes no folder ends a run with a message', async () => {
  const work = new Workspace();
  work.write('suite.yaml', {
    version: 1,
    servers: { s: { command: 'node', args: ['none.mjs'] } },
    cases: [{ name: 'a', steps: [{ list: 'tools' }] }],
  });
  const { code, stderr } = await work.call(['run', 'suite.yaml', '--trace-dir', '/proc/mcpc/traces']);
  expect(code).toBe(2);
  expect(stderr).toContain('/proc/mcpc/traces');
});
