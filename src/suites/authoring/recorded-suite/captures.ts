/**
 * Finds the values of answers that are arguments of later requests, and puts placeholders in their place. Only
 * distinctive values count that neither the client nor a list had mentioned before the answer. Patterns have to be
 * prepared. Pure.
 */
import { BoundedMap } from '../../../core/model/bounded.ts';
import { isObject } from '../../../core/model/json.ts';
import type { CapturePath } from '../../language/model.ts';
import { captured } from '../../language/judge/answers.ts';
import { parseJson } from '../../language/json-text.ts';
import { isCode, patternFor, wordAt } from './text-captures.ts';

type Value = string | number;

const shortestText = 6;
/** A part of a longer text has to be longer. */
const shortestPart = 8;
const smallestNumber = 1000;
/** Values of one answer that are looked at. */
const mostValues = 2_000;
const longestText = 1_000;
/** Values of all answers that are remembered. */
const mostRemembered = 10_000;
/** Characters of what is known that are searched. */
const mostKnown = 2_000_000;

interface Found {
  value: Value;
  /** The step whose answer has it. */
  step: number;
  path: CapturePath;
  /** Text before the answer, in characters, and the answer; read when a request has the value. */
  saidBefore: number;
  result: unknown;
  text: string;
  usable?: boolean;
  /** Too short to be distinctive: it counts in addresses only. */
  short?: true;
  /** Set when a later request uses it. */
  name?: string;
}

export interface Captures {
  /** Text before a possible capture: lists, and everything that the client knows. */
  known(value: unknown): void;
  /** Takes the answer of a step, by its number. @param text of the answer, as expectations read it */
  answered(step: number, result: unknown, text: string): void;
  /** The value with placeholders for what earlier answers gave. */
  replaced(value: unknown): unknown;
  /** Names of variables to the paths of their values, of the answer of a step. */
  of(step: number): Record<string, CapturePath>;
  /** Paths of those of them that are short numbers. */
  shortOf(step: number): string[];
}

export function createCaptures(): Captures {
  let said = '';
  const found = new BoundedMap<Value, Found>(mostRemembered);
  /** Short numbers that an answer calls an id, by their digits. */
  const short = new Map<string, Found>();
  const names = new Set<string>();
  /** Answers that are no JSON, in which a value may stand among words. */
  const texts: Pick<Found, 'step' | 'text' | 'result' | 'saidBefore'>[] = [];
  let textLength = 0;
  const sought = new Set<Value>();

  /** Origin of a value: a whole value of an answer, else a word of a text. */
  function knownAs(value: Value): Found | undefined {
    const whole = found.get(value);
    if (whole !== undefined || sought.has(value) || sought.size >= mostRemembered || !isCode(value)) return whole;
    sought.add(value);
    for (const one of texts) {
      const at = wordAt(one.text, String(value));
      const matches = at === -1 ? undefined : patternFor(one.text, at, value);
      if (matches === undefined) continue;
      const made: Found = { value, path: typeof value === 'number' ? { matches, as: 'number' } : { matches }, ...one };
      found.set(value, made);
      return made;
    }
    return undefined;
  }

  function say(value: unknown): void {
    if (said.length < mostKnown) said += `${JSON.stringify(value) ?? ''}\n`;
  }

  function use(one: Found): string {
    if (one.name === undefined) {
      const base = (nameIn(one.path).match(/[A-Za-z]\w*/g) ?? []).at(-1) ?? 'value';
      let name = base;
      for (let count = 2; names.has(name); count += 1) name = `${base}${count}`;
      names.add(name);
      one.name = name;
    }
    return `{{${one.name}}}`;
  }

  /** It is new, and a capture yields it. */
  function isUsable(one: Found): boolean {
    if (one.usable === undefined) {
      const at = one.short === true ? wordAt(said, String(one.value)) : said.indexOf(inJson(one.value));
      const taken = captured(one.text, one.result, one.path);
      one.usable = (at === -1 || at >= one.saidBefore) && 'value' in taken && taken.value === one.value;
    }
    return one.usable;
  }

  function replacedText(text: string): string {
    const whole = knownAs(text);
    if (whole !== undefined && isUsable(whole)) return use(whole);
    if (text.length < shortestPart) return text;
    return withParts(isAddress(text) ? withNumbers(text) : text);
  }

  /** An address whose parts between delimiters are numbers that answers gave. */
  function withNumbers(text: string): string {
    return text.replace(/(?<=[/=])\d{1,15}(?=$|[/?#&])/g, (digits) => {
      const one = short.get(digits) ?? found.get(Number(digits));
      return one !== undefined && String(one.value) === digits && isUsable(one) ? use(one) : digits;
    });
  }

  function withParts(text: string): string {
    for (const [word] of text.matchAll(/[\w-]{8,}/g)) knownAs(word);
    const parts = [...found.values()]
      .filter(
        (one) =>
          typeof one.value === 'string' &&
          one.value.length >= shortestPart &&
          text.includes(one.value) &&
          isUsable(one),
      )
      .toSorted((a, b) => String(b.value).length - String(a.value).length);
    return parts.reduce(
      (left, one) => (left.includes(one.value as string) ? left.replaceAll(one.value as string, () => use(one)) : left),
      text,
    );
  }

  function replaced(value: unknown): unknown {
    if (typeof value === 'string') return replacedText(value);
    if (typeof value === 'number') {
      const one = knownAs(value);
      return one !== undefined && isUsable(one) ? use(one) : value;
    }
    if (Array.isArray(value)) return value.map(replaced);
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner)]))
      : value;
  }

  return {
    known: say,
    answered(step, result, text) {
      for (const { value, path } of valuesIn(result, text)) {
        const one: Found = { value, step, path, saidBefore: said.length, result, text };
        if (isDistinctive(value)) {
          if (!found.has(value)) found.set(value, one);
        } else if (short.size < mostRemembered && !short.has(String(value)) && isShortId(value, path))
          short.set(String(value), { ...one, short: true });
      }
      if (!/^\s*[[{]/.test(text) && text.includes(' ') && textLength + text.length <= mostKnown) {
        texts.push({ step, text, result, saidBefore: said.length });
        textLength += text.length;
      }
      say(result);
    },
    replaced(value) {
      const put = replaced(value);
      say(value);
      return put;
    },
    shortOf: (step) =>
      [...short.values()].flatMap((one) =>
        one.step === step && one.name !== undefined && typeof one.path === 'string' ? [one.path] : [],
      ),
    of: (step) =>
      Object.fromEntries(
        [...found.values(), ...short.values()].flatMap((one) =>
          one.step === step && one.name !== undefined ? [[one.name, one.path]] : [],
        ),
      ),
  };
}

/** Where the name of a value may stand: the path, or the words before the group of a pattern. */
function nameIn(path: CapturePath): string {
  return typeof path === 'string' ? path : path.matches.slice(0, path.matches.indexOf('('));
}

/** Its form within JSON: a text without its quotes, so that it is found as a part as well. */
function inJson(value: Value): string {
  return typeof value === 'number' ? String(value) : JSON.stringify(value).slice(1, -1);
}

/** True if a value is unlikely to be equal by chance. */
export function isDistinctive(value: unknown): value is Value {
  if (typeof value === 'number') return Number.isSafeInteger(value) && Math.abs(value) >= smallestNumber;
  return (
    typeof value === 'string' &&
    value.trim() === value &&
    value.length >= shortestText &&
    value.length <= longestText &&
    !value.includes('{{')
  );
}

/** A number that its name says to be an id: `7` as `$.id`, `"12"` as `$.note_id`. */
function isShortId(value: Value, path: string): boolean {
  return /^\d{1,5}$/.test(String(value)) && /(?:[._-]|\b)(?:id|number|key)$|[a-z](?:Id|ID|Number|Key)$/.test(path);
}

function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text);
}

/** Values of a result with their paths: its members, those of the JSON in its text, and the text itself. */
function valuesIn(result: unknown, text: string): { value: Value; path: string }[] {
  const values: { value: Value; path: string }[] = [];
  const look = (value: unknown, path: string): void => {
    if (values.length >= mostValues) return;
    if (typeof value === 'string' || typeof value === 'number') values.push({ value, path });
    else if (Array.isArray(value)) value.forEach((one, index) => look(one, `${path}[${index}]`));
    else if (isObject(value))
      for (const [name, one] of Object.entries(value))
        if (/^[^.[\]{}]+$/.test(name) && name !== '_meta') look(one, `${path}.${name}`);
  };
  if (isObject(result) && 'structuredContent' in result) look(result['structuredContent'], '$.structuredContent');
  if (/^\s*[[{]/.test(text)) {
    try {
      look(parseJson(text), '$');
    } catch {
      // It is no JSON after all.
    }
  }
  values.push({ value: text, path: '$' });
  look(result, '$');
  return values;
}
