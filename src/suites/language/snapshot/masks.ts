/**
 * Values that differ from run to run without a change, replaced by their kind: times, ids, hashes, ports, durations,
 * and paths of this machine. Pure.
 */
import { isObject } from '../../../core/model/json.ts';
import { revisions } from '../../../core/spec/revisions.ts';
import { jsonOf, parseJson } from '../json-text.ts';

type Json = Record<string, unknown>;

/** A path of this machine, and the word that stands for it, as `<tmp>`. */
export interface MaskedPlace {
  path: string;
  word: string;
}

const dates: ReadonlySet<string> = new Set(revisions);

const masks: readonly [RegExp, string | ((found: string, ...groups: string[]) => string)][] = [
  [/(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])/gi, '<uuid>'],
  [
    /(?<!\d)\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?(?!\d)/g,
    '<time>',
  ],
  // Dates of HTTP and of Date.toString.
  [
    /(?<![A-Za-z])(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d{1,2} [A-Z][a-z]{2}|[A-Z][a-z]{2} \d{1,2}),? \d{4} \d\d:\d\d:\d\d(?: ?(?:GMT|UTC)(?:[+-]\d{4})?)?(?: \([A-Za-z ]{1,60}\))?/g,
    '<time>',
  ],
  // Revisions of the specification are names.
  [/(?<![\d-])\d{4}-\d\d-\d\d(?![\d-])/g, (date) => (dates.has(date) ? date : '<date>')],
  [/(?<![\d:])\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?[AP]M)?(?![\d:])/gi, '<time>'],
  // Seconds or milliseconds since 1970, from 2017 to 2033.
  [/(?<![\d.])1[5-9]\d{8}(?:\d{3})?(?:\.\d{1,9})?(?!\d|\.\d)/g, '<time>'],
  [
    /(?<![0-9a-z])(?:[0-9a-f]{128}|[0-9a-f]{96}|[0-9a-f]{64}|[0-9a-f]{56}|[0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-z])/gi,
    '<hash>',
  ],
  [/(?<![\w.])(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d{1,5}(?!\d)/gi, (_found, host) => `${host}:<port>`],
  [/(?<![A-Za-z])(port[ =:]{1,3})\d{4,5}(?!\d)/gi, (_found, before) => `${before}<port>`],
  [
    /(?<![\w.])\d{1,15}(?:\.\d{1,15})? ?(?:ns|us|µs|μs|ms|s|(?:nano|micro|milli)?sec(?:ond)?s?|millis)(?!\w)/g,
    '<duration>',
  ],
];

/** Members whose number is a duration. */
const durations =
  /(?:^|_|-)(?:duration|elapsed|uptime|latency|took)(?:$|_|-|[A-Z])|(?:Duration|Elapsed|Uptime|Latency|Took)(?![a-z])/;

export interface Masks {
  text(text: string): string;
  /** A copy; JSON within texts is treated as the same data would be, and written with an indentation of two. */
  value(value: unknown): unknown;
}

/** @param places the first that fits counts */
export function createMasks(places: readonly MaskedPlace[]): Masks {
  const known = places
    .filter(({ path }) => path.length > 3)
    .toSorted((one, other) => other.path.length - one.path.length);

  function text(given: string): string {
    let masked = given;
    for (const { path, word } of known) if (masked.includes(path)) masked = withoutPlace(masked, path, word);
    for (const [pattern, kind] of masks) masked = masked.replace(pattern, kind as string);
    return masked;
  }

  function string(given: string): string {
    const inner = jsonWithin(given);
    return inner === undefined ? text(given) : jsonOf(value(inner.value), 2);
  }

  function value(given: unknown, name = ''): unknown {
    if (typeof given === 'string') return string(given);
    if (typeof given === 'number' || typeof given === 'bigint')
      return durations.test(name) ? '<duration>' : number(given);
    if (Array.isArray(given)) return given.map((one) => value(one, name));
    if (!isObject(given)) return given;
    const members: Json = {};
    for (const [key, one] of Object.entries(given)) {
      const masked = text(key);
      define(members, masked === key ? key : free(members, masked), value(one, key));
    }
    return members;
  }

  /** The only recognisable kind of a number is a time. */
  function number(given: number | bigint): unknown {
    return text(String(given)) === '<time>' ? '<time>' : given;
  }

  return { text, value };
}

/** A path counts where it ends as a whole; below the folder of temporary files the next name is made up. */
function withoutPlace(text: string, path: string, word: string): string {
  const parts = text.split(path);
  let result = parts[0]!;
  for (const part of parts.slice(1)) {
    if (/^[\w-]/.test(part)) result += path + part;
    else result += word + (word === '<tmp>' ? part.replace(/^[\\/][^\\/\s"'\x60<>|:;,]{1,255}/, '') : part);
  }
  return result;
}

/** The object or list that a text is the JSON of. */
export function jsonWithin(text: string): { value: unknown } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}

function free(members: Json, name: string): string {
  let found = name;
  for (let turn = 2; Object.hasOwn(members, found); turn += 1) found = `${name} (${turn})`;
  return found;
}

/** Assigning would set the prototype for a member of that name. */
function define(members: Json, name: string, value: unknown): void {
  Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
}
