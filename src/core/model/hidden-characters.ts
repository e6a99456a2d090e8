/** Characters that a reader does not see, or sees in another place, and that a model reads all the same. Pure. */

export type HiddenKind =
  | 'tag character'
  | 'bidirectional control'
  | 'invisible character'
  | 'control character'
  | 'look-alike of another alphabet';

export interface HiddenCharacter {
  /** Offset in UTF-16 code units. */
  at: number;
  /** `U+202E`. */
  code: string;
  kind: HiddenKind;
}

/** A text without any of these hides nothing. */
const suspicious =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- single characters of all sorts are looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
const rightToLeft = /[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const flagTags = /^\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/u;
const pictures = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u20e3\ufe0f]/u;
/** Letters of scripts in which joiners shape words, and variation selectors choose forms. */
const shaped = /[\u0590-\u109f\u1780-\u18af\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u;

/**
 * The first hidden characters of a text. Joiners and variation selectors of emoji and of scripts that need them do not
 * count. Nor do tag characters of a flag, a soft hyphen within a word, and direction marks and closed isolates of a text
 * with right-to-left letters.
 */
export function hiddenCharacters(text: string, most = 20): HiddenCharacter[] {
  if (!suspicious.test(text)) return [];
  const found: HiddenCharacter[] = [];
  const characters = [...text];
  const hasRightToLeft = rightToLeft.test(text);
  const isolates = hasRightToLeft && isClosed(characters);
  let flagLeft = 0;
  let at = 0;
  for (const [index, character] of characters.entries()) {
    if (found.length >= most) break;
    if (character === '\u{1f3f4}') flagLeft = flagTags.exec(text.slice(at))?.[0].length ?? 0;
    const kind = flagLeft > 0 ? undefined : kindOf(character, { characters, index, hasRightToLeft, isolates });
    if (kind !== undefined) found.push({ at, code: codeOf(character), kind });
    at += character.length;
    flagLeft = Math.max(0, flagLeft - character.length);
  }
  return found;
}

/** `U+202E`. */
export function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

interface Around {
  characters: readonly string[];
  index: number;
  hasRightToLeft: boolean;
  isolates: boolean;
}

/** The kind of a hidden character; undefined for a character that is visible, or has its use in this place. */
function kindOf(character: string, around: Around): HiddenKind | undefined {
  const code = character.codePointAt(0)!;
  const { characters, index, hasRightToLeft } = around;
  const before = characters[index - 1] ?? '';
  const after = characters[index + 1] ?? '';
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d ? undefined : 'control character';
  if (code >= 0x7f && code < 0xa0) return 'control character';
  if (code >= 0xe0000 && code <= 0xe007f) return 'tag character';
  if (code === 0x202d || code === 0x202e || (code >= 0x202a && code <= 0x202c)) return 'bidirectional control';
  if (code >= 0x2066 && code <= 0x2069) return around.isolates ? undefined : 'bidirectional control';
  if (code === 0x200e || code === 0x200f || code === 0x061c)
    return hasRightToLeft ? undefined : 'bidirectional control';
  if (code === 0x200c || code === 0x200d) {
    const joins = (one: string): boolean => pictures.test(one) || shaped.test(one);
    return joins(before) && joins(after) ? undefined : isOpenJoiner(before, after) ? undefined : 'invisible character';
  }
  if (code >= 0xfe00 && code <= 0xfe0f) return isChosen(before) ? undefined : 'invisible character';
  if (code >= 0xe0100 && code <= 0xe01ef) return shaped.test(before) ? undefined : 'invisible character';
  if (code === 0x00ad) return /\p{L}/u.test(before) && /\p{L}/u.test(after) ? undefined : 'invisible character';
  return isInvisible(code) ? 'invisible character' : undefined;
}

/** A character with several forms. A second selector after the first one has no use, and may carry data. */
function isChosen(before: string): boolean {
  return /[^\p{ASCII}]/u.test(before)
    ? before !== '\ufe0f' && (pictures.test(before) || shaped.test(before) || /\p{S}/u.test(before))
    : /[0-9#*]/.test(before);
}

/** A joiner at the end of a word of a shaped script changes its last letter. */
function isOpenJoiner(before: string, after: string): boolean {
  return shaped.test(before) && !/[A-Za-z0-9]/.test(after);
}

function isInvisible(code: number): boolean {
  return (
    code === 0x034f ||
    code === 0x115f ||
    code === 0x1160 ||
    code === 0x17b4 ||
    code === 0x17b5 ||
    (code >= 0x180b && code <= 0x180f) ||
    code === 0x200b ||
    (code >= 0x2060 && code <= 0x2064) ||
    (code >= 0x206a && code <= 0x206f) ||
    code === 0x3164 ||
    code === 0xfeff ||
    code === 0xffa0 ||
    (code >= 0xfff9 && code <= 0xfffb) ||
    (code >= 0xe0080 && code <= 0xe0fff)
  );
}

/** True if each isolate ends, so that it turns nothing outside of it. */
function isClosed(characters: readonly string[]): boolean {
  let depth = 0;
  for (const character of characters) {
    if (character === '\u2066' || character === '\u2067' || character === '\u2068') depth += 1;
    if (character === '\u2069') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Letters of Cyrillic, Greek, Armenian and Cherokee that look like Latin ones. */
const others = /[АВЕЅІЈКМНОРСТУХҮаеорсухіјѕһԁԛԝԌІӀΑΒΕΖΗΙΚΜΝΟΡΤΥΧοОսոցհᎪᏴᏟᎠᎬᎻᎫᏞᎷᏢᎡᏚᎢᏙᎳᏃ]/u;
const words = /[\p{L}\p{M}\p{N}_]+/gu;
const latin = /[A-Za-z]/;
/** Letters of other alphabets. */
const foreign = /[^\p{Script=Latin}\p{M}\p{N}_]/gu;

/**
 * Letters that look like Latin ones, in words with Latin letters: `pаypal` with a Cyrillic `а`. A word with another
 * letter of a foreign alphabet is left out, since no reader takes it for Latin.
 */
export function lookAlikes(text: string, most = 20): HiddenCharacter[] {
  if (!others.test(text)) return [];
  const found: HiddenCharacter[] = [];
  for (const { 0: word, index } of text.matchAll(words)) {
    if (!latin.test(word) || !others.test(word)) continue;
    if ((word.match(foreign) ?? []).some((letter) => !others.test(letter))) continue;
    let at = index;
    for (const character of word) {
      if (others.test(character) && found.length < most)
        found.push({ at, code: codeOf(character), kind: 'look-alike of another alphabet' });
      at += character.length;
    }
  }
  return found;
}
