/** A file that says what a client declares and answers, outside of suites. */
import type { ClientFeatures } from '../model.ts';
import { checkPart } from './check.ts';
import { readFeatures } from './features-part.ts';
import { partOf } from '../part.ts';
import { readYaml, type Problem } from '../yaml-source.ts';

/**
 * A file that holds nothing else: JSON or YAML with roots, sampling and elicitation, as `client_capabilities` of a suite.
 * @returns undefined where it declares nothing, and the problems of it
 */
export function readFeaturesFile(text: string): { features: ClientFeatures | undefined; problems: Problem[] } {
  const { documents, problems } = readYaml(text);
  const [document] = documents;
  if (document === undefined) return { features: undefined, problems };
  const part = partOf(document);
  const all = [...problems, ...checkPart(document, part, 'client-capabilities', true)];
  return { features: all.some(({ severity }) => severity === 'error') ? undefined : readFeatures(part), problems: all };
}
