/** The report of a check without a known verdict, and processes left running by a check that had to be ended. */
import type { RunReport } from '../../core/model/reports/run-report.ts';
import type { TraceHeader } from '../../core/model/trace.ts';
import { createRedactor } from '../../core/trace/redaction/redact.ts';
import type { MarkedProcess } from '../../client/transport/process/run-mark.ts';
import type { CheckOptions } from '../check-options.ts';
import { startJudging } from '../judge/judge-feed.ts';
import { loadPlan } from '../plan.ts';
import { assembleReport } from '../assemble-report.ts';
import { shownCommands } from '../reporting/left-behind.ts';

/** Every rule not exercised. @param header of the trace that was begun */
export async function reportOfNothing(
  header: TraceHeader,
  { selection, toolVersion, traceFile }: CheckOptions,
): Promise<RunReport> {
  const plan = await loadPlan(selection);
  const feed = await startJudging(plan.rules, header);
  return assembleReport({
    header,
    footer: undefined,
    cited: () => [],
    judged: await feed.finish(),
    plan,
    toolVersion,
    trace: traceFile ?? null,
    durationMs: 0,
  });
}

/** Processes left behind as a report names them. */
export function namedCommands(
  left: readonly MarkedProcess[],
  { secrets, keepSecrets }: Pick<CheckOptions, 'secrets' | 'keepSecrets'>,
): string[] {
  return shownCommands(left, createRedactor({ secrets, keepSecrets: keepSecrets === true }));
}
