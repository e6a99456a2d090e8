/** Has the traffic of a case judged by the rules of the specification, where the run or its file asks for it. */
import type { SuiteTrial } from '../../../core/model/reports/suite-report.ts';
import type { TraceEvent, TraceHeader } from '../../../core/model/trace.ts';
import type { SuiteCase } from '../../language/model.ts';
import type { CaseMark } from '../../language/judge/case-record.ts';
import { demandsOfCase } from '../../language/judge/prepare.ts';
import { evidenceOf } from './case-report.ts';
import type { Conformance } from './conformance.ts';
import { asText } from '../../../core/model/json.ts';

export interface ConformanceChoice {
  /** For all cases, whatever their files say. */
  asked?: Conformance;
  /** For cases whose files do not say. */
  usual: Conformance;
}

/** Events of a case. */
export interface Traffic {
  header: TraceHeader | undefined;
  /** Without secrets. */
  events: readonly TraceEvent[];
  /** All failures are reported. */
  all: boolean;
  /** Takes secrets out of a text. */
  clean(text: string): string;
}

/** The trial with what its traffic breaks: of its own rules, and of those of the specification, where that is asked for. */
export async function withTraffic(
  given: SuiteTrial,
  one: SuiteCase,
  { header, events, all, clean }: Traffic,
  choice: ConformanceChoice,
): Promise<SuiteTrial> {
  if (header === undefined || one.server === undefined) return given;
  const whole = events.some(
    ({ kind, from, message }) =>
      kind === 'message' &&
      from === 'client' &&
      ['initialize', 'server/discover'].includes(asText((message as { method?: unknown } | null)?.method)),
  );
  let trial = given;
  if (demandsOfCase(one).length > 0) {
    const { withCaseRules } = await import('./case-rules.ts');
    trial = await withCaseRules(given, one, { header, events, all, whole, clean, changed: changedEvents(events) });
  }
  return withViolations(trial, one, header, events, whole, choice);
}

/** Redacted events, as given at the end of the case. */
function changedEvents(events: readonly TraceEvent[]): Set<number> {
  const end = events.at(-1)?.detail as CaseMark | undefined;
  return new Set(end?.redacted?.map((seq) => seq + events[0]!.seq));
}

/** Only errors fail a case, and only a passing one. */
async function withViolations(
  trial: SuiteTrial,
  one: SuiteCase,
  header: TraceHeader,
  events: readonly TraceEvent[],
  whole: boolean,
  { asked, usual }: ConformanceChoice,
): Promise<SuiteTrial> {
  const conformance = asked ?? one.conformance ?? usual;
  if (conformance === 'off') return trial;
  const { citedViolations } = await import('./conformance.ts');
  const cited = await citedViolations(header, events, whole);
  const violations = cited.map(({ evidence: _seqs, ...violation }) => violation);
  const [first] = cited;
  if (conformance !== 'fail' || trial.status !== 'pass' || first?.severity !== 'error') return { ...trial, violations };
  const detail = `conformance: ${first.level} ${first.rule}: ${first.message}`;
  return {
    ...trial,
    violations,
    status: 'fail',
    detail,
    failures: [
      {
        step: '',
        title: 'conformance',
        expectation: 'conformance',
        detail,
        expected: null,
        actual: null,
        ...one.place,
        evidence: evidenceOf(events, first.evidence),
      },
    ],
  };
}
