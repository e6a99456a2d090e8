/** Values within a text for people: where they stand, and the pattern that takes them out of it. Pure. */
import { compilePattern } from '../../language/expectations/patterns.ts';

type Value = string | number;

const longestLead = 60;
const mostWords = 6;

/**
 * True if a value in a text is distinctive: a number, or a code such as `n83hd7` or `ORD-1042`, and not a word of a
 * language.
 */
export function isCode(value: Value): boolean {
  return typeof value === 'number'
    ? Number.isSafeInteger(value) && Math.abs(value) >= 1000
    : value.length >= 6 && value.length <= 200 && /\d/.test(value) && !/[\s{}]/.test(value);
}

/** Position of a value as a separate word; -1 without one. */
export function wordAt(text: string, value: string): number {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    if (!isWordy(text[at - 1]) && !isWordy(text[at + value.length])) return at;
  }
  return -1;
}

function isWordy(character: string | undefined): boolean {
  return character !== undefined && /[\w-]/.test(character);
}

/**
 * A pattern (RE2) whose first group extracts the value from the text: the shortest distinctive words before it; at the
 * begin of a line, the words after it. Undefined where no words do.
 */
export function patternFor(text: string, at: number, value: Value): string | undefined {
  const word = String(value);
  const group = typeof value === 'number' ? '(-?\\d+)' : /^[\w-]+$/.test(word) ? '([\\w-]+)' : '(\\S+)';
  const takes = (source: string): boolean => {
    const pattern = compilePattern(source);
    return 'first' in pattern && pattern.first(text) === word;
  };
  const line = text.lastIndexOf('\n', at - 1) + 1;
  const lead = text.slice(Math.max(line, at - longestLead), at);
  const behind = escaped((/^[^\d\n]{1,20}/.exec(text.slice(at + word.length)) ?? [''])[0]);
  // From the word before it towards the begin of the line.
  const starts = [...lead.matchAll(/(?:^|(?<=\s))\S/g)]
    .map(({ index }) => index)
    .toReversed()
    .slice(0, mostWords);
  for (const start of starts) {
    const words = lead.slice(start);
    // Text with digits differs from run to run.
    if (/\d/.test(words)) break;
    if (!/[A-Za-z]/.test(words)) continue;
    const source = [`${escaped(words)}${group}`, `${escaped(words)}${group.replace('+)', '+?)')}${behind}`].find(takes);
    if (source !== undefined) return source;
  }
  return lead.trim() === '' && at - lead.length === line && /[A-Za-z]/.test(behind)
    ? [`(?m)^${escaped(lead)}${group.replace('+)', '+?)')}${behind}`].find(takes)
    : undefined;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
