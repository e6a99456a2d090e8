/** The text of an answer, in the way of its block. Pure. */
import type { View } from '../model.ts';
import { jsonOf } from '../json-text.ts';

type Json = Record<string, unknown>;

/** The text that expectations read. */
export function textOf(result: unknown, view: View): string {
  if (view === 'json') return jsonOf(result ?? null);
  const object = isRecord(result) ? result : {};
  if (view === 'tool') return list(object['content']).flatMap(toolText).join('\n');
  if (view === 'resource') return list(object['contents']).map(resourceText).join('\n');
  const description =
    typeof object['description'] === 'string' && object['description'] !== '' ? [object['description']] : [];
  return [...description, ...list(object['messages']).map(({ content }) => promptText(content))].join('\n');
}

function toolText(block: Json): string[] {
  return block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : [];
}

function promptText(content: unknown): string {
  return isRecord(content) && content['type'] === 'text' && typeof content['text'] === 'string'
    ? content['text']
    : jsonOf(content ?? null);
}

function resourceText({ text, blob, mimeType }: Json): string {
  if (typeof text === 'string') return text;
  return typeof blob === 'string'
    ? `<blob mimeType=${JSON.stringify(typeof mimeType === 'string' ? mimeType : '')} len=${blob.length}>`
    : '';
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
