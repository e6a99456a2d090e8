/** The use case `import`: an episode of tool calls, or mcpc's own trace, or both, from a capture file. */
import { resolve } from 'node:path';
import { writeFileSync } from 'node:fs';
import { usageError } from '../../model/errors.ts';
import type { TransportKind } from '../../model/trace.ts';
import { writeTrace } from '../../trace/jsonl-writer.ts';
import { readTrace } from '../../trace/jsonl-reader.ts';
import type { CaptureFormat, Captured, Challenge } from '../../trace/importers/captured.ts';
import { createIdChecker } from '../../trace/importers/correlation.ts';
import { episodeOf, type EpisodeLine } from '../../trace/importers/formats/episode.ts';
import { privateMode } from '../../files/draft.ts';
import { checkOutput, writeTogether, type OutputFile, type OutputInParts } from '../../files/output.ts';
import { stringifyExact } from '../../trace/importers/exact-json.ts';
import { openCapture } from '../../trace/importers/open-capture.ts';
import { ownMessages } from '../../trace/importers/formats/own-trace.ts';
import { meaningOf, type McpEvent } from '../../trace/importers/semantics.ts';
import { fileKind, openWire, redactorFor, unplacedText } from './open-capture.ts';


export interface ImportOptions {
  file: string;
  /** Found out when absent. */
  format?: CaptureFormat | undefined;
  outTrace?: string | undefined;
  outWire?: string | undefined;
  episodeId: string;
  testId?: string | undefined;
  prompt?: string | undefined;
  transport?: TransportKind | undefined;
  revision?: string | undefined;
  strictIds: boolean;
  keepSecrets: boolean;
  /** Also over files that mcpc did not write. */
  overwrite?: boolean;
  /** Milliseconds since 1970, for captures that tell no time. */
  now: number;
}

export interface ImportResult {
  /** The format that was read; `mcpc` for a trace of mcpc. */
  format: CaptureFormat | 'mcpc';
  messages: number;
  /** Lines of the episode. */
  lines: number;
  /** Events of mcpc's own trace, when it was asked for. */
  events: number | undefined;
  /** Names of the tools that were called, sorted. */
  tools: string[];
  warnings: string[];
}

/**
 * Reads the capture to its end before anything is written.
 *
 * @throws McpcError (usage) naming file and place; then no file was written or changed
 */
export async function importCapture(options: ImportOptions): Promise<ImportResult> {
  const outputs = [options.outTrace, options.outWire].filter((path) => path !== undefined);
  for (const path of outputs) if (resolve(path) === resolve(options.file)) throw usageError(`The output ${path} would overwrite the capture.`, 'Name another file.');
  if (new Set(outputs.map((path) => resolve(path))).size < outputs.length) throw usageError('Both outputs name the same file.', 'Name two files.');
  const { overwrite = false } = options;
  const places: { episode?: OutputFile; wire?: OutputFile } = {
    ...(options.outTrace === undefined ? {} : { episode: { path: options.outTrace, what: 'the episode', replaces: 'episode', overwrite, mode: privateMode } }),
    ...(options.outWire === undefined ? {} : { wire: { path: options.outWire, what: 'the trace', replaces: 'trace', overwrite, mode: privateMode } }),
  };
  for (const place of Object.values(places)) checkOutput(place);
  const read = await readEpisode(options);
  if (read.format === 'mcpc' && options.outWire !== undefined) throw usageError(`${options.file} is a trace of mcpc already.`, 'Leave --out-wire out.');
  const files: OutputInParts[] = [];
  let events: number | undefined;
  if (places.episode) files.push({ ...places.episode, write: (path) => writeFileSync(path, read.lines.map((line) => `${stringifyExact(line)}\n`).join('')) });
  if (places.wire) {
    const write = async (path: string): Promise<void> => {
      events = await writeWire(path, options, read.warnings);
    };
    files.push({ ...places.wire, write });
  }
  await writeTogether(files);
  const tools = [...new Set(read.lines.filter((line) => line['type'] === 'tool_call').map((line) => String(line['tool_name'])))].toSorted();
  return { format: read.format, messages: read.messages, lines: read.lines.length, events, tools, warnings: read.warnings };
}

interface EpisodeReading {
  format: CaptureFormat | 'mcpc';
  messages: number;
  lines: EpisodeLine[];
  warnings: string[];
}

async function readEpisode(options: ImportOptions): Promise<EpisodeReading> {
  const { file } = options;
  const source = await messagesIn(options);
  const redactor = redactorFor(options);
  const warnings: string[] = [];
  const checker = createIdChecker(file, options.strictIds, (text) => warnings.push(text));
  const events: McpEvent[] = [];
  const challenges: Challenge[] = [];
  let messages = 0;
  for await (const entry of source.entries) {
    const clean = withoutSecrets(entry, redactor);
    if (clean.challenge) challenges.push(clean.challenge);
    if (clean.kind !== 'message') continue;
    messages += 1;
    const event = meaningOf(clean, file);
    checker.check(event, clean);
    events.push(event);
  }
  const lines = episodeOf(events, {
    episodeId: options.episodeId,
    ...(options.testId === undefined ? {} : { testId: options.testId }),
    ...(options.prompt === undefined ? {} : { prompt: options.prompt }),
    now: options.now,
    strict: options.strictIds,
    challenges,
    warn: (text) => warnings.push(text),
  });
  return { format: source.format, messages, lines, warnings: [...source.warnings(), ...warnings] };
}

async function messagesIn({ file, format, strictIds }: ImportOptions): Promise<{ format: CaptureFormat | 'mcpc'; entries: AsyncIterable<Captured> | Iterable<Captured>; warnings: () => string[] }> {
  const reading = { strict: strictIds, spelling: true };
  const kind = format === undefined ? await fileKind(file) : 'capture';
  if (kind === 'episode') throw usageError(`${file} is an episode already, not a capture.`, 'Name the capture that it was made from.');
  if (kind === 'trace') return { format: 'mcpc', entries: ownMessages(await readTrace(file), reading), warnings: () => [] };
  const capture = await openCapture(file, format, reading);
  return { format: capture.format, entries: capture.entries, warnings: () => capture.warnings };
}

function withoutSecrets(entry: Captured, redactor: ReturnType<typeof redactorFor>): Captured {
  const { message, http, sse } = entry;
  const clean = redactor.event({
    seq: 1, t: 0, session: '', from: 'client', kind: 'message', message,
    ...(http === undefined ? {} : { http }),
    ...(sse === undefined ? {} : { sse }),
  });
  return { ...entry, message: clean.message };
}

/** @returns how many events were written */
async function writeWire(path: string, options: ImportOptions, warnings: string[]): Promise<number> {
  const wire = await openWire(options.file, { ...options, strict: options.strictIds });
  const count = await writeTrace(path, wire.header, wire.events, (events) => ({ footer: true, events, complete: true }));
  if (wire.unplaced() > 0) warnings.push(unplacedText(wire.unplaced()));
  return count;
}
