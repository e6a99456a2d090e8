/**
 * Turns the bytes or the text of one message into the members of an event: parsed JSON, the raw text where
 * it differs, and whether the bytes were UTF-8. It must not know what a message means.
 */
import type { EventInput } from '../model/trace.ts';

/** The members of an event that describe its payload. */
export type Payload = Pick<EventInput, 'kind' | 'message' | 'raw' | 'invalidUtf8' | 'reason'>;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** Characters of an over-long or over-deep text that are kept for a reader. */
const excerptLength = 256;

/** What every JSON text begins with. */
const jsonStart = /^[ \t\r\n]*(?:[[{"\-0-9]|true|false|null)/;

/** Decodes bytes; where they are no UTF-8 the text holds replacement characters. A byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): { text: string; invalidUtf8: boolean } {
  try {
    return { text: strict.decode(bytes), invalidUtf8: false };
  } catch {
    return { text: lenient.decode(bytes), invalidUtf8: true };
  }
}

/** The payload of bytes from the wire; see `textPayload`. */
export function bytesPayload(bytes: Uint8Array, maxJsonDepth: number, options: { skipByteOrderMark?: boolean } = {}): Payload {
  const { text, invalidUtf8 } = decodeUtf8(bytes);
  const payload = textPayload(text, maxJsonDepth, options);
  if (!invalidUtf8) return payload;
  // The lossy text is kept even where it equals the canonical JSON: the mark alone would prove nothing.
  return { ...payload, raw: payload.raw ?? text, invalidUtf8: true };
}

/**
 * The payload of a text: kind `message` where it is JSON (with `raw` if its canonical form is another),
 * kind `limit` where it is nested too deeply to be handled, kind `unparsable` otherwise.
 */
export function textPayload(text: string, maxJsonDepth: number, options: { skipByteOrderMark?: boolean } = {}): Payload {
  if (nestsDeeper(text, maxJsonDepth)) {
    return { kind: 'limit', raw: text.slice(0, excerptLength), reason: `JSON nested deeper than ${maxJsonDepth} levels` };
  }
  let message: unknown;
  const json = options.skipByteOrderMark && text.startsWith('\uFEFF') ? text.slice(1) : text;
  // A failing parse is slow, and a server that floods stdout makes millions of them.
  if (!jsonStart.test(json)) return { kind: 'unparsable', raw: text };
  try {
    message = JSON.parse(json);
  } catch {
    return { kind: 'unparsable', raw: text };
  }
  return JSON.stringify(message) === text ? { kind: 'message', message } : { kind: 'message', message, raw: text };
}

/** The payload of a line: one CR before the LF belongs to the line end, and still shows in `raw`. */
export function linePayload(line: Buffer, maxJsonDepth: number): Payload {
  if (line.at(-1) !== 0x0d) return bytesPayload(line, maxJsonDepth);
  const payload = bytesPayload(line.subarray(0, -1), maxJsonDepth);
  return { ...payload, raw: decodeUtf8(line).text };
}

/** True when brackets outside of strings nest deeper than `depth`, whether or not the text is JSON. */
function nestsDeeper(text: string, depth: number): boolean {
  if (text.length <= depth) return false;
  let open = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      open += 1;
      if (open > depth) return true;
    } else if (code === 0x7d || code === 0x5d) open -= 1;
  }
  return false;
}
