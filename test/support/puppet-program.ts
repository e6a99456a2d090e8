/** Bundles the stdio puppet once, so that each of the many processes starts fast. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import type { ScriptSetting } from '../../src/mock/script/script.ts';
import type { RuleExample } from '../../src/model/rule.ts';
import { root } from './rules.ts';

export interface PuppetProgram {
  /** Arguments for `node` that start the puppet of an example; `part` is to be appended. */
  argsFor(example: RuleExample, setting: ScriptSetting): string[];
  dispose(): void;
}

export async function buildPuppetProgram(): Promise<PuppetProgram> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-puppet-'));
  const bundle = path.join(folder, 'puppet.cjs');
  await build({ entryPoints: [path.join(root, 'src/mock/puppet-stdio.ts')], outfile: bundle, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
  let count = 0;
  return {
    argsFor(example, setting) {
      count += 1;
      const file = path.join(folder, `${count}.json`);
      writeFileSync(file, JSON.stringify({ example, setting }));
      return [bundle, file];
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
