/** Generates generated/requirements.json, the compact catalogue, from rules/spec/<revision>.md. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { stringifyCatalogue } from '../../spec/requirements/catalogue-file.ts';
import { buildCatalogue, type Catalogue } from '../../spec/requirements/catalogue.ts';
import { parseRequirements } from '../../spec/requirements/parse-requirements.ts';
import { RequirementsError, collectProblems, type RequirementProblem } from '../../spec/requirements/requirements-error.ts';
import { revisions } from '../../spec/revisions.ts';
import type { Outputs } from './outputs.ts';

export interface SpecSource {
  /** Path for messages, ending in `<revision>.md`. */
  file: string;
  text: string;
}

/** Where the catalogue is written, relative to the root of the project. */
export const requirementsPath = 'generated/requirements.json';

const specFolder = 'rules/spec';

/**
 * Parses and merges the specification files.
 * @throws RequirementsError with the problems of all files; also when a file holds for anything else
 *   than the revision that it is named after, or a revision has no file
 */
export function catalogueFromSources(sources: readonly SpecSource[]): Catalogue {
  const specs = collectProblems(sources.map(({ file, text }) => () => parseRequirements(text, file)));
  const problems: RequirementProblem[] = [];
  for (const { file, revisions: held } of specs) {
    const [revision] = held;
    if (held.length !== 1 || revision === undefined || !file.endsWith(`${revision}.md`)) {
      problems.push({ file, line: 0, message: `holds for ${held.join(', ')}, which its name does not say` });
    }
  }
  for (const revision of revisions) {
    if (!specs.some(({ revisions: held }) => held.includes(revision))) {
      problems.push({ file: `${specFolder}/${revision}.md`, line: 0, message: 'is missing' });
    }
  }
  if (problems.length > 0) throw new RequirementsError(problems);
  return buildCatalogue(specs);
}

/** The content of generated/requirements.json; the order of the sources does not matter. */
export function renderRequirements(sources: readonly SpecSource[]): string {
  return stringifyCatalogue(catalogueFromSources(sources));
}

/** Reads rules/spec/*.md below `root`, sorted by name. */
export async function readSpecSources(root: string): Promise<SpecSource[]> {
  const names = (await readdir(join(root, specFolder))).filter((name) => name.endsWith('.md')).sort();
  return Promise.all(
    names.map(async (name) => ({
      file: `${specFolder}/${name}`,
      text: await readFile(join(root, specFolder, name), 'utf8'),
    })),
  );
}

/** The generator of the catalogue. */
export async function generateRequirements(root: string): Promise<Outputs> {
  return { [requirementsPath]: renderRequirements(await readSpecSources(root)) };
}
