/** Writes generated/mutations.json from the mutations of our rules, which is where the reference server takes them from. */
import { compileOwnRules } from '../../check/project.ts';
import { compileMutations } from '../../core/rules/compile-mutation.ts';
import type { Outputs } from './outputs.ts';
import { catalogueFromSources, readSpecSources } from './requirements.ts';

/** The generator of the list of mutations. */
export async function generateMutations(root: string): Promise<Outputs> {
  const { sources, plan } = compileOwnRules(catalogueFromSources(await readSpecSources(root)), root);
  const files = new Map(sources.map(({ id, rule }) => [id, rule]));
  const mutations = plan.rules.flatMap((rule) =>
    rule.role === 'server' ? compileMutations(files.get(rule.id)!, rule) : [],
  );
  return { 'generated/mutations.json': `[${mutations.map((one) => `\n  ${JSON.stringify(one)}`).join(',')}\n]\n` };
}
