/**
 * Changes letters and digits of a text that may be Base64, hexadecimal, a token or JSON, so that its meaning changes:
 * each becomes another one of the same alphabet, not just another case. The last characters, which may hold spare bits,
 * and those before a mark stay as they are. Pure.
 */

/** Alphabets within which a character is changed, each longer than the way that it is moved. */
const alphabets = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ'];
const moved = 3;
/** Shorter texts are left alone. */
const shortest = 12;

/**
 * @param places where to change it, as parts of its length
 * @returns undefined for a text in which nothing can be changed there
 */
export function alteredText(text: string, places: readonly number[]): string | undefined {
  if (text.length < shortest) return undefined;
  const characters = [...text];
  let changes = 0;
  for (const place of places) {
    const at = firstAlterable(characters, Math.floor(place * characters.length));
    if (at === undefined) continue;
    characters[at] = other(characters[at]!)!;
    changes += 1;
  }
  return changes === 0 ? undefined : characters.join('');
}

/** From a place on, a letter or digit behind which three more stand. */
function firstAlterable(characters: readonly string[], from: number): number | undefined {
  for (let at = from; at + 3 < characters.length; at += 1) {
    if ([0, 1, 2, 3].every((step) => other(characters[at + step]!) !== undefined)) return at;
  }
  return undefined;
}

function other(character: string): string | undefined {
  const alphabet = alphabets.find((one) => one.includes(character));
  return alphabet?.[(alphabet.indexOf(character) + moved) % alphabet.length];
}
