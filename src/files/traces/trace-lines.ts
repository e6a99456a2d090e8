/**
 * Cuts the bytes of a trace, plain or gzip, into lines, a piece of the file at a time. It is independent of their
 * content.
 */
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { McpcError, usageError } from '../../core/model/errors.ts';

export interface Line {
  number: number;
  text: string;
  /** False for the text after the last newline. */
  ended: boolean;
}

/** Lines that follow one another; there is at least one. */
export interface LineBatch {
  lines: Line[];
  /** Where the first of them begins in the stream, or blank lines before it, in bytes; undefined for a zipped trace. */
  offset: number | undefined;
}

export interface LineOptions {
  /** Name of the file in errors. */
  name: string;
  /** In characters. */
  maxLineLength: number;
  /** Makes the error for a line. */
  problem(line: number, text: string): McpcError;
}

/** Bytes decoded at a time: a larger text gets pages of memory of its own, which costs ten times as much. */
const pieceBytes = 64 * 1024;
const newline = 0x0a;

/**
 * Lines that are not blank.
 *
 * @throws McpcError (usage) for what cannot be read, and by `problem` for a line that is too long
 */
export async function* lineBatches(
  stream: Readable,
  { name, maxLineLength, problem }: LineOptions,
): AsyncGenerator<LineBatch> {
  let number = 0;
  let pending = '';
  /** Where the pending line begins, and where the next piece does. */
  let begun = 0;
  let read = 0;
  let zipped = false;
  // Whole pieces are decoded, not lines: a trace has millions of those.
  const decoder = new StringDecoder('utf8');

  function cut(text: string): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
      const line = pending === '' ? text.slice(start, at) : pending + text.slice(start, at);
      pending = '';
      start = at + 1;
      number += 1;
      if (line.length > maxLineLength) throw problem(number, `the line is longer than ${maxLineLength} characters`);
      if (!isBlank(line)) lines.push({ number, text: line, ended: true });
    }
    pending += text.slice(start);
    if (pending.length > maxLineLength)
      throw problem(number + 1, `the line is longer than ${maxLineLength} characters`);
    return lines;
  }

  try {
    for await (const chunk of unzipped(stream, () => (zipped = true))) {
      for (let at = 0; at < chunk.length; at += pieceBytes) {
        const piece = chunk.subarray(at, at + pieceBytes);
        const offset = zipped ? undefined : begun;
        const lines = cut(decoder.write(piece));
        const last = piece.lastIndexOf(newline);
        if (last !== -1) begun = read + last + 1;
        read += piece.length;
        if (lines.length > 0) yield { lines, offset };
      }
    }
  } catch (error) {
    if (error instanceof McpcError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    // A zipped trace that was cut off ends like a plain one.
    if (code !== 'Z_BUF_ERROR') {
      throw usageError(
        `${name} cannot be read: ${message}`,
        code === 'ENOENT' ? 'Check the path.' : 'Name a trace file, plain or gzip.',
        error,
      );
    }
  }
  pending += decoder.end();
  if (!isBlank(pending))
    yield { lines: [{ number: number + 1, text: pending, ended: false }], offset: zipped ? undefined : begun };
}

/** A line with anything in it seldom begins with white space. */
function isBlank(line: string): boolean {
  return !(line.charCodeAt(0) > 0x20) && line.trim() === '';
}

/** @param onZip called before the first bytes if they come out of gzip */
async function* unzipped(stream: Readable, onZip: () => void): AsyncGenerator<Buffer> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>;
  try {
    let head: Buffer = Buffer.alloc(0);
    // The two bytes of gzip may arrive one by one.
    while (head.length < 2) {
      const next = await chunks.next();
      if (next.done) break;
      head = head.length === 0 ? bytesOf(next.value) : Buffer.concat([head, bytesOf(next.value)]);
    }
    const all = async function* (): AsyncGenerator<Buffer> {
      yield head;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield bytesOf(next.value);
    };
    if (head[0] !== 0x1f || head[1] !== 0x8b) {
      yield* all();
      return;
    }
    onZip();
    const gunzip = createGunzip();
    const fed = feed(all(), gunzip);
    try {
      for await (const chunk of gunzip) yield chunk as Buffer;
      await fed;
    } finally {
      gunzip.destroy();
    }
  } finally {
    stream.destroy();
  }
}

async function feed(
  chunks: AsyncIterable<Buffer>,
  into: NodeJS.WritableStream & { destroy(error?: Error): void; destroyed: boolean },
): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (into.destroyed) return;
      if (!into.write(chunk))
        await new Promise<void>((resolve) => {
          const go = (): void => {
            into.off('drain', go);
            into.off('close', go);
            resolve();
          };
          into.on('drain', go);
          into.on('close', go);
        });
    }
    into.end();
  } catch (error) {
    into.destroy(error as Error);
  }
}

function bytesOf(chunk: Buffer | string): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}
