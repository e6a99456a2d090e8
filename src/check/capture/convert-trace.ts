/** The use cases that make files of a trace: `convert`, `redact`, and `validate`, which only reads. */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { usageError } from '../../core/model/errors.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import { createExporter, type ExportFormat } from '../../core/trace/export-capture.ts';
import { writeTrace } from '../../files/traces/jsonl-writer.ts';
import { readTrace } from '../../files/traces/jsonl-reader.ts';
import { createRedactor } from '../../core/trace/redaction/redact.ts';
import { privateMode } from '../../files/output/draft.ts';
import { openTrace, redacted, type OpenedTrace, type WireChoice } from './open-capture.ts';
import { checkOutput, writeTogether, type OutputFile } from '../../files/output/output.ts';

export type ConvertTarget = 'mcpc' | ExportFormat;

export interface ConvertOptions extends WireChoice {
  /** Also over a file that mcpc did not write. */
  overwrite?: boolean;
  /** Only the connection of this name. */
  session?: string | undefined;
}

/**
 * @returns number of events read
 * @throws McpcError (usage) for an unreadable file, and for several connections if the format holds one: their ids and
 * handshakes would be mixed up. Then nothing was written
 */
export async function convertTrace(
  file: string,
  to: ConvertTarget,
  output: string,
  { overwrite = false, session, ...choice }: ConvertOptions,
): Promise<number> {
  refuseSame(file, output);
  // Formats of other tools have no place for a mark, so that a file of them may be anybody's.
  const place: OutputFile = {
    path: output,
    what: to === 'mcpc' ? 'the trace' : 'the capture',
    replaces: to === 'mcpc' ? 'trace' : 'nothing',
    overwrite,
    mode: privateMode,
  };
  checkOutput(place);
  let count = 0;
  const write = async (path: string): Promise<void> => {
    const trace = await openTrace(file, choice);
    const events = session === undefined ? trace.events : ofSession(trace.events, session, file);
    if (to === 'mcpc') {
      count = await writeOwn(path, { ...trace, events });
      return;
    }
    const exporter = createExporter(to);
    const lone = loneConnection(file, to);
    count = await writeText(path, exporter.head, events, (event) => lone(event, exporter.event(event)), exporter.tail);
  };
  await writeTogether([{ ...place, write }]);
  return count;
}

/** The events of one connection. @throws McpcError (usage) at the end when there is none of that name */
async function* ofSession(
  events: AsyncIterable<TraceEvent>,
  session: string,
  file: string,
): AsyncGenerator<TraceEvent> {
  let found = false;
  for await (const event of events) {
    if (event.session !== session) continue;
    found = true;
    yield event;
  }
  if (!found) throw usageError(`${file} has no connection "${session}".`, 'See "mcpc trace show" for their names.');
}

/** Hands texts on as long as they belong to one connection. @throws McpcError (usage) at the first text of a second one */
function loneConnection(file: string, to: ExportFormat): (event: TraceEvent, text: string) => string {
  let only: string | undefined;
  return ({ session }, text) => {
    if (text === '') return text;
    only ??= session;
    if (session !== only) {
      throw usageError(
        `${file} has several connections (${only}, ${session}, ...), which a file of the format ${to} cannot keep apart: it would be read as one, with two handshakes and the same ids twice.`,
        `Name one, as in --session ${session}, and write a file for each; or convert --to mcpc.`,
      );
    }
    return text;
  };
}

export interface RedactOptions {
  /** Values to be taken out wherever they stand. */
  secrets: readonly string[];
  /** Also over a file that mcpc did not write. */
  overwrite?: boolean;
}

/** @returns how many events were written. @throws McpcError (usage); then nothing was written */
export async function redactTrace(
  file: string,
  output: string,
  { secrets, overwrite = false }: RedactOptions,
): Promise<number> {
  refuseSame(file, output);
  const place: OutputFile = { path: output, what: 'the trace', replaces: 'trace', overwrite, mode: privateMode };
  checkOutput(place);
  const redactor = createRedactor({ secrets, answers: 'all' });
  let count = 0;
  const write = async (path: string): Promise<void> => {
    const trace = await readTrace(file);
    count = await writeTrace(path, redactor.header(trace.header), redacted(trace.events, redactor), () =>
      trace.footer(),
    );
  };
  await writeTogether([{ ...place, write }]);
  return count;
}

export interface ValidationResult {
  format: string;
  events: number;
  sessions: number;
  /** Why the file is not whole; empty when it is. */
  problems: string[];
}

/** Reads a file to its end. @throws McpcError (usage) naming the first line or entry that is wrong */
export async function validateTrace(file: string, choice: WireChoice): Promise<ValidationResult> {
  const trace = await openTrace(file, choice);
  const sessions = new Set<string>();
  let events = 0;
  for await (const event of trace.events) {
    events += 1;
    sessions.add(event.session);
  }
  return { format: trace.format, events, sessions: sessions.size, problems: trace.notes() };
}

function refuseSame(file: string, output: string): void {
  if (resolve(file) === resolve(output))
    throw usageError(`The output ${output} would overwrite the input.`, 'Name another file.');
}

function writeOwn(path: string, { header, events, format, notes }: OpenedTrace): Promise<number> {
  return writeTrace(path, header, events, (count) => {
    // A copy lacks the same parts as its trace; warnings about a capture do not count.
    const lack = format === 'mcpc' ? notes()[0] : undefined;
    return {
      footer: true,
      events: count,
      complete: lack === undefined,
      reason: lack,
    };
  });
}

async function writeText(
  path: string,
  head: string,
  events: AsyncIterable<TraceEvent>,
  text: (event: TraceEvent) => string,
  tail: string,
): Promise<number> {
  const stream = createWriteStream(path, { mode: 0o600 });
  const failed = once(stream, 'error').then(([error]) => Promise.reject(error as Error));
  failed.catch(() => {});
  const put = async (part: string): Promise<void> => {
    if (part !== '' && !stream.write(part)) await Promise.race([once(stream, 'drain'), failed]);
  };
  let count = 0;
  try {
    await put(head);
    for await (const event of events) {
      await put(text(event));
      count += 1;
    }
    await put(tail);
    stream.end();
    await Promise.race([once(stream, 'finish'), failed]);
  } finally {
    stream.destroy();
  }
  return count;
}
