/** Messages between the main thread of an interception and the thread that records and judges. Shapes only. */
import type { Tap } from '../../client/intercept/taps.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import type { ToolCall, TrajectoryResult } from '../trajectory/trajectory.ts';
import type { RedactorOptions } from '../../core/trace/redaction/redact.ts';
import type { RuleSelection } from '../check-options.ts';
import type { ThrownError } from '../threads/thrown-error.ts';

export interface LiveFinding {
  rule: string;
  /** Whose fault it is. */
  role: 'server' | 'client';
  level: string;
  message: string;
  /** Seqs of the events that prove it. */
  events: readonly number[];
  /** The last finding of its rule that is printed; the report counts further ones. */
  last: boolean;
}

/** Start data of the thread. */
export interface RecordingOptions {
  /** The target in the trace: its name, and command line or address. */
  target: Record<string, unknown>;
  /** Where the trace is kept; a temporary file otherwise. */
  traceFile?: string;
  selection: RuleSelection;
  /** Whose behaviour is judged. */
  role: 'server' | 'client' | 'both';
  /** Revision to judge by where the conversation shows none. */
  revision?: string | undefined;
  secrets: string[];
  keepSecrets: boolean;
  /** Addresses and command lines of the user, which may hold secrets. */
  known: Pick<RedactorOptions, 'addresses' | 'commands'>;
  toolVersion: string;
  /** Findings are reported at once. */
  live: boolean;
  /** A file of trajectory assertions. */
  suite?: string;
}

export interface Recorded {
  /** Absent when no revision was negotiated, so that there are no rules to judge by. */
  report?: RunReport;
  events: number;
  /** Tool calls of the client, and whether the assertions about them hold. */
  trajectory?: { calls: ToolCall[]; results: TrajectoryResult[] };
}

export type ToRecording =
  /** A message and its time: milliseconds of the clock that all threads share. */
  | { say: 'taps'; at: number; taps: Tap[]; weight: number }
  /** Nothing comes any more. `left`: bytes that were handed on and are not recorded, because it could not keep up. */
  | { say: 'conclude'; left: number };

export type FromRecording =
  | { say: 'ready' }
  /** Taps were taken in; and then, they are recorded and judged. */
  | { say: 'taken'; weight: number }
  | { say: 'judged'; weight: number }
  | { say: 'finding'; finding: LiveFinding }
  | { say: 'done'; recorded: Recorded }
  | { say: 'failed'; error: ThrownError };
