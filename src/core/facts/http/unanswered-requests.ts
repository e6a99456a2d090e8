/**
 * Counts sound requests that a server did not answer because it, or an intermediary, failed: an HTTP status of 5xx or
 * 429, an error for too many requests, an interrupted or oversized reply, a lost connection, an ended process. What
 * HTTP alone answers (notifications, GET for a stream, DELETE) counts where it broke down. It decides no rule; a run
 * with such requests is incomplete.
 *
 * Not counted, since legal servers do so: answers to a deliberate deviation, rejections by 4xx (a session that the
 * server ended is 404) or of a second stream in addition to an open one, time-outs and streams that end in order (rules
 * judge both), and requests that the client gave up. Where the session ended with such a stream rules do not judge it:
 * it counts where no request of its method was ever answered.
 */
import { BoundedMap } from '../../model/bounded.ts';
import { isBusy, isOutage, rateLimitOf } from '../../model/reports/busy-server.ts';
import type { RequestTally } from '../../model/reports/run-report.ts';
import type { TraceEvent, TransportKind } from '../../model/trace.ts';
import { paramsOf, typedKey } from '../values/rpc.ts';
import { createEndedWithSession } from './ended-with-session.ts';
import {
  asked,
  forget,
  isItem,
  lose,
  loseTo,
  textOf,
  timedOut,
  type Connection,
  type Exchange,
  type Request,
} from './open-requests.ts';

export interface UnansweredRequests {
  push(event: TraceEvent): void;
  /** Count so far. */
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
const keptEvents = 10;
const endedWithSession = 'a reply that ended with its session';

/** Makes the count of one trace; every event is given to it, in order. Memory is bounded however long the trace is. */
export function createUnansweredRequests({ transport, own }: UnansweredOptions): UnansweredRequests {
  const connections = new Map<string, Connection>();
  const exchanges = new BoundedMap<string, Exchange>(keptExchanges, 'forget-oldest');
  const causes = new Map<string, number>();
  /** Requests refused by a server that was busy, which may be sent once more: by seq, in captures by text. */
  const refused = new BoundedMap<number | string, Request[]>(keptRefused);
  const events: number[] = [];
  const withSession = createEndedWithSession();
  let sent = 0;
  let ended = 0;

  function connectionOf(name: string): Connection {
    let connection = connections.get(name);
    if (!connection) {
      connection = {
        open: new Map(),
        leaving: false,
        provoked: undefined,
        served: false,
        cutShort: [],
        listening: 0,
      };
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
    if (request.bare !== undefined) sent += 1;
    causes.set(cause, (causes.get(cause) ?? 0) + 1);
    if (events.length < keptEvents) events.push(seq);
  }

  /** @param key seq, or text, of requests that were sent once more */
  function takeBack(key: number | string): void {
    for (const request of refused.get(key) ?? []) {
      request.takenBack = true;
      if (request.bare === undefined || request.counted) sent -= 1;
      if (request.counted) causes.set(request.cause!, causes.get(request.cause!)! - 1);
    }
    refused.delete(key);
  }

  /** @param message that asked, where it is kept: by its text a capture knows it again */
  function noteRefused(request: Request, message: Exchange['messages'][number] | undefined): void {
    const key = own ? request.seq : message && textOf(message);
    if (key === undefined) return;
    const same = refused.get(key);
    if (same) same.push(request);
    else refused.set(key, [request]);
  }

  function noteRequest(event: TraceEvent, name: string, connection: Connection): void {
    const { method = '', headers = {} } = event.http ?? {};
    const exchange: Exchange = {
      requests: [],
      messages: [],
      connection,
      method,
      streaming: false,
      inSession: headers['mcp-session-id'] !== undefined,
    };
    exchanges.set(name, exchange);
    if (event.repeats !== undefined) takeBack(event.repeats);
    if (event.deviation !== undefined || event.trial === true) return;
    // A server may support only one stream.
    const listens =
      method === 'GET' && connection.listening === 0 && String(headers['accept']).includes('text/event-stream');
    if (listens || (method === 'DELETE' && exchange.inSession)) sentBare(event, exchange, method);
  }

  function sentByClient(event: TraceEvent): void {
    const connection = connectionOf(event.session);
    const exchange = event.exchange === undefined ? undefined : exchanges.get(event.exchange);
    if (event.repeats !== undefined) takeBack(event.repeats);
    if (event.deviation !== undefined || event.trial === true) connection.provoked = event.seq;
    if (event.deviation !== undefined || event.trial === true || event.kind !== 'message') return;
    if (Array.isArray(event.message))
      for (const message of event.message as unknown[]) sentOne(message, event, connection, exchange);
    else sentOne(event.message, event, connection, exchange);
    if (exchange?.method === 'POST' && exchange.requests.length === 0 && isItem(event.message))
      sentBare(event, exchange, 'method' in event.message ? 'a notification' : 'a response');
  }

  /** Messages without an answer: the status of the reply shows if they were served. */
  function sentBare({ seq, exchange: name, message }: TraceEvent, exchange: Exchange, bare: string): void {
    const request: Request = { key: `bare ${name}`, seq, exchange: name, bare };
    exchange.requests.push(request);
    exchange.messages.push(isItem(message) ? message : { method: bare });
    open(request, exchange.connection);
  }

  function sentOne(message: unknown, event: TraceEvent, connection: Connection, exchange: Exchange | undefined): void {
    if (!isItem(message)) return;
    const { method, id } = message;
    if (method === 'notifications/cancelled') connection.open.delete(typedKey(paramsOf(message)?.requestId));
    if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return;
    sent += 1;
    const request: Request = {
      key: typedKey(id),
      seq: event.seq,
      exchange: event.exchange,
      method,
      ...(event.framing === undefined ? {} : { framed: true }),
    };
    if (method === 'initialize') request.handshake = true;
    exchange?.requests.push(request);
    exchange?.messages.push(message);
    open(request, connection);
  }

  function open(request: Request, connection: Connection): void {
    connection.open.set(request.key, request);
    if (connection.open.size <= keptOpen) return;
    const [first] = connection.open;
    const [key, oldest] = first!;
    count(oldest);
    connection.open.delete(key);
  }

  function answered(event: TraceEvent): void {
    const connection = connections.get(event.session);
    const exchange = event.exchange === undefined ? undefined : exchanges.get(event.exchange);
    if (event.exchange !== undefined && exchange?.status !== undefined && !exchange.streaming)
      exchanges.delete(event.exchange);
    // Under such a status it is not the server that speaks, or it says that it cannot.
    if (!connection || isOutage(exchange?.status ?? 0)) return;
    // It says itself why it refused a notification.
    forget(connection, exchange?.requests.filter(({ bare }) => bare !== undefined) ?? []);
    if (Array.isArray(event.message))
      for (const message of event.message as unknown[]) answeredOne(message, connection, exchange);
    else answeredOne(event.message, connection, exchange);
  }

  function answeredOne(message: unknown, connection: Connection, exchange: Exchange | undefined): void {
    if (!isItem(message) || 'method' in message || !('id' in message)) return;
    const key = typedKey(message.id);
    const request = connection.open.get(key);
    if (!request) return;
    if (request.framed !== true && rateLimitOf(message.error, request.method) !== undefined)
      return limited(request, exchange);
    connection.open.delete(key);
    connection.served ||= request.handshake !== true;
    if (request.method !== undefined && exchange?.status !== 404) withSession.answered(request.method);
    if (connection.provoked !== undefined && request.seq > connection.provoked) connection.provoked = undefined;
    // A capture does not mark repeated requests; the same method with the same parameters is one.
    const at = !own && refused.size > 0 ? (exchange?.requests.indexOf(request) ?? -1) : -1;
    if (at !== -1) takeBack(textOf(exchange!.messages[at]!) ?? -1);
  }

  /** It may be sent once more, as what was refused by a status. */
  function limited(request: Request, exchange: Exchange | undefined): void {
    lose([request], 'a rate limit');
    noteRefused(request, exchange?.messages[exchange.requests.indexOf(request)]);
  }

  function replied(event: TraceEvent): void {
    const exchange = exchanges.get(event.exchange!);
    const status = event.http?.status;
    if (!exchange || status === undefined) return;
    exchange.status = status;
    withSession.status(exchange, status);
    if (status >= 500 || isBusy(status)) {
      loseTo(exchange, status);
      if (isOutage(status)) exchange.requests.forEach((request, at) => noteRefused(request, exchange.messages[at]));
    } else if (
      status === 404 &&
      exchange.method === 'POST' &&
      exchange.inSession &&
      !exchange.connection.served &&
      !exchange.connection.leaving
    ) {
      // A server may end a session at any time; if it serves nothing in it, there is none.
      lose(exchange.requests, '404 in a session that had just begun');
    } else if (status >= 400) forget(exchange.connection, exchange.requests);
    else servedBare(exchange);
    if (status < 300 && event.http?.bodyBytes === 0 && !exchange.streaming) withSession.over(exchange);
    // Nothing follows a body that holds no message.
    if (event.http?.bodyBytes !== undefined && (event.http.body !== undefined || event.http.bodyBytes === 0))
      exchanges.delete(event.exchange!);
  }

  /** A capture does not say either that a notification, GET or DELETE was sent once more. */
  function servedBare({ connection, requests, messages }: Exchange): void {
    const [request] = requests;
    if (request?.bare === undefined) return;
    forget(connection, [request]);
    if (!own) takeBack(textOf(messages[0]!) ?? -1);
  }

  /** The reply to an exchange is over, or will not come. */
  function over(event: TraceEvent): void {
    const exchange = exchanges.get(event.exchange!);
    if (!exchange) return;
    const { connection, requests, status, method } = exchange;
    if (event.kind !== 'limit') {
      exchanges.delete(event.exchange!);
      if (exchange.streaming && method === 'GET') connection.listening -= 1;
    }
    // A server may end what it was asked to open whenever it likes.
    if (event.from === 'client' || (method === 'GET' && transport !== 'sse')) forget(connection, requests);
    if (event.from === 'client') return;
    if (event.what === 'proxy' && !connection.leaving) return lose(requests, 'the proxy lost the connection');
    if (event.from === 'harness' || connection.leaving) return;
    // All answers of HTTP+SSE come on this stream.
    const onStream = transport === 'sse' && method === 'GET';
    if (event.kind === 'limit') return lose(onStream ? asked(connection) : requests, 'a reply over the limit');
    if (event.kind === 'closed')
      return lose(requests, status === undefined ? 'the connection was lost' : 'a reply that was cut off');
    if (event.reason !== undefined && event.reason !== 'ended by the server')
      lose(requests, 'a reply that was cut off');
    else withSession.over(exchange);
    if (onStream && connection.provoked === undefined) lose(asked(connection), 'the event stream was lost');
  }

  function streams(exchange: Exchange | undefined): void {
    if (!exchange || exchange.streaming) return;
    exchange.streaming = true;
    if (exchange.method === 'GET') exchange.connection.listening += 1;
  }

  function connectionOver(event: TraceEvent): void {
    const connection = connections.get(event.session);
    if (!connection) return;
    if (event.from === 'client') connection.leaving = true;
    const byServer =
      event.from === 'server' && event.what !== 'stdin' && !connection.leaving && connection.provoked === undefined;
    if (byServer) lose(asked(connection), transport === 'stdio' ? 'the process ended' : 'the connection was lost');
    if (event.kind !== 'exit') return;
    if (byServer) ended += 1;
    drop(event.session);
  }

  function tally(): RequestTally {
    const ends = withSession.seqs();
    const found = [...causes, [endedWithSession, ends.length] as const]
      .filter(([, number]) => number > 0)
      .map(([cause, number]) => ({ cause, count: number }));
    found.sort((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1));
    return {
      sent,
      unanswered: found.reduce((sum, one) => sum + one.count, 0),
      causes: found,
      ended,
      events: [...events, ...ends].slice(0, keptEvents),
    };
  }

  return {
    push(event) {
      const { from, kind, exchange, session } = event;
      if (kind === 'http-request' && exchange !== undefined && event.http?.origin === undefined) {
        const connection = connectionOf(session);
        if (event.http?.method === 'DELETE' && event.deviation === undefined) connection.leaving = true;
        noteRequest(event, exchange, connection);
      } else if (from === 'client' && (kind === 'message' || kind === 'unparsable')) sentByClient(event);
      else if (from === 'server' && kind === 'message') answered(event);
      else if (kind === 'http-response') replied(event);
      else if (kind === 'sse-open' && exchange !== undefined) streams(exchanges.get(exchange));
      else if (kind === 'spawn' && event.trial === true)
        for (const connection of connections.values()) connection.provoked = event.seq;
      else if (kind === 'timeout' && event.what !== 'acknowledgement')
        timedOut(connections.get(session), event.awaited);
      else if (kind === 'limit' && exchange === undefined) {
        // Log output that was too long has no excerpt, and what the checker itself let go was no reply.
        if (from === 'server' && event.raw !== undefined)
          lose(asked(connections.get(session)), 'a reply over the limit');
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
