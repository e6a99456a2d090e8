/**
 * The compact form of the catalogue in generated/requirements.json: text to data and back. One
 * requirement a line, so that a change shows as the lines it touches. Touches no file.
 */
import type { Requirement } from '../../model/rules/requirement.ts';
import { catalogueOf, type Catalogue } from './catalogue.ts';

const format = 'mcpc-requirements';
const version = 1;

/** In the file, a `reason` or `note` that there is not is left out. */
type StoredRequirement = Omit<Requirement, 'reason' | 'note'> & { reason?: string; note?: string };

/** The text of the file; the same catalogue always gives the same bytes. */
export function stringifyCatalogue(catalogue: Catalogue): string {
  const lines = catalogue.requirements.map(({ reason, note, ...rest }) => {
    const stored: StoredRequirement = { ...rest };
    if (reason !== null) stored.reason = reason;
    if (note !== null) stored.note = note;
    return JSON.stringify(stored);
  });
  return `{"format":"${format}","version":${version},"requirements":[\n${lines.join(',\n')}\n]}\n`;
}

/**
 * Reads what `stringifyCatalogue` wrote. The content is trusted, as it is ours and generated; only the
 * envelope is looked at.
 * @throws SyntaxError for text that is no such file
 */
export function parseCatalogue(text: string): Catalogue {
  const file: unknown = JSON.parse(text);
  if (!isCatalogueFile(file)) throw new SyntaxError(`not a ${format} file of version ${version}`);
  return catalogueOf(
    file.requirements.map((stored) => ({ ...stored, reason: stored.reason ?? null, note: stored.note ?? null })),
  );
}

function isCatalogueFile(value: unknown): value is { requirements: StoredRequirement[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'format' in value &&
    value.format === format &&
    'version' in value &&
    value.version === version &&
    'requirements' in value &&
    Array.isArray(value.requirements)
  );
}
