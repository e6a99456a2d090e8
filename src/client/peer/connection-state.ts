/**
 * State of a connection by its events: whether the server is there, whether it ended the session, its ids and revision.
 * It must send nothing.
 */
import type { TraceEvent } from '../../core/model/trace.ts';
import { hasRevisionForm } from '../../core/spec/revisions.ts';
import type { RequestRate } from '../load/request-rate.ts';
import { createHearing } from './hearing.ts';
import type { Answer, Heard, Noise } from './peer.ts';

type Json = Record<string, unknown>;

export interface ConnectionState {
  /** False once the server has ended the connection or the session, or its process died. */
  readonly alive: boolean;
  readonly sessionEnded: boolean;
  /** A DELETE of ours ended the session. */
  readonly sessionDeleted: boolean;
  readonly noise: Noise | undefined;
  readonly heard: Heard;
  readonly negotiated: string | undefined;
  readonly sessionId: string | undefined;
  readonly serverCapabilities: Json | undefined;
  /** The id of the last event of the stream of an exchange. */
  lastEventId(exchange: string): string | undefined;
  /** Milliseconds that the stream of an exchange asked a client to wait before it comes back. */
  retryMs(exchange: string): number | undefined;
  /** We ended the stream of the exchange ourselves. */
  wasDropped(exchange: string): boolean;
  /** The request of the exchange is entirely correct and usual, so its status is about the whole connection. */
  isSound(exchange: string, method: unknown): void;
  /** The event is one of our own messages come back, from something that sends no message of its own. */
  isEcho(event: TraceEvent): boolean;
  observe(event: TraceEvent): void;
  /** Takes note of what the answer to a handshake says. @param asked the version that was asked for, which counts where none is named */
  learn(answer: Answer, exchange: string | undefined, asked?: string): void;
}

/** @param negotiated the revision, where no handshake negotiates it */
export function createConnectionState({
  session,
  negotiated,
  rate,
}: {
  session: string;
  negotiated: string | undefined;
  rate: RequestRate | undefined;
}): ConnectionState {
  const lastEventIds = new Map<string, string>();
  const retries = new Map<string, number>();
  const issuedIds = new Map<string, string>();
  const dropped = new Set<string>();
  /** Exchanges whose request is sound, until they are answered, with its method. */
  const sound = new Map<string, unknown>();
  /** A step, or the end of the run, ends the session: by these exchanges. */
  const goodbyes = new Set<string>();
  let sessionDeleted = false;
  let alive = true;
  let sessionEnded = false;
  const hearing = createHearing();
  let sessionId: string | undefined;
  let serverCapabilities: Json | undefined;

  /** Meaning of a status for the whole connection, rather than for the request. */
  function noteStatus(exchange: string, { status = 0, headers = {} }: NonNullable<TraceEvent['http']> = {}): void {
    if (status >= 200 && status < 300 && goodbyes.has(exchange)) sessionDeleted = true;
    const begins = sound.get(exchange) === 'initialize';
    const isSound = sound.delete(exchange);
    const issued = headers['mcp-session-id'];
    if (typeof issued === 'string') issuedIds.set(exchange, issued);
    if (status === 429 || (isSound && status === 503))
      rate?.refused(status, String(headers['retry-after'] ?? ''), begins ? session : undefined);
    // Unless it is what a step is about: 404 to what names the session says that the server has ended it (2025-11-25: basic/transports, session management).
    if (status !== 404 || !isSound || sessionId === undefined || goodbyes.size > 0) return;
    sessionEnded = true;
    alive = false;
  }

  return {
    get alive() {
      return alive;
    },
    get sessionEnded() {
      return sessionEnded;
    },
    get sessionDeleted() {
      return sessionDeleted;
    },
    get noise() {
      return hearing.noise;
    },
    get heard() {
      return hearing.heard;
    },
    get negotiated() {
      return negotiated;
    },
    get sessionId() {
      return sessionId;
    },
    get serverCapabilities() {
      return serverCapabilities;
    },
    lastEventId: (exchange) => lastEventIds.get(exchange),
    retryMs: (exchange) => retries.get(exchange),
    wasDropped: (exchange) => dropped.has(exchange),
    isSound: (exchange, method) => void sound.set(exchange, method),

    isEcho: hearing.isEcho,

    observe(event) {
      const { kind, from, exchange } = event;
      hearing.observe(event);
      if (kind === 'exit' || (kind === 'closed' && exchange === undefined && from === 'server')) alive = false;
      // No connections are accepted any more: the server is gone, not just this reply.
      if (kind === 'closed' && from === 'server' && /ECONNREFUSED/.test(event.reason ?? '')) alive = false;
      if (exchange === undefined) return;
      if (kind === 'http-request' && event.http?.method === 'DELETE') goodbyes.add(exchange);
      if (event.sse?.id) lastEventIds.set(exchange, event.sse.id);
      if (event.sse?.retry !== undefined) retries.set(exchange, event.sse.retry);
      if (kind === 'sse-close' && from === 'client') dropped.add(exchange);
      if (kind === 'http-response') noteStatus(exchange, event.http);
    },

    learn(answer, exchange, asked) {
      if (answer.kind !== 'response') return;
      const result = answer.message.result as Json | undefined;
      if (typeof result !== 'object' || result === null) return;
      if (typeof result.capabilities === 'object' && result.capabilities !== null)
        serverCapabilities = result.capabilities as Json;
      if (asked !== undefined) negotiated = hasRevisionForm(result.protocolVersion) ? result.protocolVersion : asked;
      if (exchange !== undefined) sessionId ??= issuedIds.get(exchange);
      if (sessionId !== undefined) rate?.sessions.began(session);
    },
  };
}
