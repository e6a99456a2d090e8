/** Servers of existing files that a fleet file includes: of MCP clients, and server.json of the MCP registry. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';
import { pathFrom } from '../../files/config/variables.ts';
import { McpcError, usageError } from '../../core/model/errors.ts';
import type { UnreadServer } from '../../core/model/reports/fleet.ts';
import { suggestion } from '../../core/model/suggestion.ts';
import type { EntryDraft, FileInclude } from './fleet-file.ts';
import { candidatesIn, type Around, type Candidate } from './included-file.ts';
import { nameMatcher } from './select-entries.ts';

export interface Included {
  drafts: EntryDraft[];
  /** Servers that the files have and that cannot be checked, with the reason. */
  unread: UnreadServer[];
  notices: string[];
}

/**
 * A server that cannot be read stops no other one, unless it is named. What is chosen and left out is so before
 * anything of a server is looked at.
 *
 * @throws McpcError usage for files that are missing or wrong, names that there are not, and for a server that `only`
 *   names and that cannot be read
 */
export function includedServers(include: FileInclude, around: Around): Included {
  const { at } = around;
  const notices: string[] = [];
  const files = filesOf(include, around, notices);
  const found = files.map(({ file, named }) => candidatesOf(file, named, include, around, notices));
  const all = found.flat();
  const names = all.map(({ bare }) => bare);
  const only = include.only?.map((pattern) => fitting(pattern, 'only', names, at));
  const skip = include.skip?.map((pattern) => fitting(pattern, 'skip', names, at)) ?? [];
  const chosen = all.filter(
    ({ bare }) => (only === undefined || only.some((fits) => fits(bare))) && !skip.some((fits) => fits(bare)),
  );
  const drafts: EntryDraft[] = [];
  const unread: UnreadServer[] = [];
  for (const one of chosen) {
    if (one.off) {
      notices.push(`${one.from}: server "${one.bare}" is disabled there and left out.`);
      continue;
    }
    const read = readCandidate(one, include.only?.includes(one.bare) === true);
    if ('why' in read) unread.push(read);
    else drafts.push(read);
  }
  return { drafts, unread, notices };
}

function readCandidate(one: Candidate, named: boolean): EntryDraft | UnreadServer {
  const { name, from } = one;
  if ('why' in one) {
    if (named) throw usageError(`${from}: server "${one.bare}": ${one.why}.`, 'Name another server with "only".');
    return { name, from, why: one.why };
  }
  try {
    return one.read();
  } catch (error) {
    if (!(error instanceof McpcError) || named) throw error;
    const start = `${from}: server "${one.bare}": `;
    const why = error.message.startsWith(start) ? error.message.slice(start.length) : error.message;
    const whole = [why, error.remedy].filter((part) => part !== undefined).join(' ');
    return { name, from, why: whole.replace(/\.$/, '') };
  }
}

/** Servers of the matching files; files of other kinds in a pattern only get a note. */
function candidatesOf(
  file: string,
  named: boolean,
  include: FileInclude,
  around: Around,
  notices: string[],
): Candidate[] {
  try {
    return candidatesIn(file, include, around);
  } catch (error) {
    if (named || !(error instanceof McpcError) || !error.message.includes(' has no servers')) throw error;
    notices.push(`${around.at}: ${error.message}`);
    return [];
  }
}

interface FoundFile {
  file: string;
  /** The file itself is named, not a pattern that it fits. */
  named: boolean;
}

function filesOf({ files }: FileInclude, { at, folder, env }: Around, notices: string[]): FoundFile[] {
  const found = new Map<string, FoundFile>();
  for (const pattern of [files].flat()) {
    const path = pathFrom(folder, pattern, env);
    // A path that exists is meant as it is, whatever signs of a glob it has.
    if (!isDynamicPattern(pattern) || existsSync(path)) {
      if (!existsSync(path))
        throw usageError(
          `${at}: there is no file ${pattern}.`,
          'Paths are relative to the fleet file. A glob may fit nothing.',
        );
      found.set(path, { file: path, named: true });
      continue;
    }
    const homed = pattern.startsWith('~/') ? pathFrom(folder, '~', env) : folder;
    const matched = globSync(pattern.replace(/^~\//, ''), {
      cwd: homed,
      dot: true,
      absolute: true,
      onlyFiles: true,
      ignore: ['**/node_modules/**'],
      expandDirectories: false,
    })
      .map((file) => resolve(file))
      .sort();
    if (matched.length === 0) notices.push(`${at}: no file fits ${pattern}.`);
    for (const file of matched) if (!found.has(file)) found.set(file, { file, named: false });
  }
  return [...found.values()];
}

function fitting(pattern: string, member: string, names: readonly string[], at: string): (name: string) => boolean {
  const fits = nameMatcher(pattern);
  if (!names.some(fits)) {
    throw usageError(
      `${at}: ${member}: "${pattern}" fits no server of the files.${suggestion(pattern, names)}`,
      `Servers there: ${names.slice(0, 20).join(', ') || 'none'}.`,
    );
  }
  return fits;
}
