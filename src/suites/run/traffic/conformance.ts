/** Judges the traffic of a case by the rules of the specification, in addition to its own expectations. */
import type { SuiteViolation } from '../../../core/model/reports/suite-report.ts';
import type { TraceEvent, TraceHeader } from '../../../core/model/trace.ts';
import type { CompiledRule } from '../../../core/model/rules/rule.ts';
import { startJudging, type Judged } from '../../../check/judge/judge-feed.ts';
import { everything, loadPlan } from '../../../check/plan.ts';
import type { SelectedPlan } from '../../../check/plan.ts';
import { createTextRenderer, verdictOf } from '../../../check/reporting/verdict-text.ts';

export type Conformance = 'off' | 'warn' | 'fail';

/** Of a conversation whose begin belongs to another case, what rests on the begin is not known. */
const withoutBegin = {
  transport: true,
  exchanges: true,
  streams: true,
  timing: true,
  bytes: true,
  start: false,
  order: true,
  direction: true,
};

let plan: SelectedPlan | undefined;

/**
 * Violations, errors first, each with the numbers of its events.
 * @param whole the events include the handshake
 */
export async function citedViolations(
  header: TraceHeader,
  events: Iterable<TraceEvent>,
  whole: boolean,
): Promise<(SuiteViolation & { evidence: number[] })[]> {
  plan ??= await loadPlan(everything);
  const judged = await trafficJudge(plan.rules, header, events, whole);
  const render = createTextRenderer();
  const revision = judged.revision ?? header.revision ?? '';
  return judged.outcomes
    .filter(({ status }) => status === 'fail')
    .map((outcome) => verdictOf(outcome, { revision, transport: header.transport }, render))
    .map(({ rule, level, severity, message, link, evidence }) => ({
      rule,
      level,
      severity,
      message,
      link,
      evidence: evidence.flatMap(({ events }) => events),
    }))
    .toSorted((one, other) => Number(other.severity === 'error') - Number(one.severity === 'error'));
}

/**
 * Results of rules for the events of a case.
 * @param whole the events include the handshake
 */
export async function trafficJudge(
  rules: CompiledRule[],
  header: TraceHeader,
  events: Iterable<TraceEvent>,
  whole: boolean,
): Promise<Judged> {
  const feed = await startJudging(rules, whole ? header : { ...header, recorded: withoutBegin });
  for (const event of events) feed.push(event);
  return feed.finish();
}
