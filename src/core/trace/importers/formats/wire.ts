/**
 * Makes mcpc's own trace of a capture: messages with senders and connections, with their headers and statuses. It
 * invents nothing: missing data is absent, and the header lists the missing parts.
 */
import type { EventInput, Recorded, TraceEvent, TraceHeader, TransportKind } from '../../../model/trace.ts';
import type { Capture, Captured } from '../captured.ts';
import { createConnections } from '../connections.ts';
import { createDirectionFinder, type SendersOf } from '../direction.ts';
import { countOf, isExactObject, plainOf } from '../exact-json.ts';
import { createPlacement, type Placed } from '../subscription-ends.ts';
import { createWays } from '../ways.ts';

export interface WireOptions {
  senders: SendersOf;
  /** The transport, from the user if the capture lacks it. */
  transport?: TransportKind;
  /** Name of the conversation in reports. */
  name?: string;
  /** The revision, from the user. */
  revision?: string;
}

export interface WireReading {
  header: TraceHeader;
  /** In order, some at a time; can be run through once. Throws what reading the capture throws. */
  batches: AsyncIterable<TraceEvent[]>;
  /** Messages with an unknown sender so far. */
  unplaced(): number;
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Messages that are looked at before the header is written, to see whether the conversation's start is there. */
const lookedAhead = 200;

/** @throws what reading the first entries of the capture throws */
export async function wireTrace(capture: Capture, options: WireOptions): Promise<WireReading> {
  const source = batchesOf(capture);
  const { head, behind, start, lost } = await lookAhead(source);
  const transport = options.transport ?? capture.transport;
  const ways = createWays(options.senders, head);
  const placedHead = head.map(ways.placed);
  const messages = placedHead.filter(({ kind }) => kind !== 'gap' && kind !== 'stray');
  const recorded: Recorded = {
    transport: transport !== undefined,
    exchanges: capture.exchanges,
    streams: false,
    timing: false,
    bytes: false,
    ...(capture.lines === true ? { lines: true } : {}),
    start,
    order: capture.ordered,
    direction: messages.every((entry) => entry.from !== undefined) && messages.length > 0,
  };
  const revision =
    options.revision ?? (start ? undefined : (versionIn(head) ?? (lost ? negotiatedIn(head) : undefined)));
  const began = head.find((entry) => entry.time !== undefined)?.time;
  const header: TraceHeader = {
    format: 'mcpc-trace',
    version: 1,
    origin: `import:${capture.format}`,
    transport: transport ?? 'stdio',
    ...(revision === undefined ? {} : { revision }),
    target: { name: options.name ?? `import:${capture.format}` },
    ...(began === undefined || began < 1e11 || began > 8e15 ? {} : { startedAt: new Date(began).toISOString() }),
    recorded,
    ...(began === undefined ? {} : { clock: 'capture' }),
  };
  let unplaced = 0;

  async function* batches(): AsyncGenerator<TraceEvent[]> {
    const placement = createPlacement(createDirectionFinder(options.senders));
    const connectionOf = createConnections((text) => void capture.warnings.push(text));
    /** Connections whose handshake was seen. */
    const handshakes = new Set<string>();
    let seq = 0;
    let t = 0;
    const eventFrom = ({ entry, from }: Placed): TraceEvent => {
      if (entry.time !== undefined && began !== undefined) t = Math.max(t, entry.time - began);
      seq += 1;
      if (from === undefined && entry.kind === 'message') unplaced += 1;
      const { session, certain } = connectionOf(entry, from);
      const event = eventOf(entry, certain ? from : undefined, transport);
      if (event.kind === 'gap' && entry.kind === 'gap') event.lost = handshakes.has(session) ? 'message' : 'handshake';
      else if (answersInitialize(event)) handshakes.add(session);
      return { seq, t, session, ...event };
    };
    const place = (entry: Captured): Placed[] => placement.take(ways.placed(entry));
    yield [...head, ...behind].flatMap(place).map(eventFrom);
    for await (const entries of source) yield entries.flatMap(place).map(eventFrom);
    yield placement.rest().map(eventFrom);
  }

  return { header, batches: batches(), unplaced: () => unplaced };
}

interface Head {
  /** The first entries, as far as they have to be known before the header is written. */
  head: Captured[];
  /** Data that was read with them. */
  behind: Captured[];
  /** The conversation's start is in the capture, its handshake whole. */
  start: boolean;
  /** A message of the handshake is a gap. */
  lost: boolean;
}

/** Reads on to the end of the handshake, or to the first sign that it is not there. */
async function lookAhead(source: AsyncGenerator<Captured[]>): Promise<Head> {
  const head: Captured[] = [];
  let behind: Captured[] = [];
  let start: boolean | undefined;
  let lost = false;
  let decided = false;
  while (!decided && head.length < lookedAhead) {
    const next = await source.next();
    if (next.done) break;
    let at = 0;
    for (; !decided && head.length < lookedAhead && at < next.value.length; at += 1) {
      const entry = next.value[at]!;
      head.push(entry);
      start ??= showsStart(entry);
      lost ||= entry.kind === 'gap';
      decided = start === false || (start === true && endsHandshake(entry));
    }
    behind = next.value.slice(at);
  }
  return { head, behind, start: start === true && !lost, lost };
}

/** True if the conversation's start is in the capture; undefined when this entry does not show it. */
function showsStart({ kind, message }: Captured): boolean | undefined {
  if (kind !== 'message' || !isExactObject(message) || typeof message['method'] !== 'string' || !('id' in message))
    return undefined;
  if (message['method'] === 'ping') return undefined;
  if (message['method'] === 'initialize') return true;
  const params = message['params'];
  const meta = isExactObject(params) ? params['_meta'] : undefined;
  // In the stateless era every request has its version, and there is no start.
  return isExactObject(meta) && typeof meta[versionKey] === 'string';
}

/** True if the handshake is over with this entry: by its answer, or because the stateless era has none. */
function endsHandshake({ kind, message }: Captured): boolean {
  if (kind !== 'message' || !isExactObject(message)) return false;
  if ('method' in message) return message['method'] !== 'initialize' && message['method'] !== 'ping';
  return 'result' in message || 'error' in message;
}

/** The revision that the answer to `initialize` names, where the handshake is not whole. */
function negotiatedIn(head: readonly Captured[]): string | undefined {
  for (const { message, kind, text = '' } of head) {
    const result = isExactObject(message) ? message['result'] : undefined;
    if (isExactObject(result) && typeof result['protocolVersion'] === 'string') return result['protocolVersion'];
    if (kind === 'gap' && !text.includes('"method"')) {
      const [, version] = /"protocolVersion": ?"(\d{4}-\d\d-\d\d)"/.exec(text) ?? [];
      if (version !== undefined) return version;
    }
  }
  return undefined;
}

/** The revision that requests name in their headers. */
function versionIn(head: readonly Captured[]): string | undefined {
  const value = head.map((entry) => entry.http?.headers?.['mcp-protocol-version']).find((one) => one !== undefined);
  return Array.isArray(value) ? value[0] : value;
}

const kinds = {
  message: 'message',
  event: 'sse-event',
  request: 'http-request',
  response: 'http-response',
  stream: 'sse-open',
} as const;

/** The answer to `initialize`, or a message of the stateless era, which has no handshake. */
function answersInitialize({ kind, message }: Omit<EventInput, 'session'>): boolean {
  if (kind !== 'message' || !isExactObject(message)) return false;
  const { result, params } = message;
  if (isExactObject(result) && 'protocolVersion' in result) return true;
  return isExactObject(params) && isExactObject(params['_meta']) && versionKey in params['_meta'];
}

function eventOf(
  entry: Captured,
  from: 'client' | 'server' | undefined,
  transport: TransportKind | undefined,
): Omit<EventInput, 'session'> {
  const { http, sse, exchange, kind, reason } = entry;
  if (kind === 'gap' || kind === 'stray') {
    if (kind === 'stray' && from === 'server' && transport === 'stdio')
      return { from, kind: 'unparsable', raw: entry.text };
    return { from: 'harness', kind: 'gap', raw: entry.text, reason };
  }
  const parts = {
    ...(exchange === undefined ? {} : { exchange }),
    ...(http === undefined ? {} : { http }),
    ...(sse === undefined ? {} : { sse }),
  };
  if (kind !== 'message') return { from: from ?? 'server', kind: kinds[kind], ...parts };
  const { value, text } = plainOf(entry.message);
  const raw = text === undefined ? {} : { raw: text };
  if (from === undefined) return { from: 'harness', kind: 'unplaced', message: value, ...raw, ...parts };
  if (exchange === undefined && from === 'server' && isRefusal(value, http?.status)) {
    // A body under an error status, that answers no id, refuses the POST; it is no message of the conversation.
    return { from, kind: 'http-response', http: { ...http, body: JSON.stringify(value) } };
  }
  return { from, kind: 'message', message: value, ...raw, ...parts };
}

function isRefusal(value: unknown, status: number | undefined): boolean {
  if (status === undefined || status < 400) return false;
  const message = isExactObject(value) ? value : {};
  return message['jsonrpc'] !== '2.0' || message['id'] === undefined || message['id'] === null;
}

async function* batchesOf({ batches }: Capture): AsyncGenerator<Captured[]> {
  for await (const entries of batches) yield entries.map(unstamped);
}

/** Messages to which the capturing tool added the time: the time is removed. */
function unstamped(entry: Captured): Captured {
  const { message } = entry;
  if (!isExactObject(message) || !('timestamp_ms' in message || 'timestamp' in message)) return entry;
  const time = entry.time ?? countOf(message['timestamp_ms']) ?? countOf(message['timestamp']);
  const { timestamp_ms: _ms, timestamp: _time, ...sent } = message;
  return { ...entry, message: sent, ...(time === undefined ? {} : { time }) };
}
