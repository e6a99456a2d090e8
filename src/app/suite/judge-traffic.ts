/** Has the traffic of a case judged by the rules of the specification, where the run or its file asks for it. */
import type { SuiteTrial } from '../../model/reports/suite-report.ts';
import type { TraceEvent, TraceHeader } from '../../model/trace.ts';
import type { SuiteCase } from '../../suite/model.ts';
import type { Conformance } from './conformance.ts';

export interface ConformanceChoice {
  /** For all cases, whatever their files say. */
  asked?: Conformance;
  /** For cases whose files do not say. */
  usual: Conformance;
}

/** The trial with what its traffic breaks; only errors fail a case, and only one that passes. */
export async function withViolations(trial: SuiteTrial, one: SuiteCase, header: TraceHeader | undefined, events: readonly TraceEvent[], { asked, usual }: ConformanceChoice): Promise<SuiteTrial> {
  const conformance = asked ?? one.conformance ?? usual;
  if (conformance === 'off' || header === undefined || one.server === undefined) return trial;
  const { violationsOf } = await import('./conformance.ts');
  const whole = events.some(({ kind, from, message }) => kind === 'message' && from === 'client' && ['initialize', 'server/discover'].includes(String((message as { method?: unknown } | null)?.method)));
  const violations = await violationsOf(header, events, whole);
  const [first] = violations;
  if (conformance !== 'fail' || trial.status !== 'pass' || first?.severity !== 'error') return { ...trial, violations };
  const detail = `conformance: ${first.level} ${first.rule}: ${first.message}`;
  return { ...trial, violations, status: 'fail', detail, failures: [{ step: '', title: 'conformance', expectation: 'conformance', detail, expected: null, actual: null, ...one.place, evidence: [] }] };
}
