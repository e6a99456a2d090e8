/**
 * A short text that matches a pattern, built from the pattern and never by running it: a server's pattern may run
 * forever. Knows characters, classes, groups, alternatives and counts; gives up on everything else.
 */
import { append } from '../model/lists.ts';

interface Cursor {
  readonly source: string;
  at: number;
}

/** A part of a pattern; `make` gives a text for it, with `extra` more rounds of what may repeat without end. */
interface Part {
  make(extra: number): string;
  /** True when more rounds make the text longer. */
  grows: boolean;
}

class TooHard extends Error {}

const longest = 10_000;
const mostPatternLength = 500;

/**
 * @param least characters that the text has to have
 * @returns undefined when the pattern is beyond what is known here, or no such text is short enough
 */
export function textForPattern(pattern: string, least = 0, most = longest): string | undefined {
  // Patterns may count code units or code points; here they are the same.
  if (pattern.length > mostPatternLength || /[\ud800-\udfff]/.test(pattern)) return undefined;
  try {
    const cursor = { source: pattern, at: 0 };
    const part = alternatives(cursor, 0);
    if (cursor.at < pattern.length) return undefined;
    let text = part.make(0);
    for (let extra = 1; part.grows && text.length < least; extra += 1) {
      const longer = part.make(extra);
      if (longer.length === text.length) break;
      text = longer;
    }
    return text.length >= least && text.length <= most ? text : undefined;
  } catch (error) {
    if (error instanceof TooHard) return undefined;
    throw error;
  }
}

function alternatives(cursor: Cursor, depth: number): Part {
  if (depth > 10) throw new TooHard();
  const parts = [sequence(cursor, depth)];
  while (cursor.source[cursor.at] === '|') {
    cursor.at += 1;
    parts.push(sequence(cursor, depth));
  }
  // An element that can grow serves every length.
  return parts.find(({ grows }) => grows) ?? parts[0]!;
}

function sequence(cursor: Cursor, depth: number): Part {
  const { source } = cursor;
  const parts: Part[] = [];
  const begin = cursor.at;
  while (cursor.at < source.length && source[cursor.at] !== '|' && source[cursor.at] !== ')') {
    const character = source[cursor.at]!;
    // Anchors say nothing more at the two ends, since the text holds nothing else.
    if (character === '^' && depth === 0 && cursor.at === begin) {
      cursor.at += 1;
      continue;
    }
    if (character === '$' && depth === 0) {
      cursor.at += 1;
      if (cursor.at < source.length && source[cursor.at] !== '|') throw new TooHard();
      continue;
    }
    parts.push(counted(cursor, atom(cursor, depth)));
  }
  return {
    make: (extra) => limited(parts.map((part) => part.make(extra)).join('')),
    grows: parts.some(({ grows }) => grows),
  };
}

function limited(text: string): string {
  if (text.length > longest) throw new TooHard();
  return text;
}

function atom(cursor: Cursor, depth: number): Part {
  const character = cursor.source[cursor.at]!;
  cursor.at += 1;
  if (character === '(') return group(cursor, depth);
  if (character === '[') return literal(classMember(cursor));
  if (character === '.') return literal('a');
  if (character === '\\') return literal(escaped(cursor));
  if ('*+?{}]^$'.includes(character)) throw new TooHard();
  return literal(character);
}

function literal(text: string): Part {
  return { make: () => text, grows: false };
}

function group(cursor: Cursor, depth: number): Part {
  if (cursor.source.startsWith('?:', cursor.at)) cursor.at += 2;
  else if (cursor.source[cursor.at] === '?') throw new TooHard();
  const inside = alternatives(cursor, depth + 1);
  if (cursor.source[cursor.at] !== ')') throw new TooHard();
  cursor.at += 1;
  return inside;
}

function counted(cursor: Cursor, part: Part): Part {
  const rest = cursor.source.slice(cursor.at);
  const match = /^(?:[*+?]|\{(\d{1,4})(?:(,)(\d{0,4}))?\})\??/.exec(rest);
  if (!match) return part;
  cursor.at += match[0].length;
  const sign = match[0][0];
  const least = sign === '{' ? Number(match[1]) : sign === '+' ? 1 : 0;
  const most =
    sign === '{'
      ? match[2] === undefined
        ? least
        : match[3] === ''
          ? Infinity
          : Number(match[3])
      : sign === '?'
        ? 1
        : Infinity;
  if (most < least) throw new TooHard();
  const rounds = (extra: number): number => Math.min(least + extra, most);
  return {
    make: (extra) => {
      const text = part.make(extra);
      if (text.length * rounds(extra) > longest) throw new TooHard();
      return text.repeat(rounds(extra));
    },
    grows: most > least || part.grows,
  };
}

const classes: Record<string, string> = { d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a' };

function escaped(cursor: Cursor): string {
  const character = cursor.source[cursor.at];
  if (character === undefined) throw new TooHard();
  cursor.at += 1;
  if (Object.hasOwn(classes, character)) return classes[character]!;
  const control: Record<string, string> = { n: '\n', t: '\t', r: '\r' };
  if (Object.hasOwn(control, character)) return control[character]!;
  // Boundaries, back references, code points and properties.
  if (/[a-zA-Z0-9]/.test(character)) throw new TooHard();
  return character;
}

/** A character of a class such as [a-z0-9_]; the cursor is after the bracket. */
function classMember(cursor: Cursor): string {
  const { source } = cursor;
  const negated = source[cursor.at] === '^';
  if (negated) cursor.at += 1;
  const ranges: [number, number][] = [];
  while (source[cursor.at] !== ']') {
    const first = classCharacter(cursor, ranges);
    if (first === undefined) continue;
    const isRange = source[cursor.at] === '-' && source[cursor.at + 1] !== ']' && cursor.at + 1 < source.length;
    if (!isRange) {
      ranges.push([first, first]);
      continue;
    }
    cursor.at += 1;
    const last = classCharacter(cursor, ranges);
    if (last === undefined || last < first) throw new TooHard();
    ranges.push([first, last]);
  }
  cursor.at += 1;
  const holds = (code: number): boolean => ranges.some(([from, to]) => code >= from && code <= to) !== negated;
  const plain = [...'a1A_- .xyz0'].find((one) => holds(one.charCodeAt(0)));
  if (plain !== undefined) return plain;
  if (negated || ranges.length === 0) throw new TooHard();
  return String.fromCharCode(ranges[0]![0]);
}

const escapedRanges: Record<string, [number, number][]> = {
  d: [[48, 57]],
  w: [
    [48, 57],
    [65, 90],
    [95, 95],
    [97, 122],
  ],
  s: [
    [9, 13],
    [32, 32],
    [160, 160],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
};

/** Code of one character of a class; undefined when it was a class of its own, which then is among the ranges. */
function classCharacter(cursor: Cursor, ranges: [number, number][]): number | undefined {
  const character = cursor.source[cursor.at];
  if (character === undefined) throw new TooHard();
  cursor.at += 1;
  if (character !== '\\') return character.charCodeAt(0);
  const kind = cursor.source[cursor.at]!;
  if (kind !== undefined && Object.hasOwn(escapedRanges, kind)) {
    cursor.at += 1;
    append(ranges, escapedRanges[kind]!);
    return undefined;
  }
  if (kind !== undefined && Object.hasOwn(classes, kind)) throw new TooHard();
  return escaped(cursor).charCodeAt(0);
}
