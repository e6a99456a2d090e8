/** What an installed package takes, and that it lacks nothing: its rule files are packed (src/files/package/packed-files.ts). Needs the build. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ValidatorModule } from '../src/files/package/load-validators.ts';
import { layoutDigest, readLayout } from '../src/files/package/message-files.ts';
import { packedModule, packOfValidators } from '../src/files/package/packed-files.ts';
import { revisions } from '../src/core/spec/revisions.ts';
import { root } from './cli/harness.ts';
import { linkedCopy } from './support/linked-copy.ts';

/** Some room above what it takes today. */
const most = 10_500_000;

interface Packed {
  unpackedSize: number;
  files: { path: string }[];
}

const packed = (
  JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1e8,
    }),
  ) as Packed[]
)[0]!;
let installed: string;

beforeAll(() => {
  installed = mkdtempSync(join(tmpdir(), 'mcpc-package-'));
  for (const { path } of packed.files) linkedCopy(join(root, path), join(installed, path));
});
afterAll(() => rmSync(installed, { recursive: true, force: true }));

const run = (folder: string, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'bin/mcpc.js'), ...args], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  // What the two print differs in the path of the package alone.
  return `${status}\n${stdout}${stderr}`.replaceAll(folder, '');
};

test('it stays small, without packages of others', () => {
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies?: object;
  };
  console.log(`installed: ${packed.unpackedSize} bytes in ${packed.files.length} files`);
  expect(dependencies).toEqual({});
  expect(packed.unpackedSize).toBeLessThan(most);
});

test('no rule file, and nothing else that is packed, is in it twice', () => {
  const folders = new Set(packed.files.map(({ path }) => dirname(path)).filter((path) => path.startsWith('rules')));
  expect([...folders].sort()).toEqual([
    'rules/conformance',
    'rules/conformance/auth',
    'rules/conformance/shared',
    'rules/language',
    'rules/messages',
    'rules/sets',
  ]);
  expect(packed.files.map(({ path }) => path)).not.toContain('generated/plan.json');
});

test.each([
  ['rules', 'show', 'ping/answer-empty-result', '--json'],
  ['explain', 'ping/answer-empty-result'],
  ['rules', 'show', 'no/such'],
  ['rules', 'coverage'],
])('%s %s says what a checkout says', (...args) => {
  expect(run(installed, ...args)).toBe(run(root, ...args));
});

test.each(revisions)('the packed validators of %s are those of its layout', async (revision) => {
  const layout = await readLayout(revision);
  const { validators, source } = packedModule(packOfValidators(revision)) as ValidatorModule;
  expect(source).toBe(layoutDigest(layout));
  expect(Object.keys(validators).sort()).toEqual([...layout.types.keys()].sort());
  expect(validators['JSONRPCMessage']!({})).toBe(false);
  expect(validators['JSONRPCMessage']!({ jsonrpc: '2.0', id: 1, method: 'ping' })).toBe(true);
});
