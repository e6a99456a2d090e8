/**
 * A capture file as events: opened in its format, redacted, judged or written by others. The one place where the
 * trace of mcpc and all foreign formats meet.
 */
import { basename } from 'node:path';
import { mergeMethodTables } from '../../core/facts/requests/method-table.ts';
import { usageError } from '../../core/model/errors.ts';
import type { TraceEvent, TraceHeader, TransportKind } from '../../core/model/trace.ts';
import { methodTables } from '../../files/package/method-tables.ts';
import { isKnownRevision, revisions } from '../../core/spec/revisions.ts';
import type { Capture, CaptureFormat } from '../../core/trace/importers/captured.ts';
import { wireTrace } from '../../core/trace/importers/formats/wire.ts';
import { openCapture } from '../../files/traces/open-capture.ts';
import { openSource, singly } from '../../files/traces/source-text.ts';
import { readTrace } from '../../files/traces/jsonl-reader.ts';
import { createRedactor, type Redactor } from '../../core/trace/redaction/redact.ts';

/** Kind of the file by its first line. */
export type FileKind = 'trace' | 'capture' | 'episode';

/** @throws McpcError (usage) for a file that cannot be read, and for an mcpc trace in another encoding than UTF-8 */
export async function fileKind(file: string): Promise<FileKind> {
  const source = openSource(file);
  for await (const { text } of source.lines()) {
    if (!text.startsWith('{')) return 'capture';
    // A header is short; a long first line is a document.
    const line = objectIn(text.length > 1_000_000 ? '' : text);
    if (line['format'] === 'mcpc-trace') {
      if (source.encoding() !== 'UTF-8' || source.marked()) {
        throw usageError(
          `${file} is an mcpc trace in ${source.encoding()}${source.marked() ? ' with a byte order mark' : ''}; mcpc writes plain UTF-8.`,
          'Convert it back, for example with iconv -t UTF-8.',
        );
      }
      return 'trace';
    }
    return line['type'] === 'episode_start' ? 'episode' : 'capture';
  }
  return 'capture';
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export interface WireChoice {
  format?: CaptureFormat | undefined;
  transport?: TransportKind | undefined;
  /** Revision of the conversation, given by the user. */
  revision?: string | undefined;
  strict?: boolean | undefined;
  keepSecrets?: boolean | undefined;
  /** Key of the stand-ins for session ids, so that two readings agree. */
  key?: Buffer;
}

export interface RedactedWire {
  capture: Capture;
  header: TraceHeader;
  /** In order, some at a time; can be run through once. */
  batches: AsyncIterable<TraceEvent[]>;
  unplaced(): number;
}

/** @throws McpcError (usage) for what is no revision */
export function checkRevision(name: string): void {
  if (!isKnownRevision(name))
    throw usageError(`"${name}" is no revision of MCP.`, `Use one of ${revisions.join(', ')}.`);
}

/** @throws McpcError (usage) for what cannot be read; some faults come only while the events are run through */
export async function openWire(file: string, choice: WireChoice): Promise<RedactedWire> {
  if (choice.revision !== undefined) checkRevision(choice.revision);
  const capture = await openCapture(file, choice.format, { strict: choice.strict === true });
  const methods = mergeMethodTables(await methodTables());
  const wire = await wireTrace(capture, {
    senders: (method) => methods[method]?.from,
    name: basename(file),
    transport: choice.transport,
    revision: choice.revision,
  });
  const redactor = redactorFor(choice);
  return {
    capture,
    header: redactor.header(wire.header),
    batches: redactedBatches(wire.batches, redactor),
    unplaced: wire.unplaced,
  };
}

/** Warnings about messages with an unknown sender. */
export function unplacedText(count: number): string {
  return `${count} message${count === 1 ? '' : 's'} could have been sent by either side, and ${count === 1 ? 'is' : 'are'} not judged`;
}

export interface OpenedTrace {
  header: TraceHeader;
  events: AsyncIterable<TraceEvent>;
  /** Format of a capture; `mcpc` for a trace. */
  format: string;
  /** After the last event: what a reader should know. */
  notes(): string[];
}

/** Opens a trace of mcpc or a capture in any format. @throws McpcError (usage) */
export async function openTrace(file: string, choice: WireChoice = {}): Promise<OpenedTrace> {
  const kind = choice.format === undefined ? await fileKind(file) : 'capture';
  if (kind === 'episode')
    throw usageError(
      `${file} is an episode of tool calls, not a trace.`,
      'Name the capture that it was made from, or keep a trace of it: "mcpc import CAPTURE --out-mcpc-trace FILE".',
    );
  if (kind === 'trace') {
    const trace = await readTrace(file);
    const cutOff = (): string[] =>
      trace.footer() === undefined
        ? ['the trace was cut off']
        : trace.footer()?.complete === false
          ? [`the trace is not complete: ${trace.footer()?.reason ?? 'no reason given'}`]
          : [];
    return { header: trace.header, events: trace.events, format: 'mcpc', notes: cutOff };
  }
  const wire = await openWire(file, choice);
  return {
    header: wire.header,
    events: singly(wire.batches),
    format: wire.capture.format,
    notes: () => [...wire.capture.warnings],
  };
}

/** The header with a revision that the user names, where it has none itself. */
export function withRevision(header: TraceHeader, revision: string | undefined): TraceHeader {
  return header.revision === undefined && revision !== undefined ? { ...header, revision } : header;
}

export function redactorFor({ keepSecrets, key }: Pick<WireChoice, 'keepSecrets' | 'key'>): Redactor {
  return createRedactor({ answers: 'all', keepSecrets: keepSecrets === true, key });
}

async function* redactedBatches(
  batches: AsyncIterable<TraceEvent[]>,
  redactor: Redactor,
): AsyncGenerator<TraceEvent[]> {
  for await (const events of batches) yield events.map(redactor.event);
}

/** The events without their secrets. */
export async function* redacted(events: AsyncIterable<TraceEvent>, redactor: Redactor): AsyncGenerator<TraceEvent> {
  for await (const event of events) yield redactor.event(event);
}
