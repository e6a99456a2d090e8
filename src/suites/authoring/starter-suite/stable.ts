/** The common part of several values, and its possibly varying places. Pure. */
import { isObject } from '../../../core/model/json.ts';
import { append } from '../../../core/model/lists.ts';

type Json = Record<string, unknown>;

/** Texts that change with the time or the run although they were equal each time. */
const passing =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\d(?!\d)|(?<!\d)\d\d:\d\d:\d\d|(?<!\d)1[5-9]\d{8,11}(?!\d)/i;

/**
 * Times, dates and ids of a run, and what is so on one machine alone.
 * @param places paths and names of this machine
 */
export function isPassing(text: string, places: readonly string[]): boolean {
  return passing.test(text) || places.some((place) => text.includes(place));
}

export interface Common {
  /** The equal part; absent without one. */
  value?: unknown;
  /** Varying or secret places, such as `$.time`, with the type of the value. */
  volatile: { path: string[]; type: string }[];
}

/**
 * The part that is the same in all values: of objects the members, of lists of one length the list. A list with an
 * entirely different item is left out.
 * @param keep true if a text or number may be written
 */
export function commonPart(
  values: readonly unknown[],
  keep: (value: unknown) => boolean,
  path: string[] = ['$'],
): Common {
  const [first] = values;
  if (values.every(isObject)) {
    const value: Json = {};
    const volatile: Common['volatile'] = [];
    for (const name of Object.keys(first as Json)) {
      if (!values.every((one) => Object.hasOwn(one as Json, name))) continue;
      const inner = commonPart(
        values.map((one) => (one as Json)[name]),
        keep,
        [...path, name],
      );
      if ('value' in inner) value[name] = inner.value;
      append(volatile, inner.volatile);
    }
    return { value, volatile };
  }
  if (values.every(Array.isArray) && values.every((one) => one.length === (first as unknown[]).length)) {
    const items = (first as unknown[]).map((_one, index) =>
      commonPart(
        values.map((one) => (one as unknown[])[index]),
        keep,
        [...path, `[${index}]`],
      ),
    );
    const whole = items.every((item) => 'value' in item);
    return whole
      ? { value: items.map(({ value }) => value), volatile: items.flatMap(({ volatile }) => volatile) }
      : { volatile: [{ path, type: 'array' }] };
  }
  const same = values.every((one) => JSON.stringify(one) === JSON.stringify(first));
  return same && keep(first) ? { value: first, volatile: [] } : { volatile: [{ path, type: typeOf(values) }] };
}

function typeOf(values: readonly unknown[]): string {
  const names = new Set(values.map((one) => (one === null ? 'null' : Array.isArray(one) ? 'array' : typeof one)));
  return names.size === 1 ? [...names][0]! : 'any';
}

/** Words joined by dots, colons and dashes, such as times and ids, are one token; so are blanks. */
const token = /[\p{L}\p{N}_]+(?:[.:+-][\p{L}\p{N}_]+)*|\s+|[^\p{L}\p{N}_\s]/gu;

/**
 * A pattern (RE2) for all texts, with differences in words or numbers; undefined when they have too little in common.
 * @param places texts that must not be written anywhere, such as paths of this machine
 */
export function commonPattern(
  texts: readonly string[],
  keep: (text: string) => boolean,
  places: readonly string[] = [],
): string | undefined {
  const known = places.toSorted((one, other) => other.length - one.length);
  const lists = texts.map((text) => tokensOf(text.trim(), known));
  const [first = []] = lists;
  if (first.length > 400 || !lists.every((list) => list.length === first.length)) return undefined;
  let kept = 0;
  const pattern = first.map((one, index) => {
    const all = lists.map((list) => list[index]!);
    if (/^\s+$/.test(one)) return String.raw`\s+`;
    if (known.includes(one)) return '.+';
    if (all.every((other) => other === one) && keep(one)) {
      kept += one.length;
      return literal(one);
    }
    return all.every((other) => /^\d+$/.test(other))
      ? String.raw`\d+`
      : all.every((other) => /^[\d.]+$/.test(other))
        ? String.raw`[\d.]+`
        : String.raw`\S+`;
  });
  const around = (trimmed: (text: string) => string): string =>
    texts.every((text) => text === trimmed(text)) ? '' : String.raw`\s*`;
  return kept < 3
    ? undefined
    : `^${around((text) => text.trimStart())}${pattern.join('')}${around((text) => text.trimEnd())}$`;
}

/** @param places each is a token of its own, longer ones first */
function tokensOf(text: string, places: readonly string[]): string[] {
  const apart = (part: string, place: string): string[] =>
    part.split(place).flatMap((piece, index) => (index === 0 ? [piece] : [place, piece]));
  const parts = places.reduce<string[]>(
    (list, place) => list.flatMap((part) => (places.includes(part) ? [part] : apart(part, place))),
    [text],
  );
  return parts.flatMap((part) => (places.includes(part) ? [part] : (part.match(token) ?? [])));
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
