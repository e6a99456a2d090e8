/** The HTTP side of a recording: statuses, headers, and how the server wrote its event streams. */
import { isObject, type JsonObject } from '../core/model/json.ts';
import type { HeaderMap, TraceEvent } from '../core/model/trace.ts';

export interface HttpAnswer {
  status: number;
  headers: HeaderMap;
  body?: string;
}

/** The form of an event stream. */
export interface StreamShape {
  /** Events have ids, so that a client can go on behind one. */
  ids: boolean;
  /** Name of events with messages; absent where they have none. */
  event?: string;
  /** An event without a message comes first, with this reconnection time in milliseconds. */
  primed?: { retry?: number };
}

/** The HTTP side of a request or notification. */
export interface HttpTurn {
  method: string;
  http?: HttpAnswer;
  /** The response was a stream, written like this. */
  stream?: StreamShape;
}

/** The HTTP side of a whole recording. */
export interface HttpSide {
  /** True if the server gave out session ids; undefined where that was not recorded. */
  sessions: boolean | undefined;
  /** Refusals of a GET that asked for a stream, and of a DELETE. */
  refused: { GET?: HttpAnswer; DELETE?: HttpAnswer };
  /** The form of the stream that a GET opened. */
  ownStream?: StreamShape;
}

/** @returns takes the events of one recorded connection */
export function httpReaderOf(
  recording: HttpSide,
  turnOf: (exchange: string) => HttpTurn | undefined,
): (event: TraceEvent) => void {
  const methods = new Map<string, string>();
  /** Refusals whose body may still come. */
  const refusals = new Map<string, HttpAnswer>();
  /** Streams without a message so far. */
  const open = new Map<string, StreamShape>();

  function takeHead(exchange: string, { http }: TraceEvent): void {
    if (http?.status === undefined) return;
    const { status, headers = {}, body } = http;
    const answer: HttpAnswer = { status, headers, ...(body === undefined ? {} : { body }) };
    const turn = turnOf(exchange);
    if (turn !== undefined) {
      turn.http = answer;
      if (turn.method === 'initialize' && status < 300)
        recording.sessions = recording.sessions === true || headers['mcp-session-id'] !== undefined;
    }
    const method = methods.get(exchange);
    if ((method !== 'GET' && method !== 'DELETE') || status < 400 || recording.refused[method] !== undefined) return;
    recording.refused[method] = answer;
    if (body === undefined) refusals.set(exchange, answer);
  }

  /** A body that is a JSON-RPC error is recorded as a message of its own. */
  function takeBody(exchange: string, { message }: TraceEvent): void {
    const refusal = refusals.get(exchange);
    if (refusal === undefined || message === undefined) return;
    refusals.delete(exchange);
    refusal.body = JSON.stringify(message);
  }

  function openStream(exchange: string): void {
    const shape: StreamShape = { ids: false };
    open.set(exchange, shape);
    const turn = turnOf(exchange);
    if (turn !== undefined) turn.stream = shape;
    else if (methods.get(exchange) === 'GET') recording.ownStream ??= shape;
  }

  /** Up to the first message, events say how the stream is written. */
  function takeEvent(exchange: string, { kind, sse }: TraceEvent): void {
    const shape = open.get(exchange);
    if (shape === undefined || sse === undefined) return;
    shape.ids ||= sse.id !== undefined;
    if (kind === 'message') {
      open.delete(exchange);
      if (sse.event !== undefined) shape.event = sse.event;
    } else if (sse.id !== undefined && sse.data === '')
      shape.primed ??= sse.retry === undefined ? {} : { retry: sse.retry };
  }

  return (event) => {
    const { kind, exchange, http } = event;
    if (exchange === undefined) return;
    if (kind === 'http-request' && http?.method !== undefined) methods.set(exchange, http.method);
    if (kind === 'http-response') takeHead(exchange, event);
    if (kind === 'sse-open') openStream(exchange);
    if (kind === 'message') takeBody(exchange, event);
    if (kind === 'sse-event' || kind === 'message') takeEvent(exchange, event);
  };
}

/** The form of streams that were not recorded, after the recorded revision. */
export function shapeOf({
  turns,
}: {
  turns: readonly { method: string; reply?: { message: JsonObject } }[];
}): StreamShape {
  const opened = turns.find(({ method, reply }) => method === 'initialize' && isObject(reply?.message['result']));
  const result = opened?.reply?.message['result'];
  const revision = isObject(result) ? result['protocolVersion'] : undefined;
  // Streams of later revisions cannot be resumed, and those of earlier ones begin with a message.
  if (revision === '2025-11-25') return { ids: true, primed: {} };
  return { ids: opened !== undefined || !turns.some(({ method }) => method === 'server/discover') };
}
