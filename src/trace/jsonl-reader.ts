/**
 * Reads a trace from JSON Lines as a stream, so that its length does not matter. It must not judge, repair or
 * reorder events; a file that was cut off is read as far as it goes, and lacks its footer.
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { McpcError, usageError } from '../model/errors.ts';
import type { TraceEvent, TraceFooter, TraceHeader } from '../model/trace.ts';
import { eventProblem, footerProblem, headerProblem, isFooter } from './event-check.ts';
import { createLineSplitter } from './line-splitter.ts';

export interface ReadTraceOptions {
  /** Name of the file in errors, for a stream. */
  name?: string;
  /** Longest line in bytes (default 128 MiB: a whole HTTP body, escaped). */
  maxLineBytes?: number;
}

export interface TraceReading {
  header: TraceHeader;
  /** The events in order; can be run through once. Throws McpcError (usage) naming file and line. */
  events: AsyncIterable<TraceEvent>;
  /** After the last event: the footer, or undefined when the trace was cut off. */
  footer(): TraceFooter | undefined;
  /** Stops reading and lets the file go; not needed after the last event. */
  close(): void;
}

const defaultMaxLineBytes = 128 * 1024 * 1024;

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
  const stream = typeof source === 'string' ? createReadStream(source) : source;
  const problem = (line: number, text: string): McpcError => usageError(`${name}:${line}: ${text}`, 'Name a trace that mcpc has written.');
  const lines = linesOf(stream, name, options.maxLineBytes ?? defaultMaxLineBytes, problem);

  const first = await lines.next();
  if (first.done) throw problem(1, 'the trace is empty');
  const header = parse(first.value, problem);
  const wrong = headerProblem(header);
  if (wrong !== undefined) {
    stream.destroy();
    throw problem(first.value.number, wrong);
  }

  let footer: TraceFooter | undefined;

  async function* events(): AsyncGenerator<TraceEvent> {
    let seq = 0;
    for await (const line of lines) {
      if (footer !== undefined) throw problem(line.number, 'there is more after the footer');
      let value: unknown;
      try {
        value = parse(line, problem);
      } catch (error) {
        // The run died while it wrote this line: the trace is cut off, and nothing else is wrong.
        if (!line.ended) return;
        throw error;
      }
      if (isFooter(value)) {
        const fault = footerProblem(value);
        if (fault !== undefined) throw problem(line.number, fault);
        if (value.events !== seq) throw problem(line.number, `the footer counts ${value.events} events, but there are ${seq}`);
        footer = value;
        continue;
      }
      const fault = eventProblem(value);
      if (fault !== undefined) throw problem(line.number, fault);
      const event = value as TraceEvent;
      if (event.seq !== seq + 1) throw problem(line.number, `event ${event.seq} stands where event ${seq + 1} should be`);
      seq = event.seq;
      yield exactNumbers(event);
    }
  }

  return { header: header as TraceHeader, events: events(), footer: () => footer, close: () => void stream.destroy() };
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

/** Lines that are not blank, of plain or zipped bytes. */
async function* linesOf(stream: Readable, name: string, maxLineBytes: number, problem: (line: number, text: string) => McpcError): AsyncGenerator<Line> {
  let number = 0;
  let ready: Line[] = [];
  let oversize = 0;
  const splitter = createLineSplitter({
    maxLineBytes,
    onLine: (bytes, ended) => {
      number += 1;
      const text = bytes.toString('utf8');
      if (text.trim() !== '') ready.push({ number, text, ended });
    },
    onOversize: () => {
      number += 1;
      oversize ||= number;
    },
  });
  try {
    for await (const chunk of unzipped(stream)) {
      splitter.push(chunk);
      const batch = ready;
      ready = [];
      yield* batch;
      if (oversize > 0) throw problem(oversize, `the line is longer than ${maxLineBytes} bytes`);
    }
  } catch (error) {
    if (error instanceof McpcError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    // A zipped trace that was cut off ends like a plain one.
    if (code !== 'Z_BUF_ERROR') {
      throw usageError(`${name} cannot be read: ${message}`, code === 'ENOENT' ? 'Check the path.' : 'Name a trace file, plain or gzip.', error);
    }
  }
  splitter.end();
  yield* ready;
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
