/**
 * Stand-ins for secret values. Within one masker equal values get equal placeholders and different ones different ones.
 * A placeholder has the shape of its value, so later judgements do not change. It is independent of the place of a
 * value in a trace.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { standInOf } from './stand-ins.ts';

export interface Masker {
  /**
   * A stand-in of equal length: letters become the word "redacted" over and over, digits other digits. The beginning of
   * well-known tokens is kept: it shows the kind of the secret.
   */
  mask(value: string): string;
  /**
   * A digest, for values that are only compared for equality, or whose form shows that they are hidden. Masked values
   * have the same.
   */
  digest(value: string): string;
  /** A short label without information about the value, for places whose shape is not judged. */
  label(value: string): string;
  /**
   * A stand-in for a session id, as random-looking as the id. Ids that share a beginning have stand-ins that
   * share one as long, so ids that can be guessed from each other still show it. An id that is not worth
   * hiding, since it is bad (short, dull, or not of visible ASCII), is returned as it is.
   */
  sessionId(value: string): string;
}

const word = 'redacted';

const keptStandIns = 2000;
/** Characters of masked values that are remembered. */
const rememberedLength = 8_000_000;
/** Letters and digits come again after so many turns. */
const turns = 40;

/** Makes a masker; two with the same key give the same session ids. */
export function createMasker(key: Buffer = randomBytes(32)): Masker {
  const masks = new Map<string, string>();
  let room = rememberedLength;
  const taken = new Set<string>();
  const labels = new Map<string, string>();
  const standIns = new Map<string, string>();

  function mask(value: string): string {
    const known = masks.get(value);
    if (known !== undefined) return known;
    // Redacting twice must not change a trace again.
    if (taken.has(value) || isStandIn(value)) return value;
    let found = shaped(value, 0);
    for (let turn = 1; turn < turns && (taken.has(found) || found === value); turn += 1) found = shaped(value, turn);
    // A peer may show secret after secret; what is forgotten is masked alike again, as far as it can be.
    room -= value.length + 100;
    if (room < 0) {
      masks.clear();
      taken.clear();
      room = rememberedLength;
    }
    masks.set(value, found);
    taken.add(found);
    return found;
  }

  return {
    mask,
    digest: (value) => standInOf(createHmac('sha256', key).update(value).digest('hex')),
    label(value) {
      if (/^\[redacted-\d+\]$/.test(value)) return value;
      const known = labels.get(value);
      if (known !== undefined) return known;
      const made = `[redacted-${labels.size + 1}]`;
      labels.set(value, made);
      return made;
    },
    sessionId(value) {
      const known = standIns.get(value);
      if (known !== undefined) return known;
      if (!worthHiding(value)) return value;
      let out = '';
      for (let i = 0; i < value.length; i += 1) {
        // Each character is turned within its class by an amount that depends on all before it: a bijection.
        const shift = createHmac('sha256', key).update(value.slice(0, i)).digest().readUInt32BE(0);
        out += turned(value[i] as string, shift);
      }
      // Each request and reply of a session names it; what is forgotten is made again, and is the same.
      if (standIns.size >= keptStandIns) standIns.clear();
      standIns.set(value, out);
      return out;
    },
  };
}

/** True for ids whose secrecy could matter: long and varied enough to be hard to guess. */
function worthHiding(id: string): boolean {
  return id.length >= 16 && id.length <= 1024 && /^[\x21-\x7e]+$/.test(id) && new Set(id).size >= 10;
}

/** Hexadecimal letters stay hexadecimal, so a UUID stays a UUID to the eye. */
const classes = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ'];

function turned(character: string, shift: number): string {
  for (const all of classes) {
    const at = all.indexOf(character);
    if (at !== -1) return all[(at + shift) % all.length] as string;
  }
  return character;
}

/** Beginnings of well-known kinds of tokens, of any vendor. */
const kindOfToken =
  /^(?:(?:sk|rk)_(?:live|test)_|sk-(?:ant|proj)-|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|npm_|hf_)/;

function shaped(value: string, turn: number): string {
  const kind = kindOfToken.exec(value)?.[0] ?? '';
  let letters = turn;
  let digits = turn;
  let out = kind;
  for (let i = kind.length; i < value.length; i += 1) {
    const character = value[i] as string;
    if (/[a-z]/.test(character)) out += word[letters++ % word.length];
    else if (/[A-Z]/.test(character)) out += (word[letters++ % word.length] as string).toUpperCase();
    else if (/[0-9]/.test(character)) out += String(digits++ % 10);
    else out += character < '\x80' ? character : 'x';
  }
  return out;
}

/** True for text that can only have come from `mask`: the word again and again. */
export function isStandIn(value: string): boolean {
  const letters = value
    .replace(kindOfToken, '')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
  return letters.length >= word.length && word.repeat(Math.ceil(letters.length / word.length) + 1).includes(letters);
}
