/** Records the conversation with the server to a trace of its own, or answers from one. */
import { everything } from '../core/facts/registry/unrecorded.ts';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../files/output/make-folder.ts';
import { checkOutput, traceOutput } from '../files/output/output.ts';
import { McpcError } from '../core/model/errors.ts';
import type { TraceEvent, TraceHeader } from '../core/model/trace.ts';
import { createJsonlWriter, type JsonlWriter } from '../files/traces/jsonl-writer.ts';
import { codes, FrameError } from './protocol.ts';
import { openRecorded } from './sources/recorded-source.ts';
import type { Source } from './sources/source.ts';

/** `auto` replays an existing file and records a missing one. */
export type CassetteMode = 'off' | 'record' | 'replay' | 'auto';

export interface Cassette {
  /** @throws FrameError for a file that cannot be written or read */
  setMode(mode: CassetteMode, path: string | undefined): Promise<void>;
  /** The source that answers in place of the server; undefined while nothing is replayed. */
  readonly replayed: Source | undefined;
  /** An event of the conversation, without secrets. @param header of its trace, once it is known */
  see(event: TraceEvent, header: TraceHeader | undefined): void;
  /** Ends the recording. Rejects where it could not be written. */
  close(header: TraceHeader | undefined): Promise<void>;
}

/** Events before the header is known: what starts a server and its handshake come to. */
const mostHeld = 10_000;

export function createCassette(): Cassette {
  let recording: Recording | undefined;
  let replayed: Source | undefined;
  /** The conversation so far is longer than what a new recording would hold. */
  let begun = false;
  let last: TraceHeader | undefined;

  async function end(header: TraceHeader | undefined): Promise<void> {
    const ending = recording;
    recording = undefined;
    await ending?.close(header);
  }

  return {
    get replayed() {
      return replayed;
    },
    async setMode(mode, path) {
      try {
        await end(last);
        replayed = undefined;
        if (mode === 'off') return;
        if (mode === 'replay' || (mode === 'auto' && existsSync(path!))) replayed = await openRecorded(path!);
        else {
          checkOutput(traceOutput(path!, false));
          makeFolder(dirname(path!));
          recording = createRecording(createJsonlWriter(path!), !begun);
        }
      } catch (error) {
        if (error instanceof McpcError && error.stage === 'usage')
          throw new FrameError(codes.invalidParams, [error.message, error.remedy ?? ''].join(' ').trim());
        throw error;
      }
    },
    see(event, header) {
      begun = true;
      last = header;
      recording?.event(event, header);
    },
    close: (header) => end(header),
  };
}

interface Recording {
  event(event: TraceEvent, header: TraceHeader | undefined): void;
  close(header: TraceHeader | undefined): Promise<void>;
}

/** @param whole it begins with the first event of the conversation */
function createRecording(writer: JsonlWriter, whole: boolean): Recording {
  let offset: number | undefined;
  let seq = 0;
  let headed = false;
  let held: TraceEvent[] = [];

  function head(header: TraceHeader): void {
    headed = true;
    writer.header(whole ? header : { ...header, recorded: { ...everything, start: false } });
    for (const event of held) writer.event(event);
    held = [];
  }

  return {
    event(event, header) {
      // Only a flood comes before the handshake is over.
      if (!headed && header === undefined && held.length >= mostHeld) return;
      offset ??= event.seq - 1;
      seq += 1;
      const { awaited, ...rest } = event;
      const own: TraceEvent = {
        ...rest,
        seq,
        ...(awaited === undefined || awaited <= offset ? {} : { awaited: awaited - offset }),
      };
      if (!headed && header !== undefined) head(header);
      if (headed) writer.event(own);
      else held.push(own);
    },
    async close(header) {
      if (!headed) head(header ?? { format: 'mcpc-trace', version: 1, origin: 'live', transport: 'stdio', target: {} });
      writer.footer({ footer: true, events: seq, complete: true });
      await writer.close();
    },
  };
}
