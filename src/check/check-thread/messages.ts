/** Messages between the main thread and the thread of a check. Shapes only. */
import type { RunReport } from '../../core/model/reports/run-report.ts';
import type { TraceHeader } from '../../core/model/trace.ts';
import type { CheckOptions, CheckProgress } from '../check-options.ts';
import type { ThrownError } from '../threads/thrown-error.ts';

/** Options that can be passed to another thread. */
export type ThreadOptions = Omit<
  CheckOptions,
  'signal' | 'onProgress' | 'onStderr' | 'onNotice' | 'onWait' | 'onHeader' | 'onPartial'
>;

export type ToThread =
  | { say: 'check'; options: ThreadOptions }
  /** Ends the check in order; `why` becomes the reason in the report. */
  | { say: 'end'; why?: string };

/** `still`: nothing of the check goes on in the thread (timers, sockets, processes), so that it can take another. */
export type FromThread =
  | { say: 'progress'; at: CheckProgress }
  | { say: 'stderr'; line: string }
  | { say: 'notice'; line: string }
  | { say: 'wait'; line: string }
  /** The handshake is done. */
  | { say: 'header'; header: TraceHeader }
  /** The report as it would be now; every second or so. */
  | { say: 'partial'; report: RunReport }
  /** A process group began or ended, so that it can be ended should the thread be. */
  | { say: 'group'; pid: number; alive: boolean }
  /** It was asked to end, and is about to. */
  | { say: 'ending' }
  | { say: 'done'; report: RunReport; still: boolean }
  | { say: 'failed'; error: ThrownError; still: boolean };
