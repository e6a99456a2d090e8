/**
 * Relation of the `Mcp-Param-*` and `Mcp-Name` headers of a request to its body (2026-07-28:
 * basic/transports/streamable-http, server validation), and whether the same request was served before. It makes no
 * judgement.
 */
import {
  areSound,
  headerParameters,
  headerText,
  readHeaderValue,
  valueAt,
} from '../../json-schema/header-parameters.ts';
import { asObject, type JsonObject } from '../../model/json.ts';
import type { Definitions, Feature } from '../core/plugin.ts';
import { storeOf } from '../state/store.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { paramsOf } from '../values/rpc.ts';
import { mirroredName } from '../http/header-fault.ts';

/** Names of parameters, by what their header is. */
interface ParamHeaders {
  right: string[];
  encoded: string[];
  missing: string[];
  wrong: string[];
  invalid: string[];
  /** Equal as numbers alone. */
  numeric: string[];
  /** Null or absent in the arguments, and without a header. */
  absent: string[];
  /** Not covered by the specification: a header twice, or for an absent argument. */
  unclear: string[];
}

const keptRequests = 2000;
const longestKey = 10_000;
const served = storeOf<Set<string>>(() => new Set());
const bodies = storeOf<Set<string>>(() => new Set());

const exchangeFacts: Definitions<RpcRecord> = {
  paramHeaders: {
    says: 'tools/call over HTTP in the stateless era, of a listed tool with sound x-mcp-header annotations: names of parameters whose header is right, encoded (right, as Base64), missing, wrong, invalid (characters that no header may have, or broken Base64), numeric (equal as numbers alone), absent (null or not in the arguments, and without header), unclear (twice, or for what is absent).',
    rests: ['exchanges', 'order', 'start'],
  },
  nameHeader: {
    says: 'tools/call, prompts/get, resources/read over HTTP in the stateless era: how Mcp-Name relates to the body: right, encoded (right, as Base64), wrong, invalid or missing.',
    rests: ['exchanges'],
    read: nameHeader,
  },
  servedBefore: {
    says: 'Stateless era over HTTP: a request with the same method, params (but for _meta) and values of headers was answered with a result earlier on the connection.',
    rests: ['exchanges', 'order', 'start'],
  },
  bodyServedBefore: {
    says: 'Stateless era over HTTP: a request with the same method and params (but for _meta) was answered with a result earlier on the connection, whatever its headers.',
    rests: ['exchanges', 'order', 'start'],
  },
};

export const paramHeaderFacts: Feature = {
  name: 'param-headers',
  after: ['listing'],
  facts: { exchange: exchangeFacts },
  create: () => ({
    answered(record, { listed }) {
      if (record.from !== 'client' || record.http === undefined || record.session.era !== 'stateless') return undefined;
      const before = served(record.session);
      const key = keyOf(record);
      const servedBefore = key.length <= longestKey && before.has(key);
      const earlier = bodies(record.session);
      const body = bodyOf(record);
      const bodyServedBefore = body.length <= longestKey && earlier.has(body);
      if (record.outcome === 'result' && key.length <= longestKey && before.size < keptRequests) {
        before.add(key);
        earlier.add(body);
      }
      const paramHeaders =
        record.method === 'tools/call' && listed !== undefined
          ? headersOf(record, asObject(listed)?.inputSchema)
          : undefined;
      return { facts: { servedBefore, bodyServedBefore, ...(paramHeaders === undefined ? {} : { paramHeaders }) } };
    },
  }),
};

/** A value without the blanks that belong to no value (RFC 9110, 5.5); a header that came twice is a list. */
function headerOf({ http }: RpcRecord, name: string): string | string[] | undefined {
  const value: unknown = (http?.requestHeaders as JsonObject | undefined)?.[name];
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? withoutBlanks(value) : undefined;
}

function withoutBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && (text[from] === ' ' || text[from] === '\t')) from += 1;
  while (to > from && (text[to - 1] === ' ' || text[to - 1] === '\t')) to -= 1;
  return text.slice(from, to);
}

function headersOf(record: RpcRecord, schema: unknown): ParamHeaders | undefined {
  const parameters = headerParameters(schema);
  if (parameters.length === 0 || !areSound(parameters)) return undefined;
  const given = paramsOf(record.message)?.arguments;
  const found: ParamHeaders = {
    right: [],
    encoded: [],
    missing: [],
    wrong: [],
    invalid: [],
    numeric: [],
    absent: [],
    unclear: [],
  };
  for (const { header, path, type } of parameters) {
    const value = valueAt(given, path);
    const sent = headerOf(record, `mcp-param-${header.toLowerCase()}`);
    found[stateOf(value, sent, type)].push(path.join('.'));
  }
  return found;
}

function stateOf(value: unknown, sent: string | string[] | undefined, type: string | undefined): keyof ParamHeaders {
  const text = headerText(value);
  if (Array.isArray(sent)) return 'unclear';
  if (text === undefined)
    return value !== undefined && value !== null ? 'unclear' : sent === undefined ? 'absent' : 'unclear';
  if (sent === undefined) return 'missing';
  const read = readHeaderValue(sent);
  if (read.as === 'invalid') return 'invalid';
  if (read.text === text) return read.as === 'encoded' ? 'encoded' : 'right';
  return type === 'integer' && typeof value === 'number' && read.text !== '' && Number(read.text) === value
    ? 'numeric'
    : 'wrong';
}

function nameHeader(record: RpcRecord): string | undefined {
  const name = nameIn(record);
  if (name === undefined) return undefined;
  const sent = headerOf(record, 'mcp-name');
  if (sent === undefined) return 'missing';
  const read = readHeaderValue(String(sent));
  if (read.as === 'invalid') return 'invalid';
  if (read.text !== name) return 'wrong';
  return read.as === 'encoded' ? 'encoded' : 'right';
}

/** The name in the body that Mcp-Name mirrors. */
function nameIn({ from, http, message, session }: RpcRecord): string | undefined {
  return from === 'client' && http !== undefined && session.era === 'stateless' ? mirroredName(message) : undefined;
}

/** Method and params. */
function bodyOf(record: RpcRecord): string {
  const { _meta, ...params } = paramsOf(record.message) ?? {};
  return JSON.stringify([record.method, params]);
}

/** Method, params and the headers that mirror them. */
function keyOf(record: RpcRecord): string {
  const { _meta, ...params } = paramsOf(record.message) ?? {};
  const headers = Object.entries((record.http?.requestHeaders ?? {}) as JsonObject)
    .filter(
      ([name]) =>
        name.startsWith('mcp-') ||
        name === 'accept' ||
        name === 'content-type' ||
        name === 'origin' ||
        name === 'authorization',
    )
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify([record.method, params, headers, _meta === undefined]);
}
