/**
 * Makes events of a copy of an HTTP reply that passes through: the head, a JSON body or excerpt of another, the
 * blocks of an event stream. It gets the bytes as they are on the wire and undoes their encoding for itself; it
 * must not touch the reply.
 */
import { PassThrough } from 'node:stream';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { EventInput, HeaderMap } from '../model/trace.ts';
import { excerpt, excerptBytes } from '../transport/http-body.ts';
import { isJsonType, mediaType } from '../transport/http-headers.ts';
import type { TransportLimits } from '../transport/limits.ts';
import { bytesPayload } from '../transport/payload.ts';
import { createSseReader } from '../transport/sse-reader.ts';
import { sseEvent } from '../transport/sse-events.ts';

export type Recorded = Omit<EventInput, 'session' | 'exchange'>;

export interface ReplyTap {
  push(chunk: Buffer): void;
  /** The reply is over. `by` says who ended it before its time, with the reason. Resolves when all is recorded. */
  end(cut?: { by: 'client' | 'server'; reason: string }): Promise<void>;
}

type Cut = { by: 'client' | 'server'; reason: string } | undefined;

interface Sink {
  data(chunk: Buffer): void;
  end(cut: Cut): void;
}

/** Begins with the head of the reply; records at once that a stream opened. */
export function tapReply(status: number, headers: HeaderMap, record: (event: Recorded) => void, limits: TransportLimits): ReplyTap {
  const streams = mediaType(headers) === 'text/event-stream';
  const sink = streams ? streamSink(status, headers, record, limits) : bodySink(status, headers, record, limits);
  const decoder = decoderOf(headers);
  let broken: string | undefined;
  const decoded = new Promise<void>((resolve) => {
    decoder.on('data', (chunk: Buffer) => sink.data(chunk));
    decoder.once('error', (error) => {
      broken = `the body does not decode: ${error.message}`;
      resolve();
    });
    decoder.once('end', resolve);
  });
  return {
    push: (chunk) => void (broken === undefined && decoder.write(chunk)),
    async end(cut) {
      decoder.end();
      await decoded;
      sink.end(cut ?? (broken === undefined ? undefined : { by: 'server', reason: broken }));
    },
  };
}

function decoderOf(headers: HeaderMap): Transform {
  const coding = String(headers['content-encoding'] ?? '').toLowerCase().trim();
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'deflate') return createInflate();
  if (coding === 'br') return createBrotliDecompress();
  return new PassThrough();
}

function bodySink(status: number, headers: HeaderMap, record: (event: Recorded) => void, limits: TransportLimits): Sink {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    data(chunk) {
      bytes += chunk.length;
      if (bytes <= limits.maxBodyBytes) chunks.push(chunk);
    },
    end(cut) {
      const whole = Buffer.concat(chunks);
      if (bytes > limits.maxBodyBytes) {
        record({ from: 'server', kind: 'http-response', http: { status, headers, ...excerpt(whole) } });
        record({ from: 'server', kind: 'limit', reason: `a body is longer than ${limits.maxBodyBytes} bytes; it was handed on, but not recorded` });
        return;
      }
      if (cut) {
        record({ from: 'server', kind: 'http-response', http: { status, headers, ...excerpt(whole) } });
        record({ from: cut.by, kind: 'closed', what: 'connection', reason: cut.reason });
        return;
      }
      const payload = isJsonType(mediaType(headers)) ? bytesPayload(whole, limits.maxJsonDepth, { skipByteOrderMark: true }) : undefined;
      const follows = payload !== undefined && !(payload.kind === 'unparsable' && payload.raw?.trim() === '');
      record({ from: 'server', kind: 'http-response', http: { status, headers, bodyBytes: bytes, ...(follows ? {} : excerpt(whole)) } });
      if (follows) record({ from: 'server', ...payload });
    },
  };
}

function streamSink(status: number, headers: HeaderMap, record: (event: Recorded) => void, limits: TransportLimits): Sink {
  record({ from: 'server', kind: 'http-response', http: { status, headers } });
  record({ from: 'server', kind: 'sse-open' });
  let full = false;
  const reader = createSseReader({
    maxEventBytes: limits.maxSseEventBytes,
    onBlock: (block) => record({ from: 'server', ...sseEvent(block, limits.maxJsonDepth) }),
    onOversize: () => {
      full = true;
      record({ from: 'server', kind: 'limit', reason: `an event is longer than ${limits.maxSseEventBytes} bytes; the rest of the stream was handed on, but not recorded` });
    },
  });
  return {
    data: (chunk) => void (full || reader.push(chunk)),
    end(cut) {
      const rest = full ? '' : reader.end();
      const reason = cut?.reason ?? 'ended by the server';
      record({ from: cut?.by ?? 'server', kind: 'sse-close', what: 'stream', reason: rest === '' ? reason : `${reason}, within an event`, ...(rest === '' ? {} : { raw: rest.slice(0, excerptBytes) }) });
    },
  };
}
