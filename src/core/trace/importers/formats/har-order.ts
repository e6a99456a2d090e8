/**
 * Puts the events of a HAR in an order that can have happened. The archive has the begin and end of an exchange, but
 * not the time of each event of a stream. An event is placed as early as its request allows, and before its answer. It
 * must not change the order within a stream.
 */
import type { Captured } from '../captured.ts';
import { isExactObject, numberText } from '../exact-json.ts';

/** Times of archives are whole milliseconds; this is the minimum between a message and its answer. */
const step = 0.001;

/** @param exchanges the events of each exchange, in order, with their times where known */
export function inOrder(exchanges: readonly (readonly Captured[])[]): Captured[] {
  const asked = timesOf(exchanges, 'client', true);
  const answered = timesOf(exchanges, 'client', false);
  const placed = exchanges.flatMap((items) => place(items, asked, answered));
  if (placed.some(({ time }) => time === undefined)) return placed;
  // Sorting is stable: what has one time keeps the order of the archive.
  return placed.toSorted((a, b) => (a.time ?? 0) - (b.time ?? 0));
}

function place(
  items: readonly Captured[],
  asked: ReadonlyMap<string, number>,
  answered: ReadonlyMap<string, number>,
): Captured[] {
  const begin = items.findIndex((item) => item.kind === 'stream');
  if (begin === -1 || items[0]?.time === undefined) return [...items];
  const out = items.slice(0, begin + 1);
  const events = items.slice(begin + 1);
  // From the end: an event comes before the first of those behind it that the client answered.
  let latest = Number.POSITIVE_INFINITY;
  const bounds = events.toReversed().map((event) => {
    const key = keyOf(event, true);
    latest = Math.min(latest, (key === undefined ? undefined : answered.get(key)) ?? latest);
    return latest;
  });
  bounds.reverse();
  let earliest = items[0].time;
  events.forEach((event, index) => {
    const key = keyOf(event, false);
    const askedAt = key === undefined ? undefined : asked.get(key);
    if (askedAt !== undefined) earliest = Math.max(earliest, askedAt + step);
    out.push({ ...event, time: Math.min(earliest, (bounds[index] ?? earliest) - step) });
  });
  return out;
}

/** When each request (or each response) of one side was sent, by connection and id. */
function timesOf(
  exchanges: readonly (readonly Captured[])[],
  from: 'client' | 'server',
  requests: boolean,
): Map<string, number> {
  const times = new Map<string, number>();
  for (const item of exchanges.flat()) {
    const key = item.from === from ? keyOf(item, requests) : undefined;
    if (key !== undefined && item.time !== undefined && !times.has(key)) times.set(key, item.time);
  }
  return times;
}

/** The id of a request (or of a response), as a key; undefined for all other events. */
function keyOf(item: Captured, request: boolean): string | undefined {
  const { message } = item;
  if (!isExactObject(message) || 'method' in message !== request) return undefined;
  const id = typeof message['id'] === 'string' ? JSON.stringify(message['id']) : numberText(message['id']);
  return id;
}
