/**
 * `npm run test:changed [-- BASE]`: runs the tests that import what changed since BASE (HEAD by default, so the work
 * tree), the slow ones included, and the gates of the rules that changed, on every transport.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { changedFiles, rulesAmong } from './changed.ts';

const root = path.join(import.meta.dirname, '../../..');
const base = process.argv[2] ?? 'HEAD';

function vitest(args: string[], env: Record<string, string> = {}): number {
  const words = [path.join(root, 'node_modules/vitest/vitest.mjs'), ...args, '--mode', 'changed', '--passWithNoTests'];
  return (
    spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1
  );
}

process.chdir(root);
const files = changedFiles(base);
const rules = rulesAmong(files);
const sources = files.filter((file) => file.endsWith('.ts'));
const statuses = [
  ...(sources.length > 0 ? [vitest(['related', '--run', ...sources])] : []),
  ...(rules.length > 0 ? [vitest(['run', 'test/rules'], { MCPC_CHANGED: rules.join(',') })] : []),
];
process.exitCode = statuses.find((status) => status !== 0) ?? 0;
