/**
 * One live server that a program talks to, request by request, with the client of suites. It declares nothing that the
 * caller does not name, sends what it is asked to, and hands the response through. It makes no judgement.
 */
import { createConnection, type Connection, type OpenedServer } from '../suites/run/connect/connection.ts';
import { ask, whyNoAnswer } from '../suites/run/connect/ask.ts';
import { endedCommands } from '../check/reporting/left-behind.ts';
import { McpcError, stopIfInterrupted } from '../core/model/errors.ts';
import type { Revision } from '../core/model/rules/requirement.ts';
import type { TraceEvent } from '../core/model/trace.ts';
import { defaultTiming, type Timing } from '../client/target/timing.ts';
import type { Target } from '../client/target/target.ts';
import { responseIn } from '../client/peer/response-in.ts';
import { methodTables } from '../files/package/method-tables.ts';
import type { ClientFeatures } from '../suites/language/model.ts';
import { jsonOf, parseJson } from '../suites/language/json-text.ts';
import { startServed, type ServedProcess } from '../check/target/serve.ts';
import type { ServeOptions } from '../check/target/serve-options.ts';
import type { TraceWriter } from '../core/trace/recorder.ts';
import type { Redactor } from '../core/trace/redaction/redact.ts';
import { partMark, marked } from '../client/transport/process/run-mark.ts';
import { within } from '../client/transport/within.ts';
import { memberText } from './member-text.ts';
import { upstreamError, type Outcome } from './outcome.ts';

type Json = Record<string, unknown>;

export interface LiveOptions {
  target: Target;
  name: string;
  /** Starts the HTTP server first. */
  serve?: ServeOptions;
  /** An address may turn out to speak HTTP+SSE. */
  fallback?: boolean;
  spec?: Revision | 'auto';
  timing?: { startMs?: number; answerMs?: number };
  toolVersion: string;
  redactor: Redactor;
  /** Gets the trace, without secrets. */
  writer?: TraceWriter;
  /** Capabilities and answers of the client. */
  features?: ClientFeatures;
  signal?: AbortSignal;
  /** Called with each line that the server writes to stderr, without secrets. */
  onStderr?(line: string): void;
  /** Called with each event of the trace, without secrets, and the bytes that it takes in memory. */
  onEvent?(event: TraceEvent, memory: number): void;
}

export interface AskOptions {
  /** Milliseconds until the request counts as unanswered; the time limit for responses when absent. */
  timeoutMs?: number;
  signal?: AbortSignal;
  progress?: boolean;
  /** Send a method that the revision does not have. */
  anyMethod?: boolean;
}

export interface LiveSession {
  readonly connection: Connection;
  readonly opened: OpenedServer;
  /** The result of the handshake, as JSON and as a value. */
  readonly handshake: Extract<Outcome, { kind: 'result' }>;
  /** Why the connection is over; undefined while it is open. */
  readonly over: string | undefined;
  /** Sends one request. Never rejects for what the server does. @throws McpcError interrupted when the signal was given */
  ask(method: string, params?: Json, options?: AskOptions): Promise<Outcome>;
  notify(method: string, params?: Json): void;
  /** Ends the connection and what was started for it. @returns command lines of processes that the server left running; they have been ended */
  close(): Promise<string[]>;
}

/** The recording of a connection is not kept here, so its length does not matter. */
const unlimited = { maxEvents: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };

/** Time for a ping after an unanswered request. */
const pingMs = 2_000;

/**
 * Starts or reaches the server and does the handshake.
 * @throws McpcError target when that fails, interrupted once the signal was given
 */
export async function openLive(options: LiveOptions): Promise<LiveSession> {
  const { name, redactor, signal, toolVersion } = options;
  stopIfInterrupted(signal);
  const mark = partMark();
  const timing: Timing = {
    ...defaultTiming,
    startMs: options.timing?.startMs ?? defaultTiming.startMs,
    answerMs: options.timing?.answerMs ?? defaultTiming.answerMs,
  };
  const connection = createConnection({
    redactor,
    name: redactor.text(name),
    mark,
    limits: unlimited,
    ...(options.writer ? { writer: options.writer } : {}),
  });
  const { recorder } = connection;
  const texts = watchTexts(connection);
  if (options.onEvent) recorder.subscribe(options.onEvent, { redacted: true });
  if (options.onStderr)
    recorder.subscribe(
      ({ kind, raw }) => {
        if (kind === 'stderr') options.onStderr!(raw ?? '');
      },
      { redacted: true },
    );
  const onAbort = (): void => connection.abandon();
  signal?.addEventListener('abort', onAbort, { once: true });
  let served: ServedProcess | undefined;
  let left: string[] | undefined;
  const close = async (): Promise<string[]> => {
    signal?.removeEventListener('abort', onAbort);
    await connection.close();
    await served?.stop();
    left ??= await endedCommands(mark, redactor);
    return left;
  };
  try {
    if (options.serve)
      served = await startServed(marked(options.serve, mark), options.target, recorder.sink, timing, signal);
    const failed = await connection.open({
      server: {
        args: [],
        env: {},
        transport: '',
        headers: {},
        ...(options.features === undefined ? {} : { features: options.features }),
      },
      override: options.target,
      fixture: undefined,
      spec: options.spec ?? 'auto',
      askForStateless: false,
      fallback: options.fallback,
      budgetMs: timing.startMs,
      answerMs: timing.answerMs,
      env: {},
      toolVersion,
    });
    stopIfInterrupted(signal);
    if (failed !== undefined) throw new McpcError('target', redactor.text(`${name}: ${failed.words}`));
  } catch (error) {
    await close();
    throw error;
  }
  const opened = connection.opened!;
  return sessionOf(connection, opened, texts, { timing, methods: await methodTables(), close });
}

interface Texts {
  handshake(): string | undefined;
  /** Keeps the text of the response to the request with the id, once it comes. */
  expect(id: number): void;
  /** The whole text of that response, where it differs from the canonical JSON; kept no longer. */
  take(id: number): string | undefined;
}

/** Responses are passed on as they were written. Secrets are in them: what is kept here goes to the caller alone. */
function watchTexts({ recorder }: Connection): Texts {
  const waiting = new Map<number, string | undefined>();
  let first: string | undefined;
  let handshakeId: unknown;
  recorder.subscribe((event) => {
    const { kind, from, message, raw } = event;
    if (kind !== 'message') return;
    if (from === 'client') {
      const { method, id } = message as Json;
      if (method === 'initialize' || method === 'server/discover') handshakeId = id;
      return;
    }
    if (handshakeId !== undefined && responseIn(event, handshakeId) !== undefined) first = textIn(raw, handshakeId);
    for (const id of waiting.keys()) if (responseIn(event, id) !== undefined) waiting.set(id, textIn(raw, id));
  });
  return {
    handshake: () => first,
    expect: (id) => void waiting.set(id, undefined),
    take(id) {
      const text = waiting.get(id);
      waiting.delete(id);
      return text;
    },
  };
}

/** The text of the response with the id: the line itself, or its part of a batch. */
function textIn(raw: string | undefined, id: unknown): string | undefined {
  if (raw === undefined || !raw.trimStart().startsWith('[')) return raw;
  try {
    const batch = parseJson(raw.trim()) as Json[];
    return jsonOf(batch.find((one) => one['id'] === id));
  } catch {
    return undefined;
  }
}

interface SessionParts {
  timing: Timing;
  methods: Awaited<ReturnType<typeof methodTables>>;
  close(): Promise<string[]>;
}

function sessionOf(
  connection: Connection,
  opened: OpenedServer,
  texts: Texts,
  { timing, methods, close }: SessionParts,
): LiveSession {
  const { peer, revision } = opened;
  let over: string | undefined;

  const gone = (words: string): Outcome => {
    over ??= words;
    return { kind: 'gone', words: over };
  };

  async function afterTimeout(id: number | undefined, waitedMs: number): Promise<Outcome> {
    if (id !== undefined && opened.era === 'stateful')
      peer.notify('notifications/cancelled', { requestId: id, reason: 'no response within the time limit' });
    if (peer.alive && methods[revision]?.['ping'] !== undefined) {
      const answer = await peer.request('ping', undefined, { deadlineMs: Math.min(pingMs, timing.answerMs) }).answer;
      if (answer.kind !== 'response') gone(`the server does not respond any more, not even to a ping`);
    } else if (!peer.alive) gone('the server ended');
    return { kind: 'timeout', waitedMs, over: over !== undefined };
  }

  return {
    connection,
    opened,
    handshake: {
      kind: 'result',
      result: connection.handshake ?? {},
      text: () => memberText(texts.handshake() ?? '', 'result') ?? jsonOf(connection.handshake ?? {}),
    },
    get over() {
      return over ?? (peer.alive ? undefined : `the server ended${ended(connection)}`);
    },
    async ask(method, params, { timeoutMs = timing.answerMs, signal, progress, anyMethod } = {}) {
      stopIfInterrupted(signal);
      if (over !== undefined) return gone(over);
      if (!peer.alive) return gone(`the server ended${ended(connection)}`);
      if (anyMethod !== true && methods[revision]?.[method] === undefined && isElsewhere(method, methods)) {
        const message = `revision ${revision}, which the server speaks, has no ${method}`;
        const error = { code: -32601, message };
        return { kind: 'error', error, text: () => JSON.stringify(error) };
      }
      const until = performance.now() + timeoutMs;
      let last: number | undefined;
      const take = (): string | undefined => (last === undefined ? undefined : texts.take(last));
      const asked = ask(
        opened,
        { method, params, progress, asItStands: anyMethod },
        {
          remaining: () => Math.max(1, Math.ceil(until - performance.now())),
          again: () => performance.now() < until && signal?.aborted !== true,
          onSend(id) {
            take();
            texts.expect((last = id));
          },
        },
      );
      let onAbort: () => void = () => {};
      const aborted = new Promise<void>((resolve) => (onAbort = resolve));
      signal?.addEventListener('abort', onAbort, { once: true });
      // A server that keeps sending requests is waited for no longer than a silent one.
      const late = await within(Promise.race([asked, aborted]), timeoutMs + 50);
      signal?.removeEventListener('abort', onAbort);
      if (signal?.aborted === true) {
        take();
        if (last !== undefined && opened.era === 'stateful')
          peer.notify('notifications/cancelled', { requestId: last, reason: 'the caller gave up' });
        throw new McpcError('interrupted', 'Interrupted.', { cause: signal.reason });
      }
      if (late) {
        take();
        return afterTimeout(last, timeoutMs);
      }
      const answer = await asked;
      const raw = take();
      if (answer.kind === 'timeout') return afterTimeout(last, timeoutMs);
      if (answer.kind === 'refused' && peer.alive)
        return { kind: 'refused', status: answer.status, words: await whyNoAnswer(answer, peer, connection) };
      if (answer.kind !== 'response') return gone(connection.cut ?? (await whyNoAnswer(answer, peer, connection)));
      const { message } = answer;
      const text = (member: string) => (): string =>
        (raw === undefined ? undefined : memberText(raw, member)) ?? JSON.stringify(message[member]);
      return 'result' in message
        ? { kind: 'result', result: message['result'], text: text('result') }
        : { kind: 'error', error: upstreamError(message['error']), text: text('error') };
    },
    notify(method, params) {
      if (peer.alive) peer.notify(method, params);
    },
    close,
  };
}

/** End of its process, in parentheses. */
function ended({ exit }: Connection): string {
  return exit === undefined ? '' : ` (${exit})`;
}

/** A method of other revisions; one of no revision is sent unchanged. */
function isElsewhere(method: string, methods: SessionParts['methods']): boolean {
  return Object.values(methods).some((table) => table[method] !== undefined);
}
