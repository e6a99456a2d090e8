/**
 * Reads requests from a stream and writes one response for each to another, in their order. Nothing is read while a
 * request is being answered beyond what one read of the stream brought, so that memory stays bounded.
 */
import type { Readable } from 'node:stream';
import { createLineSplitter } from '../core/trace/line-splitter.ts';
import { defaultTransportLimits } from '../client/transport/limits.ts';
import { errorFrame, readFrame, resultFrame, tooLong, type Frame, type Refused } from './frames/frame.ts';
import { codes, FrameError } from './protocol.ts';

export interface ServeOptions {
  stdin: Readable;
  /** Writes responses, and resolves when more may be written. */
  write(text: string): Promise<void>;
  /** Answers a request with the JSON text of its result; rejects with a FrameError, or with what is our own fault. */
  answer(frame: Frame): Promise<string>;
  /** Called with what is our own fault, after its request got its response. */
  onFault(error: unknown): void;
  /** Ends everything: no more responses are wanted. */
  signal: AbortSignal;
  maxLineBytes?: number;
}

/** Resolves after mcp.shutdown was answered, at the end of the input, or by the signal. */
export function serve(options: ServeOptions): Promise<void> {
  const { stdin, write, signal, maxLineBytes = defaultTransportLimits.maxLineBytes } = options;
  const splitter = createLineSplitter({ maxLineBytes });

  /** @returns whether that was the last request */
  async function handle(read: Frame | Refused): Promise<boolean> {
    if ('error' in read) {
      await write(errorFrame(read.id, read.error));
      return false;
    }
    try {
      await write(resultFrame(read.id, await options.answer(read)));
    } catch (error) {
      if (signal.aborted) return true;
      if (error instanceof FrameError) await write(errorFrame(read.id, error));
      else {
        await write(errorFrame(read.id, new FrameError(codes.internal, 'internal error of mcpc; stderr has more')));
        options.onFault(error);
      }
    }
    return read.method === 'mcp.shutdown';
  }

  async function handleAll(lines: Iterable<{ bytes: Buffer; end: string }>): Promise<boolean> {
    for (const { bytes, end } of lines) {
      const read = end === 'too-long' ? tooLong(maxLineBytes) : readFrame(bytes, defaultTransportLimits.json);
      if (read !== undefined && (await handle(read))) return true;
      if (signal.aborted) return true;
    }
    return false;
  }

  return new Promise((resolve, reject) => {
    let busy = false;
    let atEnd = false;
    const waiting: Buffer[] = [];
    const done = (): void => {
      signal.removeEventListener('abort', done);
      stdin.off('data', take);
      stdin.pause();
      resolve();
    };
    const work = async (): Promise<void> => {
      busy = true;
      for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift())
        if (await handleAll(splitter.push(chunk))) return done();
      busy = false;
      if (atEnd) {
        await handleAll(splitter.end());
        return done();
      }
      stdin.resume();
    };
    const take = (chunk: Buffer): void => {
      waiting.push(chunk);
      if (busy) return;
      stdin.pause();
      work().catch(reject);
    };
    signal.addEventListener('abort', done, { once: true });
    stdin.on('data', take);
    const end = (): void => {
      atEnd = true;
      if (!busy) work().catch(reject);
    };
    stdin.once('end', end);
    // An input that breaks off is over as well.
    stdin.once('error', end);
    if (signal.aborted) done();
  });
}
