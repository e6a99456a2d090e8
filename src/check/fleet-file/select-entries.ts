/** Picks servers of a fleet: by name, tag, owner and revision, and one share of several. Pure. */
import picomatch from 'picomatch';
import { usageError } from '../../core/model/errors.ts';
import type { Fleet, FleetEntry } from '../settings/fleet-entry.ts';
import { serverIdOf } from './entry-revisions.ts';
import { suggestion } from '../../core/model/suggestion.ts';

export interface EntrySelection {
  /** Names, globs over names, `tag:GLOB`, `owner:GLOB`, `spec:GLOB`; empty means all. */
  only: readonly string[];
  skip: readonly string[];
  /** `i/n`, i from 1 to n: every n-th of the servers that are left. */
  shard?: string;
}

/**
 * The entries in the order of the file. An empty list only comes from an empty shard.
 * @throws McpcError usage for a pattern without a match, an invalid shard, and an empty selection
 */
export function selectEntries(fleet: Fleet, { only, skip, shard }: EntrySelection): FleetEntry[] {
  if (fleet.entries.length === 0) throw nothingIn(fleet);
  const wanted = only.map((pattern) => matcherOf(pattern, '--only', fleet));
  const unwanted = skip.map((pattern) => matcherOf(pattern, '--skip', fleet));
  const left = fleet.entries.filter(
    (entry) => (wanted.length === 0 || wanted.some((fits) => fits(entry))) && !unwanted.some((fits) => fits(entry)),
  );
  if (left.length === 0)
    throw usageError(
      'No server is left.',
      'What --only takes, --skip must not leave out. `mcpc fleet list` shows what there is.',
    );
  if (shard === undefined) return left;
  const [part, of] = partOf(shard);
  // Every n-th, so that neighbours, which are often alike and alike slow, are spread.
  // The revisions of one server stay together: whether it speaks any of them shows in one share.
  const servers = [...new Set(left.map(serverIdOf))];
  const own = new Set(servers.filter((_, index) => index % of === part - 1));
  return left.filter((entry) => own.has(serverIdOf(entry)));
}

/** The error of a file without a server that can be checked: why those cannot that it has. */
function nothingIn({ file, unread, notices }: Fleet): Error {
  const why = [...unread.map(({ name, from, why: reason }) => `${from}: server "${name}": ${reason}.`), ...notices];
  if (why.length === 0)
    return usageError(`${file} names no servers.`, 'Name some under "servers", or files of them under "include".');
  const more = why.length > maxReported ? `\nand ${why.length - maxReported} more` : '';
  return usageError(
    `${file} names no server that can be checked:\n${why.slice(0, maxReported).join('\n')}${more}`,
    'Fix what is said of one of them, or name other files under "include".',
  );
}

/** Number of servers that cannot be checked in an error message. */
const maxReported = 8;

/** Fits a name: it itself, or a glob whose stars go over slashes too. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const fits = picomatch(pattern, { bash: true, dot: true });
  return (name) => name === pattern || fits(name);
}

/** A name as a pattern that fits nothing else. */
export function literalPattern(name: string): string {
  return name.replace(/[\\*?[\]{}()!+@|]/g, '\\$&');
}

function matcherOf(pattern: string, flag: string, fleet: Fleet): (entry: FleetEntry) => boolean {
  const [, kind, rest] = /^(tag|owner|spec):(.+)$/s.exec(pattern) ?? [];
  const fits = nameMatcher(rest ?? pattern);
  const namesOf = (entry: FleetEntry): readonly string[] =>
    kind === 'tag'
      ? entry.tags
      : kind === 'owner'
        ? [entry.owner ?? '']
        : kind === 'spec'
          ? [entry.spec]
          : entry.base === undefined
            ? [entry.name]
            : [entry.name, entry.base.name];
  const matches = (entry: FleetEntry): boolean => namesOf(entry).some(fits);
  // A server selected by name gets an error if it cannot be checked; a pattern may fit others.
  const unread = kind === undefined ? fleet.unread.filter(({ name }) => fits(name)) : [];
  const named = flag === '--only' ? unread.find(({ name }) => name === pattern) : undefined;
  if (named !== undefined)
    throw usageError(
      `${named.from}: server "${named.name}": ${named.why}.`,
      `Fix the file, or leave out ${flag} ${pattern}.`,
    );
  if (!fleet.entries.some(matches) && (flag === '--only' || unread.length === 0)) {
    const known = [...new Set(fleet.entries.flatMap(namesOf))];
    throw usageError(
      `${flag} ${pattern} fits no server of ${fleet.file}.${suggestion(rest ?? pattern, known)}`,
      'Patterns are names, globs over names, tag:NAME, owner:NAME and spec:REVISION. `mcpc fleet list` shows what there is.',
    );
  }
  return matches;
}

function partOf(shard: string): [part: number, of: number] {
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(shard.trim());
  const [part, of] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || part < 1 || part > of)
    throw usageError(
      `--shard takes i/n with i from 1 to n, not "${shard}".`,
      'For example --shard 2/4 for the second of four.',
    );
  return [part, of];
}
