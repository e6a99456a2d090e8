/** Options of a check. Shapes only; commands fill them in from flags. */
import type { Evaluator } from '../core/evaluate/judge.ts';
import type { Hints } from '../core/model/rules/hints.ts';
import type { Revision } from '../core/model/rules/requirement.ts';
import type { RunReport } from '../core/model/reports/run-report.ts';
import type { TraceHeader } from '../core/model/trace.ts';
import type { BusyWaits, Timing } from '../client/target/timing.ts';
import type { LoginOptions } from './login/login-options.ts';
import type { SettingOptions } from './settings/types.ts';
import type { ResolvedTarget } from './target/resolve-target.ts';
import type { EventStoreLimits } from '../core/trace/event-store.ts';
import type { TransportLimits } from '../client/transport/limits.ts';

/** Which rules take part. */
export interface RuleSelection {
  /** Areas, rule ids or globs over ids; empty means all. */
  only: string[];
  skip: string[];
  /** Weakest level that takes part. */
  level?: 'must' | 'should' | 'may';
  /** Name of a frozen requirement set in rules/sets. */
  set?: string;
  /** Paths or globs of a user's own rule files, and paths of requirement files. */
  houseRules: string[];
  houseRequirements: string[];
  /** Paths of a user's own files of derived facts. */
  houseFacts?: string[];
  /** Runs the code that the user's rules bring. */
  rulesCode?: boolean;
}

export interface CheckProgress {
  stage: 'connecting' | 'probing' | 'judging';
  done: number;
  total: number;
}

export interface CheckOptions extends Omit<ResolvedTarget, 'hintsFile'>, SettingOptions {
  spec: Revision | 'auto';
  /** How a token is got before the target is connected to; none when absent. */
  login?: LoginOptions;
  /** Profile: everything, or what one connection decides without waits; `full` when absent. */
  profile?: 'full' | 'quick';
  /** Several revisions, each checked in turn where the target speaks it (`runChecks`); `each`: all that it speaks. Goes before `spec`. */
  specs?: 'each' | readonly Revision[];
  /** Ends with NotSpoken where the target does not speak `spec`; milliseconds that its first answer may take, if fewer than usual. */
  onlyIfSpoken?: { deadlineMs?: number };
  /** Name of the run, the same in the traces of several checks that belong together. */
  run?: string;
  selection: RuleSelection;
  timing: Partial<Timing>;
  /** Maximum wait for a busy server; the default when absent. */
  busyWaits?: Partial<BusyWaits>;
  /** Probes with a session of their own at a time, to begin with. */
  jobs: number;
  /** The same, for targets that open sessions slowly and support more of them; 12, or `jobs`, when absent. */
  mostJobs?: number;
  /** Names in `allowTools` and `denyTools` (not globs) must be tools of this target: a check of another name ends as wrong usage. */
  namedTools?: boolean;
  /** Information from the user about the target. */
  hints?: Hints;
  /** Evaluator of conditions; the fast path when absent. */
  evaluator?: Evaluator;
  /** Where to write the trace. */
  traceFile?: string;
  /** Maximum size of a conversation; the default limit when absent. */
  traceLimits?: { maxEvents: number; maxBytes: number };
  /** Size of the events kept ready in memory; older ones are compressed, which takes time. */
  readyEvents?: Partial<EventStoreLimits>;
  /** Maximum size of a reply; the default limit when absent. */
  transportLimits?: Partial<TransportLimits>;
  keepSecrets?: boolean;
  /** Measure where the time goes. */
  timings?: boolean;
  toolVersion: string;
  /** Name of the client; `mcpc` when absent. */
  clientName?: string;
  signal?: AbortSignal;
  onProgress?: (progress: CheckProgress) => void;
  /** A wait that a busy server asks for, in a sentence, when it begins. */
  onWait?: (line: string) => void;
  /** stderr of the target, a line at a time. */
  onStderr?: (line: string) => void;
  /** Something that the user should know and that is no verdict, such as a hint that fits nothing. */
  onNotice?: (line: string) => void;
  /** The header of the trace, once the target has answered the handshake. */
  onHeader?: (header: TraceHeader) => void;
  /** The report as it would be were the check ended now; every second or so. */
  onPartial?: (report: RunReport) => void;
}
