/**
 * Sending of a message with a fault of src/core/faults: late, or as other bytes. Marks stand on the message itself, out
 * of sight of JSON.
 */
import type { Sending } from '../../core/faults/operators.ts';
import { rawText } from '../../core/faults/raw-text.ts';
import type { Host } from './host.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';

type Marks = Omit<Sending, 'message'>;

const marks = Symbol('how it is sent');

/** The message with marks; existing ones stay unless they are replaced. */
export function marked(message: JsonObject, more: Marks): JsonObject {
  return { ...message, [marks]: { ...marksOf(message), ...more } };
}

export function marksOf(message: unknown): Marks {
  return typeof message === 'object' && message !== null ? ((message as { [marks]?: Marks })[marks] ?? {}) : {};
}

/** Sends messages at their time: at once, or after the longest delay of one of them. */
export function whenDue(messages: readonly JsonObject[], send: () => void): void {
  const ms = Math.max(0, ...messages.map((message) => marksOf(message).delayMs ?? 0));
  if (ms === 0) send();
  else setTimeout(send, ms).unref();
}

/** The bytes of a message, or of a body that is text already. */
export function bytesOf({ behaviour }: Host, body: unknown): Buffer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { raw } = marksOf(body);
  return raw === undefined ? behaviour.bytes(text) : Buffer.from(rawText(text, raw), raw.encoding);
}

/** The bytes of a message as the data of an event, where each line needs a field of its own. */
export function eventDataOf({ behaviour }: Host, message: unknown): Buffer {
  const text = JSON.stringify(message);
  const { raw } = marksOf(message);
  return raw === undefined
    ? behaviour.bytes(text)
    : Buffer.from(rawText(text, raw).replaceAll('\n', '\ndata: '), raw.encoding);
}

/** The bytes of a message as a line on stdio, with what ends it. */
export function lineOf({ behaviour }: Host, message: unknown): Buffer {
  const { raw } = marksOf(message);
  const text = JSON.stringify(message);
  return raw === undefined
    ? behaviour.stdio.line(behaviour.bytes(text), message)
    : Buffer.from(rawText(text, raw) + raw.end, raw.encoding);
}
