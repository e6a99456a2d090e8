/**
 * One HTTP connection to a server with its exchanges: exact requests out, replies and event streams in, all reported as
 * events. It is independent of MCP methods. It follows no redirect and repeats no request, except one lost to a stale
 * kept-alive socket, or refused unseen by an HTTP/2-only server.
 */
import { withDefaults } from '../../../core/model/defaults.ts';
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { marksOf, type EventInput, type EventSink, type Marks } from '../../../core/model/trace.ts';
import { createByteCollector } from '../../../core/trace/byte-collector.ts';
import { bytesPayload } from '../../../core/trace/payload.ts';
import { startDeadline } from '../deadline.ts';
import { defaultTransportLimits, type TransportLimits } from '../limits.ts';
import type { NetworkOptions } from '../network/network-options.ts';
import { openRoute, type SentRequest } from '../network/route.ts';
import { budgetOf, heldReason, unpackedReason } from '../read-budget.ts';
import { exchangeNames } from './exchange-names.ts';
import { excerptBytes, readBody, reasonOf } from '../network/http-body.ts';
import {
  completeHeaders,
  headerMap,
  headerPairs,
  mediaType,
  spelledOf,
  withTestTokens,
} from '../network/http-headers.ts';
import { sseEvent } from './sse-events.ts';
import { createSseReader } from './sse-reader.ts';
import { cutReply, wholeReply, type ReplyHead } from './whole-reply.ts';

export interface HttpConnectionOptions extends NetworkOptions {
  /** Where requests go; its path and query are the default path. Credentials in it are not sent. */
  url: string | URL;
  session: string;
  sink: EventSink;
  limits?: Partial<TransportLimits>;
  /** Names the exchanges; by default `<session>.x1` and so on, unique within what the sink records. */
  nextExchange?: () => string;
  /** Looks up host names in place of the system's way; an error refuses the connection. */
  lookup?: LookupFunction;
  /** The address is not that of the target: its origin is recorded with each request. */
  elsewhere?: boolean;
  /** By the names that stand for them, tokens that are written in their place; what is recorded has the names. */
  testTokens?: Readonly<Record<string, string>>;
  /** Most sockets open at once (default 256; every open stream holds one). */
  maxSockets?: number;
  /** Milliseconds that the blank line behind a message in an event stream may take before the stream is given up (default 5000). */
  unendedMs?: number;
}

export interface HttpRequest extends Marks {
  method: string;
  /** Path with query, sent as it is. */
  path?: string;
  /** Sent in this order and case. Host, Content-Length and Connection are added where they are missing. */
  headers: [string, string][];
  body?: string | Buffer;
  /** The parsed body, where the caller knows better than a parse. */
  message?: unknown;
  /** Milliseconds until the head, and of a reply that is no stream also the body, must be there. */
  readTimeoutMs?: number;
}

/** `head` is of a reply that was given up before its body was over, `brokeOff` says why a body came to no proper end. */
export type HttpOutcome = (ReplyHead & { brokeOff?: string }) | { error: string; code?: string; head?: ReplyHead };

export interface HttpExchange {
  /** The `exchange` of all its events. */
  readonly id: string;
  /** Seq of the client's `message` event, or of the `http-request` event when it has no body; 0 when nothing was sent. */
  readonly seq: number;
  /** Resolves once the reply is recorded: for an event stream at its opening, else with the whole body. Never rejects. */
  readonly response: Promise<HttpOutcome>;
  /** Resolves when nothing more will be recorded for the exchange. Never rejects. */
  readonly done: Promise<void>;
  /**
   * Gives the exchange up, recorded as `sse-close` or `closed`. Without effect at its end. Say `harness` when a
   * deadline has passed (after its `timeout` event), `client` (the default) when it is an act of the client.
   */
  abort(reason?: string, from?: 'client' | 'harness'): void;
}

export interface HttpConnection {
  /** Sends a request. Never throws: a request that cannot be sent has an outcome with `error`. */
  exchange(request: HttpRequest): HttpExchange;
  /** Gives up all open exchanges and closes all sockets. */
  close(): Promise<void>;
}

/** Idle sockets are dropped early, since most servers drop theirs after 5 s and a request must not meet that. */
const idleMs = 2000;
const defaultUnendedMs = 5000;

/**
 * Prepares a connection; sockets are opened as exchanges need them.
 *
 * @throws TypeError when the address is no URL or neither http nor https, or its proxy is none; Error of OpenSSL for a key that does not fit.
 */
export function openHttpConnection(options: HttpConnectionOptions): HttpConnection {
  const url = new URL(options.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`not an HTTP address: ${url.protocol}`);
  const limits = withDefaults(defaultTransportLimits, options.limits);
  const route = openRoute(url, { ...options, maxSockets: options.maxSockets ?? 256, idleMs });
  const nextExchange = options.nextExchange ?? exchangeNames(options.sink, options.session);
  const open = new Set<HttpExchange>();
  const budget = budgetOf(options.sink);
  let closed = false;

  function exchange(request: HttpRequest): HttpExchange {
    const id = nextExchange();
    const record = (event: Omit<EventInput, 'session' | 'exchange'>): number =>
      options.sink({ session: options.session, exchange: id, ...event });
    const path = request.path ?? url.pathname + url.search;
    const body = request.body === undefined ? undefined : Buffer.from(request.body as string);
    const headers = completeHeaders(request.method, request.headers, body?.length, url.host);
    const marks = marksOf(request);

    let settle: (outcome: HttpOutcome) => void = () => {};
    let finish: () => void = () => {};
    const response = new Promise<HttpOutcome>((resolve) => (settle = resolve));
    const done = new Promise<void>((resolve) => (finish = resolve));
    let current: SentRequest | undefined;
    let stopBody: (() => void) | undefined;
    /** Records what came of a reply whose body is not over. */
    let cutHere: (() => ReplyHead) | undefined;
    /** Takes the text of an event that is not over. */
    let restHere: (() => string) | undefined;
    let stopDeadline: (() => void) | undefined;
    let ended = false;
    let responded = false;
    let streaming = false;
    let seq = 0;
    const holding = budget.share();

    /** The one way out: nothing is recorded for the exchange after it. */
    function end(outcome: HttpOutcome, last?: Omit<EventInput, 'session' | 'exchange'>, destroy = false): void {
      if (ended) return;
      ended = true;
      stopDeadline?.();
      stopBody?.();
      holding.hold(0);
      if (last !== undefined) record(last);
      if (destroy) current?.destroy();
      open.delete(self);
      settle(outcome);
      finish();
    }

    function fail(failure: Error): void {
      const { by, error, code } = route.failureOf(failure);
      end(
        { error, ...(code === undefined ? {} : { code }) },
        { kind: 'closed', what: 'connection', ...by, reason: error },
        true,
      );
    }

    function giveUp(reason: string, code: string, from: 'client' | 'harness'): void {
      const last = streaming
        ? ({ from, kind: 'sse-close', what: 'stream', ...withRest(reason, restHere?.() ?? '') } as const)
        : ({ from, kind: 'closed', what: 'connection', reason } as const);
      const head = ended ? undefined : cutHere?.();
      end({ error: reason, code, ...(head === undefined ? {} : { head }) }, last, true);
    }

    function start(): SentRequest {
      const attempt = route.send({
        method: request.method,
        path,
        headers: withTestTokens(headers, options.testTokens),
      });
      attempt.on('response', (reply) => {
        responded = true;
        if (ended) return;
        const refusal = route.refusal(reply.statusCode);
        if (refusal) fail(refusal);
        else readReply(reply);
      });
      attempt.on('upgrade', (reply, socket) => {
        socket.destroy();
        const map = headerMap(headerPairs(reply.rawHeaders));
        const status = reply.statusCode ?? 101;
        end({ status, headers: map }, { from: 'server', kind: 'http-response', http: { status, headers: map } }, true);
      });
      attempt.on('error', (error) => {
        // Once a reply has begun its body reports every failure.
        if (ended || responded || attempt !== current) return;
        if (route.sendsAgain(attempt, error)) {
          try {
            current = start();
            current.end(body);
          } catch (problem) {
            fail(problem as Error);
          }
          return;
        }
        fail(error);
      });
      return attempt;
    }

    function readReply(reply: IncomingMessage & { statusCode?: number }): void {
      const map = headerMap(headerPairs(reply.rawHeaders));
      const outcome: ReplyHead = {
        status: reply.statusCode ?? 0,
        headers: map,
        ...(route.isHttp2(reply) ? { version: '2' } : {}),
      };
      if (mediaType(map) === 'text/event-stream') readStream(reply, outcome);
      else readWhole(reply, outcome);
    }

    function readWhole(reply: IncomingMessage, outcome: ReplyHead): void {
      const body = createByteCollector();
      cutHere = () => {
        record(cutReply(outcome, body.take()));
        return outcome;
      };
      const overflow = (reason: string): void => {
        // The limit first: a reader of the trace takes the head of a reply without a body for its end.
        record({ from: 'server', kind: 'limit', reason: `${reason}; the rest was not read` });
        end(outcome, cutReply(outcome, body.take()), true);
      };
      stopBody = readBody(reply, limits.maxBodyBytes, {
        unpacked: budget.unpacked,
        onData: (chunk) => {
          if (!holding.hold(body.length + chunk.length)) overflow(heldReason(budget));
          else body.push(chunk);
        },
        onEnd: (error) => {
          if (error !== undefined) {
            record(cutReply(outcome, body.take()));
            const brokeOff = reasonOf(error);
            end(
              { ...outcome, brokeOff },
              { kind: 'closed', what: 'connection', ...route.lostBy, reason: brokeOff },
              true,
            );
            return;
          }
          const { head, message } = wholeReply(outcome, body.take(), limits.json);
          record(head);
          end(outcome, message);
        },
        onOversize: (why) =>
          overflow(why === 'too-long' ? `a body is longer than ${limits.maxBodyBytes} bytes` : unpackedReason(budget)),
      });
    }

    function readStream(reply: IncomingMessage, outcome: ReplyHead): void {
      stopDeadline?.();
      streaming = true;
      record({ from: 'server', kind: 'http-response', http: { ...outcome } });
      record({ from: 'server', kind: 'sse-open' });
      settle(outcome);
      const overflow = (reason: string): void => {
        record({ from: 'server', kind: 'limit', reason });
        end(outcome, { from: 'client', kind: 'sse-close', what: 'stream', reason: 'a limit was reached' }, true);
      };
      const reader = createSseReader({
        maxEventBytes: limits.maxSseEventBytes,
        onBlock: (block) => {
          if (!ended) record({ from: 'server', ...sseEvent(block, limits.json) });
        },
        mayHold: holding.hold,
        onOversize: (why) =>
          overflow(
            why === 'too-long' ? `an event is longer than ${limits.maxSseEventBytes} bytes` : heldReason(budget),
          ),
      });
      restHere = () => reader.end();
      const giveUpUnended = (): void => {
        if (reader.lacksEnd()) giveUp('no blank line came behind a message', 'ABORTED', 'client');
      };
      stopBody = readBody(reply, limits.maxStreamBytes, {
        unpacked: budget.unpacked,
        onData: (chunk) => {
          reader.push(chunk);
          stopDeadline?.();
          stopDeadline = reader.isWithin()
            ? startDeadline(options.unendedMs ?? defaultUnendedMs, giveUpUnended)
            : undefined;
        },
        onEnd: (error) => {
          const reason = error === undefined ? 'ended by the server' : reasonOf(error);
          end(
            outcome,
            {
              kind: 'sse-close',
              what: 'stream',
              ...(error === undefined ? { from: 'server' } : route.lostBy),
              ...withRest(reason, reader.end()),
            },
            error !== undefined,
          );
        },
        onOversize: (why) =>
          overflow(
            why === 'too-long' ? `a stream is longer than ${limits.maxStreamBytes} bytes` : unpackedReason(budget),
          ),
      });
    }

    const self: HttpExchange = {
      id,
      get seq() {
        return seq;
      },
      response,
      done,
      abort: (reason = 'given up by the checker', from = 'client') => giveUp(reason, 'ABORTED', from),
    };

    if (closed) {
      end({ error: 'the connection is closed', code: 'CLOSED' });
      return self;
    }
    try {
      current = start();
    } catch (error) {
      // Node refuses to send it (a line break in a header, say): nothing happened on the wire.
      end({ error: (error as Error).message, code: (error as NodeJS.ErrnoException).code ?? 'UNSENDABLE' });
      return self;
    }
    open.add(self);
    seq = record({
      from: 'client',
      kind: 'http-request',
      http: {
        method: request.method,
        ...(options.elsewhere ? { origin: url.origin } : {}),
        path,
        headers: headerMap(headers),
        ...spelledOf(headers),
      },
      ...marks,
    });
    if (body !== undefined && body.length > 0) {
      const payload = bytesPayload(body, limits.json);
      const known = request.message !== undefined && payload.kind === 'message' ? { message: request.message } : {};
      seq = record({ from: 'client', ...payload, ...known, ...marks });
    }
    if (request.readTimeoutMs !== undefined) {
      const waitedMs = request.readTimeoutMs;
      stopDeadline = startDeadline(waitedMs, () => {
        record({ from: 'harness', kind: 'timeout', awaited: seq, waitedMs, reason: 'no complete reply' });
        giveUp('gave up waiting for the reply', 'TIMEOUT', 'harness');
      });
    }
    current.end(body);
    return self;
  }

  return {
    exchange,
    async close() {
      closed = true;
      const all = [...open];
      for (const one of all) one.abort('the checker closed the connection');
      route.destroy();
      await Promise.all(all.map((one) => one.done));
    },
  };
}

/** Why a stream is over, with the text of the event that was not over yet. */
function withRest(reason: string, rest: string): { reason: string; raw?: string } {
  return rest === '' ? { reason } : { reason: `${reason}, within an event`, raw: rest.slice(0, excerptBytes) };
}
