/**
 * `journal.jsonl` of a run: which checks were begun and what came of them, a line each, only ever appended. What it
 * says was settled is on the disk. It is independent of how checks run.
 */
import { createReadStream, existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { usageError } from '../../core/model/errors.ts';
import type { FleetEvent, FleetServer } from '../../core/model/reports/fleet.ts';

export interface JournalState {
  /** The last result of each server, by id. */
  settled: Map<string, { server: FleetServer; digest: string }>;
  /** Number of times that the check of each server was started, by id. */
  begun: Map<string, number>;
  /** When the last line was written, ISO 8601. */
  last?: string;
}

export interface Journal {
  /** The check of a server begins; not synced, since nothing is lost with it. */
  begun(id: string, attempt: number): Promise<void>;
  /** Result of a server. When it resolves the line is on the disk. */
  settled(server: FleetServer, digest: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Content of the journal. A last line without its end was being written when the power went, and is no line.
 * @throws McpcError usage for a line that is no event
 */
export async function readJournal(file: string): Promise<JournalState> {
  const state: JournalState = { settled: new Map(), begun: new Map() };
  if (!existsSync(file)) return state;
  const whole = await endOfLastLine(file);
  if (whole === 0) return state;
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file, { end: whole - 1 }) })) {
    number += 1;
    take(state, parseLine(line, `${file}:${number}`));
  }
  return state;
}

function take(state: JournalState, event: FleetEvent): void {
  state.last = event.t;
  if (event.event === 'begun') state.begun.set(event.id, Math.max(event.attempt, (state.begun.get(event.id) ?? 0) + 1));
  else state.settled.set(event.server.id, { server: event.server, digest: event.digest });
}

function parseLine(line: string, place: string): FleetEvent {
  try {
    const event = JSON.parse(line) as FleetEvent | null;
    if (event?.event === 'begun' || event?.event === 'settled') return event;
  } catch {
    // Reported below.
  }
  throw usageError(
    `${place}: no line of a journal of a fleet run.`,
    'The file was changed or damaged; take the line out, and the server that it was about is checked again.',
  );
}

/**
 * Opens the journal for appending; half a line at its end is cut off first.
 * @throws what the file system said
 */
export async function openJournal(file: string, now: () => Date = () => new Date()): Promise<Journal> {
  const whole = existsSync(file) ? await endOfLastLine(file) : 0;
  const handle = await open(file, 'a');
  await handle.truncate(whole);
  let size = whole;
  let broken: unknown;
  let last: Promise<void> = Promise.resolve();

  async function write(event: FleetEvent, sync: boolean): Promise<void> {
    if (broken !== undefined) throw broken;
    const line = Buffer.from(`${oneLine(event)}\n`);
    try {
      await writeAll(handle, line);
      if (sync) await handle.sync();
      size += line.length;
    } catch (error) {
      // From here on nothing is appended: the end of the file is not to be relied on.
      broken = error;
      await handle.truncate(size).catch(() => {});
      throw error;
    }
  }

  /** One line after another. */
  function append(event: FleetEvent, sync: boolean): Promise<void> {
    const next = last.then(() => write(event, sync));
    last = next.catch(() => {});
    return next;
  }

  return {
    begun: (id, attempt) => append({ t: now().toISOString(), event: 'begun', id, attempt }, false),
    settled: (server, digest) => append({ t: now().toISOString(), event: 'settled', digest, server }, true),
    async close() {
      await last;
      await handle.close();
    },
  };
}

/** JSON without the two signs that end a line for some readers (those of newer Node) and need no escape in JSON. */
function oneLine(event: FleetEvent): string {
  return JSON.stringify(event).replace(/[\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);
}

async function writeAll(handle: FileHandle, data: Buffer): Promise<void> {
  for (let done = 0; done < data.length; ) {
    const { bytesWritten } = await handle.write(data, done, data.length - done);
    done += bytesWritten;
  }
}

/** Bytes up to the end of the last line that has one. */
async function endOfLastLine(file: string): Promise<number> {
  const handle = await open(file, 'r');
  try {
    const chunk = Buffer.alloc(65_536);
    let end = (await handle.stat()).size;
    while (end > 0) {
      const start = Math.max(0, end - chunk.length);
      const { bytesRead } = await handle.read(chunk, 0, end - start, start);
      const at = chunk.subarray(0, bytesRead).lastIndexOf(0x0a);
      if (at !== -1) return start + at + 1;
      end = start;
    }
    return 0;
  } finally {
    await handle.close();
  }
}
