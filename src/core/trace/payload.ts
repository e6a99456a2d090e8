/**
 * Turns the bytes or the text of one message into the members of an event: parsed JSON, the raw text where it differs,
 * and whether the bytes were UTF-8. It is independent of the meaning of a message.
 */
import type { EventInput } from '../model/trace.ts';

/** Limits of parsed JSON; longer text is not parsed. */
export interface JsonLimits {
  /** Deepest nesting: whatever walks a deeper value could run out of stack. */
  maxDepth: number;
  /** Most values (members, elements, objects and lists): `{},` takes three bytes as text, and twenty times that in memory. */
  maxValues: number;
}

/** The members of an event that describe its payload. */
export type Payload = Pick<EventInput, 'kind' | 'message' | 'raw' | 'invalidUtf8' | 'reason'>;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** Characters of an over-long or over-deep text that are kept for a reader. */
const excerptLength = 256;

/** First characters of JSON texts. */
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
export function bytesPayload(
  bytes: Uint8Array,
  json: JsonLimits,
  options: { skipByteOrderMark?: boolean } = {},
): Payload {
  const { text, invalidUtf8 } = decodeUtf8(bytes);
  const payload = textPayload(text, json, options);
  if (!invalidUtf8) return payload;
  // The lossy text is kept even where it equals the canonical JSON: the mark alone would prove nothing.
  return { ...payload, raw: payload.raw ?? text, invalidUtf8: true };
}

/**
 * The payload of a text: kind `message` for JSON (with `raw` if its canonical form differs), kind `limit` for too deep
 * nesting or too many values, kind `unparsable` otherwise.
 */
export function textPayload(text: string, json: JsonLimits, options: { skipByteOrderMark?: boolean } = {}): Payload {
  const reason = beyondLimits(text, json);
  if (reason !== undefined) return { kind: 'limit', raw: text.slice(0, excerptLength), reason };
  let message: unknown;
  const body = options.skipByteOrderMark && text.startsWith('\uFEFF') ? text.slice(1) : text;
  // A failing parse is slow, and a server that floods stdout makes millions of them.
  if (!jsonStart.test(body)) return { kind: 'unparsable', raw: text };
  try {
    message = JSON.parse(body);
  } catch {
    return { kind: 'unparsable', raw: text };
  }
  return JSON.stringify(message) === text ? { kind: 'message', message } : { kind: 'message', message, raw: text };
}

/** The payload of a line: one CR before the LF belongs to the line end, and still shows in `raw`. */
export function linePayload(line: Buffer, json: JsonLimits): Payload {
  if (line.at(-1) !== 0x0d) return bytesPayload(line, json);
  const payload = bytesPayload(line.subarray(0, -1), json);
  return { ...payload, raw: decodeUtf8(line).text };
}

/** Which limit the text goes over, by the brackets and commas outside of strings, whether or not it is JSON. */
export function beyondLimits(text: string, { maxDepth, maxValues }: JsonLimits): string | undefined {
  if (text.length <= maxDepth && text.length <= maxValues) return undefined;
  let open = 0;
  let values = 1;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x2c) values += 1;
    else if (code === 0x7b || code === 0x5b) {
      open += 1;
      values += 1;
      if (open > maxDepth) return `JSON nested deeper than ${maxDepth} levels`;
    } else if (code === 0x7d || code === 0x5d) open -= 1;
  }
  return values > maxValues ? `JSON of more than ${maxValues} values` : undefined;
}
