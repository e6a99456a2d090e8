/** Replacement text of a fault for a message. */
import type { RawText } from './operators.ts';

/** @param text the message as JSON */
export function rawText(text: string, raw: RawText): string {
  return raw.text
    .replaceAll('{{message}}', () => text)
    .replaceAll('{{pretty}}', () => JSON.stringify(JSON.parse(text), undefined, 2));
}
