/** The requests of a coprocess as a report of the suite engine. Loaded when one is written. */
import { evidenceOf } from '../suites/run/traffic/case-report.ts';
import { caseReport, suiteReport, type ReportFrame } from '../suites/run/report-parts.ts';
import type { CaseStatus, SuiteCaseReport, SuiteReport, SuiteTrial } from '../core/model/reports/suite-report.ts';
import type { TraceEvent } from '../core/model/trace.ts';

/** A request, without secrets. */
export interface Call {
  title: string;
  about: string;
  status: CaseStatus;
  durationMs: number;
  detail: string;
  /** Exchanged messages of a request that did not pass. */
  events: readonly TraceEvent[];
  stderr: string[];
}

/** A case for each request. */
export function callReport(calls: readonly Call[], frame: ReportFrame): SuiteReport {
  return suiteReport(
    calls.map((call, index) => reported(call, index + 1)),
    frame,
  );
}

function reported(call: Call, number: number): SuiteCaseReport {
  const { title, about, status, durationMs, detail } = call;
  const place = { line: number, column: 1 };
  const one = {
    id: `coprocess#${number}`,
    name: `${title} ${about}`.trim(),
    file: 'coprocess',
    place,
    form: 'native' as const,
    block: 'cases',
    about,
    tags: [],
    server: undefined,
    steps: [],
  };
  const trial: SuiteTrial = {
    trial: 1,
    status,
    durationMs,
    detail,
    failures:
      status === 'fail'
        ? [
            {
              step: title,
              title,
              expectation: null,
              detail,
              expected: null,
              actual: null,
              ...place,
              evidence: evidenceOf(
                call.events,
                call.events.map(({ seq }) => seq),
              ),
            },
          ]
        : [],
    stderr: call.stderr,
  };
  return caseReport(one, [trial], '');
}
