/** The use case `import`: an episode of tool calls, or mcpc's own trace, or both, from a capture file. */
import { resolve } from 'node:path';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { usageError } from '../../core/model/errors.ts';
import { writeTrace } from '../../files/traces/jsonl-writer.ts';
import type { CaptureFormat } from '../../core/trace/importers/captured.ts';
import type { EpisodeLine } from '../../core/trace/importers/formats/episode.ts';
import { privateMode } from '../../files/output/draft.ts';
import { checkOutput, writeTogether, type OutputFile, type OutputInParts } from '../../files/output/output.ts';
import { stringifyExact } from '../../core/trace/importers/exact-json.ts';
import type { ImportOptions } from './import-options.ts';
import { openWire, unplacedText } from './open-capture.ts';
import { readEpisode } from './read-episode.ts';
import { singly } from '../../files/traces/source-text.ts';
import { asText } from '../../core/model/json.ts';

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
  for (const path of outputs)
    if (resolve(path) === resolve(options.file))
      throw usageError(`The output ${path} would overwrite the capture.`, 'Name another file.');
  if (new Set(outputs.map((path) => resolve(path))).size < outputs.length)
    throw usageError('Both outputs name the same file.', 'Name two files.');
  const { overwrite = false } = options;
  const places: { episode?: OutputFile; wire?: OutputFile } = {
    ...(options.outTrace === undefined
      ? {}
      : {
          episode: { path: options.outTrace, what: 'the episode', replaces: 'episode', overwrite, mode: privateMode },
        }),
    ...(options.outWire === undefined
      ? {}
      : { wire: { path: options.outWire, what: 'the trace', replaces: 'trace', overwrite, mode: privateMode } }),
  };
  for (const place of Object.values(places)) checkOutput(place);
  const read = await readEpisode(options);
  if (read.format === 'mcpc' && options.outWire !== undefined)
    throw usageError(`${options.file} is a trace of mcpc already.`, 'Leave --out-wire out.');
  const files: OutputInParts[] = [];
  let events: number | undefined;
  let episode: { lines: number; tools: string[] } | undefined;
  if (places.episode) {
    const write = async (path: string): Promise<void> => {
      episode = await writeEpisode(read.lines(), path);
    };
    files.push({ ...places.episode, write });
  }
  if (places.wire) {
    const write = async (path: string): Promise<void> => {
      events = await writeWire(path, options, read.warnings);
    };
    files.push({ ...places.wire, write });
  }
  await writeTogether(files);
  const { lines, tools } = episode ?? (await writeEpisode(read.lines(), undefined));
  return { format: read.format, messages: read.messages, lines, events, tools, warnings: read.warnings };
}

/** Lines that are written at a time. */
const batch = 1000;

/** Writes the lines of the episode, or only counts them. */
async function writeEpisode(
  lines: AsyncIterable<EpisodeLine>,
  path: string | undefined,
): Promise<{ lines: number; tools: string[] }> {
  const tools = new Set<string>();
  let count = 0;
  let texts: string[] = [];
  const fd = path === undefined ? undefined : openSync(path, 'w', privateMode);
  const flush = (): void => {
    if (fd !== undefined && texts.length > 0) writeFileSync(fd, texts.join(''));
    texts = [];
  };
  try {
    for await (const line of lines) {
      count += 1;
      if (line['type'] === 'tool_call') tools.add(asText(line['tool_name']));
      if (fd !== undefined) texts.push(`${stringifyExact(line)}\n`);
      if (texts.length >= batch) flush();
    }
    flush();
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
  return { lines: count, tools: [...tools].toSorted() };
}

/** @returns how many events were written */
async function writeWire(path: string, options: ImportOptions, warnings: string[]): Promise<number> {
  const wire = await openWire(options.file, { ...options, strict: options.strictIds });
  const count = await writeTrace(path, wire.header, singly(wire.batches), (events) => ({
    footer: true,
    events,
    complete: true,
  }));
  if (wire.unplaced() > 0) warnings.push(unplacedText(wire.unplaced()));
  return count;
}
