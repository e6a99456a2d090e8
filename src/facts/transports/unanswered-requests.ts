/**
 * Counts the sound requests of a client that a server did not answer because it, or what stands before it, broke
 * down: an HTTP status of 5xx or 429, a reply that was cut off or grew over a limit, a connection that was lost, a
 * process that ended. Decides nothing about rules; a run with such requests cannot count as whole.
 *
 * Not counted, since legal servers do so: whatever answers a deliberate deviation, refusals by 4xx (a session that
 * the server ended is 404), time-outs and streams that end in order (rules judge both), and all that the client
 * gave up itself.
 */
import { PassingMap } from '../../model/passing.ts';
import { isBusy, isOutage } from '../../model/reports/http-outage.ts';
import type { RequestTally } from '../../model/reports/run-report.ts';
import type { TraceEvent, TransportKind } from '../../model/trace.ts';
import { paramsOf, typedKey, type IdKey } from '../jsonrpc/rpc.ts';
import { asText } from '../../model/json.ts';

type Json = Record<string, unknown>;

interface Request {
  key: IdKey;
  seq: number;
  exchange: string | undefined;
  /** What came in place of an answer, as far as is known. */
  cause?: string;
  counted?: true;
  handshake?: true;
  /** It was sent once more, and only its last try counts. */
  takenBack?: true;
}

interface Connection {
  /** Requests without an answer, by id. */
  open: PassingMap<IdKey, Request>;
  /** The client is ending it: what is lost from now on was given up. */
  leaving: boolean;
  /** Seq of the newest deliberate fault that no answered request has followed: the end of a process proves nothing then. */
  provoked: number | undefined;
  /** A request other than the handshake was answered. */
  served: boolean;
}

interface Exchange {
  requests: Request[];
  /** Captures of other clients: by what the same request is known when it is sent again. */
  messages: Json[];
  connection: Connection;
  method: string;
  status?: number;
  streaming: boolean;
  /** Its request names a session. */
  inSession: boolean;
}

export interface UnansweredRequests {
  push(event: TraceEvent): void;
  /** What was counted so far. */
  tally(): RequestTally;
  /** Ends all connections. */
  finish(): RequestTally;
}

export interface UnansweredOptions {
  transport: TransportKind;
  /** The trace of a check, which notes what it sends wrong on purpose and what it sends once more. */
  own: boolean;
}

const keptConnections = 1000;
const keptExchanges = 10_000;
const keptOpen = 10_000;
const keptRefused = 1000;
const longestText = 2000;
const keptEvents = 10;

/** Makes the count of one trace; every event is given to it, in order. Memory is bounded however long the trace is. */
export function createUnansweredRequests({ transport, own }: UnansweredOptions): UnansweredRequests {
  const connections = new Map<string, Connection>();
  const exchanges = new Map<string, Exchange>();
  const causes = new Map<string, number>();
  /** Requests refused by a server that was busy, which may be sent once more: by seq, in captures by text. */
  const refused = new Map<number | string, Request[]>();
  const events: number[] = [];
  let sent = 0;
  let ended = 0;

  function connectionOf(name: string): Connection {
    let connection = connections.get(name);
    if (!connection) {
      connection = { open: new PassingMap(), leaving: false, provoked: undefined, served: false };
      connections.set(name, connection);
      if (connections.size > keptConnections) drop(connections.keys().next().value!);
    }
    return connection;
  }

  function drop(name: string): void {
    const connection = connections.get(name);
    if (!connection) return;
    for (const request of connection.open.values()) count(request);
    connection.open.clear();
    connections.delete(name);
  }

  function count(request: Request): void {
    const { cause, seq } = request;
    if (cause === undefined || request.takenBack) return;
    request.counted = true;
    causes.set(cause, (causes.get(cause) ?? 0) + 1);
    if (events.length < keptEvents) events.push(seq);
  }

  /** @param key seq, or text, of requests that were sent once more */
  function takeBack(key: number | string): void {
    for (const request of refused.get(key) ?? []) {
      request.takenBack = true;
      sent -= 1;
      if (request.counted) causes.set(request.cause!, causes.get(request.cause!)! - 1);
    }
    refused.delete(key);
  }

  function noteRefused(key: number | string | undefined, request: Request): void {
    if (key === undefined) return;
    const same = refused.get(key);
    if (same) same.push(request);
    else if (refused.size < keptRefused) refused.set(key, [request]);
  }

  function sentByClient(event: TraceEvent): void {
    const connection = connectionOf(event.session);
    const exchange = event.exchange === undefined ? undefined : exchanges.get(event.exchange);
    if (event.repeats !== undefined) takeBack(event.repeats);
    if (event.deviation !== undefined || event.trial === true) connection.provoked = event.seq;
    if (event.deviation !== undefined || event.trial === true || event.kind !== 'message') return;
    if (Array.isArray(event.message)) for (const message of event.message as unknown[]) sentOne(message, event, connection, exchange);
    else sentOne(event.message, event, connection, exchange);
  }

  function sentOne(message: unknown, event: TraceEvent, connection: Connection, exchange: Exchange | undefined): void {
    if (!isItem(message)) return;
    const { method, id } = message;
    if (method === 'notifications/cancelled') connection.open.delete(typedKey(paramsOf(message)?.requestId));
    if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return;
    sent += 1;
    const request: Request = { key: typedKey(id), seq: event.seq, exchange: event.exchange };
    if (method === 'initialize') request.handshake = true;
    connection.open.set(request.key, request);
    exchange?.requests.push(request);
    if (!own) exchange?.messages.push(message);
    if (connection.open.size <= keptOpen) return;
    const [first] = connection.open;
    const [key, oldest] = first!;
    count(oldest);
    connection.open.delete(key);
  }

  function answered(event: TraceEvent): void {
    const connection = connections.get(event.session);
    const exchange = event.exchange === undefined ? undefined : exchanges.get(event.exchange);
    if (event.exchange !== undefined && exchange?.status !== undefined && !exchange.streaming) exchanges.delete(event.exchange);
    // Under such a status it is not the server that speaks, or it says that it cannot.
    if (!connection || isOutage(exchange?.status ?? 0)) return;
    if (Array.isArray(event.message)) for (const message of event.message as unknown[]) answeredOne(message, connection, exchange);
    else answeredOne(event.message, connection, exchange);
  }

  function answeredOne(message: unknown, connection: Connection, exchange: Exchange | undefined): void {
    if (!isItem(message) || 'method' in message || !('id' in message)) return;
    const key = typedKey(message.id);
    const request = connection.open.get(key);
    if (!request) return;
    connection.open.delete(key);
    connection.served ||= request.handshake !== true;
    if (connection.provoked !== undefined && request.seq > connection.provoked) connection.provoked = undefined;
    // A capture does not say that a request was sent once more; the same method with the same parameters tells.
    const at = !own && refused.size > 0 ? (exchange?.requests.indexOf(request) ?? -1) : -1;
    if (at !== -1) takeBack(textOf(exchange!.messages[at]!) ?? -1);
  }

  function replied(event: TraceEvent): void {
    const exchange = exchanges.get(event.exchange!);
    const status = event.http?.status;
    if (!exchange || status === undefined) return;
    exchange.status = status;
    if (status >= 500 || isBusy(status)) {
      lose(exchange.requests, String(status));
      if (isOutage(status)) exchange.requests.forEach((request, at) => noteRefused(own ? request.seq : textOf(exchange.messages[at]!), request));
    } else if (status === 404 && exchange.inSession && !exchange.connection.served && !exchange.connection.leaving) {
      // A server may end a session whenever it likes; one that serves nothing in it has none.
      lose(exchange.requests, '404 in a session that had just begun');
    } else if (status >= 400) forget(exchange.connection, exchange.requests);
    // Nothing follows a body that holds no message.
    if (event.http?.bodyBytes !== undefined && (event.http.body !== undefined || event.http.bodyBytes === 0)) exchanges.delete(event.exchange!);
  }

  /** The reply to an exchange is over, or will not come. */
  function over(event: TraceEvent): void {
    const exchange = exchanges.get(event.exchange!);
    if (!exchange) return;
    const { connection, requests, status, method } = exchange;
    if (event.kind !== 'limit') exchanges.delete(event.exchange!);
    if (event.from === 'client') return forget(connection, requests);
    if (event.what === 'proxy' && !connection.leaving) return lose(requests, 'the proxy lost the connection');
    if (event.from === 'harness' || connection.leaving) return;
    // All answers of HTTP+SSE come on this stream.
    const onStream = transport === 'sse' && method === 'GET';
    if (event.kind === 'limit') return lose(onStream ? connection.open.values() : requests, 'a reply over the limit');
    if (event.kind === 'closed') return lose(requests, status === undefined ? 'the connection was lost' : 'a reply that was cut off');
    if (event.reason !== undefined && event.reason !== 'ended by the server') lose(requests, 'a reply that was cut off');
    if (onStream && connection.provoked === undefined) lose(connection.open.values(), 'the event stream was lost');
  }

  function connectionOver(event: TraceEvent): void {
    const connection = connections.get(event.session);
    if (!connection) return;
    if (event.from === 'client') connection.leaving = true;
    const byServer = event.from === 'server' && event.what !== 'stdin' && !connection.leaving && connection.provoked === undefined;
    if (byServer) lose(connection.open.values(), transport === 'stdio' ? 'the process ended' : 'the connection was lost');
    if (event.kind !== 'exit') return;
    if (byServer) ended += 1;
    drop(event.session);
  }

  function tally(): RequestTally {
    const found = [...causes].filter(([, number]) => number > 0).map(([cause, number]) => ({ cause, count: number }));
    found.sort((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1));
    return { sent, unanswered: found.reduce((sum, one) => sum + one.count, 0), causes: found, ended, events };
  }

  return {
    push(event) {
      const { from, kind, exchange, session } = event;
      if (kind === 'http-request' && exchange !== undefined && event.http?.origin === undefined) {
        const connection = connectionOf(session);
        if (event.http?.method === 'DELETE' && event.deviation === undefined) connection.leaving = true;
        exchanges.set(exchange, { requests: [], messages: [], connection, method: event.http?.method ?? '', streaming: false, inSession: event.http?.headers?.['mcp-session-id'] !== undefined });
        if (exchanges.size > keptExchanges) exchanges.delete(exchanges.keys().next().value!);
      } else if (from === 'client' && (kind === 'message' || kind === 'unparsable')) sentByClient(event);
      else if (from === 'server' && kind === 'message') answered(event);
      else if (kind === 'http-response') replied(event);
      else if (kind === 'sse-open' && exchange !== undefined) noteStream(exchanges.get(exchange));
      else if (kind === 'spawn' && event.trial === true) for (const connection of connections.values()) connection.provoked = event.seq;
      else if (kind === 'timeout') timedOut(connections.get(session), event.awaited);
      else if (kind === 'limit' && exchange === undefined) {
        // Log output that was too long has no excerpt, and what the checker itself let go was no reply.
        if (from === 'server' && event.raw !== undefined) lose(connections.get(session)?.open.values() ?? [], 'a reply over the limit');
      } else if (exchange !== undefined && (kind === 'closed' || kind === 'sse-close' || kind === 'limit')) over(event);
      else if (kind === 'exit' || kind === 'closed') connectionOver(event);
    },
    tally,
    finish() {
      for (const name of [...connections.keys()]) drop(name);
      return tally();
    },
  };
}

function noteStream(exchange: Exchange | undefined): void {
  if (exchange) exchange.streaming = true;
}

function lose(requests: Iterable<Request>, cause: string): void {
  for (const request of requests) request.cause ??= cause;
}

function forget({ open }: Connection, requests: readonly Request[]): void {
  for (const request of requests) if (open.get(request.key) === request) open.delete(request.key);
}

/** A server that takes too long is judged by rules; it has not broken down. */
function timedOut(connection: Connection | undefined, awaited: number | undefined): void {
  if (!connection || awaited === undefined) return;
  for (const [key, request] of connection.open) if (request.seq === awaited && request.cause === undefined) connection.open.delete(key);
}

function isItem(message: unknown): message is Json {
  return typeof message === 'object' && message !== null;
}

/** Method and parameters without `_meta`, which differs from try to try; undefined when that is long. */
function textOf(message: Json): string | undefined {
  const { _meta, ...params } = (paramsOf(message) ?? {}) as Json;
  const text = `${asText(message.method)} ${JSON.stringify(params)}`;
  return text.length > longestText ? undefined : text;
}
