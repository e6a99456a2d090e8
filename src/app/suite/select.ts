/** Chooses cases by name, tag and share. Pure. */
import picomatch from 'picomatch';
import { usageError } from '../../model/errors.ts';
import type { SuiteCase } from '../../suite/model.ts';

export interface CaseSelection {
  /** Globs, or patterns as /regex/ or /regex/i, over names. */
  filters: readonly string[];
  tags: readonly string[];
  skipTags: readonly string[];
  /** As 2/4. */
  shard?: string;
}

/** @throws McpcError usage for a filter or share that cannot be read */
export function selectCases(cases: readonly SuiteCase[], { filters, tags, skipTags, shard }: CaseSelection): SuiteCase[] {
  const fits = filters.map(filterOf);
  const chosen = cases.filter(
    ({ name, tags: own }) => (fits.length === 0 || fits.some((fit) => fit(name))) && (tags.length === 0 || tags.some((tag) => own.includes(tag))) && !skipTags.some((tag) => own.includes(tag)),
  );
  if (shard === undefined) return chosen;
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(shard) ?? [];
  const [index, count] = [Number(part), Number(parts)];
  if (!(index >= 1 && index <= count)) throw usageError(`--shard takes a part such as 2/4, not "${shard}".`, 'The first number is from 1 to the second.');
  return chosen.filter((_one, at) => at % count === index - 1);
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
    return (name) => regex.test(name);
  } catch (error) {
    throw usageError(`--filter ${text}: ${(error as Error).message}`, 'Write a pattern of JavaScript between the slashes.', error);
  }
}
