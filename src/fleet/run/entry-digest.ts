/** Detects if an entry is still the same server with the same settings. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FleetEntry } from '../../check/settings/fleet-entry.ts';

/**
 * Digest of all that a check of the entry rests on, its files of hints, baseline and suites with what they hold. It
 * excludes values for readers (tags, owner, place in the file) and the values of variables, so it contains no secret.
 * Folders are: it is the same on machines that have the fleet at one path.
 */
export function entryDigest(entry: FleetEntry): string {
  const {
    name: _name,
    id: _id,
    from: _from,
    base: _base,
    folder: _folder,
    tags: _tags,
    owner: _owner,
    expectedGrade: _grade,
    hints,
    baseline,
    suites,
    fixture,
    ...rest
  } = entry;
  const parts = {
    ...rest,
    ...(rest.reach.kind === 'driver' ? { driver: contentOf(rest.reach.driver) } : {}),
    hints: contentOf(hints),
    baseline: contentOf(baseline),
    ...(suites === undefined
      ? {}
      : { suites: suites.map(contentsOf), fixture: fixture === undefined ? null : contentsOf(fixture) }),
  };
  return createHash('sha256')
    .update(JSON.stringify(sorted(parts)))
    .digest('hex')
    .slice(0, 16);
}

function contentOf(file: string | undefined): string | null {
  if (file === undefined) return null;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The user of the file decides if it may be missing.
    return '';
  }
}

/** Names and contents of the files of a folder, or the content of a file. */
function contentsOf(place: string): unknown {
  try {
    if (!statSync(place).isDirectory()) return contentOf(place);
    const names = readdirSync(place, { recursive: true, encoding: 'utf8' }).toSorted();
    return names.map((name) => [name, statSync(join(place, name)).isDirectory() ? null : contentOf(join(place, name))]);
  } catch {
    return '';
  }
}

/** Members in one order, however the file had them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
