/**
 * The text of a capture file, whatever it is wrapped in: gzip, a byte order mark, UTF-16, CRLF. It is independent of
 * the meaning of the text. All limits on the size of a capture are here.
 */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { McpcError, usageError } from '../../core/model/errors.ts';
import type { SourceLine, SourceText } from '../../core/trace/importers/source-line.ts';

export interface SourceLimits {
  /** Longest document that is read as a whole, in characters; also the longest line. */
  maxCharacters: number;
}

export const defaultSourceLimits: SourceLimits = { maxCharacters: 256 * 1024 * 1024 };

interface Finding {
  encoding: string;
  marked: boolean;
}

/** @throws McpcError (usage), while it is read, when a file cannot be read or is no text */
export function openSource(file: string, limits: SourceLimits = defaultSourceLimits): SourceText {
  const found: Finding = { encoding: 'UTF-8', marked: false };
  return {
    lines: () => singly(linesOf(file, limits, found)),
    batches: () => linesOf(file, limits, found),
    encoding: () => found.encoding,
    marked: () => found.marked,
    async all() {
      const parts: string[] = [];
      let length = 0;
      for await (const part of decoded(file, found)) {
        length += part.length;
        if (length > limits.maxCharacters) throw tooLong(file, limits);
        parts.push(part);
      }
      return parts.join('');
    },
  };
}

/** Elements of batches, one by one. */
export async function* singly<T>(batches: AsyncIterable<readonly T[]> | Iterable<readonly T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch;
}

async function* linesOf(file: string, limits: SourceLimits, found: Finding): AsyncGenerator<SourceLine[]> {
  let number = 0;
  let pending: string[] = [];
  let length = 0;
  const finished = (text: string, ended: boolean): SourceLine | undefined => {
    number += 1;
    // A byte order mark also occurs in the middle of joined files; trim removes it.
    const trimmed = text.trim();
    return trimmed === '' ? undefined : { number, text: trimmed, ended };
  };
  for await (const part of decoded(file, found)) {
    const lines: SourceLine[] = [];
    let from = 0;
    for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', from)) {
      const piece = part.slice(from, at);
      const line = finished(pending.length === 0 ? piece : pending.join('') + piece, true);
      pending = [];
      length = 0;
      from = at + 1;
      if (line) lines.push(line);
    }
    if (lines.length > 0) yield lines;
    if (from < part.length) {
      pending.push(part.slice(from));
      length += part.length - from;
      if (length > limits.maxCharacters) throw tooLong(file, limits);
    }
  }
  const rest = pending.join('');
  const line = rest === '' ? undefined : finished(rest, false);
  if (line) yield [line];
}

function tooLong(file: string, limits: SourceLimits): McpcError {
  return usageError(
    `${file} holds more than ${limits.maxCharacters} characters in one piece.`,
    'Cut the capture into several files; JSON-RPC lines may be of any number.',
  );
}

/** Read at a time: what comes of it is alive at once. */
const pieceBytes = 64 * 1024;

/** Pieces of text, decoded. */
async function* decoded(file: string, found: Finding): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const decode = (bytes: Buffer, stream: boolean): string => {
    try {
      return decoder!.decode(bytes, { stream });
    } catch (error) {
      throw usageError(
        `${file} is no text in ${found.encoding}.`,
        'Name a capture of JSON text, in UTF-8 or UTF-16, plain or gzip.',
        error,
      );
    }
  };
  try {
    for await (const bytes of unzipped(file)) {
      if (decoder === undefined) {
        Object.assign(found, findingOf(bytes));
        decoder = new TextDecoder(found.encoding.toLowerCase(), { fatal: true });
      }
      const text = decode(bytes, true);
      if (text !== '') yield text;
    }
    if (decoder !== undefined) {
      const rest = decode(Buffer.alloc(0), false);
      if (rest !== '') yield rest;
    }
  } catch (error) {
    if (error instanceof McpcError) throw error;
    throw unreadable(file, error as NodeJS.ErrnoException);
  }
}

function unreadable(file: string, error: NodeJS.ErrnoException): McpcError {
  if (error.code === 'Z_BUF_ERROR')
    return usageError(
      `${file} is gzip that was cut off.`,
      'Make the capture again, or unpack what is there with zcat.',
      error,
    );
  if (error.code?.startsWith('Z_'))
    return usageError(`${file} is damaged gzip: ${error.message}.`, 'Make the capture again.', error);
  return usageError(
    `${file} cannot be read: ${error.message}`,
    error.code === 'ENOENT' ? 'Check the path.' : 'Name a file that you may read.',
    error,
  );
}

/** By the byte order mark, or by the zero byte that each ASCII character has in UTF-16. */
function findingOf(head: Buffer): Finding {
  const [first, second, third] = head;
  if (first === 0xff && second === 0xfe) return { encoding: 'UTF-16LE', marked: true };
  if (first === 0xfe && second === 0xff) return { encoding: 'UTF-16BE', marked: true };
  if (first !== undefined && first !== 0 && second === 0) return { encoding: 'UTF-16LE', marked: false };
  if (first === 0 && second !== undefined && second !== 0) return { encoding: 'UTF-16BE', marked: false };
  return { encoding: 'UTF-8', marked: first === 0xef && second === 0xbb && third === 0xbf };
}

/** The bytes of the file, unpacked if need be; the first piece has two bytes or more, unless there are fewer. */
async function* unzipped(file: string): AsyncGenerator<Buffer> {
  const stream = createReadStream(file, { highWaterMark: pieceBytes });
  try {
    const chunks = joinedHead(stream);
    const first = await chunks.next();
    if (first.done) return;
    const all = async function* (): AsyncGenerator<Buffer> {
      yield first.value;
      yield* chunks;
    };
    if (first.value[0] === 0x1f && first.value[1] === 0x8b) yield* joinedHead(gunzipped(all()));
    else yield* all();
  } finally {
    stream.destroy();
  }
}

async function* gunzipped(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const packed = Readable.from(chunks);
  const gunzip = createGunzip();
  packed.on('error', (error) => gunzip.destroy(error));
  packed.pipe(gunzip);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) yield chunk;
  } finally {
    packed.destroy();
    gunzip.destroy();
  }
}

async function* joinedHead(stream: Readable | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < 2) continue;
    yield head;
    head = undefined;
  }
  if (head !== undefined && head.length > 0) yield head;
}
