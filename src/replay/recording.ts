/**
 * A trace as what a server does: for each message of the client what the server sent because of it, with the response.
 * Values keep the digits that were recorded. Must not know transports of the replay.
 */
import { isObject, type JsonObject } from '../core/model/json.ts';
import type { TraceEvent, TraceHeader } from '../core/model/trace.ts';
import { parseExact } from '../core/trace/importers/exact-json.ts';
import { httpReaderOf, type HttpSide, type HttpTurn } from './recorded-http.ts';

/** A message of the server that is no response. */
export interface Said {
  message: JsonObject;
  /** Milliseconds since the message of the client that it follows. */
  afterMs: number;
  /** It came on the stream that a GET opened. */
  own?: true;
  /** Of a request of the server: what the client answered; undefined where it did not. */
  answer?: JsonObject;
}

/** A message of the client with what followed. */
export interface Turn extends HttpTurn {
  /** Number of the recorded connection, from 0. */
  connection: number;
  params: unknown;
  seq: number;
  /** Absent for a notification. */
  id?: unknown;
  /** The checker that recorded it sent it wrong on purpose. */
  deviating: boolean;
  /** What the server sent before the response, in order. */
  before: Said[];
  /** What it sent after that, until the next message of the client. */
  after: Said[];
  reply?: { message: JsonObject; afterMs: number };
  /** The client took the request back. */
  cancelled?: true;
}

export interface Recording extends HttpSide {
  turns: Turn[];
  /** By number of the recorded connection, what the server sent before the first message of the client. */
  openings: Said[][];
  /** Whether HTTP statuses and headers were recorded. */
  exchanges: boolean;
  /** Whether times were. */
  timing: boolean;
  transport: TraceHeader['transport'];
  revision?: string;
}

/** Reads a trace to its end. */
export async function readRecording(header: TraceHeader, events: AsyncIterable<TraceEvent>): Promise<Recording> {
  const { recorded } = header;
  const recording: Recording = {
    turns: [],
    openings: [],
    exchanges: header.transport !== 'stdio' && recorded?.exchanges !== false,
    timing: recorded?.timing !== false,
    sessions: undefined,
    refused: {},
    transport: header.transport,
    ...(header.revision === undefined ? {} : { revision: header.revision }),
  };
  const readers = new Map<string, (event: TraceEvent) => void>();
  for await (const event of events) {
    let read = readers.get(event.session);
    if (read === undefined) readers.set(event.session, (read = readerOf(recording, readers.size)));
    read(event);
  }
  recording.turns.sort((one, other) => one.seq - other.seq);
  return recording;
}

function readerOf(recording: Recording, connection: number): (event: TraceEvent) => void {
  const open: Turn[] = [];
  const byExchange = new Map<string, Turn>();
  const asked = new Map<string, Said>();
  const times = new Map<Turn, number>();
  let last: Turn | undefined;

  function takeClient(message: JsonObject, event: TraceEvent): void {
    const { method, id, params } = message;
    if (typeof method !== 'string') {
      const said = asked.get(keyOf(id));
      if (said !== undefined) said.answer = message;
      return;
    }
    if (method === 'notifications/cancelled' && isObject(params)) {
      const taken = open.find((turn) => keyOf(turn.id) === keyOf(params['requestId']));
      if (taken !== undefined) taken.cancelled = true;
    }
    const turn: Turn = {
      connection,
      method,
      params,
      seq: event.seq,
      deviating: event.deviation !== undefined,
      before: [],
      after: [],
      ...('id' in message ? { id } : {}),
    };
    recording.turns.push(turn);
    times.set(turn, event.t);
    if ('id' in message) open.push(turn);
    if (event.exchange !== undefined) byExchange.set(event.exchange, turn);
    last = turn;
  }

  function takeServer(message: JsonObject, event: TraceEvent): void {
    const since = (turn: Turn): number => Math.max(0, event.t - (times.get(turn) ?? event.t));
    if (!('method' in message)) {
      const turn = open.find((one) => keyOf(one.id) === keyOf(message['id']));
      if (turn === undefined) return;
      open.splice(open.indexOf(turn), 1);
      turn.reply = { message, afterMs: since(turn) };
      return;
    }
    const turn = ofMessage(message, open) ?? openIn(event, byExchange, open) ?? open.at(-1);
    const own = event.exchange !== undefined && !byExchange.has(event.exchange);
    const said: Said = { message, afterMs: turn === undefined ? 0 : since(turn), ...(own ? { own: true } : {}) };
    if ('id' in message) asked.set(keyOf(message['id']), said);
    if (turn !== undefined) turn.before.push(said);
    else if (last !== undefined) last.after.push({ ...said, afterMs: since(last) });
    else (recording.openings[connection] ??= []).push(said);
    // The answer of the client is noted on the same object.
    if (turn === undefined && last !== undefined && 'id' in message)
      asked.set(keyOf(message['id']), last.after.at(-1)!);
  }

  const takeHttp = httpReaderOf(recording, (exchange) => byExchange.get(exchange));
  return (event) => {
    takeHttp(event);
    if (event.kind !== 'message' || event.from === 'harness') return;
    for (const message of messagesOf(event))
      if (event.from === 'client') takeClient(message, event);
      else takeServer(message, event);
  };
}

/** The open request that a notification names by its token or subscription. */
function ofMessage({ params }: JsonObject, open: readonly Turn[]): Turn | undefined {
  if (!isObject(params)) return undefined;
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const subscription = meta[subscriptionKey];
  if (subscription !== undefined) return open.find(({ id }) => keyOf(id) === keyOf(subscription));
  const token = params['progressToken'];
  return token === undefined ? undefined : open.find((turn) => keyOf(tokenOf(turn.params)) === keyOf(token));
}

export const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';

function openIn(
  { exchange }: TraceEvent,
  byExchange: ReadonlyMap<string, Turn>,
  open: readonly Turn[],
): Turn | undefined {
  const turn = exchange === undefined ? undefined : byExchange.get(exchange);
  return turn !== undefined && open.includes(turn) ? turn : undefined;
}

/** The progress token of a request. */
export function tokenOf(params: unknown): unknown {
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) ? meta['progressToken'] : undefined;
}

/** The messages of an event, with all their digits. */
function messagesOf({ message, raw }: TraceEvent): JsonObject[] {
  let value = message;
  if (raw !== undefined)
    try {
      value = parseExact(raw, { spelling: true });
    } catch {
      // The parsed message stands for what was no JSON as a whole.
    }
  return (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isObject);
}

/** Of an id or a token: 1 and "1" are two. */
export function keyOf(id: unknown): string {
  return `${typeof id} ${JSON.stringify(id)}`;
}
