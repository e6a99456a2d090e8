/**
 * Makes the trace of a rule's example, for one transport and revision: the default handshake, then each line, with the
 * HTTP and SSE events of the transport around messages (example-http.ts).
 */
import type { RuleExample } from '../../model/rules/rule.ts';
import type { EventInput, Trace, TraceEvent } from '../../model/trace.ts';
import { parseNotation, type NotationAct, type TimeoutWhat } from '../../trace/notation.ts';
import { bytesPayload, textPayload } from '../../trace/payload.ts';
import { createExampleHttp, parseOrUndefined } from './example-http.ts';
import {
  discoverReply,
  discoverRequest,
  initializeReply,
  initializeRequest,
  isRecord,
  withMeta,
} from './example-messages.ts';
import type { ExampleSetting } from './example-setting.ts';
import type { HeaderChanges } from '../../model/request-headers.ts';

const json = { maxDepth: 100, maxValues: 100_000 };
/** Signals by which the checker ends a process. */
const ourSignals: ReadonlySet<string | null> = new Set(['SIGTERM', 'SIGKILL']);

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

function createWriter(setting: ExampleSetting) {
  const { transport, revision, era } = setting;
  const events: TraceEvent[] = [];
  const http = createExampleHttp(setting, add);
  let sessionNumber = 0;
  /** Milliseconds that passed in addition to the one of each event. */
  let clock = 0;
  let session = '';

  function add(event: Omit<EventInput, 'session'> & { session?: string }): number {
    const seq = events.length + 1;
    events.push({ seq, t: clock + seq, session, ...event });
    return seq;
  }

  /** @param byHand the example itself begins with the GET that opens the stream of HTTP+SSE */
  function open(byHand = false): void {
    sessionNumber += 1;
    session = `s${sessionNumber}`;
    if (transport === 'stdio') add({ from: 'harness', kind: 'spawn' });
    http.begin(transport === 'sse' && !byHand, sessionNumber);
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
    if (transport === 'http') http.useSession();
    sendMessage({ jsonrpc: '2.0', method: 'notifications/initialized' }, {});
    if (transport === 'http') http.accept();
  }

  function sendMessage(
    message: unknown,
    changes: HeaderChanges,
    label?: string,
    framing?: 'joined' | 'split',
    next?: NotationAct,
    address?: string,
    method?: string,
    encoding?: 'latin1',
  ): void {
    const exchange = transport === 'stdio' ? undefined : http.post(message, changes, label, address, method);
    const seq = add({
      from: 'client',
      ...(encoding === undefined
        ? { kind: 'message', message }
        : bytesPayload(Buffer.from(JSON.stringify(message), encoding), json)),
      ...(exchange ? { exchange: exchange.id } : {}),
      ...(framing ? { framing } : {}),
    });
    if (exchange) exchange.requestSeq = seq;
    else if (label !== undefined)
      http.labels.set(label, { id: '', method: '', requestSeq: seq, rpcIds: [], replied: false, streaming: false });
    if (exchange && transport === 'sse' && next?.act !== 'server-status') http.respond(exchange, 202, {}, 0);
  }

  function sendBytes(line: Extract<NotationAct, { act: 'client-raw' }>, next?: NotationAct): void {
    const exchange = transport === 'stdio' ? undefined : http.postBytes(line.headers, line.label, line.address);
    add({ from: 'client', kind: 'unparsable', raw: line.text, ...(exchange ? { exchange: exchange.id } : {}) });
    if (exchange && transport === 'sse' && next?.act !== 'server-status') http.respond(exchange, 202, {}, 0);
  }

  function receiveMessage(
    message: unknown,
    label: string | undefined,
    isLast: boolean,
    { encoding, text }: { encoding?: 'latin1' | 'unfinished'; text?: string } = {},
  ): void {
    const payload: Pick<EventInput, 'kind' | 'message' | 'raw' | 'invalidUtf8' | 'readAs'> =
      text !== undefined
        ? textPayload(text, json)
        : encoding === 'latin1'
          ? bytesPayload(Buffer.from(JSON.stringify(message), encoding), json)
          : { kind: 'message', message, ...(encoding === 'unfinished' ? { readAs: 'unfinished' } : {}) };
    if (transport === 'stdio') add({ from: 'server', ...payload });
    else http.deliver(message, payload, label, isLast);
  }

  function timeout(what: TimeoutWhat, label?: string): void {
    if (what === 'exit') {
      add({ from: 'harness', kind: 'timeout', what: 'stdin' });
      return;
    }
    if (what === 'stream') {
      const exchange = http.current(label);
      add({ from: 'harness', kind: 'timeout', what: 'stream', ...(exchange ? { exchange: exchange.id } : {}) });
      return;
    }
    const asked = label === undefined ? lastUnanswered() : http.labels.get(label)?.requestSeq;
    add({
      from: 'harness',
      kind: 'timeout',
      awaited: asked,
      ...(what === 'acknowledgement' ? { what } : {}),
    });
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

  function act(line: NotationAct, example: RuleExample, next?: NotationAct): void {
    switch (line.act) {
      case 'client-message':
        sendMessage(
          era === 'stateless' ? withMeta(line.message, example, revision) : line.message,
          line.headers,
          line.label,
          line.framing,
          next,
          line.address,
          line.method,
          line.encoding,
        );
        break;
      case 'client-raw':
        sendBytes(line, next);
        break;
      case 'client-http':
        http.bare(line.method, line.headers, line.label, line.address);
        break;
      case 'server-message':
        receiveMessage(line.message, line.label, !continues(line, next), line);
        break;
      case 'server-raw':
        if (transport === 'stdio') add(rawLine(line.text));
        else http.rawBody(line);
        break;
      case 'server-status':
        http.replyInFull(line);
        break;
      case 'server-fetch':
        http.fetched(line);
        break;
      case 'server-stream':
        http.openStream(line);
        break;
      case 'server-event':
        http.event(line);
        break;
      case 'server-end':
        http.endStream(http.current(line.label), 'server');
        break;
      case 'client-drop':
        http.endStream(http.current(line.label), 'client');
        break;
      case 'timeout':
        timeout(line.what, line.label);
        break;
      case 'server-closed':
        add({ from: 'server', kind: 'closed', what: transport === 'stdio' ? 'stdout' : 'connection' });
        break;
      case 'exit':
        add({
          from: ourSignals.has(line.signal) ? 'harness' : 'server',
          kind: 'exit',
          exit: { code: line.code, signal: line.signal },
        });
        break;
      case 'client-exit':
        add({ session: 'client', from: 'client', kind: 'exit', exit: { code: 0, signal: null } });
        break;
      case 'close-stdin':
        add({ from: 'client', kind: 'closed', what: 'stdin' });
        break;
      case 'shut-down':
        add({ from: 'client', kind: 'closed', what: 'server' });
        break;
      case 'session':
        if (line.bare) open();
        else handshake(example);
        break;
      case 'session-again':
        if (line.number > sessionNumber) throw new Error(`there is no connection ${line.number} yet`);
        session = `s${line.number}`;
        http.begin(false, line.number);
        break;
      case 'pause':
        clock += line.ms;
        break;
      case 'stderr':
        add({ from: 'server', kind: 'stderr', raw: line.text });
        break;
      case 'listening':
        add({ from: 'harness', kind: 'listening', detail: line.addresses });
        break;
    }
  }

  return {
    handshake,
    openBare: open,
    act,
    finish(): TraceEvent[] {
      return events;
    },
  };
}

/** Another server message follows on the same reply, so it has to be a stream. */
function continues(line: NotationAct, next: NotationAct | undefined): boolean {
  if (line.act === 'server-message' && isRecord(line.message) && 'method' in line.message) return true;
  return (
    next?.act === 'server-message' && isRecord(next.message) && 'method' in next.message && !('id' in next.message)
  );
}

/** A stdout line that is no message: kind and text as the stdio transport would record them. */
function rawLine(text: string): Omit<EventInput, 'session'> {
  const parsed = parseOrUndefined(text);
  if (parsed !== undefined) return { from: 'server', kind: 'message', message: parsed, raw: text };
  return { from: 'server', kind: 'unparsable', raw: text };
}
