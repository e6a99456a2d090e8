/**
 * Generates the list of the facts next to their rules, from the names of their files. It imports nothing of
 * what it lists: the list has to be right before anything can load it.
 */
import { glob } from 'tinyglobby';
import type { Outputs } from './generate/outputs.ts';

const listPath = 'src/core/facts/registry/rule-features.ts';

/** The generator of the list; a line for each `rules/<area>/<slug>.facts.ts`. */
export async function generateRuleFeatures(root: string): Promise<Outputs> {
  const files = (await glob('rules/*/*.facts.ts', { cwd: root })).sort();
  const lines = files.map((file) => `export { feature as ${exportNameOf(file)} } from '../../../../${file}';`);
  const head =
    '/** The facts of one rule each, from the files next to the rules. Written by `npm run generate`; do not edit. */';
  return { [listPath]: `${[head, ...lines].join('\n')}\n` };
}

/** `rules/http/streams-broadcast.facts.ts` becomes `httpStreamsBroadcast`. */
function exportNameOf(file: string): string {
  return file.replace(/^rules\/|\.facts\.ts$/g, '').replace(/[/-]+(.)/g, (_, letter: string) => letter.toUpperCase());
}
