/**
 * The lifecycle of one connection while its events go by: phase, negotiated revision, capabilities, session id, how
 * it ended. A fold; holds no events. What one feature alone counts is kept by that feature (core/store.ts).
 */
import { asObject, isObject, type JsonObject } from '../../model/json.ts';
import type { TraceEvent, TransportKind } from '../../model/trace.ts';
import { hasRevisionForm } from '../../spec/revisions.ts';
import { declaredCapabilitiesOf, declaredVersionOf, methodOf, paramsOf, type RpcItem } from '../values/rpc.ts';
import { withoutLongTexts } from '../values/long-texts.ts';

/**
 * - `before-initialize`: the client has not asked yet
 * - `initializing`: asked, not answered
 * - `before-initialized`: answered, `notifications/initialized` not sent
 * - `operating`: the handshake is over, or the era has none
 * - `closing`: the client has closed stdin, deleted the session or left
 */
export type Phase = 'before-initialize' | 'initializing' | 'before-initialized' | 'operating' | 'closing';

export interface SessionState {
  name: string;
  transport: TransportKind;
  phase: Phase;
  era?: 'stateful' | 'stateless';
  /** Negotiated (stateful) or declared by the client (stateless). */
  revision?: string;
  /** The server's answer named none: it counts as accepting the requested one. */
  isAssumed?: boolean;
  requestedVersion?: string;
  clientCapabilities?: JsonObject;
  serverCapabilities?: JsonObject;
  /** Seq of the response that declares them. */
  declarationSeq?: number;
  /** The whole result of initialize or server/discover, but for long texts. */
  initializeResult?: JsonObject;
  /** Stateless era: what became of an `initialize` on the same connection, which a server of both eras may serve. */
  statefulHandshake: 'none' | 'open' | 'accepted' | 'refused';
  /** Over HTTP it was accepted: whatever comes next may belong to either era, so that nothing is said of it. */
  bothEras?: boolean;
  /** Params of that initialize. */
  statefulParams?: JsonObject;
  /** Seqs of the handshake, cited as evidence by rules about absence. */
  handshake: number[];
  sessionId?: string;
  /** HTTP+SSE: an event stream named the address for POST. */
  endpointNamed?: boolean;
  /** The client has sent a DELETE for the session, which was not refused: whatever ends now ends by its will. */
  deleting: boolean;
  /** Seq of the DELETE for the session, once it was answered with 2xx. */
  deletedSeq?: number;
  /** Seqs of that DELETE and its reply. */
  deletion?: number[];
  /** Process or connection ended without the client having asked for it. */
  lost: boolean;
  exit?: { code: number | null; signal: string | null; byChecker: boolean };
  stdinClosed: boolean;
  /** Behind it the client asked the server to end, by a signal. */
  askedToEnd: boolean;
  /** The process was still running at its expected end. */
  exitOverdue: boolean;
  /** Seqs of the end of stdin and of the process. */
  ending: number[];
  ended: boolean;
  /** Seq of the last message of the server that was too large to be read; it may have answered anything sent before. Infinity once the checker itself let something go. */
  overLimitSeq: number;
  /** It is followed no more, though it had not ended: of what was not yet decided nothing is said. */
  letGo?: boolean;
  /** State of features for it (core/store.ts). */
  readonly stores: unknown[];
}

export function createSessionState(name: string, transport: TransportKind): SessionState {
  return {
    name,
    transport,
    phase: 'before-initialize',
    statefulHandshake: 'none',
    handshake: [],
    deleting: false,
    lost: false,
    stdinClosed: false,
    askedToEnd: false,
    exitOverdue: false,
    ending: [],
    ended: false,
    overLimitSeq: 0,
    stores: [],
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
  if (item.from !== 'client') return;
  const method = methodOf(item.message);
  if (item.shape === 'request' && method === 'initialize' && state.phase === 'before-initialize') {
    state.phase = 'initializing';
    state.handshake.push(item.seq);
    takeInitializeParams(state, paramsOf(item.message));
    return;
  }
  if (
    item.shape === 'request' &&
    method === 'initialize' &&
    state.era === 'stateless' &&
    state.statefulHandshake !== 'accepted'
  ) {
    state.statefulHandshake = 'open';
    state.statefulParams = paramsOf(item.message);
  }
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
}

/** Takes in the answer to `initialize`, or to the `server/discover` that opened a stateless connection. */
export function observeHandshakeReply(
  state: SessionState,
  method: unknown,
  reply: Pick<RpcItem, 'seq' | 'message'>,
): void {
  const result = asObject(reply.message)?.result;
  if (method === 'initialize' && state.era === 'stateless') {
    if (state.statefulHandshake === 'open') state.statefulHandshake = isObject(result) ? 'accepted' : 'refused';
    // The choice of the stateful era holds for the process (2026-07-28: basic/versioning); over HTTP for the session id that was given.
    if (isObject(result)) {
      if (state.transport === 'stdio') turnStateful(state, result, reply.seq);
      else state.bothEras = true;
    }
    return;
  }
  if (method === 'initialize' && state.phase === 'initializing') {
    state.handshake.push(reply.seq);
    if (!isObject(result)) return;
    takeInitializeResult(state, result, reply.seq);
  } else if (method === 'server/discover' && state.era === 'stateless' && isObject(result)) {
    state.declarationSeq ??= reply.seq;
    state.initializeResult ??= withoutLongTexts(result);
    state.serverCapabilities ??= asObject(state.initializeResult.capabilities);
  }
}

function takeInitializeParams(state: SessionState, params: JsonObject | undefined): void {
  if (typeof params?.protocolVersion === 'string') state.requestedVersion = params.protocolVersion;
  state.clientCapabilities = asObject(params?.capabilities) ?? {};
}

function takeInitializeResult(state: SessionState, result: JsonObject, seq: number): void {
  state.declarationSeq = seq;
  state.phase = 'before-initialized';
  state.era = 'stateful';
  state.initializeResult = withoutLongTexts(result);
  // An answer without a revision counts as accepting the requested one.
  const revision = [result.protocolVersion, state.requestedVersion].find(hasRevisionForm);
  if (revision !== undefined) {
    state.revision = revision;
    state.isAssumed = revision !== result.protocolVersion;
  }
  state.serverCapabilities = asObject(state.initializeResult.capabilities);
}

/** A connection that began in the stateless era goes on in the stateful one. */
function turnStateful(state: SessionState, result: JsonObject, seq: number): void {
  state.handshake.push(seq);
  takeInitializeParams(state, state.statefulParams);
  takeInitializeResult(state, result, seq);
}

/** Takes in events that are no messages: ends of streams, processes and connections. */
export function observeEvent(state: SessionState, event: TraceEvent): void {
  if (event.kind === 'closed' && event.exchange === undefined) {
    if (event.from === 'client') {
      state.phase = 'closing';
      if (event.what === 'stdin') {
        state.stdinClosed = true;
        state.ending.push(event.seq);
      } else if (event.what === 'server' && state.stdinClosed) {
        state.askedToEnd = true;
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
    if (event.exit) state.exit = { ...event.exit, byChecker: event.from === 'harness' };
    if (state.phase !== 'closing') state.lost = true;
    state.ended = true;
  }
}

function observeLimit(state: SessionState, event: TraceEvent): void {
  // The checker answers or records no more: what stays unanswered from here on proves nothing.
  if (event.from === 'harness') state.overLimitSeq = Infinity;
  // Log output that was too long has no excerpt.
  else if (event.from === 'server' && (event.raw !== undefined || event.exchange !== undefined))
    state.overLimitSeq = Math.max(state.overLimitSeq, event.seq);
}
