/**
 * Cuts a stream of bytes into lines at LF, within a fixed memory bound. It must not decode, trim or judge
 * what it cuts: every byte comes out again, apart from the LF itself and what a limit made it skip.
 */
import { createByteCollector } from './byte-collector.ts';

export interface LineSplitterOptions {
  /** Longest line in bytes, without its LF. */
  maxLineBytes: number;
  /** A complete line without its LF. `ended` is false for what stood after the last LF at the end. */
  onLine: (line: Buffer, ended: boolean) => void;
  /** A line grew over the limit, or might not be held: its start; called once a line, the rest of the line is skipped. */
  onOversize: (start: Buffer, why: 'too-long' | 'not-held') => void;
  /** Told how many bytes of an unfinished line are held; where it says no, the line is skipped. */
  mayHold?: (bytes: number) => boolean;
}

export interface LineSplitter {
  push(chunk: Buffer): void;
  /** No more bytes: hands over what stands after the last LF, if anything. */
  end(): void;
}

const LF = 0x0a;

/** Makes a splitter; bytes go in by `push`, lines come out by the callbacks, synchronously and in order. */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  const { mayHold = () => true } = options;
  const pending = createByteCollector();
  let skipping = false;

  function take(part: Buffer): Buffer {
    if (pending.length === 0) return part;
    pending.push(part);
    const line = pending.take();
    mayHold(0);
    return line;
  }

  function oversize(part: Buffer, why: 'too-long' | 'not-held'): void {
    const room = why === 'too-long' ? options.maxLineBytes - pending.length : 0;
    if (pending.length > 0) pending.push(part.subarray(0, room));
    const start = pending.length > 0 ? pending.take() : part.subarray(0, options.maxLineBytes);
    mayHold(0);
    skipping = true;
    options.onOversize(start, why);
  }

  return {
    push(chunk) {
      let from = 0;
      while (from < chunk.length) {
        const at = chunk.indexOf(LF, from);
        const part = chunk.subarray(from, at === -1 ? chunk.length : at);
        if (!skipping && pending.length + part.length > options.maxLineBytes) oversize(part, 'too-long');
        if (at === -1) {
          if (skipping || part.length === 0) return;
          if (mayHold(pending.length + part.length)) pending.push(part);
          else oversize(part, 'not-held');
          return;
        }
        if (skipping) skipping = false;
        else options.onLine(take(part), true);
        from = at + 1;
      }
    },
    end() {
      if (!skipping && pending.length > 0) options.onLine(take(Buffer.alloc(0)), false);
      mayHold(0);
      skipping = false;
    },
  };
}
