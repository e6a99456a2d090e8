/** Turns what was seen of a case into its part of the report; secrets are out, numbers count from the begin of the case. */
import type { SuiteFailure, SuiteTrial } from '../../../core/model/reports/suite-report.ts';
import type { WireEntry } from '../../../core/model/reports/run-report.ts';
import type { TraceEvent } from '../../../core/model/trace.ts';
import type { SuiteCase } from '../../language/model.ts';
import { createCaseRecord } from '../../language/judge/case-record.ts';
import type { CaseRecord } from '../../language/judge/case-record.ts';
import { judgeRecord } from '../../language/judge/judge-case.ts';
import type { CaseVerdict, Failure, JudgeOptions } from '../../language/judge/judge-case.ts';
import { wireEntry } from '../../../check/reporting/wire-log.ts';

export interface Seen {
  verdict: CaseVerdict;
  record: CaseRecord;
  /** The events of the case, without secrets. */
  events: readonly TraceEvent[];
  redacted: boolean;
}

const longest = 8192;

/** @param clean takes secrets out of a text */
export function trialOf(
  one: SuiteCase,
  trial: number,
  seen: Seen,
  options: JudgeOptions & { all: boolean; clean(text: string): string },
): SuiteTrial {
  const failures = shownFailures(one, seen, options).map((failure) => reported(failure, seen, options.clean));
  return {
    trial,
    status: seen.verdict.status,
    durationMs: seen.record.durationMs,
    detail: failures.map(({ detail }) => detail).join('\n'),
    failures,
    stderr: seen.verdict.status === 'pass' ? [] : seen.record.stderr.map(options.clean),
  };
}

/** Received messages are judged; the report shows the same judgement of the written ones. */
function shownFailures(
  one: SuiteCase,
  { verdict, events, redacted }: Seen,
  { all, snapshots }: JudgeOptions & { all: boolean },
): Failure[] {
  if (!redacted || verdict.status === 'pass') return verdict.failures;
  const record = createCaseRecord();
  for (const event of events) record.push(event);
  const again = judgeRecord(one, record, { all, snapshots }).failures;
  return verdict.failures.map((failure, index) => {
    const other = again[index];
    return other !== undefined && other.step === failure.step && other.expectation === failure.expectation
      ? other
      : failure;
  });
}

function reported(failure: Failure, { events }: Seen, clean: (text: string) => string): SuiteFailure {
  const cut = (text: string | undefined): string | null => (text === undefined ? null : shortened(clean(text)));
  return {
    step: failure.step,
    title: failure.title,
    expectation: failure.expectation ?? null,
    detail: clean(failure.words),
    expected: cut(failure.expected),
    actual: cut(failure.actual),
    line: failure.place.line,
    column: failure.place.column,
    evidence: evidenceOf(events, failure.seqs),
  };
}

/** Entries numbered from the begin of the case, so that they do not depend on what ran before it. */
export function evidenceOf(events: readonly TraceEvent[], seqs: readonly number[]): WireEntry[] {
  const cited = new Set(seqs);
  const [first] = events;
  if (first === undefined) return [];
  const sessions = [...new Set(events.map(({ session }) => session))];
  return events
    .filter(({ seq }) => cited.has(seq))
    .map((event) => ({
      ...wireEntry(event),
      seq: event.seq - first.seq,
      t: Math.round((event.t - first.t) * 1000) / 1000,
      session: `s${sessions.indexOf(event.session) + 1}`,
    }));
}

function shortened(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
