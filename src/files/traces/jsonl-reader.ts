/**
 * Reads a trace from JSON Lines as a stream, so that its length does not matter. It must not judge, repair or
 * reorder events; a file that was cut off is read as far as it goes, and lacks its footer.
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { usageError, type McpcError } from '../../core/model/errors.ts';
import type { TraceEvent, TraceFooter, TraceHeader } from '../../core/model/trace.ts';
import { eventProblem, footerProblem, headerProblem, isFooter } from '../../core/trace/event-check.ts';
import { exactNumbers } from '../../core/trace/exact-numbers.ts';
import { lineBatches, type Line } from './trace-lines.ts';

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
  /** After the last event: those with the seqs, read from the file again, only from the pieces around them. */
  again(seqs: ReadonlySet<number>): Promise<TraceEvent[]>;
}

/** A place in the file from which reading can go on. */
interface Mark {
  /** Of the event that begins there; 0 for the header. */
  seq: number;
  offset: number;
}

const chunkBytes = 256 * 1024;
const defaultMaxLineLength = 128 * 1024 * 1024;

/**
 * Opens a trace, plain or gzip.
 *
 * @param source path of a file, or a stream of bytes.
 * @throws McpcError (usage) when it cannot be read or its first line is no header that is known.
 */
export async function readTrace(source: string | Readable, options: ReadTraceOptions = {}): Promise<TraceReading> {
  const name = typeof source === 'string' ? source : (options.name ?? 'trace');
  const stream = typeof source === 'string' ? createReadStream(source, { highWaterMark: chunkBytes }) : source;
  const problem = (line: number, text: string): McpcError =>
    usageError(`${name}:${line}: ${text}`, 'Name a trace that mcpc has written.');
  const batchesOfLines = lineBatches(stream, {
    name,
    maxLineLength: options.maxLineLength ?? defaultMaxLineLength,
    problem,
  });

  const head = await batchesOfLines.next();
  const first = head.done ? undefined : head.value.lines.shift();
  if (!first) throw problem(1, 'the trace is empty');
  const header = parse(first, problem);
  const wrong = headerProblem(header);
  if (wrong !== undefined) {
    stream.destroy();
    throw problem(first.number, wrong);
  }

  let footer: TraceFooter | undefined;
  let seq = 0;
  const marks: Mark[] = [start];

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
      if (value.events !== seq)
        throw problem(line.number, `the footer counts ${value.events} events, but there are ${seq}`);
      footer = value;
      return undefined;
    }
    const fault = eventProblem(value);
    if (fault !== undefined) throw problem(line.number, fault);
    const event = value as TraceEvent;
    if (event.seq !== seq + 1) throw problem(line.number, `event ${event.seq} is in the place of event ${seq + 1}`);
    seq = event.seq;
    return exactNumbers(event);
  }

  /** Lines behind the header. */
  async function* rest(): AsyncGenerator<Line[]> {
    if (!head.done) yield head.value.lines;
    for await (const { lines, offset } of batchesOfLines) {
      if (offset !== undefined) marks.push({ seq: seq + 1, offset });
      yield lines;
    }
  }

  async function* batches(): AsyncGenerator<TraceEvent[]> {
    for await (const lines of rest()) {
      const events: TraceEvent[] = [];
      for (const line of lines) {
        const event = eventOf(line);
        if (event) events.push(event);
      }
      yield events;
    }
  }

  async function* events(): AsyncGenerator<TraceEvent> {
    for await (const batch of batches()) yield* batch;
  }

  async function again(seqs: ReadonlySet<number>): Promise<TraceEvent[]> {
    if (typeof source !== 'string') throw new Error(`${name} is a stream, which cannot be read twice`);
    return readMarked(source, seqs, marks);
  }

  return {
    header: header as TraceHeader,
    events: events(),
    batches: batches(),
    footer: () => footer,
    close: () => void stream.destroy(),
    again,
  };
}

const start: Mark = { seq: 0, offset: 0 };

/**
 * Lines of a trace after its header, plain or gzip; a complete one ends with its footer.
 * @throws McpcError (usage)
 */
export async function countEvents(path: string): Promise<number> {
  const problem = (line: number, text: string): McpcError =>
    usageError(`${path}:${line}: ${text}`, 'Name a trace that mcpc has written.');
  let count = -1;
  for await (const { lines } of lineBatches(createReadStream(path, { highWaterMark: chunkBytes }), {
    name: path,
    maxLineLength: defaultMaxLineLength,
    problem,
  }))
    count += lines.length;
  return count;
}

/** The events of a trace file that have the seqs; only they are parsed. @throws McpcError (usage) */
export async function readEvents(path: string, seqs: ReadonlySet<number>): Promise<TraceEvent[]> {
  return readMarked(path, seqs, [start]);
}

/** @param marks in the order of the file */
async function readMarked(path: string, seqs: ReadonlySet<number>, marks: readonly Mark[]): Promise<TraceEvent[]> {
  const found: TraceEvent[] = [];
  const wanted = [...seqs].sort((a, b) => a - b);
  let mark = 0;
  for (let from = 0; from < wanted.length; ) {
    while (marks[mark + 1] !== undefined && marks[mark + 1]!.seq <= wanted[from]!) mark += 1;
    const end = marks[mark + 1]?.seq ?? Infinity;
    let to = from;
    while (to < wanted.length && wanted[to]! < end) to += 1;
    await readFrom(path, marks[mark]!, wanted.slice(from, to), found);
    from = to;
  }
  return found;
}

/** Lines stand in the order of their seqs. @param seqs in ascending order, at least one */
async function readFrom(
  path: string,
  { seq: first, offset }: Mark,
  seqs: readonly number[],
  into: TraceEvent[],
): Promise<void> {
  const problem = (_line: number, text: string): McpcError =>
    usageError(`${path}: ${text}, though it was read before`, 'Judge it again, and let nothing write to it meanwhile.');
  const stream = createReadStream(path, { start: offset, highWaterMark: chunkBytes });
  const last = seqs.at(-1)!;
  let next = 0;
  let seq = first - 1;
  for await (const { lines } of lineBatches(stream, { name: path, maxLineLength: defaultMaxLineLength, problem })) {
    for (const line of lines) {
      seq += 1;
      if (seq > last) break;
      while (seqs[next]! < seq) next += 1;
      if (seq !== seqs[next] || seq === 0) continue;
      const event = parse(line, problem) as TraceEvent;
      if (event.seq !== seq) throw problem(0, `event ${seq} is not where it was`);
      into.push(exactNumbers(event));
    }
    if (seq >= last) break;
  }
  stream.destroy();
}

function parse(line: Line, problem: (line: number, text: string) => McpcError): unknown {
  try {
    return JSON.parse(line.text);
  } catch (error) {
    throw problem(line.number, `this is no JSON: ${(error as Error).message}`);
  }
}
