/**
 * Reads HAR files (HTTP Archive 1.2, as browsers and proxies save them): the exchanges in them that carry MCP,
 * with statuses and headers. A body that the archive left out stays unknown: the reply is then left out too,
 * since a missing answer would be blamed on the server.
 */
import { createParser } from 'eventsource-parser';
import type { HeaderMap } from '../../../model/trace.ts';
import { captureError, type Captured } from '../captured.ts';
import { isExactObject, numberText, parseExact } from '../exact-json.ts';
import { challengeOf } from './challenge.ts';
import { inOrder } from './har-order.ts';
import type { ReadOptions } from './jsonrpc-lines.ts';

type Members = Record<string, unknown>;

export interface HarReading {
  entries: Captured[];
  /** The HTTP+SSE transport of 2024-11-05: a stream said where to POST. */
  legacy: boolean;
}

/** Start of a body that is no message, in characters. */
const excerptLength = 2048;

/** @throws McpcError (usage) for what is no HAR */
export function harEntries(
  document: unknown,
  file: string,
  options: ReadOptions,
  warn: (text: string) => void,
): HarReading {
  const log = isExactObject(document) ? document['log'] : undefined;
  const list = isExactObject(log) ? log['entries'] : undefined;
  if (!Array.isArray(list)) throw captureError(file, '', 'invalid HAR: it must have a list "entries" in "log"');
  const exchanges: Captured[][] = [];
  let left = 0;
  let bodiless = 0;
  list.forEach((entry: unknown, index) => {
    const place = `entry ${index + 1}`;
    if (!isExactObject(entry) || !isExactObject(entry['request']))
      throw captureError(file, place, 'invalid HAR: an entry must be an object with a "request"');
    const read = readExchange(entry, index + 1, place, options);
    if (read === undefined) left += 1;
    else {
      exchanges.push(read.items);
      if (read.bodyLeftOut) bodiless += 1;
    }
  });
  if (exchanges.length === 0) warn('no MCP found: no request or reply in the archive carries JSON-RPC');
  if (left > 0 && exchanges.length > 0) warn(`${left} of ${list.length} exchanges carry no MCP and were left out`);
  if (bodiless > 0)
    warn(
      `the archive does not hold the body of ${bodiless} ${bodiless === 1 ? 'reply' : 'replies'}; save it with content, or export it with response bodies`,
    );
  const legacy = exchanges.some((items) => items.some((item) => item.sse?.event === 'endpoint'));
  return { entries: inOrder(exchanges), legacy };
}

/** One exchange as events: request, message in it, reply, messages in that. Undefined when it is not of MCP. */
function readExchange(
  entry: Members,
  at: number,
  place: string,
  options: ReadOptions,
): { items: Captured[]; bodyLeftOut: boolean } | undefined {
  const request = entry['request'] as Members;
  const response = isExactObject(entry['response']) ? entry['response'] : {};
  const method = text(request['method']).toUpperCase();
  const url = parsedUrl(request['url']);
  const sent = isExactObject(request['postData']) ? jsonIn(request['postData']['text'], options) : undefined;
  const requestHeaders: HeaderMap = {
    ...(url === undefined ? {} : { host: url.host }),
    ...headersOf(request['headers']),
  };
  const responseHeaders = headersOf(response['headers']);
  const streams = mediaType(responseHeaders) === 'text/event-stream';
  const body = bodyOf(response['content']);
  const asks = method === 'POST' && isRpc(sent);
  const listens =
    method === 'GET' &&
    (streams || first(requestHeaders['accept'])?.includes('text/event-stream') === true) &&
    looksLikeMcp(requestHeaders, body.text);
  const ends = method === 'DELETE' && requestHeaders['mcp-session-id'] !== undefined;
  if (!asks && !listens && !ends) return undefined;

  const began = Date.parse(text(entry['startedDateTime']));
  const start = Number.isNaN(began) ? undefined : began;
  const took = Number(numberText(entry['time']) ?? 0);
  const end = start === undefined ? undefined : start + (took > 0 ? took : 0);
  const base = { at, place, exchange: `x${at}`, connection: connectionOf(requestHeaders, responseHeaders) };
  const item = (part: Omit<Captured, 'at' | 'place'>, time: number | undefined): Captured => ({
    ...base,
    ...part,
    ...(time === undefined ? {} : { time }),
  });

  const items = [
    item(
      {
        kind: 'request',
        from: 'client',
        ...(isInitialize(sent) ? { opens: true } : {}),
        http: { method, path: url === undefined ? '/' : url.pathname + url.search, headers: requestHeaders },
      },
      start,
    ),
  ];
  if (asks) items.push(item({ kind: 'message', from: 'client', message: sent }, start));
  const status = Number(numberText(response['status']) ?? 0);
  if (!(status >= 100 && status <= 599)) return { items, bodyLeftOut: false };
  if (body.leftOut && !streams) return { items, bodyLeftOut: true };
  const http = { status, headers: responseHeaders };
  const challenge = challengeOf({ ...http }, undefined);
  const noted = challenge ? { challenge } : {};
  if (streams && status < 300) {
    items.push(
      item({ kind: 'response', from: 'server', http }, start),
      item({ kind: 'stream', from: 'server' }, start),
    );
    for (const event of eventsIn(body.text ?? '', options)) items.push(item({ ...event, from: 'server' }, end));
    return { items, bodyLeftOut: body.leftOut };
  }
  const reply = jsonIn(body.text, options);
  const bodyBytes = Buffer.byteLength(body.text ?? '');
  if (reply !== undefined)
    items.push(
      item({ kind: 'response', from: 'server', http: { ...http, bodyBytes }, ...noted }, end),
      item({ kind: 'message', from: 'server', message: reply }, end),
    );
  else
    items.push(
      item(
        {
          kind: 'response',
          from: 'server',
          http: { ...http, bodyBytes, ...(bodyBytes === 0 ? {} : { body: (body.text ?? '').slice(0, excerptLength) }) },
          ...noted,
        },
        end,
      ),
    );
  return { items, bodyLeftOut: false };
}

/** The events of a stream; those whose data is JSON-RPC as messages. */
function eventsIn(body: string, options: ReadOptions): Pick<Captured, 'kind' | 'message' | 'sse'>[] {
  const found: Pick<Captured, 'kind' | 'message' | 'sse'>[] = [];
  const parser = createParser({
    onEvent({ event, id, data }) {
      const sse = { ...(event === undefined ? {} : { event }), ...(id === undefined ? {} : { id }) };
      const message = event === undefined || event === 'message' ? jsonIn(data, options) : undefined;
      found.push(
        message !== undefined && isRpc(message)
          ? { kind: 'message', message, sse }
          : { kind: 'event', sse: { ...sse, data } },
      );
    },
  });
  parser.feed(body);
  parser.feed('\n\n');
  return found;
}

/** The archive's data about a body: its text, and whether there was one that it does not contain. */
function bodyOf(content: unknown): { text?: string; leftOut: boolean } {
  if (!isExactObject(content)) return { leftOut: false };
  const size = Number(numberText(content['size']) ?? 0);
  if (typeof content['text'] !== 'string') return { leftOut: size !== 0 };
  const plain =
    content['encoding'] === 'base64' ? Buffer.from(content['text'], 'base64').toString('utf8') : content['text'];
  return { text: plain, leftOut: plain === '' && size > 0 };
}

/** Proxies without MCP record many streams; one of MCP has a header of it, or JSON-RPC or an endpoint in it. */
function looksLikeMcp(headers: HeaderMap, body: string | undefined): boolean {
  if (Object.keys(headers).some((name) => name.startsWith('mcp-'))) return true;
  return body !== undefined && (/^event:[ ]?endpoint\b/m.test(body) || body.includes('"jsonrpc"'));
}

function isRpc(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isRpc);
  return isExactObject(value) && 'jsonrpc' in value && ['method', 'result', 'error'].some((name) => name in value);
}

function isInitialize(message: unknown): boolean {
  return isExactObject(message) && message['method'] === 'initialize';
}

/** Exchanges with one session id are of one connection. */
function connectionOf(request: HeaderMap, response: HeaderMap): string {
  return first(request['mcp-session-id']) ?? first(response['mcp-session-id']) ?? '';
}

function headersOf(list: unknown): HeaderMap {
  const found = new Map<string, string[]>();
  for (const one of Array.isArray(list) ? (list as unknown[]) : []) {
    if (!isExactObject(one) || typeof one['name'] !== 'string' || typeof one['value'] !== 'string') continue;
    const name = one['name'].toLowerCase();
    // Pseudo headers of HTTP/2 are no headers.
    if (name.startsWith(':')) continue;
    found.set(name, [...(found.get(name) ?? []), one['value']]);
  }
  return Object.fromEntries([...found].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]));
}

function mediaType(headers: HeaderMap): string | undefined {
  return first(headers['content-type'])?.split(';')[0]?.trim().toLowerCase();
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function parsedUrl(value: unknown): URL | undefined {
  return URL.canParse(text(value)) ? new URL(text(value)) : undefined;
}

function jsonIn(value: unknown, options: ReadOptions): unknown {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  try {
    return parseExact(value, options);
  } catch {
    return undefined;
  }
}
