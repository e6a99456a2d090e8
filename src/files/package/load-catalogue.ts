/**
 * Loads the requirements that a run works with: the generated catalogue (no Markdown is parsed for it,
 * so that a command starts fast) and the user's own files. The only module of `spec` that reads files.
 */
import { readFileSync } from 'node:fs';
import { McpcError, usageError } from '../../core/model/errors.ts';
import { readMaybePacked } from './packed-files.ts';
import { parseCatalogue } from '../../core/spec/requirements/catalogue-file.ts';
import { withHouseRequirements, type Catalogue } from '../../core/spec/requirements/catalogue.ts';
import { parseRequirements, type ParsedSpec } from '../../core/spec/requirements/parse-requirements.ts';
import { collectProblems } from '../../core/spec/requirements/requirements-error.ts';
import { asText } from '../../core/model/json.ts';

export interface CatalogueSources {
  /** Path of generated/requirements.json. */
  generated: string;
  /** Paths of the user's own requirement files (Markdown). */
  house?: readonly string[];
}

/**
 * Reads the catalogue.
 * @throws McpcError `usage` for a house file that cannot be read, RequirementsError (also `usage`) with
 *   every problem of all house files, McpcError `internal` for a damaged installation
 */
export function loadCatalogue({ generated, house = [] }: CatalogueSources): Catalogue {
  const official = loadGenerated(generated);
  return house.length === 0 ? official : withHouseRequirements(official, loadRequirementFiles(house));
}

/**
 * Reads and parses requirement files.
 * @throws McpcError `usage` for a file that cannot be read, RequirementsError with the problems of all
 */
export function loadRequirementFiles(paths: readonly string[]): ParsedSpec[] {
  const texts = paths.map((path) => ({ path, text: readText(path) }));
  return collectProblems(
    texts.map(
      ({ path, text }) =>
        () =>
          parseRequirements(text, path),
    ),
  );
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : asText(error);
    throw usageError(
      `Cannot read the requirement file ${path}: ${why}`,
      'Check the path given with --requirements.',
      error,
    );
  }
}

function loadGenerated(path: string): Catalogue {
  try {
    return parseCatalogue(readMaybePacked(path));
  } catch (error) {
    const why = error instanceof Error ? error.message : asText(error);
    throw new McpcError('internal', `Cannot load the requirement catalogue ${path}: ${why}`, {
      remedy: 'Reinstall mcpc; in a checkout, run npm run generate.',
      cause: error,
    });
  }
}
