/** The generators of everything that `npm run generate` writes, and which of their files are built rather than committed. */
import { append } from '../../core/model/lists.ts';
import { generateExerciseSchemas } from './exercise-schemas.ts';
import { generateFleetFile } from './fleet-file.ts';
import { generateFleetPage } from './fleet-page.ts';
import { generateLanguageSchemas } from './language-schemas.ts';
import { generateMethods } from './methods.ts';
import { generateMutations } from './mutations.ts';
import { collectOutputs, compareOutputs, type Drift, type Generator, writeOutputs } from './outputs.ts';
import { generatePlan } from './plan.ts';
import { generateRequirements } from './requirements.ts';
import { generateRuleFeatures } from '../rule-features.ts';
import { generateSuites } from './suites.ts';
import { generateTypes } from './types.ts';

/** Each stage reads what the ones before it wrote: facts of rules, methods, then the schemas of rule files, then the rules. */
const stages: readonly (readonly Generator[])[] = [
  [generateRuleFeatures],
  [generateMethods],
  [generateLanguageSchemas],
  [
    generateRequirements,
    generatePlan,
    generateTypes,
    generateMutations,
    generateSuites,
    generateExerciseSchemas,
    generateFleetFile,
    generateFleetPage,
  ],
];

/** Files of generated/ that only programs read: `npm run build` writes them, and git ignores them. */
function isBuilt(path: string): boolean {
  return path.startsWith('generated/') && !path.endsWith('.md');
}

/** Treatment of committed files by `writeStages`: it writes them, compares them, or skips them. */
export type CommittedFiles = 'write' | 'compare' | 'leave';

export interface Generated {
  /** Committed and built files that were written, sorted within each stage. */
  written: string[];
  /** Committed files that differ from their sources; only with `compare`. */
  drift: Drift[];
}

/** Runs the generators stage by stage and writes what is built. @throws McpcError for a faulty source */
export async function writeStages(root: string, committedFiles: CommittedFiles): Promise<Generated> {
  const generated: Generated = { written: [], drift: [] };
  for (const stage of stages) {
    const outputs = Object.entries(await collectOutputs(root, stage));
    const built = Object.fromEntries(outputs.filter(([path]) => isBuilt(path)));
    const committed = Object.fromEntries(outputs.filter(([path]) => !isBuilt(path)));
    const written = await writeOutputs(root, committedFiles === 'write' ? { ...built, ...committed } : built);
    append(generated.written, written);
    if (committedFiles === 'compare') append(generated.drift, await compareOutputs(root, committed));
  }
  return generated;
}
