/**
 * Reads an event stream from bytes. Blocks are cut here, by bytes, so that text which is no UTF-8 is noticed and memory
 * is bounded; fields are read by eventsource-parser. It is independent of the data.
 */
import { createParser } from 'eventsource-parser';
import { createByteCollector } from '../../../core/trace/byte-collector.ts';
import { decodeUtf8 } from '../../../core/trace/payload.ts';
import { endsWhole } from '../process/embedded-json.ts';

export interface SseBlock {
  /** Name, id and retry as the block itself gave them; absent when it did not. */
  event?: string;
  id?: string;
  retry?: number;
  /** Comment lines in it, and since the block before it. */
  comments?: number;
  /** Absent when the block has no data field at all (which dispatches nothing in a browser). */
  data?: string;
  invalidUtf8: boolean;
}

export interface SseReaderOptions {
  maxEventBytes: number;
  /** A finished block that holds any of event, id, retry or data. Comments alone make none. */
  onBlock: (block: SseBlock) => void;
  /** A block grew over the limit, or might not be held; nothing further is read. */
  onOversize: (why: 'too-long' | 'not-held') => void;
  /** Called with the bytes of an unfinished block; if it returns false, reading stops. */
  mayHold?: (bytes: number) => boolean;
}

export interface SseReader {
  push(chunk: Buffer): void;
  /** True within a block. */
  isWithin(): boolean;
  /** True if the unfinished block ends with a whole JSON object, so only the blank line after it is missing. */
  lacksEnd(): boolean;
  /** No more bytes: returns the text of an unfinished block, or '' (the standard discards such a block). */
  end(): string;
}

const LF = 0x0a;
const CR = 0x0d;

/** Makes a reader for one stream. */
export function createSseReader(options: SseReaderOptions): SseReader {
  const { mayHold = () => true } = options;
  /** Finished lines of the current block, each with an LF, and what there is of the unfinished one. */
  const block = createByteCollector();
  let lineBytes = 0;
  let afterCr = false;
  let first = true;
  let stopped = false;
  let comments = 0;

  const newline = Buffer.from('\n');

  function endLine(): void {
    if (lineBytes === 0) {
      const bytes = block.take();
      mayHold(0);
      if (bytes.length > 0) finish(bytes);
      return;
    }
    block.push(newline);
    lineBytes = 0;
  }

  function finish(bytes: Buffer): void {
    const { text, invalidUtf8 } = decodeUtf8(bytes);
    const read = readBlock(first && text.startsWith('\uFEFF') ? text.slice(1) : text);
    first = false;
    comments += text.startsWith(':') || text.includes('\n:') ? (text.match(/^:/gm) ?? []).length : 0;
    if (read === undefined) return;
    options.onBlock({ ...read, ...(comments > 0 ? { comments } : {}), invalidUtf8 });
    comments = 0;
  }

  return {
    push(chunk) {
      let from = 0;
      while (from < chunk.length && !stopped) {
        if (afterCr) {
          afterCr = false;
          if (chunk[from] === LF) {
            from += 1;
            continue;
          }
        }
        const at = lineEnd(chunk, from);
        const part = chunk.subarray(from, at === -1 ? chunk.length : at);
        const bytes = block.length + part.length;
        if (bytes > options.maxEventBytes || !mayHold(bytes)) {
          stopped = true;
          block.take();
          mayHold(0);
          options.onOversize(bytes > options.maxEventBytes ? 'too-long' : 'not-held');
          return;
        }
        block.push(part);
        lineBytes += part.length;
        if (at === -1) return;
        endLine();
        afterCr = chunk[at] === CR;
        from = at + 1;
      }
    },
    isWithin: () => !stopped && block.length > 0,
    lacksEnd: () => !stopped && block.length > 0 && endsWhole(block.peek()),
    end() {
      if (stopped) return '';
      stopped = true;
      mayHold(0);
      return decodeUtf8(block.take()).text;
    },
  };
}

function lineEnd(chunk: Buffer, from: number): number {
  const lf = chunk.indexOf(LF, from);
  const cr = chunk.subarray(from, lf === -1 ? chunk.length : lf).indexOf(CR);
  return cr === -1 ? lf : from + cr;
}

/** The fields of one block (lines that each end in LF); undefined when it holds none that matter. */
function readBlock(text: string): Omit<SseBlock, 'invalidUtf8'> | undefined {
  let retry: number | undefined;
  let found: Omit<SseBlock, 'invalidUtf8'> | undefined;
  const parser = createParser({
    onEvent: ({ event, id, data }) => {
      found = { ...(event === undefined ? {} : { event }), ...(id === undefined ? {} : { id }), data };
    },
    onRetry: (value) => {
      retry = value;
    },
  });
  parser.feed(`${text}\n`);
  if (found === undefined) {
    // The parser reports nothing of a block without data, though its id and name count; a data field makes it.
    parser.feed(`${text}data:\n\n`);
    delete (found as SseBlock | undefined)?.data;
  }
  const block = { ...(found as Omit<SseBlock, 'invalidUtf8'> | undefined), ...(retry === undefined ? {} : { retry }) };
  return Object.keys(block).length === 0 ? undefined : block;
}
