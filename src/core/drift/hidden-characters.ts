/** Characters that a reader does not see, or sees elsewhere than they stand, and that a model reads all the same. Pure. */

/** Why a character is hidden, by its code point; undefined for a visible one. */
function kindOf(code: number): string | undefined {
  if (code >= 0xe0000 && code <= 0xe007f) return 'tag character';
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return 'bidirectional control';
  if (code === 0x200b || code === 0x2060 || code === 0xfeff || (code >= 0x2061 && code <= 0x2064) || code === 0x180e)
    return 'invisible character';
  if ((code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || (code >= 0x7f && code < 0xa0))
    return 'control character';
  return undefined;
}

/** Tag characters behind a black flag that name a region, as those of England do. */
const mostFlagTags = 7;

export interface HiddenCharacter {
  /** Offset in UTF-16 code units. */
  at: number;
  /** `U+202E`. */
  code: string;
  kind: string;
}

/**
 * The hidden characters of a text, the first ones. Joiners, variation selectors and direction marks (U+200C to U+200F)
 * belong to emoji and to right-to-left scripts. So do tag characters that follow a black flag (U+1F3F4). They do not
 * count.
 */
export function hiddenCharacters(text: string, most = 20): HiddenCharacter[] {
  const found: HiddenCharacter[] = [];
  let flagLeft = 0;
  for (let at = 0; at < text.length && found.length < most; ) {
    const code = text.codePointAt(at)!;
    const kind = kindOf(code);
    if (kind !== undefined && !(flagLeft > 0 && kind === 'tag character'))
      found.push({ at, code: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`, kind });
    flagLeft = code === 0x1f3f4 ? mostFlagTags : kind === 'tag character' ? flagLeft - 1 : 0;
    at += code > 0xffff ? 2 : 1;
  }
  return found;
}
