/**
 * Plays a situation: the faultless server of src/server, with what the situation changes laid over it. What a faultless
 * server would not do is remembered as a deviation, so that the trace can say so.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { asObject } from '../../core/model/json.ts';
import type { Situation, SituationAnswer, SituationAsk } from '../../core/model/rules/situation.ts';
import type { About, BehaviourChange, HttpReply } from '../../server/session/behaviour.ts';
import { withChanges } from '../../server/session/behaviour.ts';
import { receive } from '../../server/dispatch/dispatcher.ts';
import { isStatelessRequest, serveStateless } from '../../server/dispatch/stateless.ts';
import { pause } from '../../server/session/request-context.ts';
import { Host, type AddedTool } from '../../server/session/host.ts';
import { askAll } from './asking.ts';
import { holdRequests } from './held.ts';
import { canaryReply, namesCanaries, withCanaries, type CanaryOrigins } from './canaries.ts';
import { createFirsts } from './firsts.ts';
import { createBareRefusal, createEmptyCursors, httpForm } from './forms.ts';
import { createImmediate } from './immediate.ts';
import type { Remember } from './remember.ts';
import { createRounds, isFor } from './rounds.ts';
import type { JsonObject, RpcRequest } from '../../server/protocol/json-rpc.ts';
import { isObject } from '../../server/protocol/json-rpc.ts';
import type { Revision } from '../../server/protocol/revisions.ts';
import type { ReplySink } from '../../server/protocol/reply-sink.ts';
import type { Session } from '../../server/session/session.ts';

export interface Scene {
  host: Host;
  /** Why a message that the server sent is wrong on purpose; undefined for all others. */
  deviationOf(message: unknown): string | undefined;
  /** The cursor in the newest list that was sent; undefined where that was the last page, or the cursor belongs to a session. */
  nextCursor(): string | undefined;
  /** The server names addresses that a client has no need to fetch. */
  hasCanaries: boolean;
  /** Sets where these lie, once it is known. */
  canariesAt(origins: CanaryOrigins): void;
}

/** The time that is announced before a stream is cut, milliseconds: clients that do not wait come back much sooner. */
const cutRetryMs = 600;
/** Messages that are remembered as deviations. */
const mostRemembered = 1_000;

/** A server of these revisions that does what the situation says. */
export function stageScene(situation: Situation, revisions: readonly Revision[]): Scene {
  const deviations: { message: unknown; why: string }[] = [];
  const remember: Remember = (message, why) => {
    if (why !== undefined && deviations.length < mostRemembered) deviations.push({ message, why });
  };
  const sessions = sessionEnds(situation);
  const asked = new Set<SituationAsk>();
  const released = new WeakSet<object>();
  const listening = new WeakSet<Session>();
  const answers = situation.answers ?? [];
  let exitsDuring = situation.process?.exitsDuring;
  let cursor: string | undefined;
  const held = holdRequests();
  const cursors = createEmptyCursors(answers);
  const bareRefusal = createBareRefusal(answers);
  const rounds = createRounds(situation.asks ?? [], asked, remember);
  const hasCanaries = namesCanaries(situation);
  let origins: CanaryOrigins = { own: '', elsewhere: '' };
  const first = createFirsts();
  const answerTo = (method: string | undefined, asked?: unknown): SituationAnswer | undefined =>
    answers.find(
      (one) =>
        one.to !== undefined &&
        one.to === method &&
        (one.tool === undefined || one.tool === toolOf(asked)) &&
        (one.once !== true || first(one, asked)),
    );

  const immediate = createImmediate(situation, remember, answerTo);

  /** Holds a request until what is to be asked in it was asked. */
  function incoming(message: JsonObject, session: Session, sink: ReplySink): boolean {
    if (message.method === 'initialize') sessions.begins(session);
    rounds.takeAnswers(message);
    held.sees(message);
    cursors.take(message);
    if (released.has(message) || !('id' in message) || typeof message.method !== 'string') return false;
    const request = message as unknown as RpcRequest;
    if (request.method === exitsDuring) {
      exitsDuring = undefined;
      host.exit(1);
      return true;
    }
    if (immediate(request, session, sink)) return true;
    const answer = answerTo(request.method, request);
    if (answer?.never === true) return true;
    if (answer?.despiteCancel === true) {
      released.add(message);
      held.hold(request, () =>
        isStatelessRequest(session.host, request)
          ? void serveStateless(session, request, sink)
          : receive(session, message, sink),
      );
      return true;
    }
    if (answer?.cut === true) {
      if (isStatelessRequest(session.host, request)) {
        sink.finish([]);
        return true;
      }
      // So that the newest event is not the first one.
      session.relate({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'cut' } }, sink);
      sink.drop?.();
    }
    if (session.phase !== 'ready') return false;
    const due = (situation.asks ?? []).filter(
      (ask) =>
        !asked.has(ask) &&
        (ask.during ?? request.method) === request.method &&
        isFor(ask, session.clientCapabilities) &&
        (ask.onListeningStream !== true || listening.has(session)),
    );
    if (due.length === 0 || request.method === 'ping') return false;
    for (const ask of due) asked.add(ask);
    released.add(message);
    void askAll(due, request, { session, sink, remember }).then(() => receive(session, message, sink));
    return true;
  }

  function filled(message: JsonObject): JsonObject {
    return hasCanaries ? withCanaries(message, origins) : message;
  }

  function outgoing(unfilled: JsonObject, about: About): JsonObject[] {
    if (about.method !== undefined && situation.offers?.withoutNotifications?.includes(about.method)) return [];
    const message = filled(unfilled);
    const question = about.era === 'stateless' && about.kind === 'result' ? rounds.askedIn(message, about) : undefined;
    if (question !== undefined) return [filled(question)];
    if (about.kind === 'result' || about.kind === 'error') sessions.answered(about.method, about.session);
    const isList = about.kind === 'result' && about.method === 'tools/list';
    const listed = isList ? cursors.give(about.method, message) : message;
    const answer = about.kind === 'result' ? answerTo(about.method, about.asked) : undefined;
    const changed =
      answer?.error !== undefined
        ? { jsonrpc: '2.0', id: message.id, error: answer.error }
        : answer?.result === undefined
          ? listed
          : { ...listed, result: patched(listed.result, answer.result) as JsonObject };
    // A cursor ends with its session: only without one can another process go on with it.
    if (about.kind === 'result' && about.method?.endsWith('/list'))
      cursor = about.session.phase === 'ready' ? undefined : cursorIn(changed);
    if (isList) remember(changed, situation.offers?.deviation);
    if (answer !== undefined) remember(changed, answer.deviation);
    return [changed];
  }

  const change: BehaviourChange = {
    ...(situation.lenient === true ? { neglects: checksOfRequests } : {}),
    incoming,
    outgoing,
    onListening: (session) => void listening.add(session),
    http: {
      ...httpForm(answers),
      ...(answers.some(({ cut }) => cut === true) ? { retryMs: cutRetryMs } : {}),
      gate: (view) =>
        (hasCanaries ? canaryReply(view.path, origins) : undefined) ??
        bareRefusal(view) ??
        sessions.refusal(view.headers['mcp-session-id']),
      sessionId: () => sessions.issue(),
    },
    capabilities: (declared) => {
      const left = { ...declared };
      for (const name of situation.offers?.withoutCapabilities ?? []) delete left[name];
      return left;
    },
  };
  const host = new Host(withChanges(change), revisions);
  host.tools = [
    addNumbers,
    ...(situation.offers?.tools ?? []).map(
      ({ result, takesMs, reportsMs, taskSupport, input: _input, ...definition }) => ({
        definition,
        taskSupport,
        run: (_given: JsonObject, { signal, reportStatus }: Parameters<AddedTool['run']>[1]) => {
          if (reportsMs !== undefined)
            void pause(reportsMs, signal).then(
              () => reportStatus?.('The work goes on.'),
              // Cancelled, or the session is over: there is nothing to report.
              () => {},
            );
          return takesMs === undefined ? result : pause(takesMs, signal).then(() => result);
        },
      }),
    ),
  ];
  if (situation.offers?.only === true) {
    host.ownTools = false;
    if (situation.offers.tools !== undefined) host.tools = host.tools.slice(1);
  }
  return {
    host,
    deviationOf: (message) => deviations.find((one) => isDeepStrictEqual(one.message, message))?.why,
    nextCursor: () => cursor,
    hasCanaries,
    canariesAt: (known) => (origins = known),
  };
}

function cursorIn({ result }: JsonObject): string | undefined {
  const cursor = isObject(result) ? result.nextCursor : undefined;
  return typeof cursor === 'string' ? cursor : undefined;
}

/** The tool that the clients of the official conformance suite call. */
const addNumbers = {
  definition: {
    name: 'add_numbers',
    description: 'Adds two numbers.',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  },
  run: ({ a, b }: JsonObject): JsonObject => ({
    content: [{ type: 'text', text: `The sum of ${String(a)} and ${String(b)} is ${Number(a) + Number(b)}` }],
  }),
};

function toolOf(asked: unknown): unknown {
  const params = asObject(asObject(asked)?.params);
  return params?.name;
}

/** Duties of a server that takes requests as they come, as the servers of the official suite do. */
const checksOfRequests = [
  'check-meta',
  'check-meta-version',
  'check-meta-capabilities',
  'check-version-header',
  'require-version-header',
  'match-version-header',
  'require-method-header',
  'match-method-header',
  'require-name-header',
  'match-name-header',
  'require-param-headers',
  'match-param-headers',
  'refuse-invalid-param-headers',
] as const;

interface SessionEnds {
  issue(): string;
  begins(session: Session): void;
  answered(method: string | undefined, session: Session): void;
  refusal(id: string | string[] | undefined): HttpReply | undefined;
}

/** Sessions that the server forgets by itself, once, behind the answer that the situation names. */
function sessionEnds({ closes }: Situation): SessionEnds {
  let newest = '';
  let over: string | undefined;
  const ids = new WeakMap<Session, string>();
  return {
    issue: () => (newest = randomUUID()),
    begins: (session) => void ids.set(session, newest),
    answered(method, session) {
      if (closes !== undefined && over === undefined && method === closes.after) over = ids.get(session);
    },
    refusal: (id) =>
      over === undefined || id !== over
        ? undefined
        : {
            status: 404,
            reason: 'session-unknown',
            body: { jsonrpc: '2.0', error: { code: -32001, message: 'There is no such session' } },
          },
  };
}

/** A value with a patch laid over it, as RFC 7396 has it. */
function patched(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const base: JsonObject = { ...(asObject(value) as JsonObject | undefined) };
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) delete base[name];
    else base[name] = patched(base[name], part);
  }
  return base;
}
