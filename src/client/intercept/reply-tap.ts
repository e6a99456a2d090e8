/**
 * Makes events of a copy of an HTTP reply that passes through: the head, a JSON body or excerpt of another, the
 * blocks of an event stream. It gets the bytes as they are on the wire and undoes their encoding for itself; it
 * must not touch the reply.
 */
import { PassThrough, type Readable } from 'node:stream';
import type { HeaderMap, Party } from '../../core/model/trace.ts';
import { createByteCollector } from '../../core/trace/byte-collector.ts';
import { decodersOf, excerptBytes } from '../transport/network/http-body.ts';
import { mediaType } from '../transport/network/http-headers.ts';
import { sseEvent } from '../transport/http/sse-events.ts';
import { createSseReader } from '../transport/http/sse-reader.ts';
import { cutReply, wholeReply, type ReplyEvent, type ReplyHead } from '../transport/http/whole-reply.ts';
import type { TransportLimits } from '../transport/limits.ts';

type Cut = { by: Party; reason: string } | undefined;

export interface ReplyTap {
  /** Resolves when the bytes are unpacked, as far as that is of use: a few packed ones may be very many. */
  push(chunk: Buffer): Promise<void>;
  /** The reply is over. `cut` says who ended it before its time, and why. Resolves when all is recorded. */
  end(cut?: Cut): Promise<void>;
}

interface Sink {
  /** False when it needs no more. */
  data(chunk: Buffer): boolean;
  end(cut: Cut): void;
}

/** Begins with the head of the reply; records at once that a stream opened. */
export function tapReply(head: ReplyHead, record: (event: ReplyEvent) => void, limits: TransportLimits): ReplyTap {
  const sink =
    mediaType(head.headers) === 'text/event-stream' ? streamSink(head, record, limits) : bodySink(head, record, limits);
  const decoders = decodersOf(codingOf(head.headers));
  let broken = typeof decoders === 'string' ? `content-encoding ${decoders} is not supported` : undefined;
  let arrived = false;
  /** Nothing more is unpacked. */
  let over = broken !== undefined;
  const wire = new PassThrough();
  const untaken = new Set<() => void>();
  const decoded = new Promise<void>((resolve) => {
    const streams: Readable[] = [wire, ...(typeof decoders === 'string' ? [] : decoders)];
    const stop = (): void => {
      over = true;
      for (const stream of streams) stream.destroy();
      for (const taken of untaken) taken();
      resolve();
    };
    if (over) return stop();
    let last: Readable = wire;
    for (const decoder of typeof decoders === 'string' ? [] : decoders) {
      decoder.once('error', (error: Error) => {
        // An empty body is valid, although it does not decode.
        if (arrived) broken ??= `the body does not decode: ${error.message}`;
        stop();
      });
      last = last.pipe(decoder);
    }
    last.on('data', (chunk: Buffer) => void (over || sink.data(chunk) || stop()));
    last.once('end', resolve);
  });
  return {
    push(chunk) {
      arrived = true;
      if (over) return Promise.resolve();
      return new Promise((resolve) => {
        const taken = (): void => {
          untaken.delete(taken);
          resolve();
        };
        untaken.add(taken);
        wire.write(chunk, taken);
      });
    },
    async end(cut) {
      if (!over) wire.end();
      await decoded;
      sink.end(cut ?? (broken === undefined ? undefined : { by: 'server', reason: broken }));
    },
  };
}

function codingOf(headers: HeaderMap): string | undefined {
  const coding = headers['content-encoding'];
  return Array.isArray(coding) ? coding.join(', ') : coding;
}

function bodySink(head: ReplyHead, record: (event: ReplyEvent) => void, limits: TransportLimits): Sink {
  const kept = createByteCollector();
  let bytes = 0;
  return {
    data(chunk) {
      bytes += chunk.length;
      if (bytes <= limits.maxBodyBytes) kept.push(chunk);
      return bytes <= limits.maxBodyBytes;
    },
    end(cut) {
      const body = kept.take();
      if (bytes > limits.maxBodyBytes) {
        // The limit first: a reader of the trace takes the head of a reply without a body for its end.
        record({
          from: 'server',
          kind: 'limit',
          reason: `a body is longer than ${limits.maxBodyBytes} bytes; it was handed on, but not recorded`,
        });
        record(cutReply(head, body));
      } else if (cut) {
        record(cutReply(head, body));
        record({ from: cut.by, kind: 'closed', what: 'connection', reason: cut.reason });
      } else {
        const { head: response, message } = wholeReply(head, body, limits.json);
        record(response);
        if (message) record(message);
      }
    },
  };
}

function streamSink(head: ReplyHead, record: (event: ReplyEvent) => void, limits: TransportLimits): Sink {
  record({ from: 'server', kind: 'http-response', http: { ...head } });
  record({ from: 'server', kind: 'sse-open' });
  let full = false;
  const reader = createSseReader({
    maxEventBytes: limits.maxSseEventBytes,
    onBlock: (block) => record({ from: 'server', ...sseEvent(block, limits.json) }),
    onOversize: () => {
      full = true;
      record({
        from: 'server',
        kind: 'limit',
        reason: `an event is longer than ${limits.maxSseEventBytes} bytes; the rest of the stream was handed on, but not recorded`,
      });
    },
  });
  return {
    data(chunk) {
      reader.push(chunk);
      return !full;
    },
    end(cut) {
      const rest = full ? '' : reader.end();
      const reason = cut?.reason ?? 'ended by the server';
      record({
        from: cut?.by ?? 'server',
        kind: 'sse-close',
        what: 'stream',
        reason: rest === '' ? reason : `${reason}, within an event`,
        ...(rest === '' ? {} : { raw: rest.slice(0, excerptBytes) }),
      });
    },
  };
}
