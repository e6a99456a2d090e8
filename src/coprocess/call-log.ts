/**
 * Requests to the server so far, for the reports of `mcp.reporter.flush`: a case for each. Whether an error is what the
 * test wanted is not known here, so that one is undecided; only no response fails.
 */
import { asObject, asText } from '../core/model/json.ts';
import type { CaseStatus, SuiteReport } from '../core/model/reports/suite-report.ts';
import type { TraceEvent } from '../core/model/trace.ts';
import type { Outcome } from '../live/outcome.ts';
import type { Call } from './call-report.ts';
import type { Redactor } from '../core/trace/redaction/redact.ts';

export interface CallLog {
  /** A request begins. @returns to be called with what came of it */
  begin(title: string, about: string): (outcome: Outcome) => void;
  /** An event of the conversation, without secrets. */
  see(event: TraceEvent): void;
  /** A line that the server wrote to stderr, without secrets. */
  stderr(line: string): void;
  report(notices: readonly string[]): Promise<SuiteReport>;
}

/** A report of more calls than that is of no use to anybody. */
const mostCalls = 20_000;
/** Events of one call that are kept while it runs. */
const mostEvents = 200;
const keptStderr = 10;

export function createCallLog(options: { toolVersion: string; name: string; redactor: Redactor }): CallLog {
  const { redactor } = options;
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const calls: Call[] = [];
  const stderr: string[] = [];
  let dropped = 0;
  let events: TraceEvent[] | undefined;

  return {
    begin(title, about) {
      const from = performance.now();
      events = [];
      return (outcome) => {
        const seen = events ?? [];
        events = undefined;
        if (calls.length >= mostCalls) {
          dropped += 1;
          return;
        }
        const { status, detail } = statusOf(outcome);
        calls.push({
          title: redactor.text(title),
          about: redactor.text(about),
          status,
          durationMs: performance.now() - from,
          detail: redactor.text(detail),
          events: status === 'pass' ? [] : seen,
          stderr: status === 'fail' ? [...stderr] : [],
        });
      };
    },
    see(event) {
      if (events !== undefined && events.length < mostEvents && event.kind !== 'stderr') events.push(event);
    },
    stderr(line) {
      stderr.push(line.slice(0, 1_000));
      if (stderr.length > keptStderr) stderr.shift();
    },
    async report(notices) {
      const { callReport } = await import('./call-report.ts');
      const more = dropped === 0 ? [] : [`${dropped} more requests are not in this report.`];
      return callReport(calls, {
        toolVersion: options.toolVersion,
        suites: [redactor.text(options.name)],
        startedAt,
        durationMs: performance.now() - began,
        trials: 1,
        notices: [...notices, ...more],
        incomplete: null,
      });
    },
  };
}

function statusOf(outcome: Outcome): { status: CaseStatus; detail: string } {
  switch (outcome.kind) {
    case 'result':
      return asObject(outcome.result)?.['isError'] === true
        ? { status: 'undecided', detail: 'the tool reported an error (isError: true); the test that called it decides' }
        : { status: 'pass', detail: '' };
    case 'error':
      return {
        status: 'undecided',
        detail: `error ${asText(outcome.error.code)}: ${outcome.error.message}; the test that asked decides`,
      };
    case 'timeout':
      return { status: 'fail', detail: `no response within ${outcome.waitedMs} ms` };
    default:
      return { status: 'fail', detail: outcome.words };
  }
}
