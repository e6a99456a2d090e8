/** Runs one whole check for the tests of this folder, and looks things up in its report and trace. */
import { readFileSync } from 'node:fs';
import { runCheck } from '../../src/check/check.ts';
import type { CheckOptions } from '../../src/check/check-options.ts';
import { everything } from '../../src/check/plan.ts';
import type { ReportVerdict, RunReport } from '../../src/core/model/reports/run-report.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';

export interface Checked {
  report: RunReport;
  events: Map<number, TraceEvent>;
}

/** Shorter than the defaults, yet long enough for a machine that is busy with other tests. */
const timing = { startMs: 20_000, answerMs: 4000, lateMs: 1000, streamEndMs: 2000, exitMs: 3000, closeMs: 150 };

/** @param traceFile where the trace is written; overwritten */
export async function check(
  options: Pick<CheckOptions, 'target' | 'name'> & Partial<CheckOptions> & { traceFile: string },
): Promise<Checked> {
  const report = await runCheck({
    fallback: false,
    spec: 'auto',
    selection: everything,
    jobs: 3,
    allowDestructive: false,
    secrets: [],
    toolVersion: '0',
    ...options,
    timing: { ...timing, ...options.timing },
  });
  return { report, events: readEvents(options.traceFile) };
}

function readEvents(file: string): Map<number, TraceEvent> {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const events = lines
    .map((line) => JSON.parse(line) as Partial<TraceEvent>)
    .filter((one): one is TraceEvent => typeof one.seq === 'number');
  return new Map(events.map((event) => [event.seq, event]));
}

export function verdictOf({ report }: Checked, rule: string): ReportVerdict {
  const verdict = report.parts[0]!.verdicts.find((one) => one.rule === rule);
  if (!verdict) throw new Error(`the report has no verdict for ${rule}`);
  return verdict;
}

/** Ids of the rules with that status, sorted. */
export function rulesWith({ report }: Checked, status: ReportVerdict['status']): string[] {
  return report.parts[0]!.verdicts.filter((one) => one.status === status)
    .map(({ rule }) => rule)
    .sort();
}

/** The events that a verdict cites, as text. */
export function evidenceText({ events }: Checked, verdict: ReportVerdict): string {
  return verdict.evidence
    .flatMap(({ events: seqs }) => seqs)
    .map((seq) => JSON.stringify(events.get(seq)))
    .join('\n');
}
