/**
 * Cuts a stream of bytes into lines at LF, within a fixed memory bound. It must not decode, trim or judge
 * what it cuts: every byte comes out again, apart from the LF itself and what a limit made it skip.
 */

export interface LineSplitterOptions {
  /** Longest line in bytes, without its LF. */
  maxLineBytes: number;
  /** A complete line without its LF. `ended` is false for what stood after the last LF at the end. */
  onLine: (line: Buffer, ended: boolean) => void;
  /** A line grew over the limit: its start; called once a line, the rest of the line is skipped. */
  onOversize: (start: Buffer) => void;
}

export interface LineSplitter {
  push(chunk: Buffer): void;
  /** No more bytes: hands over what stands after the last LF, if anything. */
  end(): void;
}

const LF = 0x0a;

/** Makes a splitter; bytes go in by `push`, lines come out by the callbacks, synchronously and in order. */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  // Fragments are joined once a line, so that a long line in tiny chunks costs linear time.
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let skipping = false;

  function take(part: Buffer): Buffer {
    if (pending.length === 0) return part;
    pending.push(part);
    const line = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    return line;
  }

  function oversize(part: Buffer): void {
    const start = take(part);
    skipping = true;
    options.onOversize(start.subarray(0, Math.min(start.length, options.maxLineBytes)));
  }

  return {
    push(chunk) {
      let from = 0;
      while (from < chunk.length) {
        const at = chunk.indexOf(LF, from);
        const part = chunk.subarray(from, at === -1 ? chunk.length : at);
        if (!skipping && pendingBytes + part.length > options.maxLineBytes) oversize(part);
        if (at === -1) {
          if (!skipping && part.length > 0) {
            pending.push(part);
            pendingBytes += part.length;
          }
          return;
        }
        if (skipping) skipping = false;
        else options.onLine(take(part), true);
        from = at + 1;
      }
    },
    end() {
      if (!skipping && pendingBytes > 0) options.onLine(take(Buffer.alloc(0)), false);
      skipping = false;
    },
  };
}
