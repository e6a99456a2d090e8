/** The use case `judge`: verdicts and report from a saved trace or a capture of another tool, without the target. */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Evaluator } from '../core/evaluate/judge.ts';
import { usageError } from '../core/model/errors.ts';
import type { RunReport } from '../core/model/reports/run-report.ts';
import type { TraceEvent, TraceFooter, TraceHeader } from '../core/model/trace.ts';
import { countEvents, readTrace } from '../files/traces/jsonl-reader.ts';
import { createKeptEvents } from './capture/kept-events.ts';
import { createHeapWatch } from './capture/tight-heap.ts';
import { checkRevision, fileKind, openWire, unplacedText, type WireChoice } from './capture/open-capture.ts';
import type { RuleSelection } from './check-options.ts';
import { createEngineProgress } from './judge/engine-progress.ts';
import { startJudging, type FeedOptions, type JudgeFeed } from './judge/judge-feed.ts';
import { loadPlan, type SelectedPlan } from './plan.ts';
import { assembleReport } from './assemble-report.ts';
import { singly } from '../files/traces/source-text.ts';

export interface JudgeTraceOptions {
  selection: RuleSelection;
  /** Whose behaviour is judged; by default the server's, and the client's in a trace of `mcpc client`. */
  role?: 'server' | 'client' | 'both';
  /** Evaluator of conditions; the fast path when absent. */
  evaluator?: Evaluator;
  toolVersion: string;
  /** Called with warnings for readers of the report, and with the progress of a long judgement. */
  note?: (text: string) => void;
  /** Revision to judge a trace by that shows none. */
  revision?: string;
}

export interface JudgeFileOptions extends JudgeTraceOptions {
  /** Format of a file that is not a trace of mcpc. */
  capture: Pick<WireChoice, 'format' | 'transport' | 'revision' | 'strict' | 'keepSecrets'>;
  note: (text: string) => void;
}

/** @throws McpcError usage for an unreadable or malformed trace, a revision that there is not, or a wrong selection */
export async function judgeTraceFile(file: string, asked: JudgeTraceOptions): Promise<RunReport> {
  const began = performance.now();
  if (asked.revision !== undefined) checkRevision(asked.revision);
  const plan = await loadPlan(asked.selection);
  const trace = await readTrace(file);
  const { header } = trace;
  // In a trace of `mcpc client` the server is mcpc itself.
  const options =
    header.origin === 'client' && asked.role === undefined ? { ...asked, role: 'client' as const } : asked;
  const feed = await startJudging(plan.rules, header, { ...howOf(options), otherwise: options.revision });
  const progress =
    options.evaluator === 'engine' && options.note
      ? createEngineProgress(await countEvents(file), options.note)
      : undefined;
  const heap = createHeapWatch();
  for await (const events of trace.batches) {
    for (const event of events) {
      feed.push(event);
      if (!progress) continue;
      // One by one: what waits for the engine is held in memory.
      await feed.settled();
      progress.judged();
    }
    // So that a long trace is not held in memory.
    await feed.settled();
  }
  heap.end();
  const source = { file, header, cited: trace.again };
  const judged = await feed.finish();
  return finish(judged, { ...source, footer: trace.footer() }, plan, options, began);
}

/** The same for a trace of mcpc and for every format that can be imported. @throws McpcError usage */
export async function judgeFile(file: string, options: JudgeFileOptions): Promise<RunReport> {
  const kind = options.capture.format === undefined ? await fileKind(file) : 'capture';
  if (kind === 'trace')
    return judgeTraceFile(file, {
      ...options,
      ...(options.capture.revision === undefined ? {} : { revision: options.capture.revision }),
    });
  if (kind === 'episode') {
    throw usageError(
      `${file} is an episode of tool calls, which lacks most of what was exchanged.`,
      'Judge the capture that it was made from; "mcpc import CAPTURE --out-mcpc-trace FILE" and "mcpc check --trace FILE" keep everything.',
    );
  }
  return judgeCapture(file, options);
}

/** Events pushed before the judge is awaited. */
const burst = 256;

/** Approximate size of an event of a capture. */
const bytesAnEvent = 500;

async function judgeCapture(file: string, options: JudgeFileOptions): Promise<RunReport> {
  const began = performance.now();
  const plan = await loadPlan(options.selection);
  // A second reading, should verdicts cite what was not kept, has to give the stand-ins of the first.
  const choice = { ...options.capture, key: randomBytes(32) };
  const wire = await openWire(file, choice);
  if (options.capture.format === undefined) options.note(`${file}: read as ${wire.capture.format}`);
  const kept = createKeptEvents();
  const feed = await startJudging(plan.rules, wire.header, { ...howOf(options), onCited: kept.cite });
  // The number of events of a capture is known only after reading.
  const progress =
    options.evaluator === 'engine'
      ? createEngineProgress(Math.ceil(statSync(file).size / bytesAnEvent), options.note)
      : undefined;
  const heap = createHeapWatch();
  let count = 0;
  for await (const events of wire.batches) {
    for (const event of events) {
      kept.saw(event);
      feed.push(event);
      count += 1;
      if (progress || count % burst === 0) await feed.settled();
      progress?.judged();
    }
    if (heap.tight) kept.letGo();
  }
  heap.end();
  for (const warning of wire.capture.warnings) options.note(`${file}: ${warning}`);
  if (wire.unplaced() > 0) options.note(`${file}: ${unplacedText(wire.unplaced())}`);
  if (count === 0)
    throw usageError(
      `${file}: there is no MCP message in the capture.`,
      'Name another file, or its format with --from.',
    );
  if (wire.header.recorded?.start === false)
    options.note(`${file}: begins within a conversation; what rests on the handshake is not exercised`);
  const cited = async (seqs: ReadonlySet<number>): Promise<TraceEvent[]> => {
    const known = kept.find(seqs);
    if (known) return known;
    const found: TraceEvent[] = [];
    for await (const event of singly((await openWire(file, choice)).batches))
      if (seqs.has(event.seq)) found.push(event);
    return found;
  };
  return finish(
    await feed.finish(),
    { file, header: wire.header, footer: { footer: true, events: count, complete: true }, cited },
    plan,
    options,
    began,
  );
}

interface Source {
  file: string;
  header: TraceHeader;
  footer: TraceFooter | undefined;
  cited(seqs: ReadonlySet<number>): Promise<TraceEvent[]>;
}

function finish(
  judged: Awaited<ReturnType<JudgeFeed['finish']>>,
  { file, header, footer, cited }: Source,
  plan: SelectedPlan,
  options: JudgeTraceOptions,
  began: number,
): Promise<RunReport> {
  if (judged.revision === undefined) {
    throw usageError(
      `${file}: no connection in the trace negotiates a revision, or asks for a known one, so there are no rules to judge it by.`,
      'Name the revision that was spoken, for example --spec 2025-06-18.',
    );
  }
  if (judged.unagreed !== undefined)
    options.note?.(
      `${file}: no revision was negotiated; judged by ${judged.revision}, ${judged.unagreed === 'asked' ? 'for which the client asked' : 'which --spec names'}`,
    );
  const liveMs = typeof footer?.durationMs === 'number' ? footer.durationMs : performance.now() - began;
  return assembleReport({
    header,
    footer,
    cited,
    judged,
    plan,
    toolVersion: options.toolVersion,
    trace: file,
    durationMs: liveMs,
    ...roleOf(options),
  });
}

function howOf({ role, evaluator }: JudgeTraceOptions): Pick<FeedOptions, 'role' | 'evaluator'> {
  return { ...roleOf({ role }), ...(evaluator === undefined ? {} : { evaluator }) };
}

function roleOf({ role }: { role?: JudgeTraceOptions['role'] | undefined }): { role?: 'server' | 'client' | 'both' } {
  return role === undefined ? {} : { role };
}
