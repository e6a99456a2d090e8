/**
 * Meaning of a captured message for an episode: a list of tools, a call, an answer; and its id as text. Every format
 * goes through here, so equal conversations mean the same. It must not pair or order messages.
 */
import { captureError } from './captured.ts';
import type { Captured } from './captured.ts';
import { countOf, isExactObject, numberText } from './exact-json.ts';

export interface ListedTool {
  name: string;
  description: string | null;
  inputSchema: unknown;
}

export type Meaning =
  | { kind: 'list' }
  | { kind: 'listed'; tools: ListedTool[] }
  | { kind: 'call'; name: string; args: unknown }
  | { kind: 'answer'; isError: boolean; payload: unknown }
  /** A message that the capture lacks; with an id, a response. */
  | { kind: 'lost' }
  /** Anything else; `asks` where it is a request, whose answer is then none of a call. */
  | { kind: 'other'; asks: boolean };

export interface McpEvent {
  at: number;
  /** Position in the conversation. */
  order: number;
  place: string;
  /** Whole milliseconds; undefined without a time. */
  time: number | undefined;
  /** The id as text; null for ids that correlate nothing. */
  id: string | null;
  /** The JSON type of the id, for strict reading: 1 and "1" differ. */
  idKind: 'string' | 'number' | 'none';
  meaning: Meaning;
  /** The connection, if the format distinguishes connections: ids are unique within it. */
  scope?: string;
}

/**
 * The connection of each entry, as far as the format shows it: its separate units, and in those each handshake.
 *
 * @returns undefined for an entry of a format that keeps nothing apart
 */
export function createScopes(): (entry: Captured) => string | undefined {
  const starts = new Map<string, number>();
  return ({ stream, message }) => {
    if (stream === undefined) return undefined;
    const begins = isExactObject(message) && message['method'] === 'initialize';
    const count = (starts.get(stream) ?? 0) + (begins ? 1 : 0);
    starts.set(stream, count);
    return `${count} ${stream}`;
  };
}

/** The key of an id within its connection; undefined for an id that correlates nothing. */
export function scopedKey({ scope }: McpEvent, id: string | undefined): string | undefined {
  return id === undefined || scope === undefined ? id : `${scope} ${id}`;
}

/**
 * Reads one message.
 *
 * @throws McpcError (usage) for what is no JSON object, and for an id that is a boolean, a list or an object
 */
export function meaningOf(entry: Captured, file: string): McpEvent {
  const { message, at, place } = entry;
  if (!isExactObject(message)) {
    const what = Array.isArray(message)
      ? 'is a batch; a capture holds one message in each place'
      : 'must be a JSON object';
    throw captureError(file, place, `the message ${what}`);
  }
  const id = idOf(message['id'], file, place);
  const time = entry.time === undefined ? timeIn(message) : Math.floor(entry.time);
  return { at, order: entry.order ?? at, place, time, ...id, meaning: meaning(message) };
}

/** Meaning of a gap of the capture. */
export function lossOf(entry: Captured, file: string): McpEvent {
  const { at, place, time, message } = entry;
  const id = idOf(isExactObject(message) ? message['id'] : undefined, file, place);
  return {
    at,
    order: entry.order ?? at,
    place,
    time: time === undefined ? undefined : Math.floor(time),
    ...id,
    meaning: { kind: 'lost' },
  };
}

function idOf(raw: unknown, file: string, place: string): Pick<McpEvent, 'id' | 'idKind'> {
  if (raw === undefined || raw === null) return { id: null, idKind: 'none' };
  if (typeof raw === 'string') return { id: raw, idKind: 'string' };
  const digits = numberText(raw);
  if (digits !== undefined) return { id: digits, idKind: 'number' };
  const what = typeof raw === 'boolean' ? 'a boolean' : Array.isArray(raw) ? 'an array' : 'an object';
  throw captureError(file, place, `the JSON-RPC id must not be ${what}`, 'An id is a string or a number.');
}

/** Times within a message; only whole milliseconds count. */
function timeIn(message: Record<string, unknown>): number | undefined {
  return countOf(message['timestamp_ms']) ?? countOf(message['timestamp']);
}

function meaning(message: Record<string, unknown>): Meaning {
  const { method } = message;
  if (method !== undefined) {
    if (method === 'tools/list') return { kind: 'list' };
    if (method !== 'tools/call') return { kind: 'other', asks: true };
    const params = isExactObject(message['params']) ? message['params'] : {};
    return {
      kind: 'call',
      name: typeof params['name'] === 'string' ? params['name'] : 'unknown_tool',
      args: params['arguments'] ?? null,
    };
  }
  if ('result' in message) {
    const { result } = message;
    if (isExactObject(result) && Array.isArray(result['tools']))
      return { kind: 'listed', tools: result['tools'].map(listedTool) };
    return { kind: 'answer', isError: false, payload: result };
  }
  return 'error' in message
    ? { kind: 'answer', isError: true, payload: message['error'] }
    : { kind: 'other', asks: false };
}

function listedTool(tool: unknown): ListedTool {
  const members = isExactObject(tool) ? tool : {};
  const { name, description } = members;
  return {
    name: typeof name === 'string' ? name : 'unknown',
    description: typeof description === 'string' ? description : null,
    inputSchema: members['inputSchema'] ?? members['input_schema'] ?? null,
  };
}
