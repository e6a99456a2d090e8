/**
 * Writes a trace to a file as JSON Lines, as it happens: a run that dies leaves what was recorded, without a
 * footer. It must not see secrets: what it is given has passed the redactor of the recorder.
 */
import { closeSync, fchmodSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../output/make-folder.ts';
import { privateMode, syncFile } from '../output/draft.ts';
import { noteWritten } from '../output/own-files.ts';
import { usageError } from '../../core/model/errors.ts';
import type { TraceEvent, TraceFooter, TraceHeader } from '../../core/model/trace.ts';
import type { TraceWriter } from '../../core/trace/recorder.ts';

/** A writer that can flush on request, before something that may take forever. */
export interface JsonlWriter extends TraceWriter {
  flush(): void;
}

/** Text is collected up to this size, or to the end of the current turn of the event loop. */
const batchLength = 64 * 1024;

/**
 * Opens (and empties) a file for one trace, readable by its owner only; folders on the way are made. It is written in place: a killed run leaves
 * what was recorded.
 *
 * Writing is synchronous, so a slow disk slows the run down instead of filling memory. A failure (disk full) never
 * throws into the run: writing stops, the file ends with its last whole line, and `close` rejects.
 *
 * @throws McpcError (usage) when the file cannot be opened.
 */
export function createJsonlWriter(path: string): JsonlWriter {
  let fd: number;
  let regular: boolean;
  try {
    makeFolder(dirname(path));
    fd = openSync(path, 'w', privateMode);
    // The mode above holds for new files only.
    regular = fstatSync(fd).isFile();
    if (regular) fchmodSync(fd, privateMode);
    noteWritten(path);
  } catch (error) {
    throw usageError(
      `The trace cannot be written to ${path}: ${(error as Error).message}`,
      'Name a file in a folder that you may write to.',
      error,
    );
  }
  let lines: string[] = [];
  let length = 0;
  let due: NodeJS.Immediate | undefined;
  /** Bytes of lines that were written as a whole. */
  let whole = 0;
  let failure: Error | undefined;
  let closed: Promise<void> | undefined;

  function flush(): void {
    if (due !== undefined) clearImmediate(due);
    due = undefined;
    if (lines.length === 0 || failure !== undefined) return;
    const bytes = Buffer.from(lines.join(''));
    lines = [];
    length = 0;
    attempt(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      whole += bytes.length;
    });
    // A line that a full disk truncated is not a line.
    if (failure !== undefined && regular) attempt(() => ftruncateSync(fd, whole));
  }

  function attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      failure ??= error as Error;
      lines = [];
    }
  }

  function line(value: unknown): void {
    if (failure !== undefined || closed !== undefined) return;
    attempt(() => {
      const text = `${JSON.stringify(value)}\n`;
      lines.push(text);
      length += text.length;
    });
    if (length >= batchLength) flush();
    else due ??= setImmediate(flush);
  }

  return {
    flush,
    header(header: TraceHeader) {
      line(header);
      flush();
    },
    event: (event: TraceEvent) => line(event),
    footer(footer: TraceFooter) {
      line(footer);
      flush();
    },
    close() {
      closed ??= (async () => {
        flush();
        attempt(() => syncFile(fd));
        attempt(() => closeSync(fd));
        if (failure !== undefined)
          throw usageError(
            `The trace could not be written to ${path}: ${failure.message}`,
            'Make room, or name another file.',
            failure,
          );
      })();
      return closed;
    },
  };
}

/**
 * Writes a whole trace.
 * @param footerOf the last line, when all events are written; undefined for none
 * @returns how many events were written
 */
export async function writeTrace(
  path: string,
  header: TraceHeader,
  events: AsyncIterable<TraceEvent>,
  footerOf: (count: number) => TraceFooter | undefined,
): Promise<number> {
  const writer = createJsonlWriter(path);
  let count = 0;
  try {
    writer.header(header);
    for await (const event of events) {
      writer.event(event);
      count += 1;
    }
    const footer = footerOf(count);
    if (footer) writer.footer(footer);
  } finally {
    await writer.close();
  }
  return count;
}
