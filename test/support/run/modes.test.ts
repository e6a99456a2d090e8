/** `--mode all` reaches the tests of every project: more of them are due than otherwise. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../rules.ts';
import { thorough } from './options.ts';

function listed(...flags: string[]): string[] {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const { VITEST: _own, ...env } = process.env;
  return execFileSync(process.execPath, [vitest, 'list', 'test/cli/files.test.ts', ...flags], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
}

test.runIf(thorough)('npm run test:all runs what npm test leaves out', () => {
  const [some, all] = [listed(), listed('--mode', 'all')];
  expect(some.length).toBeGreaterThan(1);
  expect(all.length).toBeGreaterThan(some.length);
});
