/**
 * Values that a recorded request took from an earlier answer: the live answer has them at the same place. Only whole
 * texts count, of at least eight characters, so that words that happen to be equal stay. Pure.
 */
import { isObject, type JsonObject } from '../core/model/json.ts';

const shortest = 8;

export interface EarlierValues {
  /** Notes an answer, as recorded and as it came now. */
  answered(recorded: unknown, now: unknown): void;
  /** The params with the values of now. */
  put(params: unknown): unknown;
}

export function createEarlierValues(): EarlierValues {
  const values = new Map<string, string>();
  const note = (recorded: unknown, now: unknown): void => {
    if (typeof recorded === 'string' && typeof now === 'string') {
      const [one, other] = [withinText(recorded), withinText(now)];
      if (one !== undefined && other !== undefined) return note(one, other);
      if (recorded.length >= shortest && recorded !== now) values.set(recorded, now);
      return;
    }
    if (Array.isArray(recorded) && Array.isArray(now)) {
      recorded.forEach((one, index) => note(one, now[index]));
      return;
    }
    if (!isObject(recorded) || !isObject(now)) return;
    for (const [name, one] of Object.entries(recorded)) note(one, now[name]);
  };
  const put = (value: unknown): unknown => {
    if (typeof value === 'string') return values.get(value) ?? value;
    if (Array.isArray(value)) return value.map(put);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, put(one)]));
  };
  return { answered: note, put };
}

/**
 * The texts that the server made up: a later request holds them, and none up to the response did. They differ from
 * server to server, and are not compared.
 */
export function madeUp(later: readonly unknown[], earlier: readonly unknown[]): ReadonlySet<string> {
  const known = new Set(earlier.flatMap(textsIn));
  return new Set(later.flatMap(textsIn).filter((text) => text.length >= shortest && !known.has(text)));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return (Array.isArray(value) ? (value as unknown[]) : isObject(value) ? Object.values(value) : []).flatMap(textsIn);
}

/** What came now, with the recorded text wherever that is not compared. */
export function withoutOwn(recorded: unknown, now: unknown, isOwn: (text: string) => boolean): unknown {
  if (typeof recorded === 'string' && typeof now === 'string') {
    if (isOwn(recorded)) return recorded;
    const [one, other] = [withinText(recorded), withinText(now)];
    if (one === undefined || other === undefined) return now;
    const inner = withoutOwn(one, other, isOwn);
    return JSON.stringify(inner) === JSON.stringify(other) ? now : JSON.stringify(inner);
  }
  if (Array.isArray(recorded) && Array.isArray(now)) return now.map((one, at) => withoutOwn(recorded[at], one, isOwn));
  if (!isObject(recorded) || !isObject(now)) return now;
  return Object.fromEntries(Object.entries(now).map(([name, one]) => [name, withoutOwn(recorded[name], one, isOwn)]));
}

/** The data that a text holds as JSON. */
function withinText(text: string): JsonObject | unknown[] | undefined {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined;
  try {
    return JSON.parse(text) as JsonObject | unknown[];
  } catch {
    return undefined;
  }
}
