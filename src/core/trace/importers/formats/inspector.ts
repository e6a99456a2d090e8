/**
 * Reads captures of the MCP Inspector: a list of JSON-RPC messages, an object with such a list as `events`, or the
 * export of its protocol view, with requests and their responses, or notifications.
 */
import { append } from '../../../model/lists.ts';
import { captureError, type Captured } from '../captured.ts';
import { countOf, isExactObject, numberText } from '../exact-json.ts';
import { looksLike } from './looks-like.ts';
import { rowKind } from './rows.ts';

type Members = Record<string, unknown>;

export interface InspectorReading {
  entries: Captured[];
  /** It is an export of the protocol view, with order by time only. */
  exported: boolean;
}

/**
 * @param warn called for unknown data
 * @throws McpcError (usage) for a batch within the list, and for a list without a message
 */
export function inspectorEntries(document: unknown, file: string, warn: (text: string) => void): InspectorReading {
  const list = Array.isArray(document)
    ? document
    : isExactObject(document) && Array.isArray(document['events'])
      ? document['events']
      : undefined;
  if (list === undefined) {
    warn('no events found: neither a list nor an object with a list of "events"');
    return { entries: [], exported: false };
  }
  const found: Captured[] = [];
  let unknown = 0;
  let exported = false;
  list.forEach((item: unknown, index) => {
    const at = index + 1;
    const place = `entry ${at}`;
    if (Array.isArray(item))
      throw captureError(file, place, 'the message is a batch; a capture holds one message in each place');
    if (isExportEntry(item)) {
      exported = true;
      append(found, unwrapped(item, at, place));
    } else if (isExactObject(item)) {
      const isMessage = ['message', 'bare'].includes(rowKind(item));
      if (isMessage) found.push({ at, place, kind: 'message', message: item });
      else unknown += 1;
    } else throw captureError(file, place, 'the message must be a JSON object');
  });
  if (unknown > 0 && !found.some(({ message }) => isExactObject(message) && 'jsonrpc' in message)) {
    const { what, remedy } = looksLike(list);
    throw captureError(file, '', `no entry is a JSON-RPC message; it looks like ${what}`, remedy);
  }
  if (unknown > 0)
    warn(`${unknown} of ${list.length} entries are no JSON-RPC messages and no entries of an Inspector export`);
  if (list.length === 0) warn('no events found: the list is empty');
  return { entries: exported ? chronological(found) : found, exported };
}

/** By time, where all have one; the newest may stand first. What has one time keeps the order of the list. */
function chronological(found: readonly Captured[]): Captured[] {
  const times = found.map((one) => one.time);
  if (times.some((time) => time === undefined)) return [...found];
  const newestFirst = (found[0]?.time ?? 0) > (found.at(-1)?.time ?? 0);
  const entries = newestFirst ? found.toSorted((a, b) => b.at - a.at) : found;
  return entries.toSorted((a, b) => (a.time ?? 0) - (b.time ?? 0));
}

/** An entry of the protocol view: a request, perhaps with its response, or a notification. */
export function isExportEntry(item: unknown): item is Members & { message: unknown } {
  if (!isExactObject(item) || 'jsonrpc' in item || 'method' in item || !isExactObject(item['message'])) return false;
  if (!('jsonrpc' in item['message'])) return false;
  return 'response' in item || item['direction'] === 'request' || item['direction'] === 'notification';
}

function unwrapped(item: Members & { message: unknown }, at: number, place: string): Captured[] {
  const time = instant(item['timestamp']);
  const origin = item['origin'] === 'client' || item['origin'] === 'server' ? item['origin'] : undefined;
  const ask: Captured = {
    at,
    place,
    kind: 'message',
    message: item.message,
    ...(time === undefined ? {} : { time }),
    ...(origin === undefined ? {} : { from: origin }),
  };
  if (!isExactObject(item['response'])) return [ask];
  const duration = Number(numberText(item['duration']) ?? 0);
  const later = time === undefined || !Number.isFinite(duration) || duration < 0 ? time : time + Math.round(duration);
  const answer: Captured = {
    at,
    place,
    kind: 'message',
    message: item['response'],
    ...(later === undefined ? {} : { time: later }),
    ...(origin === undefined ? {} : { from: origin === 'client' ? ('server' as const) : ('client' as const) }),
  };
  return [ask, answer];
}

/** Milliseconds of a date text or a number of milliseconds. */
function instant(value: unknown): number | undefined {
  if (typeof value !== 'string') return countOf(value);
  const time = Date.parse(value);
  return Number.isNaN(time) || time < 0 ? undefined : time;
}
