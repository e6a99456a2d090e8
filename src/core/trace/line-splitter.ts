/**
 * Cuts a stream of bytes into lines at LF, within a fixed memory bound. It must not decode, trim or judge
 * what it cuts: every byte comes out again, apart from the LF itself and what a limit made it skip.
 */
import { createByteCollector } from './byte-collector.ts';

export interface LineSplitterOptions {
  /** Longest line in bytes, without its LF. */
  maxLineBytes: number;
  /** Called with the bytes of an unfinished line; if it returns false, the line is skipped. */
  mayHold?: (bytes: number) => boolean;
}

export interface Line {
  /** The line without its LF; for a skipped one, its start. */
  bytes: Buffer;
  /**
   * - `newline`: the line is complete
   * - `none`: it stood after the last LF at the end
   * - `too-long`, `not-held`: it grew over the limit, or might not be held; given once a line, the rest of it is skipped
   */
  end: 'newline' | 'none' | 'too-long' | 'not-held';
}

export interface LineSplitter {
  /** The lines that a chunk completes, in order; the chunk is cut as they are asked for, so ask for all. */
  push(chunk: Buffer): Iterable<Line>;
  /**
   * Treats the text after the last LF so far as a line, if it is whole.
   * @param isWhole tests it without keeping anything
   */
  takeUnfinished(isWhole: (bytes: Buffer) => boolean): Buffer | undefined;
  /** No more bytes: the text after the last LF, if any. */
  end(): Iterable<Line>;
}

const LF = 0x0a;

export function createLineSplitter({ maxLineBytes, mayHold = () => true }: LineSplitterOptions): LineSplitter {
  const pending = createByteCollector();
  let skipping = false;

  function take(part: Buffer): Buffer {
    if (pending.length === 0) return part;
    pending.push(part);
    const line = pending.take();
    mayHold(0);
    return line;
  }

  function skip(part: Buffer, end: 'too-long' | 'not-held'): Line {
    const room = end === 'too-long' ? maxLineBytes - pending.length : 0;
    if (pending.length > 0) pending.push(part.subarray(0, room));
    const bytes = pending.length > 0 ? pending.take() : part.subarray(0, maxLineBytes);
    mayHold(0);
    skipping = true;
    return { bytes, end };
  }

  return {
    *push(chunk) {
      let from = 0;
      while (from < chunk.length) {
        const at = chunk.indexOf(LF, from);
        const part = chunk.subarray(from, at === -1 ? chunk.length : at);
        if (!skipping && pending.length + part.length > maxLineBytes) yield skip(part, 'too-long');
        if (at === -1) {
          if (skipping || part.length === 0) return;
          if (mayHold(pending.length + part.length)) pending.push(part);
          else yield skip(part, 'not-held');
          return;
        }
        if (skipping) skipping = false;
        else yield { bytes: take(part), end: 'newline' };
        from = at + 1;
      }
    },
    takeUnfinished: (isWhole) =>
      !skipping && pending.length > 0 && isWhole(pending.peek()) ? take(Buffer.alloc(0)) : undefined,
    *end() {
      if (!skipping && pending.length > 0) yield { bytes: take(Buffer.alloc(0)), end: 'none' };
      mayHold(0);
      skipping = false;
    },
  };
}
