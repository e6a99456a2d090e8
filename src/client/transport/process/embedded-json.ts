/**
 * Finds JSON objects in text that comes in pieces: over several lines, behind headers of a frame, between words of a log.
 * One pass over each character, whatever the text holds; an object that grows too long is given up.
 */

import { decodeUtf8 } from '../../../core/trace/payload.ts';

export interface Embedded {
  text: string;
  /** Lines that it goes over. */
  lines: number;
}

export interface EmbeddedJson {
  /** The objects that are complete by this line. */
  push(line: string): Embedded[];
  /** An object has begun and is not complete. */
  readonly begun: boolean;
  /** Forgets what was begun. */
  reset(): void;
}

/** @param most characters of an object that is still followed */
export function createEmbeddedJson(most: number): EmbeddedJson {
  let parts: string[] = [];
  let length = 0;
  let depth = 0;
  let inString = false;

  function reset(): void {
    parts = [];
    length = 0;
    depth = 0;
    inString = false;
  }

  function take(part: string): void {
    parts.push(part);
    length += part.length;
    if (length > most) reset();
  }

  return {
    reset,
    get begun() {
      return depth > 0;
    },
    push(line) {
      const found: Embedded[] = [];
      let from = depth > 0 ? 0 : -1;
      for (let at = 0; at < line.length; at += 1) {
        const code = line.charCodeAt(at);
        if (inString) {
          if (code === 0x5c) at += 1;
          else if (code === 0x22) inString = false;
        } else if (code === 0x22) inString = depth > 0;
        else if (code === 0x7b) {
          if (depth === 0) from = at;
          depth += 1;
        } else if (code === 0x7d && depth > 0) {
          depth -= 1;
          if (depth > 0) continue;
          take(line.slice(from, at + 1));
          if (parts.length > 0) found.push({ text: parts.join('\n'), lines: parts.length });
          reset();
          from = -1;
        }
      }
      // No string goes over a line end.
      inString = false;
      if (depth > 0) take(line.slice(from));
      return found;
    },
  };
}

const closingBrace = 0x7d;
/** Allowed text between an object and its end: a carriage return on stdio, a single newline in an event stream. */
const blanks: ReadonlySet<number | undefined> = new Set([0x0a, 0x0d, 0x20, 0x09]);

/**
 * True if the text ends with a whole object and spaces; reads the last bytes first, since it may be called for each
 * chunk.
 */
export function endsWhole(bytes: Buffer): boolean {
  const last = bytes.findLastIndex((byte) => !blanks.has(byte));
  if (bytes[last] !== closingBrace) return false;
  const embedded = createEmbeddedJson(bytes.length);
  return embedded.push(decodeUtf8(bytes).text).length > 0 && !embedded.begun;
}
