/**
 * Makes the trace that an example of a rule describes, for one transport and revision: the default handshake,
 * then what each line says, with the HTTP and SSE events around messages that the transport brings along.
 */
import type { RuleExample } from '../model/rule.ts';
import type { EventInput, HeaderMap, Trace, TraceEvent, TransportKind } from '../model/trace.ts';
import { discoverReply, discoverRequest, handshakeId, initializeReply, initializeRequest, isRecord, withMeta } from './example-messages.ts';
import { parseNotation, type HeaderChanges, type NotationAct } from '../trace/notation.ts';
import { bytesPayload } from '../transport/payload.ts';

export interface ExampleSetting {
  transport: TransportKind;
  revision: string;
  era: 'stateful' | 'stateless';
}

export const exampleSessionId = 'example-session-8f14e45fceea167a';
const jsonType = 'application/json';
const streamType = 'text/event-stream';
const maxJsonDepth = 100;

/** Member of the params that the Mcp-Name header mirrors. */
const nameMembers: Record<string, string> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

interface Exchange {
  id: string;
  method: string;
  requestSeq?: number;
  rpcIds: unknown[];
  replied: boolean;
  streaming: boolean;
}

/**
 * Trace of an example.
 * @throws NotationError when a line of it is wrong
 */
export function exampleTrace(example: RuleExample, setting: ExampleSetting): Trace {
  const writer = createWriter(setting);
  const acts = parseNotation(example.trace);
  if (example.handshake !== false) writer.handshake(example);
  else writer.openBare(acts[0]?.act === 'client-http');
  acts.forEach((act, index) => writer.act(act, example, acts[index + 1]));
  const events = writer.finish();
  const header = {
    format: 'mcpc-trace' as const,
    version: 1 as const,
    origin: 'example',
    transport: setting.transport,
    revision: setting.revision,
    era: setting.era,
  };
  return { header, events, footer: { footer: true, events: events.length, complete: true } };
}

function createWriter({ transport, revision, era }: ExampleSetting) {
  const events: TraceEvent[] = [];
  const exchanges: Exchange[] = [];
  const labels = new Map<string, Exchange>();
  let sessionNumber = 0;
  let session = '';
  let sessionId: string | undefined;
  let listenStream: Exchange | undefined;
  let counter = 0;

  function add(event: Omit<EventInput, 'session'>): number {
    const seq = events.length + 1;
    events.push({ seq, t: seq, session, ...event });
    return seq;
  }

  /** @param byHand the example itself begins with the GET that opens the stream of HTTP+SSE */
  function open(byHand = false): void {
    sessionNumber += 1;
    session = `s${sessionNumber}`;
    sessionId = undefined;
    listenStream = undefined;
    exchanges.length = 0;
    if (transport === 'stdio') add({ from: 'harness', kind: 'spawn' });
    if (transport === 'sse' && !byHand) openLegacyStream();
  }

  function openLegacyStream(): void {
    listenStream = request('GET', { accept: streamType });
    startStream(listenStream, {});
    add({ from: 'server', kind: 'sse-event', exchange: listenStream.id, sse: { event: 'endpoint', data: '/messages' } });
  }

  function request(method: string, headers: HeaderMap): Exchange {
    counter += 1;
    const exchange: Exchange = { id: `x${counter}`, method, rpcIds: [], replied: false, streaming: false };
    exchanges.push(exchange);
    add({ from: 'client', kind: 'http-request', exchange: exchange.id, http: { method, path: '/mcp', headers } });
    return exchange;
  }

  function respond(exchange: Exchange, status: number, headers: HeaderMap, bodyBytes: number, body?: string): void {
    exchange.replied = true;
    add({
      from: 'server',
      kind: 'http-response',
      exchange: exchange.id,
      http: { status, headers, ...(bodyBytes < 0 ? {} : { bodyBytes }), ...(body === undefined ? {} : { body }) },
    });
  }

  function startStream(exchange: Exchange, headers: HeaderMap): void {
    respond(exchange, 200, { 'content-type': streamType, ...headers }, -1);
    exchange.streaming = true;
    add({ from: 'server', kind: 'sse-open', exchange: exchange.id });
  }

  function defaultHeaders(message: unknown): HeaderMap {
    const method = isRecord(message) ? message.method : undefined;
    const starts = method === 'initialize' || era === 'stateless';
    return {
      host: '127.0.0.1:3000',
      accept: `${jsonType}, ${streamType}`,
      'content-type': jsonType,
      ...(starts || sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
      ...((method !== 'initialize' && revision >= '2025-06-18') ? { 'mcp-protocol-version': revision } : {}),
      ...(era === 'stateless' && typeof method === 'string' ? { 'mcp-method': method, ...nameHeader(method, message) } : {}),
    };
  }

  /** Mcp-Name of the methods that have one (2026-07-28: basic/transports/streamable-http, standard headers). */
  function nameHeader(method: string, message: unknown): HeaderMap {
    const member = nameMembers[method];
    const params = isRecord(message) && isRecord(message.params) ? message.params : {};
    const name = member === undefined ? undefined : params[member];
    return typeof name === 'string' ? { 'mcp-name': name } : {};
  }

  function changed(headers: HeaderMap, changes: HeaderChanges): HeaderMap {
    const result = { ...headers };
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) delete result[name];
      else result[name] = value;
    }
    return result;
  }

  function sendMessage(
    message: unknown,
    changes: HeaderChanges,
    label?: string,
    framing?: 'joined' | 'split',
    next?: NotationAct,
  ): void {
    let exchange: Exchange | undefined;
    if (transport !== 'stdio') {
      exchange = request('POST', changed(defaultHeaders(message), changes));
      exchange.rpcIds = (Array.isArray(message) ? message : [message]).filter(isRecord).map((one) => one.id);
      if (label !== undefined) labels.set(label, exchange);
    }
    const seq = add({
      from: 'client',
      kind: 'message',
      message,
      ...(exchange ? { exchange: exchange.id } : {}),
      ...(framing ? { framing } : {}),
    });
    if (exchange) exchange.requestSeq = seq;
    else if (label !== undefined) labels.set(label, { id: '', method: '', requestSeq: seq, rpcIds: [], replied: false, streaming: false });
    const accepted = exchange && transport === 'sse' && next?.act !== 'server-status';
    if (accepted) respond(exchange!, 202, {}, 0);
  }

  /** The exchange whose reply a server message belongs to: its own POST for a response, else the newest open one. */
  function carrierOf(message: unknown, label?: string): Exchange | undefined {
    if (label !== undefined) return labels.get(label);
    if (transport === 'sse') return listenStream;
    const first = Array.isArray(message) ? message[0] : message;
    const isReply = isRecord(first) && !('method' in first);
    const own = isReply ? exchanges.findLast((one) => one.rpcIds.includes(first.id) && usable(one)) : undefined;
    return own ?? exchanges.findLast((one) => one.method === 'POST' && one.rpcIds.some((id) => id !== undefined) && usable(one)) ?? exchanges.findLast(usable);
  }

  function usable(exchange: Exchange): boolean {
    return !exchange.replied || exchange.streaming;
  }

  function receiveMessage(message: unknown, label: string | undefined, isLast: boolean, encoding?: 'latin1'): void {
    const payload: Pick<EventInput, 'kind' | 'message' | 'raw' | 'invalidUtf8'> = encoding
      ? bytesPayload(Buffer.from(JSON.stringify(message), encoding), maxJsonDepth)
      : { kind: 'message', message };
    if (transport === 'stdio') {
      add({ from: 'server', ...payload });
      return;
    }
    let exchange = carrierOf(message, label);
    if (!exchange) {
      exchange = request('GET', changed(defaultHeaders(undefined), { accept: streamType, 'content-type': null }));
      startStream(exchange, {});
    }
    const single = !exchange.replied && isLast;
    if (single) {
      const issued: HeaderMap = exchangeStarts(exchange) ? { 'mcp-session-id': exampleSessionId } : {};
      respond(exchange, 200, { 'content-type': jsonType, ...issued }, JSON.stringify(message).length);
    } else if (!exchange.replied) startStream(exchange, {});
    add({ from: 'server', ...payload, exchange: exchange.id, ...(single ? {} : { sse: {} }) });
    const answered = isRecord(message) && !('method' in message);
    if (!single && answered && exchange.method === 'POST' && label === undefined) endStream(exchange, 'server');
  }

  function exchangeStarts(exchange: Exchange): boolean {
    return exchange.rpcIds.includes(handshakeId) && era === 'stateful';
  }

  function endStream(exchange: Exchange | undefined, from: 'client' | 'server'): void {
    if (!exchange) return;
    exchange.streaming = false;
    exchange.replied = true;
    add({ from, kind: 'sse-close', what: 'stream', exchange: exchange.id });
  }

  function current(label?: string): Exchange | undefined {
    return label === undefined ? (exchanges.findLast(usable) ?? exchanges.at(-1)) : labels.get(label);
  }

  function act(line: NotationAct, example: RuleExample, next?: NotationAct): void {
    switch (line.act) {
      case 'client-message':
        sendMessage(era === 'stateless' ? withMeta(line.message, example, revision) : line.message, line.headers, line.label, line.framing, next);
        break;
      case 'client-raw': {
        const exchange = transport === 'stdio' ? undefined : request('POST', changed(defaultHeaders(undefined), line.headers));
        if (exchange && line.label !== undefined) labels.set(line.label, exchange);
        add({ from: 'client', kind: 'unparsable', raw: line.text, ...(exchange ? { exchange: exchange.id } : {}) });
        if (exchange && transport === 'sse' && next?.act !== 'server-status') respond(exchange, 202, {}, 0);
        break;
      }
      case 'client-http': {
        const base = changed(defaultHeaders(undefined), { 'content-type': null, ...(line.method === 'GET' ? { accept: streamType } : {}) });
        const exchange = request(line.method, changed(base, line.headers));
        if (line.label !== undefined) labels.set(line.label, exchange);
        break;
      }
      case 'server-message':
        receiveMessage(line.message, line.label, !continues(line, next), line.encoding);
        break;
      case 'server-raw':
        if (transport === 'stdio') add(rawLine(line.text));
        else rawBody(current(line.label), line.text);
        break;
      case 'server-status':
        replyInFull(current(line.label), line.status, line.headers, line.body);
        break;
      case 'server-stream': {
        const exchange = current(line.label);
        if (exchange) startStream(exchange, line.headers);
        break;
      }
      case 'server-event':
        streamEvent(current(line.label), line);
        break;
      case 'server-end':
        endStream(current(line.label), 'server');
        break;
      case 'client-drop':
        endStream(current(line.label), 'client');
        break;
      case 'timeout':
        timeout(line.what, line.label);
        break;
      case 'server-closed':
        add({ from: 'server', kind: 'closed', what: transport === 'stdio' ? 'stdout' : 'connection' });
        break;
      case 'exit':
        add({ from: 'harness', kind: 'exit', exit: { code: line.code, signal: line.signal } });
        break;
      case 'close-stdin':
        add({ from: 'client', kind: 'closed', what: 'stdin' });
        break;
      case 'session':
        if (line.bare) open();
        else handshake(example);
        break;
      case 'listening':
        add({ from: 'harness', kind: 'listening', detail: line.addresses });
        break;
    }
  }

  function replyInFull(exchange: Exchange | undefined, status: number, headers: Record<string, string>, body: string): void {
    if (!exchange) return;
    const parsed = body === '' ? undefined : parseOrUndefined(body);
    const type: HeaderMap = body === '' ? {} : { 'content-type': parsed === undefined ? 'text/plain' : jsonType };
    const shown = parsed === undefined && body !== '' ? body : undefined;
    respond(exchange, status, { ...type, ...headers }, body.length, shown);
    if (parsed !== undefined) add({ from: 'server', kind: 'message', message: parsed, exchange: exchange.id });
    const issued = headers['mcp-session-id'];
    if (issued !== undefined) sessionId ??= issued;
  }

  function rawBody(exchange: Exchange | undefined, text: string): void {
    if (!exchange) return;
    if (exchange.streaming) add({ from: 'server', kind: 'unparsable', raw: text, exchange: exchange.id, sse: {} });
    else {
      respond(exchange, 200, { 'content-type': jsonType }, text.length);
      add({ from: 'server', kind: 'unparsable', raw: text, exchange: exchange.id });
    }
  }

  function streamEvent(exchange: Exchange | undefined, line: Extract<NotationAct, { act: 'server-event' }>): void {
    if (!exchange) return;
    if (!exchange.streaming) startStream(exchange, {});
    const message = line.data === '' ? undefined : parseOrUndefined(line.data);
    const sse = {
      ...(line.event === undefined ? {} : { event: line.event }),
      ...(line.id === undefined ? {} : { id: line.id }),
      ...(line.retry === undefined ? {} : { retry: line.retry }),
    };
    if (message !== undefined) add({ from: 'server', kind: 'message', message, exchange: exchange.id, sse });
    else add({ from: 'server', kind: 'sse-event', exchange: exchange.id, sse: { ...sse, data: line.data } });
  }

  function timeout(what: 'answer' | 'stream' | 'exit', label?: string): void {
    if (what === 'exit') {
      add({ from: 'harness', kind: 'timeout', what: 'stdin' });
      return;
    }
    if (what === 'stream') {
      const exchange = current(label);
      add({ from: 'harness', kind: 'timeout', what: 'stream', ...(exchange ? { exchange: exchange.id } : {}) });
      return;
    }
    const asked = label === undefined ? lastUnanswered() : labels.get(label)?.requestSeq;
    add({ from: 'harness', kind: 'timeout', ...(asked === undefined ? {} : { awaited: asked }) });
  }

  function lastUnanswered(): number | undefined {
    const answered = new Set<string>();
    for (const event of [...events].reverse()) {
      if (event.session !== session || event.kind !== 'message' || !isRecord(event.message)) continue;
      if (event.from === 'server' && !('method' in event.message)) answered.add(JSON.stringify(event.message.id));
      const isRequest = event.from === 'client' && 'method' in event.message && 'id' in event.message;
      if (isRequest && !answered.has(JSON.stringify((event.message as { id: unknown }).id))) return event.seq;
    }
    return undefined;
  }

  function handshake(example: RuleExample): void {
    open();
    if (era === 'stateless') {
      sendMessage(discoverRequest(example, revision), {});
      receiveMessage(discoverReply(example), undefined, true);
      return;
    }
    sendMessage(initializeRequest(example, revision), {});
    receiveMessage(initializeReply(example, revision), undefined, true);
    if (transport === 'http') sessionId = exampleSessionId;
    sendMessage({ jsonrpc: '2.0', method: 'notifications/initialized' }, {});
    if (transport === 'http') respond(exchanges.at(-1)!, 202, {}, 0);
  }

  return {
    handshake,
    openBare: open,
    act(line: NotationAct, example: RuleExample, next?: NotationAct) {
      act(line, example, next);
    },
    finish(): TraceEvent[] {
      return events;
    },
  };

  /** Another server message follows on the same reply, so it has to be a stream. */
  function continues(line: NotationAct, next: NotationAct | undefined): boolean {
    if (line.act === 'server-message' && isRecord(line.message) && 'method' in line.message) return true;
    return next?.act === 'server-message' && isRecord(next.message) && 'method' in next.message && !('id' in next.message);
  }
}

/** A stdout line that is no message: kind and text as the stdio transport would record them. */
function rawLine(text: string): Omit<EventInput, 'session'> {
  const parsed = parseOrUndefined(text);
  if (parsed !== undefined) return { from: 'server', kind: 'message', message: parsed, raw: text };
  return { from: 'server', kind: 'unparsable', raw: text };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
