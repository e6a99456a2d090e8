/** The use case `judge`: verdicts and report from a saved trace, without the target. */
import { usageError } from '../model/errors.ts';
import type { RunReport } from '../model/run-report.ts';
import type { TraceEvent } from '../model/trace.ts';
import { readTrace } from '../trace/jsonl-reader.ts';
import { assembleReport } from './assemble-report.ts';
import type { RuleSelection } from './check-options.ts';
import { startJudging } from './judge-feed.ts';
import { loadPlan } from './plan.ts';

export interface JudgeTraceOptions {
  selection: RuleSelection;
  toolVersion: string;
}

/** Events pushed before the judge is awaited, so that a long trace is not held in memory. */
const burst = 256;

/** @throws McpcError usage for an unreadable or malformed trace, or a wrong selection */
export async function judgeTraceFile(file: string, options: JudgeTraceOptions): Promise<RunReport> {
  const began = performance.now();
  const plan = loadPlan(options.selection);
  const trace = await readTrace(file);
  const feed = await startJudging(plan.rules, trace.header);
  let count = 0;
  for await (const event of trace.events) {
    feed.push(event);
    count += 1;
    if (count % burst === 0) await feed.settled();
  }
  const judged = await feed.finish();
  if (judged.revision === undefined) {
    throw usageError(`${file}: no connection in the trace negotiates a revision, so there are no rules to judge it by.`);
  }
  const footer = trace.footer();
  const liveMs = typeof footer?.durationMs === 'number' ? footer.durationMs : performance.now() - began;
  return assembleReport({
    header: trace.header,
    footer,
    cited: (seqs) => eventsWith(file, seqs),
    judged,
    plan,
    toolVersion: options.toolVersion,
    trace: file,
    durationMs: liveMs,
  });
}

/** A second pass over the file, for the events that the verdicts cite. */
async function eventsWith(file: string, seqs: ReadonlySet<number>): Promise<TraceEvent[]> {
  const found: TraceEvent[] = [];
  for await (const event of (await readTrace(file)).events) if (seqs.has(event.seq)) found.push(event);
  return found;
}
