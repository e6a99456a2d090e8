/** `connect`: opens a session with a server. */
import { asObject, isObject } from '../../core/model/json.ts';
import { McpcError, targetError, usageError } from '../../core/model/errors.ts';
import { append } from '../../core/model/lists.ts';
import { redactorOf } from '../../check/run-redactor.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import { createEventStore } from '../../core/trace/event-store.ts';
import { createJsonlWriter } from '../../files/traces/jsonl-writer.ts';
import { askList } from '../../live/lists.ts';
import { openLive, type LiveSession } from '../../live/live-session.ts';
import type { Outcome } from '../../live/outcome.ts';
import { readFeaturesFile } from '../../suites/language/file/features-file.ts';
import type { ClientFeatures } from '../../suites/language/model.ts';
import type { Redactor } from '../../core/trace/redaction/redact.ts';
import { throwIfAborted } from '../runs/interrupted.ts';
import { targetOf, type TargetOption } from '../target/target.ts';
import { packageVersion } from '../version.ts';
import { namedIn, rememberReply, rememberSession, type KnownSession } from './known.ts';
import type { AskOptions, JsonObject, ListKind, ListReply, Notification, Reply, Session } from './session.ts';
import type { Conversation } from './session-judge.ts';

export interface ConnectOptions {
  /** Name of the server in messages and traces. */
  name?: string;
  /** The revision to speak; the newest that the server takes in a handshake when absent. */
  spec?: Revision | 'auto';
  /** Milliseconds until the handshake is done; 30,000 when absent. */
  startTimeoutMs?: number;
  /** Milliseconds until a request counts as unanswered; 10,000 when absent. */
  timeoutMs?: number;
  /** Capabilities and answers of the client, as in `client_capabilities` of a suite (docs/suites.md). */
  client?: JsonObject;
  /** After an error, list what the server offers, so that a failed expectation can name it. */
  listOnError?: boolean;
  /** Where to write the trace. */
  traceFile?: string;
  /** Ends the session. */
  signal?: AbortSignal;
  /** Called with each line that the server writes to stderr, without secrets. */
  onStderr?(line: string): void;
  onNotification?(notification: Notification): void;
}

/**
 * Starts or reaches a server and does the handshake. The server may be an object of SDK 1.x or 2.x in this process.
 * @throws McpcError of stage `usage` for invalid options, `target` for a server that cannot be reached or does not
 * speak MCP, `interrupted` once the signal was given
 */
export async function connect(target: TargetOption, options: ConnectOptions = {}): Promise<Session> {
  const { signal } = options;
  throwIfAborted(signal);
  const { target: found, name, serve, fallback, secrets } = await targetOf(target, options.name);
  const events = createConversation(options);
  const writer = options.traceFile === undefined ? undefined : createJsonlWriter(options.traceFile);
  const redactor = redactorOf({ target: found, serve, secrets });
  const live = await openLive({
    target: found,
    name,
    serve,
    fallback,
    spec: options.spec ?? 'auto',
    timing: { startMs: options.startTimeoutMs, answerMs: options.timeoutMs },
    toolVersion: packageVersion(),
    redactor,
    writer,
    features: options.client === undefined ? undefined : featuresOf(options.client),
    signal,
    onStderr: options.onStderr,
    onEvent: events.take,
  });
  return sessionOf(live, { name, redactor }, events, options);
}

function createConversation({ onNotification }: ConnectOptions) {
  const store = createEventStore();
  const listeners = new Set<(event: TraceEvent) => void>();
  const notifications: Notification[] = [];
  let count = 0;
  return {
    store,
    notifications,
    get count() {
      return count;
    },
    take(event: TraceEvent, memory: number): void {
      store.push(event, memory);
      count += 1;
      for (const listener of listeners) listener(event);
      const found = notificationsOf(event);
      append(notifications, found);
      if (onNotification !== undefined) for (const one of found) onNotification(one);
    },
    subscribe: (listener: (event: TraceEvent) => void) => void listeners.add(listener),
  };
}

type Events = ReturnType<typeof createConversation>;

function sessionOf(
  live: LiveSession,
  { name, redactor }: { name: string; redactor: Redactor },
  events: Events,
  options: ConnectOptions,
): Session {
  const conversation: Conversation = {
    get header() {
      return live.connection.recorder.header!;
    },
    store: events.store,
    get count() {
      return events.count;
    },
    subscribe: events.subscribe,
  };
  let judging: Promise<ReturnType<typeof import('./session-judge.ts')['createSessionJudge']>> | undefined;
  let closing: Promise<void> | undefined;

  const timed = async (work: Promise<Outcome>): Promise<[Outcome, number]> => {
    const began = performance.now();
    const outcome = await work;
    return [outcome, Math.round((performance.now() - began) * 1000) / 1000];
  };
  const askOf = (
    method: string,
    params: JsonObject | undefined,
    how: AskOptions & { anyMethod?: boolean },
  ): Promise<Outcome> =>
    live.ask(method, params, {
      anyMethod: how.anyMethod,
      ...(how.timeoutMs === undefined ? {} : { timeoutMs: how.timeoutMs }),
      ...(how.progress === undefined ? {} : { progress: how.progress }),
      signal: eitherOf(options.signal, how.signal),
    });
  const one = async (
    method: string,
    params: JsonObject | undefined,
    how: AskOptions & { anyMethod?: boolean } = {},
  ): Promise<Reply> => {
    const [outcome, durationMs] = await timed(askOf(method, params, how));
    const reply = replyOf(method, params, outcome, durationMs, name);
    rememberReply(reply, known);
    const [kind] = namedIn[method] ?? [];
    const failed = reply.error !== undefined || reply.result?.['isError'] === true;
    // A server that does not answer that either has its first answer judged all the same.
    if (options.listOnError === true && failed && kind !== undefined && !known.offered.has(kind))
      await session.list(kind).catch(() => {});
    return reply;
  };

  const session: Session = {
    name,
    revision: live.opened.revision,
    handshake: asObject(live.handshake.result) ?? {},
    get over() {
      return live.over;
    },
    request: (method, params, how) => one(method, params, { ...how, anyMethod: true }),
    call: (tool, args = {}, how) => one('tools/call', { name: tool, arguments: args }, how),
    async list(kind: ListKind, how: AskOptions = {}): Promise<ListReply> {
      const [method, member] = listMembers[kind];
      const [outcome, durationMs] = await timed(askList(kind, (asked, params) => askOf(asked, params, how)));
      const reply = replyOf(method, undefined, outcome, durationMs, name);
      const listed = reply.result?.[member];
      const items = Array.isArray(listed) ? listed.filter(isObject) : [];
      if (reply.error === undefined) known.offered.set(kind, namesOf(items, kind));
      const whole = { ...reply, items };
      rememberReply(whole, known);
      return whole;
    },
    read: (uri, how) => one('resources/read', { uri }, how),
    get: (prompt, args, how) =>
      one('prompts/get', { name: prompt, ...(args === undefined ? {} : { arguments: { ...args } }) }, how),
    complete: (ref, argument, { context, ...how } = {}) =>
      one(
        'completion/complete',
        {
          ref: 'prompt' in ref ? { type: 'ref/prompt', name: ref.prompt } : { type: 'ref/resource', uri: ref.template },
          argument: { ...argument },
          ...(context === undefined ? {} : { context: { arguments: { ...context } } }),
        },
        how,
      ),
    notify: (method, params) => live.notify(method, params),
    notifications: (method) => events.notifications.filter((one) => method === undefined || one.method === method),
    trace: () => ({ header: conversation.header, events: [...events.store.all()] }),
    async report(rules = {}) {
      judging ??= import('./session-judge.ts').then(({ createSessionJudge }) => createSessionJudge(conversation));
      return (await judging)(rules);
    },
    async verdicts(rules) {
      const { parts } = await session.report(rules);
      return parts.flatMap(({ verdicts }) => verdicts);
    },
    close: () => (closing ??= live.close().then(() => {})),
    [Symbol.asyncDispose]: () => session.close(),
  };
  const known: KnownSession = {
    session,
    offered: new Map(),
    clean: (message) =>
      redactor.event({ seq: 0, t: 0, session: 's0', from: 'server', kind: 'message', message }).message as JsonObject,
  };
  rememberSession(known);
  return session;
}

function namesOf(items: readonly JsonObject[], kind: ListKind): string[] {
  const member = { tools: 'name', prompts: 'name', resources: 'uri', templates: 'uriTemplate' }[kind];
  return items.flatMap((item) => (typeof item[member] === 'string' ? [item[member]] : []));
}

const listMembers = {
  tools: ['tools/list', 'tools'],
  resources: ['resources/list', 'resources'],
  templates: ['resources/templates/list', 'resourceTemplates'],
  prompts: ['prompts/list', 'prompts'],
} as const;

/** @throws McpcError target where there is no response */
function replyOf(
  method: string,
  params: JsonObject | undefined,
  outcome: Outcome,
  durationMs: number,
  name: string,
): Reply {
  switch (outcome.kind) {
    case 'result':
      return { method, params, result: asObject(outcome.result) ?? {}, error: undefined, durationMs };
    case 'error':
      return { method, params, result: undefined, error: outcome.error, durationMs };
    case 'timeout':
      throw targetError(
        `${name}: no response to ${method} within ${outcome.waitedMs} ms.`,
        'Give the request more time with timeoutMs.',
      );
    default:
      throw new McpcError('target', `${name}: no response to ${method}: ${outcome.words}`);
  }
}

function eitherOf(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);
}

function notificationsOf({ kind, from, message }: TraceEvent): Notification[] {
  if (kind !== 'message' || from !== 'server') return [];
  return (Array.isArray(message) ? message : [message]).flatMap((one: unknown): Notification[] => {
    const { method, id, params } = asObject(one) ?? {};
    return typeof method === 'string' && id === undefined ? [{ method, params: asObject(params) }] : [];
  });
}

/** @throws McpcError usage */
function featuresOf(client: JsonObject): ClientFeatures | undefined {
  const { features, problems } = readFeaturesFile(JSON.stringify(client));
  const wrong = problems.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0)
    throw usageError(
      `client: ${wrong.map(({ text }) => text).join('; ')}`,
      'It holds what client_capabilities of a suite holds; see docs/suites.md.',
    );
  return features;
}
