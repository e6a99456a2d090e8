/**
 * The HTTP side of an example's trace: requests with the headers of a correct client, replies and event streams,
 * and which reply carries a message of the server. Writes events only; what the lines of an example mean is not its business.
 */
import type { EventInput, HeaderMap } from '../../model/trace.ts';
import { spelledIn, type NotationAct } from '../../trace/notation.ts';
import { exampleHost, outOfBandHeaders, isOutOfBand, messagesPath, placeOf } from './example-address.ts';
import { handshakeId, isRecord } from './example-messages.ts';
import type { ExampleSetting } from './example-setting.ts';
import { nameMembers, type HeaderChanges } from '../../model/request-headers.ts';

export const exampleSessionId = 'example-session-8f14e45fceea167a';
const jsonType = 'application/json';
const streamType = 'text/event-stream';

export interface ExampleExchange {
  id: string;
  method: string;
  requestSeq?: number;
  rpcIds: unknown[];
  replied: boolean;
  streaming: boolean;
}

export type AddEvent = (event: Omit<EventInput, 'session'>) => number;
type Payload = Pick<EventInput, 'kind' | 'message' | 'raw' | 'invalidUtf8'>;

/** @param add appends an event to the trace, and returns its seq */
export function createExampleHttp({ transport, revision, era }: ExampleSetting, add: AddEvent) {
  const exchanges: ExampleExchange[] = [];
  const labels = new Map<string, ExampleExchange>();
  /** Session ids by the number of their connection. */
  const sessionIds = new Map<number, string>();
  let connection = 0;
  let listenStream: ExampleExchange | undefined;
  let counter = 0;

  /** @param address where it goes, if that is not just the endpoint */
  function request(
    method: string,
    headers: HeaderMap,
    label?: string,
    address?: string,
    spelled: readonly string[] = [],
  ): ExampleExchange {
    counter += 1;
    const exchange: ExampleExchange = { id: `x${counter}`, method, rpcIds: [], replied: false, streaming: false };
    exchanges.push(exchange);
    if (label !== undefined) labels.set(label, exchange);
    add({
      from: 'client',
      kind: 'http-request',
      exchange: exchange.id,
      http: {
        method,
        ...placeOf(address, transport === 'sse' && method === 'POST' ? messagesPath : undefined),
        headers,
        ...(spelled.length === 0 ? {} : { spelled }),
      },
    });
    return exchange;
  }

  function respond(
    exchange: ExampleExchange,
    status: number,
    headers: HeaderMap,
    bodyBytes: number,
    body?: string,
    spelled?: readonly string[],
  ): void {
    exchange.replied = true;
    add({
      from: 'server',
      kind: 'http-response',
      exchange: exchange.id,
      http: { status, headers, ...(spelled ? { spelled } : {}), ...(bodyBytes < 0 ? {} : { bodyBytes }), body },
    });
  }

  function startStream(exchange: ExampleExchange, headers: HeaderMap): void {
    respond(exchange, 200, { 'content-type': streamType, ...headers }, -1);
    exchange.streaming = true;
    add({ from: 'server', kind: 'sse-open', exchange: exchange.id });
  }

  function endStream(exchange: ExampleExchange | undefined, from: 'client' | 'server'): void {
    if (!exchange) return;
    exchange.streaming = false;
    exchange.replied = true;
    add({ from, kind: 'sse-close', what: 'stream', exchange: exchange.id });
  }

  /** Headers of a correct client for the message, with the given changes. */
  function headersFor(message: unknown, ...changes: HeaderChanges[]): HeaderMap {
    const method = isRecord(message) ? message.method : undefined;
    const starts = method === 'initialize' || era === 'stateless';
    const headers: HeaderMap = {
      host: exampleHost,
      accept: `${jsonType}, ${streamType}`,
      'content-type': jsonType,
      ...(starts || !sessionIds.has(connection) ? {} : { 'mcp-session-id': sessionIds.get(connection)! }),
      ...(method !== 'initialize' && revision >= '2025-06-18' ? { 'mcp-protocol-version': revision } : {}),
      ...(era === 'stateless' && typeof method === 'string'
        ? { 'mcp-method': method, ...nameHeader(method, message) }
        : {}),
    };
    return changed(headers, changes);
  }

  /** The exchange whose reply a server message belongs to: its own POST for a response, else the newest open one. */
  function carrierOf(message: unknown, label?: string): ExampleExchange | undefined {
    if (label !== undefined) return labels.get(label);
    if (transport === 'sse') return listenStream;
    const first = Array.isArray(message) ? message[0] : message;
    const isReply = isRecord(first) && !('method' in first);
    const own = isReply ? exchanges.findLast((one) => one.rpcIds.includes(first.id) && usable(one)) : undefined;
    return (
      own ??
      exchanges.findLast((one) => one.method === 'POST' && one.rpcIds.some((id) => id !== undefined) && usable(one)) ??
      exchanges.findLast(usable)
    );
  }

  /** The exchange of that label, else the newest one. */
  function current(label?: string): ExampleExchange | undefined {
    return label === undefined ? (exchanges.findLast(usable) ?? exchanges.at(-1)) : labels.get(label);
  }

  return {
    labels,
    current,
    request,
    respond,
    endStream,
    headersFor,

    /** A new connection begins, or an earlier one goes on: nothing of the one before counts any more but its session id. */
    begin(openLegacyStream: boolean, number: number): void {
      connection = number;
      listenStream = undefined;
      exchanges.length = 0;
      if (!openLegacyStream) return;
      listenStream = request('GET', { accept: streamType });
      startStream(listenStream, {});
      add({
        from: 'server',
        kind: 'sse-event',
        exchange: listenStream.id,
        sse: { event: 'endpoint', data: messagesPath },
      });
    },

    /** From here on requests carry the session id that the handshake brought. */
    useSession(): void {
      sessionIds.set(connection, exampleSessionId);
    },

    /** The newest POST is accepted without an answer. */
    accept(): void {
      respond(exchanges.at(-1)!, 202, {}, 0);
    },

    /** A POST of a message or batch, or what a client sends in its place. */
    post(message: unknown, changes: HeaderChanges, label?: string, address?: string, method = 'POST'): ExampleExchange {
      const exchange = request(method, headersFor(message, changes), label, address, spelledIn(changes));
      exchange.rpcIds = (Array.isArray(message) ? message : [message]).filter(isRecord).map((one) => one.id);
      return exchange;
    },

    /** A request without a body. */
    bare(method: string, changes: HeaderChanges, label?: string, address?: string): void {
      if (isOutOfBand(address)) request(method, changed(outOfBandHeaders(address, method), [changes]), label, address);
      else
        request(
          method,
          headersFor(undefined, { 'content-type': null, ...(method === 'GET' ? { accept: streamType } : {}) }, changes),
          label,
          address,
        );
    },

    /** A POST of bytes that are no message. */
    postBytes(changes: HeaderChanges, label?: string, address?: string): ExampleExchange {
      const headers = isOutOfBand(address)
        ? changed(outOfBandHeaders(address, 'POST'), [changes])
        : headersFor(undefined, changes);
      return request('POST', headers, label, address);
    },

    /** A message of the server, on the reply that it belongs to. @param isLast nothing more comes on that reply */
    deliver(message: unknown, payload: Payload, label: string | undefined, isLast: boolean): void {
      let exchange = carrierOf(message, label);
      if (!exchange) {
        exchange = request('GET', headersFor(undefined, { accept: streamType, 'content-type': null }));
        startStream(exchange, {});
      }
      const single = !exchange.replied && isLast;
      if (single) {
        const opensSession = exchange.rpcIds.includes(handshakeId) && era === 'stateful';
        const issued: HeaderMap = opensSession ? { 'mcp-session-id': exampleSessionId } : {};
        respond(exchange, 200, { 'content-type': jsonType, ...issued }, JSON.stringify(message).length);
      } else if (!exchange.replied) startStream(exchange, {});
      add({ from: 'server', ...payload, exchange: exchange.id, ...(single ? {} : { sse: {} }) });
      const answered = isRecord(message) && !('method' in message);
      if (!single && answered && exchange.method === 'POST' && label === undefined) endStream(exchange, 'server');
    },

    /** `< 404 type=… body=…`. */
    replyInFull({ label, status, headers, spelled, body }: Extract<NotationAct, { act: 'server-status' }>): void {
      const exchange = current(label);
      if (!exchange) return;
      const parsed = body === '' ? undefined : parseOrUndefined(body);
      const type: HeaderMap = body === '' ? {} : { 'content-type': parsed === undefined ? 'text/plain' : jsonType };
      const shown = parsed === undefined && body !== '' ? body : undefined;
      respond(exchange, status, { ...type, ...headers }, body.length, shown, spelled);
      if (parsed !== undefined) add({ from: 'server', kind: 'message', message: parsed, exchange: exchange.id });
      const issued = headers['mcp-session-id'];
      if (issued !== undefined && !sessionIds.has(connection)) sessionIds.set(connection, issued);
    },

    /** `< fetch …`: an exchange the other way round, which nothing else is part of. */
    fetched({ address, body, headers, status }: Extract<NotationAct, { act: 'server-fetch' }>): void {
      counter += 1;
      const exchange = `x${counter}`;
      const { host, origin, pathname, search } = new URL(address);
      const http = { method: 'GET', origin, path: pathname + search, headers: { host, accept: jsonType } };
      add({ from: 'server', kind: 'http-request', exchange, http });
      const parsed = body === '' ? undefined : parseOrUndefined(body);
      const text = parsed === undefined && body !== '' ? { body } : {};
      const reply = { status, headers, bodyBytes: body.length, ...text };
      add({ from: 'client', kind: 'http-response', exchange, http: reply });
      if (parsed !== undefined) add({ from: 'client', kind: 'message', message: parsed, exchange });
    },

    /** `<< text`. */
    rawBody({ label, text }: Extract<NotationAct, { act: 'server-raw' }>): void {
      const exchange = current(label);
      if (!exchange) return;
      if (!exchange.streaming) respond(exchange, 200, { 'content-type': jsonType }, text.length);
      add({
        from: 'server',
        kind: 'unparsable',
        raw: text,
        exchange: exchange.id,
        ...(exchange.streaming ? { sse: {} } : {}),
      });
    },

    /** `< stream header.name=…`. */
    openStream({ label, headers }: Extract<NotationAct, { act: 'server-stream' }>): void {
      const exchange = current(label);
      if (exchange) startStream(exchange, headers);
    },

    /** `< event name=… id=… data=…`. */
    event(line: Extract<NotationAct, { act: 'server-event' }>): void {
      const exchange = current(line.label);
      if (!exchange) return;
      if (!exchange.streaming) startStream(exchange, {});
      const message = line.data === '' ? undefined : parseOrUndefined(line.data);
      const sse = {
        event: line.event,
        id: line.id,
        retry: line.retry,
        ...(line.comments === undefined ? {} : { comments: line.comments }),
      };
      if (message !== undefined) add({ from: 'server', kind: 'message', message, exchange: exchange.id, sse });
      else add({ from: 'server', kind: 'sse-event', exchange: exchange.id, sse: { ...sse, data: line.data } });
    },
  };
}

function changed(headers: HeaderMap, changes: readonly HeaderChanges[]): HeaderMap {
  const result = { ...headers };
  for (const [name, value] of changes.flatMap((one) => Object.entries(one))) {
    if (value === null) delete result[name];
    else if (value !== true) result[name] = value;
  }
  return result;
}

function usable(exchange: ExampleExchange): boolean {
  return !exchange.replied || exchange.streaming;
}

/** Mcp-Name of the methods that have one (2026-07-28: basic/transports/streamable-http, standard headers). */
function nameHeader(method: string, message: unknown): HeaderMap {
  const member = nameMembers[method];
  const params = isRecord(message) && isRecord(message.params) ? message.params : {};
  const name = member === undefined ? undefined : params[member];
  return typeof name === 'string' ? { 'mcp-name': name } : {};
}

export function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
