/**
 * `npm run generate`: writes everything in generated/ from its sources. With `--check` it writes nothing
 * and exits 1 naming each file that is not as generated.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { McpcError } from '../model/errors.ts';
import { collectOutputs, compareOutputs, writeOutputs } from './generate/outputs.ts';
import type { Generator } from './generate/outputs.ts';
import { generateMethods } from './generate/methods.ts';
import { generatePlan } from './generate/plan.ts';
import { generateRequirements } from './generate/requirements.ts';
import { generateMutations } from './generate/mutations.ts';
import { generateExerciseSchemas } from './generate/exercise-schemas.ts';
import { generateLanguageSchemas } from './generate/language-schemas.ts';
import { generateSuites } from './generate/suites.ts';
import { generateTypes } from './generate/types.ts';

/** What the rules are read by; it is written before they are read. */
const languages: readonly Generator[] = [generateLanguageSchemas];

/** Each adds its files; their order does not matter. */
const generators: readonly Generator[] = [
  generateRequirements,
  generateMethods,
  generatePlan,
  generateTypes,
  generateMutations,
  generateSuites,
  generateExerciseSchemas,
];

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      root: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
    },
  });
  const root = resolve(values.root);
  if (values.check) {
    const drift = await compareOutputs(root, await collectOutputs(root, [...languages, ...generators]));
    for (const { path, problem } of drift)
      console.error(`${path} ${problem === 'missing' ? 'is missing' : 'differs from what its sources give'}`);
    if (drift.length > 0) console.error('Run npm run generate and commit the result.');
    return drift.length > 0 ? 1 : 0;
  }
  const written = [
    ...(await writeOutputs(root, await collectOutputs(root, languages))),
    ...(await writeOutputs(root, await collectOutputs(root, generators))),
  ];
  for (const path of written) console.log(`wrote ${path}`);
  if (written.length === 0) console.log('nothing to write, all is as generated');
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
