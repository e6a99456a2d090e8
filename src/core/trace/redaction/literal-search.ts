/**
 * Replaces known values wherever they stand in texts: in any letter case, in the usual encodings, and where one is
 * split over two texts of a stream. One pass over a text, however many values are known. It is independent of the
 * meaning of a value, and of the place of a text in an event.
 */
import { append } from '../../model/lists.ts';
import { createAutomaton, skipped, type Automaton } from './literal-automaton.ts';
import { maskedPart, unescaped } from './escapes.ts';
import { formsOf, type LiteralForm } from './literal-forms.ts';

export interface LiteralSearch {
  /** True if it searches for anything. */
  readonly any: boolean;
  /**
   * Has a value replaced from now on.
   * @param standIn replacement of the unchanged value; other forms of it are masked
   * @param keep number of characters to keep at its beginning, such as a name and `=`
   */
  learn(value: string, standIn: string, keep?: number): void;
  /** True for what is put in place of a value. */
  isStandIn(text: string): boolean;
  /** @param stream what came before on the same stream, which is taken note of */
  replace(text: string, stream?: StreamEnd): string;
}

/** Ends of the texts of a stream: perhaps with a part of a value, which the next text completes. */
export interface StreamEnd {
  /** Never changed, but replaced. */
  open: readonly OpenEnd[];
  /** Texts that came so far. */
  texts: number;
}

interface OpenEnd {
  automaton: Automaton;
  state: number;
  /** Which text of the stream it was. */
  text: number;
}

interface Pattern {
  form: LiteralForm;
  standIn: string;
  keep: number;
}

interface Found {
  start: number;
  end: number;
  /** Set where the text is a value as it is. */
  standIn?: string;
}

/** New values go to a small automaton, since adding to a large one connects all its nodes again. */
const youngSize = 256;
/** A part of a value at the end of a text is masked from this length on, or from half of the value. */
const tellingLength = 8;
const mostOpen = 16;
const oldestOpen = 64;
/** More line breaks in a row than this belong to no value. */
const mostBreaks = 4;

export function createLiteralSearch(mask: (value: string) => string): LiteralSearch {
  const patterns: Pattern[] = [];
  const standIns = new Set<string>();
  const old = createAutomaton();
  let young = createAutomaton();
  let youngPatterns: number[] = [];

  // Every text of a run comes through here, and few have a value in them: what is looked at makes no garbage.
  function search(automaton: Automaton, text: string, stream: StreamEnd | undefined, found: Found[]): void {
    let own: Found[] | undefined;
    let startOf: ReturnType<typeof placesIn> | undefined;
    let state = 0;
    let breaks = 0;
    for (let at = 0; at < text.length; at += 1) {
      const next = automaton.step(state, text.charCodeAt(at));
      if (next === skipped) {
        breaks += 1;
        if (breaks > mostBreaks) state = 0;
        continue;
      }
      breaks = 0;
      state = next;
      if (state === 0) continue;
      const ends = automaton.ending(state) === -1 ? automaton.shorter(state) : state;
      for (let node = ends; node !== 0; node = automaton.shorter(node)) {
        startOf ??= placesIn(text);
        const one = findingAt(text, startOf(at, automaton.depth(node)), at + 1, patterns[automaton.ending(node)]!);
        if (one === undefined) continue;
        addFinding((own ??= []), one);
        break;
      }
    }
    if (own) append(found, own);
    if (stream !== undefined && state !== 0) leaveOpen(automaton, state, text, stream, found);
  }

  function findingAt(text: string, start: number, end: number, { form, standIn, keep }: Pattern): Found | undefined {
    if (start < 0) return undefined;
    const written = text.slice(start, end);
    const exact = written === form.text;
    if (keep > 0) return isWordCharacter(text.charCodeAt(end)) ? undefined : { start: start + keep, end };
    if (form.word) {
      // Another letter case of a short value is a value only where it can be no ordinary word.
      if (!exact && !(/\d/.test(form.text) && written.length === form.text.length)) return undefined;
      if (isWordCharacter(text.charCodeAt(start - 1)) || isWordCharacter(text.charCodeAt(end))) return undefined;
    }
    if (exact && form.plain) return { start, end, standIn };
    return { start: Math.max(0, start - form.before), end: endWith(text, end, form.behind) };
  }

  /** Records a part of a value at the end of a text, and masks it if it reveals enough. */
  function leaveOpen(automaton: Automaton, state: number, text: string, stream: StreamEnd, found: Found[]): void {
    const { form } = patterns[automaton.ahead(state)]!;
    const depth = automaton.depth(state);
    if (form.word || depth >= form.text.length) return;
    stream.open = [{ automaton, state, text: stream.texts }, ...stream.open.slice(0, mostOpen - 1)];
    if (depth < tellingLength && depth * 2 < form.text.length) return;
    if (!isTelling(form.text, depth)) return;
    found.push({ start: Math.max(0, placesIn(text)(text.length - 1, depth)), end: text.length });
  }

  /**
   * The rest of a value that began in an earlier text of the stream. Most ends stay open, and wait for a later text.
   */
  function complete(text: string, stream: StreamEnd, found: Found[]): void {
    const before = stream.open;
    let left: OpenEnd[] | undefined;
    let goneOn: [Automaton, number][] | undefined;
    for (let at = 0; at < before.length; at += 1) {
      const end = before[at]!;
      const isKnown = end.automaton === old || end.automaton === young;
      const state = isKnown ? goOn(end, text, found) : 0;
      if (state === 0 && isKnown && stream.texts - end.text <= oldestOpen) {
        left?.push(end);
        continue;
      }
      left ??= before.slice(0, at);
      if (state !== 0) (goneOn ??= []).push([end.automaton, state]);
    }
    if (left) stream.open = left;
    if (goneOn) for (const [automaton, state] of goneOn) leaveOpen(automaton, state, text, stream, found);
  }

  /** @returns the state at the end of a text that goes on with the value all along; 0 for others, and for one of line breaks alone */
  function goOn({ automaton, state: from }: OpenEnd, text: string, found: Found[]): number {
    let state = from;
    let seen = 0;
    let breaks = 0;
    for (let at = 0; at < text.length; at += 1) {
      const next = automaton.step(state, text.charCodeAt(at));
      if (next === skipped) {
        breaks += 1;
        if (breaks > mostBreaks) return 0;
        continue;
      }
      breaks = 0;
      state = next;
      seen += 1;
      // A match no longer than the text began in it.
      if (automaton.depth(state) <= seen) return 0;
      if (automaton.ending(state) !== -1)
        found.push({ start: 0, end: endWith(text, at + 1, patterns[automaton.ending(state)]!.form.behind) });
    }
    return seen > 0 ? state : 0;
  }

  function replaced(text: string, stream: StreamEnd | undefined): string {
    const found: Found[] = [];
    if (stream !== undefined) stream.texts += 1;
    if (stream !== undefined && stream.open.length > 0) complete(text, stream, found);
    if (old.size > 0) search(old, text, stream, found);
    if (young.size > 0) search(young, text, stream, found);
    return found.length === 0 ? text : withMasks(text, found, mask);
  }

  return {
    get any() {
      return patterns.length > 0;
    },
    isStandIn: (text) => standIns.has(text),
    learn(value, standIn, keep = 0) {
      standIns.add(standIn);
      for (const form of keep > 0 ? formsOf(value).slice(0, 1) : formsOf(value)) {
        const id = patterns.length;
        if (!young.add(form.text, id)) continue;
        patterns.push({ form, standIn, keep: form.plain ? keep : 0 });
        youngPatterns.push(id);
      }
      if (young.size < youngSize) return;
      for (const id of youngPatterns) old.add(patterns[id]!.form.text, id);
      young = createAutomaton();
      youngPatterns = [];
    },
    replace(text, stream) {
      if (patterns.length === 0) return text;
      const out = replaced(text, stream);
      const written = unescaped(out);
      if (written === undefined) return out;
      const found: Found[] = [];
      for (const automaton of young.size > 0 ? [old, young] : [old]) search(automaton, written.text, undefined, found);
      return found.length === 0
        ? out
        : withMasks(
            out,
            found.map(({ start, end }) => ({ start: written.at[start]!, end: written.at[end]! })),
            mask,
          );
    },
  };
}

/**
 * Finds where the given number of characters before a place begin, without line breaks; -1 before the text. Places must
 * be asked for in their order.
 */
function placesIn(text: string): (at: number, length: number) => number {
  /** For each line break, how many other characters come before it. */
  const before: number[] = [];
  let looked = 0;
  return (at, length) => {
    for (; looked <= at; looked += 1)
      if (text.charCodeAt(looked) === 10 || text.charCodeAt(looked) === 13) before.push(looked - before.length);
    const index = at - before.length - length + 1;
    if (index < 0) return -1;
    let low = 0;
    let high = before.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (before[middle]! <= index) low = middle + 1;
      else high = middle;
    }
    return index + low;
  };
}

/** Adds a finding that ends after all others; overlapping ones are merged with it. */
function addFinding(found: Found[], one: Found): void {
  let { start, standIn } = one;
  for (let last = found.at(-1); last !== undefined && last.end > start; last = found.at(-1)) {
    if (last.start < start) {
      ({ start } = last);
      standIn = undefined;
    }
    found.pop();
  }
  found.push({ start, end: one.end, ...(standIn === undefined ? {} : { standIn }) });
}

/** True unless the part that was seen may be a word or a place by itself: `development` of `development-db`. */
function isTelling(value: string, length: number): boolean {
  if (isWordCharacter(value.charCodeAt(length - 1)) && isWordCharacter(value.charCodeAt(length))) return true;
  const part = value.slice(0, length);
  return length >= tellingLength && /\d[^]*\d/.test(part) && /[A-Za-z]/.test(part);
}

/** The end of a finding in base64, whose next character holds bits of the value, too. */
function endWith(text: string, end: number, behind: number): number {
  return behind > 0 && end < text.length && /[A-Za-z0-9+/_-]/.test(text[end]!) ? end + 1 : end;
}

/** The text with what was found in it replaced; findings that overlap are masked as one. */
function withMasks(text: string, found: Found[], mask: (value: string) => string): string {
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  let out = '';
  let copied = 0;
  for (let index = 0; index < found.length; ) {
    const first = found[index]!;
    let { end } = first;
    let { standIn } = first;
    for (index += 1; index < found.length && found[index]!.start < end; index += 1) {
      if (found[index]!.end <= end) continue;
      ({ end } = found[index]!);
      standIn = undefined;
    }
    out += text.slice(copied, first.start) + (standIn ?? maskedPart(text.slice(first.start, end), mask));
    copied = end;
  }
  return out + text.slice(copied);
}

function isWordCharacter(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
