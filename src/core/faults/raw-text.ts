/** What is written where a fault has other text sent than the message. */
import type { RawText } from './operators.ts';

/** @param text the message as JSON */
export function rawText(text: string, raw: RawText): string {
  return raw.text
    .replaceAll('{{message}}', () => text)
    .replaceAll('{{pretty}}', () => JSON.stringify(JSON.parse(text), undefined, 2));
}
