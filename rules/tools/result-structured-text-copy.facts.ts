/** Whether the structured content of a tool result is repeated as text. */
import { asObject, canonical, isObject, type JsonObject } from '../../src/core/model/json.ts';
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';

const longestText = 1_000_000;

const callFacts: Definitions<RpcRecord> = {
  structuredCopy: {
    says: 'tools/call with structured content: a text block is the same as JSON (equal), the text gives the value of its only member (unwrapped), or neither (absent).',
    rests: [],
    read: structuredCopy,
  },
};

export const feature: Feature = { name: 'structured-copies', facts: { exchange: callFacts } };

function structuredCopy({ from, method, reply }: RpcRecord): string | undefined {
  const result = from === 'client' && method === 'tools/call' ? asObject(asObject(reply)?.result) : undefined;
  return result?.structuredContent === undefined ? undefined : copyOf(result);
}

/**
 * - `equal`: a text block is JSON of the same value
 * - `unwrapped`: the structured content is an object of one member, and the text blocks give that member's value
 * - `absent`: neither
 */
function copyOf(result: JsonObject): 'equal' | 'unwrapped' | 'absent' {
  const { structuredContent } = result;
  const texts = (Array.isArray(result.content) ? (result.content as unknown[]) : []).flatMap((block) =>
    isObject(block) && block.type === 'text' && typeof block.text === 'string' && block.text.length <= longestText
      ? [block.text]
      : [],
  );
  const wanted = canonical(structuredContent);
  if (texts.some((text) => canonical(parsed(text)) === wanted)) return 'equal';
  const members = isObject(structuredContent) ? Object.values(structuredContent) : [];
  if (members.length !== 1) return 'absent';
  const [inner] = members;
  const whole = [...texts, texts.join('')];
  if (whole.some((text) => text === inner || canonical(parsed(text)) === canonical(inner))) return 'unwrapped';
  return Array.isArray(inner) && canonical(texts.map((text) => parsed(text) ?? text)) === canonical(inner)
    ? 'unwrapped'
    : 'absent';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
