/**
 * Reads a trace from JSON Lines as a stream, so that its length does not matter. It must not judge, repair or
 * reorder events; a file that was cut off is read as far as it goes, and lacks its footer.
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { McpcError, usageError } from '../model/errors.ts';
import type { TraceEvent, TraceFooter, TraceHeader } from '../model/trace.ts';
import { eventProblem, footerProblem, headerProblem, isFooter } from './event-check.ts';

export interface ReadTraceOptions {
  /** Name of the file in errors, for a stream. */
  name?: string;
  /** Longest line in characters (default 128 Mi: a whole HTTP body, escaped). */
  maxLineLength?: number;
}

export interface TraceReading {
  header: TraceHeader;
  /** The events in order, one by one. Throws McpcError (usage) naming file and line. */
  events: AsyncIterable<TraceEvent>;
  /** The same events, as many at a time as one read of the file brings. Run through one of the two, once. */
  batches: AsyncIterable<TraceEvent[]>;
  /** After the last event: the footer, or undefined when the trace was cut off. */
  footer(): TraceFooter | undefined;
  /** Stops reading and lets the file go; not needed after the last event. */
  close(): void;
}

const chunkBytes = 256 * 1024;
const defaultMaxLineLength = 128 * 1024 * 1024;

interface Line {
  number: number;
  text: string;
  /** False for what stands after the last newline. */
  ended: boolean;
}

/**
 * Opens a trace, plain or gzip.
 *
 * @param source path of a file, or a stream of bytes.
 * @throws McpcError (usage) when it cannot be read or its first line is no header that is known.
 */
export async function readTrace(source: string | Readable, options: ReadTraceOptions = {}): Promise<TraceReading> {
  const name = typeof source === 'string' ? source : (options.name ?? 'trace');
  const stream = typeof source === 'string' ? createReadStream(source, { highWaterMark: chunkBytes }) : source;
  const problem = (line: number, text: string): McpcError => usageError(`${name}:${line}: ${text}`, 'Name a trace that mcpc has written.');
  const lines = linesOf(stream, name, options.maxLineLength ?? defaultMaxLineLength, problem);

  const head = await lines.next();
  const first = head.done ? undefined : head.value.shift();
  if (!first) throw problem(1, 'the trace is empty');
  const header = parse(first, problem);
  const wrong = headerProblem(header);
  if (wrong !== undefined) {
    stream.destroy();
    throw problem(first.number, wrong);
  }

  let footer: TraceFooter | undefined;

  let seq = 0;

  /** The event of a line; undefined for the footer, and for a line in which the trace was cut off. */
  function eventOf(line: Line): TraceEvent | undefined {
    if (footer !== undefined) throw problem(line.number, 'there is more after the footer');
    let value: unknown;
    try {
      value = parse(line, problem);
    } catch (error) {
      // The run died while it wrote this line: the trace is cut off, and nothing else is wrong.
      if (!line.ended) return undefined;
      throw error;
    }
    if (isFooter(value)) {
      const fault = footerProblem(value);
      if (fault !== undefined) throw problem(line.number, fault);
      if (value.events !== seq) throw problem(line.number, `the footer counts ${value.events} events, but there are ${seq}`);
      footer = value;
      return undefined;
    }
    const fault = eventProblem(value);
    if (fault !== undefined) throw problem(line.number, fault);
    const event = value as TraceEvent;
    if (event.seq !== seq + 1) throw problem(line.number, `event ${event.seq} stands where event ${seq + 1} should be`);
    seq = event.seq;
    return exactNumbers(event);
  }

  /** Lines behind the header. */
  async function* rest(): AsyncGenerator<Line[]> {
    if (!head.done) yield head.value;
    yield* lines;
  }

  async function* batches(): AsyncGenerator<TraceEvent[]> {
    for await (const some of rest()) {
      const events: TraceEvent[] = [];
      for (const line of some) {
        const event = eventOf(line);
        if (event) events.push(event);
      }
      yield events;
    }
  }

  async function* events(): AsyncGenerator<TraceEvent> {
    for await (const batch of batches()) yield* batch;
  }

  return { header: header as TraceHeader, events: events(), batches: batches(), footer: () => footer, close: () => void stream.destroy() };
}

/**
 * The events of a trace that has been read before which have the seqs. Lines stand in the order of their seqs,
 * so that only those that are wanted are parsed.
 */
export async function readEvents(path: string, seqs: ReadonlySet<number>): Promise<TraceEvent[]> {
  const found: TraceEvent[] = [];
  const last = Math.max(0, ...seqs);
  const problem = (line: number, text: string): McpcError => usageError(`${path}:${line}: ${text}`);
  const stream = createReadStream(path, { highWaterMark: chunkBytes });
  let seq = -1;
  for await (const some of linesOf(stream, path, defaultMaxLineLength, problem)) {
    for (const line of some) {
      seq += 1;
      if (seq > 0 && seqs.has(seq)) found.push(exactNumbers(parse(line, problem) as TraceEvent));
    }
    if (seq >= last) break;
  }
  stream.destroy();
  return found;
}

function parse(line: Line, problem: (line: number, text: string) => McpcError): unknown {
  try {
    return JSON.parse(line.text);
  } catch (error) {
    throw problem(line.number, `this is no JSON: ${(error as Error).message}`);
  }
}

/**
 * JSON has no infinity and no negative zero of ours: a number such as 1e999 was written as null. The raw text
 * still has it, and judging must see what was seen live.
 */
function exactNumbers(event: TraceEvent): TraceEvent {
  if (event.kind !== 'message' || event.raw === undefined || event.message === undefined) return event;
  if (!/[eE][+\d]|-0|\d{300}/.test(event.raw)) return event;
  try {
    const message: unknown = JSON.parse(event.raw.startsWith('\uFEFF') ? event.raw.slice(1) : event.raw);
    return JSON.stringify(message) === JSON.stringify(event.message) ? { ...event, message } : event;
  } catch {
    return event;
  }
}

/** Lines that are not blank, of plain or zipped bytes; never an empty list. */
async function* linesOf(stream: Readable, name: string, maxLineLength: number, problem: (line: number, text: string) => McpcError): AsyncGenerator<Line[]> {
  let number = 0;
  let pending = '';
  // Whole chunks are decoded, not lines: a trace has millions of those.
  const decoder = new StringDecoder('utf8');

  function cut(text: string): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      const line = pending + text.slice(from, at);
      pending = '';
      from = at + 1;
      number += 1;
      if (line.length > maxLineLength) throw problem(number, `the line is longer than ${maxLineLength} characters`);
      if (!isBlank(line)) lines.push({ number, text: line, ended: true });
    }
    pending += text.slice(from);
    if (pending.length > maxLineLength) throw problem(number + 1, `the line is longer than ${maxLineLength} characters`);
    return lines;
  }

  try {
    for await (const chunk of unzipped(stream)) {
      const lines = cut(decoder.write(chunk));
      if (lines.length > 0) yield lines;
    }
  } catch (error) {
    if (error instanceof McpcError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    // A zipped trace that was cut off ends like a plain one.
    if (code !== 'Z_BUF_ERROR') {
      throw usageError(`${name} cannot be read: ${message}`, code === 'ENOENT' ? 'Check the path.' : 'Name a trace file, plain or gzip.', error);
    }
  }
  pending += decoder.end();
  if (!isBlank(pending)) yield [{ number: number + 1, text: pending, ended: false }];
}

/** A line with anything in it seldom begins with white space. */
function isBlank(line: string): boolean {
  return !(line.charCodeAt(0) > 0x20) && line.trim() === '';
}

async function* unzipped(stream: Readable): AsyncGenerator<Buffer> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>;
  try {
    let head = Buffer.alloc(0);
    // The two bytes that tell gzip may come one by one.
    while (head.length < 2) {
      const next = await chunks.next();
      if (next.done) break;
      head = Buffer.concat([head, Buffer.from(next.value as string)]);
    }
    const all = async function* (): AsyncGenerator<Buffer> {
      yield head;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield Buffer.from(next.value as string);
    };
    if (head[0] !== 0x1f || head[1] !== 0x8b) {
      yield* all();
      return;
    }
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

async function feed(chunks: AsyncIterable<Buffer>, into: NodeJS.WritableStream & { destroy(error?: Error): void; destroyed: boolean }): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (into.destroyed) return;
      if (!into.write(chunk)) await new Promise<void>((resolve) => {
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
