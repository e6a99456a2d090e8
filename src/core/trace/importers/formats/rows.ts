/**
 * Reads the rows of recorders that wrap messages: each row has the message as `payload`, `raw`, `msg` or `message`, as
 * an object or as its text, next to its own times and directions. Rows without a message are left out.
 */
import { brokenEntry } from '../broken-text.ts';
import type { Captured } from '../captured.ts';
import { isExactObject, numberText, parseExact, type ExactOptions } from '../exact-json.ts';

type Members = Record<string, unknown>;

/** Members that wrap a message. */
export const wrappers = ['payload', 'raw', 'msg', 'message'] as const;

const ownMembers = new Set([
  'jsonrpc',
  'id',
  'method',
  'params',
  'result',
  'error',
  '_meta',
  'timestamp',
  'timestamp_ms',
]);

/**
 * - `message`: a JSON-RPC message, which says so itself
 * - `bare`: the same without `jsonrpc`, and nothing beside it
 * - `wrapped`: a row that holds a message
 * - `notes`: what a tool noted of a message, which it does not hold
 * - `other`: anything else
 */
export type RowKind = 'message' | 'bare' | 'wrapped' | 'notes' | 'other';

export function rowKind(value: unknown): RowKind {
  if (!isExactObject(value)) return 'other';
  if (isMessage(value)) return 'message';
  if (payloadOf(value) !== undefined) return 'wrapped';
  if (!['method', 'result', 'error'].some((name) => name in value)) return 'other';
  return Object.keys(value).every((name) => ownMembers.has(name)) ? 'bare' : 'notes';
}

function isMessage(value: unknown): value is Members {
  return isExactObject(value) && 'jsonrpc' in value;
}

function startsJson(text: string): boolean {
  const start = text.trimStart();
  return start.startsWith('{') || start.startsWith('[');
}

/**
 * The wrapped message of a row, or its text, perhaps cut.
 *
 * @param bare also a message without `jsonrpc`, among rows with it
 */
function payloadOf(row: Members, bare = false): unknown {
  for (const name of wrappers) {
    const value = row[name];
    if (isMessage(value) || (Array.isArray(value) && value.length > 0 && value.every(isMessage))) return value;
    if (bare && rowKind(value) === 'bare') return value;
    if (typeof value === 'string' && startsJson(value) && value.includes('"jsonrpc"')) return value;
  }
  return undefined;
}

/**
 * The entry of a row.
 *
 * @returns undefined for a row without a message
 */
export function rowEntry(
  row: Members,
  where: { at: number; place: string },
  options: ExactOptions,
): Captured | undefined {
  const payload = payloadOf(row, true);
  if (payload === undefined) return undefined;
  const time = timeOf(row);
  const stream = textAt(row, ['session_id', 'sessionId', 'session', 'server_label', 'server_name', 'server']);
  const entry = {
    ...where,
    ...(time === undefined ? {} : { time }),
    ...(stream === undefined ? {} : { stream }),
    ...sideOf(row),
  };
  // A changed or cut message is not the original.
  if (row['truncated'] === true || row['redacted'] === true) {
    return {
      ...entry,
      kind: 'gap',
      text: (typeof payload === 'string' ? payload : JSON.stringify(payload)).slice(0, 2000),
      reason: `the recorder says that it ${row['truncated'] === true ? 'cut' : 'changed'} the message`,
      ...(isExactObject(payload) && 'id' in payload && !('method' in payload)
        ? { message: { id: payload['id'] } }
        : {}),
    };
  }
  const http = httpOf(row);
  const around = http === undefined ? entry : { ...entry, http };
  if (typeof payload !== 'string') return { ...around, kind: 'message', message: payload };
  try {
    return { ...around, kind: 'message', message: parseExact(payload, options) };
  } catch {
    return brokenEntry(payload, entry);
  }
}

/** The transport that a row names. */
export function transportOf(row: unknown): 'stdio' | 'http' | 'sse' | undefined {
  const named = isExactObject(row) ? row['transport'] : undefined;
  if (named === 'stdio' || named === 'sse') return named;
  return named === 'http' || named === 'streamable-http' || named === 'streamable_http' ? 'http' : undefined;
}

/** HTTP data of a row: the version header of a request, the status of a reply. */
function httpOf(row: Members): Captured['http'] {
  const version = row['mcp_protocol_version'];
  const status = Number(numberText(row['status'] ?? row['http_status']) ?? NaN);
  if (transportOf(row) !== 'http') return undefined;
  const http = {
    ...(typeof version === 'string' && version !== '' ? { headers: { 'mcp-protocol-version': version } } : {}),
    ...(Number.isInteger(status) && status >= 100 && status < 600 ? { status } : {}),
  };
  return Object.keys(http).length === 0 ? undefined : http;
}

const fromClient = new Set(['c2s', 'clientserver', 'clienttoserver', 'client', 'toserver', 'fromclient']);
const fromServer = new Set(['s2c', 'serverclient', 'servertoclient', 'server', 'toclient', 'fromserver']);
const outward = new Set(['send', 'sent', 'out', 'outgoing', 'outbound', 'tx']);
const inward = new Set(['receive', 'received', 'recv', 'in', 'incoming', 'inbound', 'rx']);
const directions = ['direction', 'dir', 'from', 'sender', 'origin'] as const;

/** Its sender, or its direction; nothing for ambiguous words, such as `request`, which both sides send. */
function sideOf(row: Members): Pick<Captured, 'from' | 'way'> {
  for (const name of directions) {
    const value = row[name];
    if (typeof value !== 'string') continue;
    if (['->', '-->', '>', '→'].includes(value.trim())) return { way: 'out' };
    if (['<-', '<--', '<', '←'].includes(value.trim())) return { way: 'in' };
    // As c2s, client_to_server or client->server.
    const word = value.toLowerCase().replace(/[^a-z0-9]/g, '');
    if (fromClient.has(word)) return { from: 'client' };
    if (fromServer.has(word)) return { from: 'server' };
    if (outward.has(word)) return { way: 'out' };
    if (inward.has(word)) return { way: 'in' };
  }
  return {};
}

/** Milliseconds: of a date, of seconds or milliseconds since 1970, or since the capture began. */
function timeOf(row: Members): number | undefined {
  for (const name of ['timestamp_ms', 'timestamp', 'ts', 'time', 't', 'at']) {
    const value = row[name];
    if (typeof value === 'string') {
      const time = Date.parse(value);
      if (!Number.isNaN(time) && time >= 0) return time;
    }
    const number = Number(numberText(value) ?? NaN);
    if (Number.isFinite(number) && number >= 0) return number > 1e9 && number < 1e11 ? number * 1000 : number;
  }
  return undefined;
}

function textAt(row: Members, names: readonly string[]): string | undefined {
  return names.map((name) => row[name]).find((value): value is string => typeof value === 'string' && value !== '');
}
