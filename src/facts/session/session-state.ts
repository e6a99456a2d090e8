/**
 * What is known of one connection while its events go by: lifecycle phase, negotiated revision,
 * capabilities, session id, how it ended. A fold; holds no events.
 */
import { asObject, isObject, type JsonObject } from '../../model/json.ts';
import { isMadeUpToken } from '../../model/made-up-tokens.ts';
import type { TraceEvent, TransportKind } from '../../model/trace.ts';
import type { Guard } from '../authorization/guard.ts';
import { declaredCapabilitiesOf, declaredVersionOf, metaOf, methodOf, paramsOf, type RpcItem } from '../jsonrpc/rpc.ts';

/**
 * - `before-initialize`: the client has not asked yet
 * - `initializing`: asked, not answered
 * - `before-initialized`: answered, `notifications/initialized` not sent
 * - `operating`: the handshake is over, or the era has none
 * - `closing`: the client has closed stdin, deleted the session or left
 */
export type Phase = 'before-initialize' | 'initializing' | 'before-initialized' | 'operating' | 'closing';

export interface ServerRequestSeen {
  method: unknown;
  seq: number;
  /** Milliseconds since the trace began. */
  t: number;
  phase: Phase;
}

export interface SessionState {
  name: string;
  transport: TransportKind;
  phase: Phase;
  era?: 'stateful' | 'stateless';
  /** Negotiated (stateful) or declared by the client (stateless). */
  revision?: string;
  requestedVersion?: string;
  clientCapabilities?: JsonObject;
  serverCapabilities?: JsonObject;
  serverInfo?: JsonObject;
  /** The whole result of initialize or server/discover. */
  initializeResult?: JsonObject;
  /** Stateless era: what became of an `initialize` on the same connection, which a server of both eras may serve. */
  statefulHandshake: 'none' | 'open' | 'accepted' | 'refused';
  /** Seqs of the handshake, cited as evidence by rules about absence. */
  handshake: number[];
  sessionId?: string;
  /** The client has sent a DELETE for the session, which was not refused: whatever ends now ends by its will. */
  deleting: boolean;
  /** A DELETE for the session was answered with 2xx. */
  deleted: boolean;
  /** Process or connection ended without the client having asked for it. */
  lost: boolean;
  exit?: { code: number | null; signal: string | null };
  stdinClosed: boolean;
  /** The process was still running when its end was due. */
  exitOverdue: boolean;
  /** Seqs of the end of stdin and of the process. */
  ending: number[];
  ended: boolean;
  /** Seq of the last message of the server that was too large to be read; it may have answered anything sent before. Infinity once the checker itself let something go. */
  overLimitSeq: number;
  /** It is followed no more, though it had not ended: of what was not yet decided nothing is said. */
  letGo?: boolean;
  /** Requests that the server sent, at most 1000 kept. */
  serverRequests: ServerRequestSeen[];
  serverRequestCount: number;
  /** tools/call, prompts/get and resources/read requests that the client sent in the operating phase. */
  uses: number;
  /** The client has handed over a credential that the checker made up. */
  gaveCredential: boolean;
  /** What all connections know of how the target guards itself. */
  guard?: Guard;
  /** Methods that the client sent before `initialize`, at most ten; answers count as "a response". */
  beforeInitialize: string[];
  /** Client pings answered before notifications/initialized was sent. */
  answersBeforeInitialized: number;
  /** Results of tools/call so far. */
  toolResults: number;
  /** resources/subscribe requests that the client sent. */
  subscribes: number;
  /** Streamable HTTP: listening streams (GET, without Last-Event-ID) that are open, and since when there is one (seq). */
  listening: Set<string>;
  listeningSince?: number;
}

const keptServerRequests = 1000;
const useMethods = new Set(['tools/call', 'prompts/get', 'resources/read']);

export function createSessionState(name: string, transport: TransportKind): SessionState {
  return {
    name,
    transport,
    phase: 'before-initialize',
    statefulHandshake: 'none',
    handshake: [],
    deleting: false,
    deleted: false,
    lost: false,
    stdinClosed: false,
    exitOverdue: false,
    ending: [],
    ended: false,
    overLimitSeq: 0,
    serverRequests: [],
    serverRequestCount: 0,
    uses: 0,
    gaveCredential: false,
    beforeInitialize: [],
    answersBeforeInitialized: 0,
    toolResults: 0,
    subscribes: 0,
    listening: new Set(),
  };
}

/** The trace begins after the handshake: what it had settled is known from elsewhere, or not at all. */
export function joinMidway(state: SessionState, revision: string): void {
  state.phase = 'operating';
  state.era = 'stateful';
  state.revision = revision;
}

/** Takes in a JSON-RPC message; call it after the message's own subject got the phase that it was sent in. */
export function observeItem(state: SessionState, item: RpcItem): void {
  if (item.from === 'client') observeClient(state, item);
  else if (item.shape === 'request') {
    state.serverRequestCount += 1;
    if (state.serverRequests.length < keptServerRequests) {
      state.serverRequests.push({ method: methodOf(item.message), seq: item.seq, t: item.event.t, phase: state.phase });
    }
  }
}

function observeClient(state: SessionState, item: RpcItem): void {
  const method = methodOf(item.message);
  if (item.shape === 'request' && method === 'initialize' && state.phase === 'before-initialize') {
    const params = paramsOf(item.message);
    state.phase = 'initializing';
    state.handshake.push(item.seq);
    if (typeof params?.protocolVersion === 'string') state.requestedVersion = params.protocolVersion;
    state.clientCapabilities = asObject(params?.capabilities) ?? {};
    return;
  }
  if (item.shape === 'request' && method === 'initialize' && state.era === 'stateless' && state.statefulHandshake !== 'accepted') state.statefulHandshake = 'open';
  if (item.shape === 'notification' && method === 'notifications/initialized') {
    if (state.phase === 'before-initialized') {
      state.phase = 'operating';
      state.handshake.push(item.seq);
    }
    return;
  }
  const declared = declaredVersionOf(item.message);
  if (item.shape === 'request' && typeof declared === 'string' && state.phase === 'before-initialize') {
    state.era = 'stateless';
    state.phase = 'operating';
    state.handshake.push(item.seq);
    state.revision ??= declared;
    state.clientCapabilities ??= declaredCapabilitiesOf(item.message);
  }
  if (item.shape === 'request' && method === 'resources/subscribe') state.subscribes += 1;
  if (state.phase === 'before-initialize' && state.beforeInitialize.length < 10) state.beforeInitialize.push(typeof method === 'string' ? method : 'a response');
  if (item.shape === 'request' && state.phase === 'operating' && useMethods.has(String(method))) state.uses += 1;
  const meta = state.gaveCredential ? undefined : metaOf(item.message);
  if (meta) state.gaveCredential = Object.values(meta).some((value) => typeof value === 'string' && isMadeUpToken(value));
}

/** Takes in the answer to `initialize`, or to the `server/discover` that opened a stateless connection. */
export function observeHandshakeReply(state: SessionState, method: unknown, reply: Pick<RpcItem, 'seq' | 'message'>): void {
  const result = asObject(reply.message)?.result;
  if (method === 'initialize' && state.era === 'stateless') {
    if (state.statefulHandshake === 'open') state.statefulHandshake = isObject(result) ? 'accepted' : 'refused';
    return;
  }
  if (method === 'initialize' && state.phase === 'initializing') {
    state.handshake.push(reply.seq);
    if (!isObject(result)) return;
    state.phase = 'before-initialized';
    state.era = 'stateful';
    state.initializeResult = result;
    if (typeof result.protocolVersion === 'string') state.revision = result.protocolVersion;
    state.serverCapabilities = asObject(result.capabilities);
    state.serverInfo = asObject(result.serverInfo);
  } else if (method === 'server/discover' && state.era === 'stateless' && isObject(result)) {
    state.initializeResult ??= result;
    state.serverCapabilities ??= asObject(result.capabilities);
    state.serverInfo ??= asObject(asObject(result._meta)?.['io.modelcontextprotocol/serverInfo']);
  }
}

/** Takes in the opening and the end of a listening stream. */
export function observeListening(state: SessionState, event: TraceEvent): void {
  if (event.exchange === undefined) return;
  if (event.kind === 'sse-open') {
    state.listening.add(event.exchange);
    state.listeningSince ??= event.seq;
  } else if ((event.kind === 'sse-close' || event.kind === 'closed') && state.listening.delete(event.exchange) && state.listening.size === 0) {
    delete state.listeningSince;
  }
}

/** Whether a notification that belongs to no request could have reached the client all the time since an event. */
export function hasHeardSince(state: SessionState, seq: number): boolean {
  return state.transport !== 'http' || (state.listeningSince !== undefined && state.listeningSince < seq);
}

/** Takes in events that are no messages: ends of streams, processes and connections. */
export function observeEvent(state: SessionState, event: TraceEvent): void {
  if (event.kind === 'closed' && event.exchange === undefined) {
    if (event.from === 'client') {
      state.phase = 'closing';
      if (event.what === 'stdin') {
        state.stdinClosed = true;
        state.ending.push(event.seq);
      }
    } else if (state.phase !== 'closing') state.lost = true;
  }
  if (event.kind === 'limit') observeLimit(state, event);
  if (event.kind === 'timeout' && event.what === 'stdin') {
    state.exitOverdue = true;
    state.ending.push(event.seq);
  }
  if (event.kind === 'exit') {
    state.ending.push(event.seq);
    if (event.exit) state.exit = event.exit;
    if (state.phase !== 'closing') state.lost = true;
    state.ended = true;
  }
}

function observeLimit(state: SessionState, event: TraceEvent): void {
  // The checker answers or records no more: what stays unanswered from here on proves nothing.
  if (event.from === 'harness') state.overLimitSeq = Infinity;
  // Log output that was too long bears no excerpt.
  else if (event.from === 'server' && (event.raw !== undefined || event.exchange !== undefined)) state.overLimitSeq = Math.max(state.overLimitSeq, event.seq);
}

/** The `session.*` facts, each by itself; see fact-table.ts for their meaning. */
export const sessionFactReaders: Readonly<Record<string, (state: SessionState) => unknown>> = {
  transport: (state) => state.transport,
  era: (state) => state.era,
  revision: (state) => state.revision,
  requestedVersion: (state) => state.requestedVersion,
  phase: (state) => state.phase,
  clientCapabilities: (state) => state.clientCapabilities,
  serverCapabilities: (state) => state.serverCapabilities,
  serverInfo: (state) => state.serverInfo,
  handshakeResult: (state) => state.initializeResult,
  statefulHandshake: (state) => state.statefulHandshake,
  hasSessionId: (state) => state.sessionId !== undefined,
  sessionId: (state) => state.sessionId,
  deleted: (state) => state.deleted,
  lost: (state) => state.lost,
  uses: (state) => state.uses,
  gaveCredential: (state) => state.gaveCredential,
  challenged: (state) => state.guard?.challenged === true,
};

/** All `session.*` facts as they are at this moment. */
export function sessionFacts(state: SessionState): Record<string, unknown> {
  return Object.fromEntries(Object.entries(sessionFactReaders).map(([name, read]) => [name, read(state)]));
}
