/**
 * Puppets on stdio: as a program, bundled once so that each of the many processes starts fast, or on pipes in
 * memory where the process makes no difference.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { memoryPuppet, needsProcess } from '../../src/testkit/mock/puppets/memory-puppet.ts';
import type { Part } from '../../src/testkit/mock/script/reading.ts';
import type { ScriptSetting } from '../../src/testkit/mock/script.ts';
import type { RuleExample } from '../../src/core/model/rules/rule.ts';
import type { StdioTarget } from '../../src/client/target/target.ts';
import { root } from './rules.ts';

export interface StdioPuppets {
  /** The puppet of an example; each connection to it is a target of its own, for the part that it plays. */
  puppet(example: RuleExample, setting: ScriptSetting): (part: Part) => StdioTarget;
  dispose(): void;
}

/** @param processes a process for every example, or only for those that say something of it */
export async function openStdioPuppets({ processes }: { processes: 'always' | 'where needed' }): Promise<StdioPuppets> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-puppet-'));
  const bundle = path.join(folder, 'puppet.cjs');
  await build({
    entryPoints: [path.join(root, 'src/testkit/mock/puppets/puppet-stdio.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  let count = 0;
  return {
    puppet(example, setting) {
      if (processes === 'where needed' && !needsProcess(example)) {
        const serve = memoryPuppet(example, setting);
        return (part) => ({ kind: 'stdio', command: 'puppet', args: [part], serve: serve(part) });
      }
      count += 1;
      const file = path.join(folder, `${count}.json`);
      writeFileSync(file, JSON.stringify({ example, setting }));
      return (part) => ({ kind: 'stdio', command: process.execPath, args: [bundle, file, part] });
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
