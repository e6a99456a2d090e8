/**
 * Meaning of a tool's name: it reads, it changes something, or neither. Pure; it knows the table of verbs and no
 * annotation.
 */
import {
  actsOnLists,
  arithmetic,
  closingReaders,
  connectives,
  damagingNouns,
  damagingPrefixes,
  damagingStems,
  damagingVerbs,
  mostlyNouns,
  numberWords,
  otherWords,
  participles,
  readingNouns,
  readingPrefixes,
  readingVerbs,
  stateWords,
  verbsInFront,
} from './verb-table.ts';

export interface NameReading {
  says: 'reads' | 'damages' | 'sums' | 'nothing';
  /** The word that decided, in lower case; absent when nothing did. */
  word?: string;
}

/** Longest part of a name that is read; a longer name never counts as reading. */
const longestName = 200;

/** Reads the name of a tool: `get_issue`, `github.getIssue`, `delete-all`. */
export function readName(name: string): NameReading {
  const segments = segmentsOf(name.slice(0, longestName))
    .map(wordsOf)
    .filter((words) => words.length > 0);
  const last = segments.at(-1) ?? [];
  const [first = '', ...others] = last;
  const sums = arithmetic.has(first) && others.every((word) => numberWords.has(word));
  for (const words of segments) {
    const word = sums && words === last ? undefined : damageIn(words);
    if (word !== undefined) return { says: 'damages', word };
  }
  if (name.length > longestName) return { says: 'nothing' };
  if (sums) return { says: 'sums', word: first };
  // The part before a separator of namespaces is the name of a server or of a kind of things.
  if (readingVerbs.has(first) || hasReadingPrefix(first)) return { says: 'reads', word: first };
  if (last.length > 0 && last.every((word) => readingVerbs.has(word) || stateWords.has(word)))
    return { says: 'reads', word: first };
  return { says: 'nothing' };
}

/** Parts between the separators of namespaces: slash, dot, colon and two underscores. */
function segmentsOf(name: string): string[] {
  return name.split(/[/.:]|__/);
}

/** The words of a name, in lower case: `getIssue`, `get_issue` and `get-issue` are the same; digits are no words. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** The word by which a name says that something is changed. */
function damageIn(words: readonly string[]): string | undefined {
  const plain = words.find((word) => isDamagingWord(word));
  if (plain !== undefined) return plain;
  // `check_in` and `sign_up` are verbs of two words.
  const pair = words.findIndex(
    (word, at) =>
      (word === 'check' || word === 'log' || word === 'sign' || word === 'opt') &&
      ['in', 'out', 'up', 'off'].includes(words[at + 1] ?? ''),
  );
  if (pair !== -1) return `${words[pair]} ${words[pair + 1]}`;
  return words.find((word, at) => damagingNouns.has(word) && isVerbAt(words, at));
}

/** True if a word that may be a noun is the verb of the name. */
function isVerbAt(words: readonly string[], at: number): boolean {
  const word = words[at]!;
  if (at > 0 && connectives.has(words[at - 1]!)) return true;
  const reader = words.findIndex((one) => readingVerbs.has(one) || hasReadingPrefix(one));
  if (reader !== -1 && reader < at) return readingNouns.has(words[reader]!) && at === words.length - 1;
  if (mostlyNouns.has(word) || (at > 0 && verbsInFront.has(word))) return false;
  const end = words.at(-1)!;
  const isNoun =
    at < words.length - 1 &&
    closingReaders.has(end) &&
    !(actsOnLists.has(word) && (end === 'list' || end === 'search'));
  return !isNoun;
}

function isDamagingWord(word: string): boolean {
  if (damagingVerbs.has(word) || damagingVerbs.has(baseOf(word))) return true;
  if (participles.has(word) || otherWords.has(word)) return false;
  if (damagingPrefixes.some((prefix) => word.startsWith(prefix) && word.length > prefix.length + 2)) return true;
  return damagingStems.some((stem) => word.includes(stem) && !participleOf(word));
}

/** `undeletedFiles` is about what was deleted, not an act. */
function participleOf(word: string): boolean {
  return [...participles].some((one) => word.endsWith(one));
}

/** The base form of the third person: `deletes`, `publishes`, `applies`. */
function baseOf(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:sh|ch|s|x|z)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && word.length > 4 ? word.slice(0, -1) : word;
}

function hasReadingPrefix(word: string): boolean {
  return (
    !readingVerbs.has(word) &&
    !otherWords.has(word) &&
    readingPrefixes.some(
      (prefix) =>
        word.startsWith(prefix) && word.length >= prefix.length + 3 && !changesInside(word.slice(prefix.length)),
    )
  );
}

/** `getanddelete`, `findorcreate`. */
function changesInside(rest: string): boolean {
  return (
    damagingStems.some((stem) => rest.includes(stem)) ||
    damagingPrefixes.some((prefix) => rest.includes(prefix)) ||
    /^(?:and|or|then)/.test(rest)
  );
}
