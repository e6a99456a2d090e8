/** Generates generated/requirements.json, the compact catalogue, from rules/spec: `<revision>.md` for each revision, `ext-<name>.md` for each extension. */
import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { append } from '../../core/model/lists.ts';
import { stringifyCatalogue } from '../../core/spec/requirements/catalogue-file.ts';
import { buildCatalogue, type Catalogue } from '../../core/spec/requirements/catalogue.ts';
import { parseRequirements, type ParsedSpec } from '../../core/spec/requirements/parse-requirements.ts';
import {
  RequirementsError,
  collectProblems,
  type RequirementProblem,
} from '../../core/spec/requirements/requirements-error.ts';
import { revisions } from '../../core/spec/revisions.ts';
import type { Outputs } from './outputs.ts';

export interface SpecSource {
  /** Path for messages, ending in `<revision>.md`, or in `ext-<name>.md` for an extension. */
  file: string;
  text: string;
}

/** Where the catalogue is written, relative to the root of the project. */
export const requirementsPath = 'generated/requirements.json';

const specFolder = 'rules/spec';

/**
 * Parses and merges the specification files.
 * @throws RequirementsError with the problems of all files; also when a file holds for anything else
 *   than the revision or extension that it is named after, or a revision has no file
 */
export function catalogueFromSources(sources: readonly SpecSource[]): Catalogue {
  const specs = collectProblems(
    sources.map(
      ({ file, text }) =>
        () =>
          parseRequirements(text, file),
    ),
  );
  const problems: RequirementProblem[] = [];
  for (const spec of specs)
    append(problems, spec.extension === undefined ? problemsOfRevision(spec) : problemsOfExtension(spec));
  for (const revision of revisions) {
    if (!specs.some(({ revisions: held, extension }) => extension === undefined && held.includes(revision))) {
      problems.push({ file: `${specFolder}/${revision}.md`, line: 0, message: 'is missing' });
    }
  }
  if (problems.length > 0) throw new RequirementsError(problems);
  return buildCatalogue(specs);
}

/** Areas with this beginning are those of extensions. */
const extensionPrefix = 'ext-';
/** Identifiers with this prefix name requirements of mcpc, whose areas have no prefix. */
const ownPrefix = 'mcpc';

function problemsOfRevision({ file, revisions: held, requirements }: ParsedSpec): RequirementProblem[] {
  const [revision] = held;
  const misnamed = held.length !== 1 || revision === undefined || !file.endsWith(`${revision}.md`);
  return [
    ...(misnamed ? [{ file, line: 0, message: `holds for ${held.join(', ')}, which its name does not say` }] : []),
    ...requirements
      .filter(({ area }) => area.startsWith(extensionPrefix))
      .map(({ id, line }) => ({
        file,
        line,
        message: `"${id}" is in an area of extensions; their files say "Extension: …"`,
      })),
  ];
}

/** An extension has one area, which its file is named after: rules, `--only` and reports know it by that. */
function problemsOfExtension({ file, extension = '', requirements }: ParsedSpec): RequirementProblem[] {
  // Identifiers are keys of `_meta` that have a prefix.
  const parts = extension.split('/');
  if (parts.length !== 2 || parts.includes(''))
    return [{ file, line: 0, message: `bad extension "${extension}": use its identifier, prefix/name` }];
  const area = basename(file, '.md');
  if (!area.startsWith(extensionPrefix) && parts[0] !== ownPrefix)
    return [
      {
        file,
        line: 0,
        message: `belongs to the extension ${extension}, so its name must begin with ${extensionPrefix}`,
      },
    ];
  return requirements
    .filter((one) => one.area !== area)
    .map(({ id, line }) => ({
      file,
      line,
      message: `"${id}" must be in the area ${area}, which the file is named after`,
    }));
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
