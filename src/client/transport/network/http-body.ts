/** Undoes the content encoding of an HTTP body as it streams. It is independent of the content of the body. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { decodeUtf8 } from '../../../core/trace/payload.ts';

/** Most of a body that is no JSON that a trace keeps. */
export const excerptBytes = 2048;

export interface BodyCallbacks {
  onData: (chunk: Buffer) => void;
  /** Called once, unless stopped before: with nothing at the proper end, else with what went wrong. */
  onEnd: (error?: Error) => void;
  /** More decoded bytes than allowed came, of this body or of all packed ones. Reading has stopped; `onEnd` is not called. */
  onOversize: (why: 'too-long' | 'unpacked') => void;
  /** Takes note of bytes that came out of a decoder; false when there were too many in the run. */
  unpacked: (bytes: number) => boolean;
}

/**
 * Reads a reply's body, decoded, up to `maxBytes` decoded bytes. Returns a function that stops reading.
 * An encoding that is not known here is an error.
 */
export function readBody(reply: IncomingMessage, maxBytes: number, callbacks: BodyCallbacks): () => void {
  let over = false;
  let bytes = 0;
  const stop = (): void => {
    over = true;
  };
  const end = (error?: Error): void => {
    if (over) return;
    over = true;
    callbacks.onEnd(error);
  };

  const decoders = decodersOf(reply.headers['content-encoding']);
  if (typeof decoders === 'string') {
    // Reported in a later turn, like every other end.
    setImmediate(() => end(new Error(`content-encoding ${decoders} is not supported`)));
    reply.on('error', () => {});
    reply.resume();
    return stop;
  }

  let last: Readable = reply;
  reply.on('error', (error) => end(error));
  // A connection that ends within the body is an "aborted" error here and would leave a decoder waiting.
  reply.on('close', () => {
    if (!reply.complete) end(new Error('the connection ended within the body'));
  });
  let arrived = false;
  if (decoders.length > 0) reply.once('data', () => (arrived = true));
  for (const decoder of decoders) {
    // An empty body is valid, although it does not decode.
    decoder.on('error', (error) => end(arrived ? new Error(`the body does not decode: ${error.message}`) : undefined));
    last = last.pipe(decoder);
  }
  last.on('data', (chunk: Buffer) => {
    if (over) return;
    bytes += chunk.length;
    const packed = decoders.length > 0 && !callbacks.unpacked(chunk.length);
    if (packed || bytes > maxBytes) {
      over = true;
      reply.unpipe();
      for (const decoder of decoders) decoder.destroy();
      callbacks.onOversize(packed ? 'unpacked' : 'too-long');
      return;
    }
    callbacks.onData(chunk);
  });
  last.on('end', () => end());
  return stop;
}

/** Decoders for a Content-Encoding in the order of use, or the name of a coding that is not known. */
export function decodersOf(contentEncoding: string | undefined): (Readable & NodeJS.ReadWriteStream)[] | string {
  const decoders: (Readable & NodeJS.ReadWriteStream)[] = [];
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  // Codings are listed in the order in which they were applied.
  for (const name of codings.reverse()) {
    if (name === '' || name === 'identity') continue;
    if (name === 'gzip' || name === 'x-gzip') decoders.push(createGunzip());
    else if (name === 'deflate') decoders.push(createInflate());
    else if (name === 'br') decoders.push(createBrotliDecompress());
    else return name.slice(0, 40);
  }
  return decoders;
}

/** The start of a body as text; nothing of an empty one. */
export function excerpt(body: Buffer): { body?: string } {
  if (body.length === 0) return {};
  const { text } = decodeUtf8(body.subarray(0, excerptBytes));
  // A character that the cut went through is no fault of the server.
  return { body: body.length > excerptBytes ? text.replace(/\uFFFD$/, '') : text };
}

/** One line for a failure: its code and its text. */
export function reasonOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  // When several addresses were tried, the collected error has no text of its own.
  const text =
    error instanceof AggregateError ? error.errors.map((one: Error) => one.message).join('; ') : error.message;
  return code === undefined || text.includes(code) ? text : `${code}: ${text}`;
}
