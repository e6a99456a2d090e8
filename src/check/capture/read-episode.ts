/**
 * Reads a capture as the lines of an episode, twice. The first pass finds every fault and the data for the first line;
 * the second yields the lines. So the length of a capture does not matter where its messages stand in the order of
 * their times; others are put in order in memory.
 */
import { usageError } from '../../core/model/errors.ts';
import { readTrace } from '../../files/traces/jsonl-reader.ts';
import type { CaptureFormat, Captured, Challenge } from '../../core/trace/importers/captured.ts';
import { createIdChecker } from '../../core/trace/importers/correlation.ts';
import { byTimeAndPlace, episodeOf, type EpisodeLine } from '../../core/trace/importers/formats/episode.ts';
import { ownMessages } from '../../core/trace/importers/formats/own-trace.ts';
import { openCapture } from '../../files/traces/open-capture.ts';
import { singly } from '../../files/traces/source-text.ts';
import { createScopes, lossOf, meaningOf, type McpEvent } from '../../core/trace/importers/semantics.ts';
import { fileKind, redactorFor } from './open-capture.ts';
import type { ImportOptions } from './import-options.ts';

export interface EpisodeReading {
  format: CaptureFormat | 'mcpc';
  messages: number;
  /** Warnings for the reader; further ones follow while the lines are read. */
  warnings: string[];
  /** The second reading; run through it once. */
  lines(): AsyncGenerator<EpisodeLine>;
}

interface Scan {
  messages: number;
  /** Earliest time in a message. */
  start?: number;
  ordered: boolean;
  challenges: Challenge[];
}

interface Source {
  format: CaptureFormat | 'mcpc';
  batches: AsyncIterable<Captured[]> | Iterable<Captured[]>;
  warnings(): readonly string[];
}

/** Maximum number of warnings of each kind that every line might cause. */
const reportedWarnings = 100;

/** @throws McpcError (usage) naming file and place */
export async function readEpisode(options: ImportOptions): Promise<EpisodeReading> {
  const source = await messagesIn(options);
  const warnings: string[] = [];
  const warn = limited(warnings);
  const scan = await scanMessages(source, options, warn);
  warnings.unshift(...source.warnings().slice(0, reportedWarnings));
  async function* lines(): AsyncGenerator<EpisodeLine> {
    const again = await messagesIn(options);
    const events = meanings(again, options);
    yield* episodeOf(scan.ordered ? events : await inOrder(events), {
      episodeId: options.episodeId,
      testId: options.testId,
      prompt: options.prompt,
      start: scan.start ?? options.now,
      strict: options.strictIds,
      challenges: scan.challenges,
      warn,
    });
  }
  return { format: source.format, messages: scan.messages, warnings, lines };
}

function limited(warnings: string[]): (text: string) => void {
  let reported = 0;
  return (text) => {
    reported += 1;
    if (reported <= reportedWarnings) warnings.push(text);
    else if (reported === reportedWarnings + 1) warnings.push('further warnings of this kind are left out');
  };
}

async function scanMessages(
  source: Source,
  { file, strictIds }: ImportOptions,
  warn: (text: string) => void,
): Promise<Scan> {
  const checker = createIdChecker(file, strictIds, warn);
  const eventOf = eventsOf(file);
  const scan: Scan = { messages: 0, ordered: true, challenges: [] };
  let before: McpEvent | undefined;
  for await (const entry of singly(source.batches)) {
    // One challenge is as good as many.
    if (entry.challenge && scan.challenges.length < 1000) scan.challenges.push(entry.challenge);
    const event = eventOf(entry);
    if (event === undefined) continue;
    if (entry.kind === 'message') {
      scan.messages += 1;
      checker.check(event, entry);
    }
    if (event.time !== undefined && (scan.start === undefined || event.time < scan.start)) scan.start = event.time;
    scan.ordered &&= before === undefined || byTimeAndPlace(before, event) <= 0;
    before = event;
  }
  return scan;
}

async function* meanings(source: Source, options: ImportOptions): AsyncGenerator<McpEvent> {
  const redactor = redactorFor(options);
  const eventOf = eventsOf(options.file);
  for await (const entry of singly(source.batches)) {
    const event = eventOf(entry.kind === 'gap' ? entry : withoutSecrets(entry, redactor));
    if (event !== undefined) yield event;
  }
}

/** Content of an entry, which may lack a message. */
function eventsOf(file: string): (entry: Captured) => McpEvent | undefined {
  const scopeOf = createScopes();
  return (entry) => {
    if (entry.kind !== 'message' && entry.kind !== 'gap') return undefined;
    const event = entry.kind === 'gap' ? lossOf(entry, file) : meaningOf(entry, file);
    const scope = scopeOf(entry);
    return scope === undefined ? event : { ...event, scope };
  };
}

async function inOrder(events: AsyncIterable<McpEvent>): Promise<McpEvent[]> {
  const all: McpEvent[] = [];
  for await (const event of events) all.push(event);
  return all.sort(byTimeAndPlace);
}

async function messagesIn({ file, format, strictIds }: ImportOptions): Promise<Source> {
  const reading = { strict: strictIds, spelling: true };
  const kind = format === undefined ? await fileKind(file) : 'capture';
  if (kind === 'episode')
    throw usageError(`${file} is an episode already, not a capture.`, 'Name the capture that it was made from.');
  if (kind === 'trace')
    return { format: 'mcpc', batches: ownMessages(await readTrace(file), reading), warnings: () => [] };
  const capture = await openCapture(file, format, reading);
  return { format: capture.format, batches: capture.batches, warnings: () => capture.warnings };
}

function withoutSecrets(entry: Captured, redactor: ReturnType<typeof redactorFor>): Captured {
  const { message, http, sse } = entry;
  const clean = redactor.event({
    seq: 1,
    t: 0,
    session: '',
    from: 'client',
    kind: 'message',
    message,
    http,
    sse,
  });
  return { ...entry, message: clean.message };
}
