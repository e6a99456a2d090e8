/**
 * The forms in which a secret may be written: as it is, escaped for addresses and JSON, in hexadecimal, in base64
 * at any place of a longer text. Pure functions; what is done with the forms is no concern of theirs.
 */

export interface LiteralForm {
  text: string;
  /** Counts only as a word of its own, in the letter case that it has. */
  word: boolean;
  /** The form as the user has it; all others are encodings. */
  plain: boolean;
  /** Characters before and behind it that hold a part of the secret, too. */
  before: number;
  behind: number;
}

/** Shorter values stand in ordinary text by chance, and more so in other letter cases and encodings. */
const shortValue = 8;

/** @param value a text of at least 4 characters */
export function formsOf(value: string): LiteralForm[] {
  const bytes = Buffer.from(value);
  const word = value.length < shortValue;
  const forms: LiteralForm[] = [{ text: value, word, plain: true, before: 0, behind: 0 }];
  const known = new Set([value]);
  const add = (text: string, before = 0, behind = 0): void => {
    if (text.length < 4 || known.has(text)) return;
    known.add(text);
    forms.push({ text, word, plain: false, before, behind });
  };
  add(JSON.stringify(value).slice(1, -1));
  add(encoded(value));
  add(encoded(value).replaceAll('%20', '+'));
  add(value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'));
  // Letters beyond ASCII are case-sensitive.
  add(value.toLowerCase());
  add(value.toUpperCase());
  add(bytes.toString('hex'));
  if (word) {
    add(bytes.toString('base64').replace(/=/g, ''));
    return forms;
  }
  for (const offset of [0, 1, 2]) {
    const { text, before, behind } = aligned(bytes, offset);
    add(text, before, behind);
    add(text.replaceAll('+', '-').replaceAll('/', '_'), before, behind);
  }
  return forms;
}

/** The characters of base64 that depend on the value alone, where `offset` bytes come before it. */
function aligned(bytes: Buffer, offset: number): Pick<LiteralForm, 'text' | 'before' | 'behind'> {
  const all = Buffer.concat([Buffer.alloc(offset), bytes]);
  const first = offset === 0 ? 0 : offset + 1;
  const last = Math.floor((all.length * 8) / 6);
  return {
    text: all.toString('base64').slice(first, last),
    before: offset === 0 ? 0 : 1,
    behind: (all.length * 8) % 6 === 0 ? 0 : 1,
  };
}

/** Lone halves of characters cannot be escaped for an address. */
function encoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}
