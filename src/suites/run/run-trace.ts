/**
 * Keeps the traces of a run: a file for each connection while it lasts, and at the end one file with all of them in the
 * order of the cases, from which the run can be judged again.
 */
import { join } from 'node:path';
import { makeFolder } from '../../files/output/make-folder.ts';
import { usageError } from '../../core/model/errors.ts';
import type { TraceEvent, TransportKind } from '../../core/model/trace.ts';
import { createJsonlWriter } from '../../files/traces/jsonl-writer.ts';
import { readTrace } from '../../files/traces/jsonl-reader.ts';
import type { TraceWriter } from '../../core/trace/recorder.ts';
import { makeRunFolder, removeFolder } from '../../client/transport/process/run-folders.ts';

export interface RunTrace {
  /**
   * The writer of a new connection.
   * @param order place of its first case in the run
   * @param name of that case
   */
  writer(order: number, name: string): TraceWriter;
  /** Writes the one file, and removes what is not to be kept. */
  finish(end: RunEnd): Promise<void>;
}

export interface RunEnd {
  complete: boolean;
  reason?: string;
  /** Notices about the whole run. */
  notices: readonly string[];
}

export interface RunTraceOptions {
  /** The one file of the whole run. */
  file?: string;
  /** Folder for a file of each connection. */
  folder?: string;
}

interface Part {
  order: number;
  path: string;
  /** Milliseconds from the begin of the run. */
  beganMs: number;
}

/** @throws McpcError usage for a folder that cannot be made */
export function openRunTrace({ file, folder }: RunTraceOptions): RunTrace {
  const own = folder ?? makeRunFolder();
  if (folder !== undefined) {
    try {
      makeFolder(folder);
    } catch (error) {
      throw usageError(
        `Cannot make the folder ${folder} for traces: ${(error as Error).message}`,
        'Name another folder.',
        error,
      );
    }
  }
  const parts: Part[] = [];
  const began = performance.now();
  // Opened at once, so that an unusable place is reported before the run.
  const whole = file === undefined ? undefined : createJsonlWriter(file);
  return {
    writer(order, name) {
      const number = String(order + 1).padStart(4, '0');
      const turn = parts.filter((part) => part.order === order).length;
      const path = join(own, `${number}-${slug(name)}${turn === 0 ? '' : `-${turn + 1}`}.trace.jsonl`);
      parts.push({ order, path, beganMs: performance.now() - began });
      return createJsonlWriter(path);
    },
    async finish(end) {
      try {
        if (whole)
          await joinParts(
            parts.toSorted((one, other) => one.order - other.order),
            whole,
            end,
          );
      } finally {
        if (folder === undefined) removeFolder(own);
      }
    },
  };
}

/** Names of cases never become paths: letters and digits alone. */
function slug(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'case'
  );
}

async function joinParts(
  parts: readonly Part[],
  whole: TraceWriter,
  { complete, reason, notices }: RunEnd,
): Promise<void> {
  let seq = 0;
  let sessions = 0;
  let begun = false;
  let last = 0;
  const startedAt = new Date().toISOString();
  const begin = (transport: TransportKind): void => {
    if (!begun)
      whole.header({
        format: 'mcpc-trace',
        version: 1,
        origin: 'live',
        transport,
        target: { name: 'suites' },
        startedAt,
      });
    begun = true;
  };
  for (const { path, beganMs } of parts) {
    const reading = await readTrace(path);
    begin(reading.header.transport);
    const offset = seq;
    const names = new Map<string, string>();
    for await (const event of reading.events) {
      let session = names.get(event.session);
      if (session === undefined) names.set(event.session, (session = `s${(sessions += 1)}`));
      seq = offset + event.seq;
      last = Math.max(last, Math.round((event.t + beganMs) * 1000) / 1000);
      whole.event(moved(event, { seq, session, offset, t: Math.round((event.t + beganMs) * 1000) / 1000 }));
    }
  }
  begin('stdio');
  for (const words of notices)
    whole.event({
      seq: (seq += 1),
      t: last,
      session: 's1',
      from: 'harness',
      kind: 'case',
      detail: { mark: 'told', words },
    });
  whole.footer({ footer: true, events: seq, complete, reason });
  await whole.close();
}

function moved(
  event: TraceEvent,
  { seq, session, offset, t }: { seq: number; session: string; offset: number; t: number },
): TraceEvent {
  return {
    ...event,
    seq,
    t,
    session,
    ...(event.exchange === undefined ? {} : { exchange: event.exchange.replace(`${event.session}.`, `${session}.`) }),
    ...(event.awaited === undefined ? {} : { awaited: event.awaited + offset }),
  };
}
