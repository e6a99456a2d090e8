/**
 * Makes events of an HTTP proxy's reports: for each exchange the request with its body, and the reply as it arrives.
 */
import type { EventSink } from '../../core/model/trace.ts';
import { createByteCollector, type ByteCollector } from '../../core/trace/byte-collector.ts';
import { bytesPayload } from '../../core/trace/payload.ts';
import { headerMap, spelledOf } from '../transport/network/http-headers.ts';
import type { ReplyEvent } from '../transport/http/whole-reply.ts';
import type { TransportLimits } from '../transport/limits.ts';
import { createHttpSessions } from './http-sessions.ts';
import { tapReply, type ReplyTap } from './reply-tap.ts';
import type { Cut, Tap } from './taps.ts';

type ExchangeTap = Extract<Tap, { exchange: string }>;
type RequestHead = Extract<Tap, { tap: 'request' }>;

export interface HttpRecording {
  take(tap: ExchangeTap): void;
  /** Resolves when all that was taken of replies is unpacked, and replies that are over are recorded. */
  settled(): Promise<void>;
}

/** The connection of requests to authorization servers. */
const outsideSession = 'auth';

interface Exchange {
  head: RequestHead;
  body: ByteCollector;
  bodyBytes: number;
  /** The connection that it belongs to, once its request is recorded. */
  session?: string;
  reply?: ReplyTap;
}

export function createHttpRecording(sink: EventSink, limits: TransportLimits): HttpRecording {
  const sessions = createHttpSessions();
  const exchanges = new Map<string, Exchange>();
  const unsettled = new Set<Promise<void>>();

  function settles(work: Promise<void>): void {
    const over: Promise<void> = work.then(() => void unsettled.delete(over));
    unsettled.add(over);
  }

  function record({ head, session = 's1' }: Exchange, event: ReplyEvent): void {
    sessions.observe(session, event);
    sink({ session, exchange: head.exchange, ...event });
  }

  /** Recorded when its body is complete: nothing answers it before. */
  function reportRequest(one: Exchange): void {
    if (one.session !== undefined) return;
    const { head, bodyBytes } = one;
    const { method, opensConnection, origin, path, rewritten } = head;
    const whole = one.body.take();
    const payload = bodyBytes > 0 && bodyBytes <= limits.maxBodyBytes ? bytesPayload(whole, limits.json) : undefined;
    const headers = headerMap(head.headers);
    one.session =
      origin === undefined
        ? sessions.ofRequest({ path, headers, message: payload?.message, opensConnection })
        : outsideSession;
    const http = { method, ...(origin === undefined ? {} : { origin }), path, headers };
    record(one, {
      from: 'client',
      kind: 'http-request',
      http: rewritten === undefined ? http : { ...http, rewritten },
    });
    if (payload) record(one, { from: 'client', ...payload });
    else if (bodyBytes > 0)
      record(one, {
        from: 'client',
        kind: 'limit',
        reason: `a body is longer than ${limits.maxBodyBytes} bytes; it was handed on, but not recorded`,
      });
  }

  function end(one: Exchange, cut: Cut | undefined): void {
    reportRequest(one);
    exchanges.delete(one.head.exchange);
    if (one.reply) settles(one.reply.end(cut));
    else if (cut) record(one, { from: cut.by, kind: 'closed', what: 'connection', reason: cut.reason });
  }

  return {
    take(tap) {
      if (tap.tap === 'request') {
        exchanges.set(tap.exchange, { head: tap, body: createByteCollector(), bodyBytes: 0 });
        return;
      }
      const one = exchanges.get(tap.exchange);
      if (one === undefined) return;
      if (tap.tap === 'request-body') {
        one.bodyBytes += tap.chunk.length;
        if (one.bodyBytes <= limits.maxBodyBytes) one.body.push(asBuffer(tap.chunk));
      } else if (tap.tap === 'request-end') reportRequest(one);
      else if (tap.tap === 'reply') {
        reportRequest(one);
        one.reply = tapReply(
          {
            status: tap.status,
            headers: headerMap(tap.headers),
            ...spelledOf(tap.headers),
            ...(tap.rewritten === undefined ? {} : { rewritten: tap.rewritten }),
          },
          (event) => record(one, event),
          limits,
        );
      } else if (tap.tap === 'reply-body') {
        if (one.reply) settles(one.reply.push(asBuffer(tap.chunk)));
      } else end(one, tap.cut);
    },
    async settled() {
      await Promise.all(unsettled);
    },
  };
}

/** The same bytes. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
