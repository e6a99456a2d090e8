/** A connection keeps its handshake as long as it lives, and a server's name may have megabytes. */
import { isObject } from '../../model/json.ts';

/** Longer texts are cut; their types and members are what rules ask for. */
const longestText = 10_000;

/** The same value with its long texts cut; the value itself where there are none. */
export function withoutLongTexts<T>(value: T): T {
  return cut(value) as T;
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longestText ? beginningOf(value) : value;
  if (Array.isArray(value)) {
    const items = value.map(cut);
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, cut(member)] as const);
  return members.some(([name, member]) => member !== value[name]) ? Object.fromEntries(members) : value;
}

/** A part of a text would hold the whole of it in memory; this is a text of its own. */
function beginningOf(text: string): string {
  return Buffer.from(text.slice(0, longestText), 'utf16le').toString('utf16le');
}
