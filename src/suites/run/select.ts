/** Chooses cases by name, tag and share. Pure. */
import { createHash } from 'node:crypto';
import picomatch from 'picomatch';
import { usageError } from '../../core/model/errors.ts';
import type { SuiteCase } from '../language/model.ts';

export interface CaseSelection {
  /** Globs, or patterns as /regex/ or /regex/i, over names; or ids. */
  filters: readonly string[];
  tags: readonly string[];
  skipTags: readonly string[];
  /** As 2/4. */
  shard?: string;
  /** Ids of the only ones to take. */
  only?: ReadonlySet<string>;
  /** Seed of an order of chance. */
  shuffle?: number;
}

/** @throws McpcError usage for a filter or share that cannot be read */
export function selectCases(
  cases: readonly SuiteCase[],
  { filters, tags, skipTags, shard, only, shuffle }: CaseSelection,
): SuiteCase[] {
  const fits = filters.map(filterOf);
  const fitting = cases.filter(
    ({ id, name, tags: own }) =>
      only?.has(id) !== false &&
      (fits.length === 0 || fits.some((fit) => fit(name)) || filters.includes(id)) &&
      (tags.length === 0 || tags.some((tag) => own.includes(tag))) &&
      !skipTags.some((tag) => own.includes(tag)),
  );
  const chosen = shuffle === undefined ? fitting : shuffled(fitting, shuffle);
  if (shard === undefined) return chosen;
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(shard) ?? [];
  const [index, count] = [Number(part), Number(parts)];
  if (!(index >= 1 && index <= count))
    throw usageError(`--shard takes a part such as 2/4, not "${shard}".`, 'The first number is from 1 to the second.');
  return chosen.filter((_one, at) => at % count === index - 1);
}

/** The same order for the same seed, whatever else is chosen. */
function shuffled(cases: readonly SuiteCase[], seed: number): SuiteCase[] {
  const keyOf = ({ id }: SuiteCase): string => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  return cases
    .map((one) => ({ one, key: keyOf(one) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ one }) => one);
}

function filterOf(text: string): (name: string) => boolean {
  const [, pattern, flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
  if (pattern === undefined) {
    // Names are sentences, in which slashes and brackets have no meaning.
    const glob = picomatch(text.replaceAll('/', '\u0000'), { nobrace: true, noext: true, dot: true });
    return (name) => name === text || glob(name.replaceAll('/', '\u0000'));
  }
  try {
    const regex = new RegExp(pattern, flags.replace(/[gy]/g, ''));
    return (name) => name === text || regex.test(name);
  } catch (error) {
    throw usageError(
      `--filter ${text}: ${(error as Error).message}`,
      'Write a pattern of JavaScript between the slashes.',
      error,
    );
  }
}
