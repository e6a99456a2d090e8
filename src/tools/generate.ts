/**
 * `npm run generate`: writes everything in generated/ from its sources. What people read (Markdown) is committed, the
 * rest is built. With `--check` it writes only what is built, and exits 1 naming each committed file that is not as
 * generated; with `--built` it writes what is built and nothing else.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { McpcError } from '../core/model/errors.ts';
import { writeOutputs } from './generate/outputs.ts';
import { generateRuleFeatures } from './rule-features.ts';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      built: { type: 'boolean', default: false },
      root: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
    },
  });
  const root = resolve(values.root);
  // The generators load the facts: the list of those next to rules may name one that was deleted.
  const first = values.check || values.built ? [] : await writeOutputs(root, await generateRuleFeatures(root));
  const { writeStages } = await import('./generate/generators.ts');
  const { written, drift } = await writeStages(root, values.check ? 'compare' : values.built ? 'leave' : 'write');
  if (values.check) {
    for (const { path, problem } of drift)
      console.error(`${path} ${problem === 'missing' ? 'is missing' : 'differs from what its sources give'}`);
    if (drift.length > 0) console.error('Run npm run generate and commit the result.');
    return drift.length > 0 ? 1 : 0;
  }
  const all = [...first, ...written];
  for (const path of all) console.log(`wrote ${path}`);
  if (all.length === 0) console.log('nothing to write, all is as generated');
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof McpcError)) throw error;
  console.error(error.message);
  if (error.remedy !== undefined) console.error(error.remedy);
  process.exitCode = error.exitCode;
}
