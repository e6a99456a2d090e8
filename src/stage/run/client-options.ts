/** Options of a run against a client, and its news while it goes on. */
import type { RuleSelection } from '../../check/check-options.ts';
import type { Evaluator } from '../../core/evaluate/judge.ts';
import type { TransportKind } from '../../core/model/trace.ts';
import type { Revision } from '../../server/protocol/revisions.ts';
import type { ClientDriver } from '../drive/driver.ts';
import type { PlannedStart } from '../scene/start-plan.ts';

export interface ClientOptions {
  /** Name of the client in reports. */
  name: string;
  /** Its command line, where it has one. */
  words?: readonly string[] | undefined;
  driver: ClientDriver;
  /** The whole environment that it gets. */
  env: NodeJS.ProcessEnv;
  /** Values that came from secrets. */
  secrets: readonly string[];
  transport: TransportKind;
  /** `auto`: the requested revision and each older accepted one. `newest`: the requested one. Else a pinned revision. */
  spec: Revision | 'auto' | 'newest';
  /** Refuses with NotSpoken where the client does not accept the revision of `spec`. */
  onlyIfAccepted?: boolean | undefined;
  selection: RuleSelection;
  /** Starts that are left out, by their rules. */
  leaveOut?: ((start: PlannedStart) => boolean) | undefined;
  traceFile?: string | undefined;
  keepSecrets: boolean;
  toolVersion: string;
  /** Longest time of one start. */
  startMs: number;
  /** Longest time of the whole run, which is then incomplete; unlimited when absent. */
  checkMs?: number | undefined;
  /** Starts at the same time, where the driver permits; 1 when absent. */
  jobs?: number | undefined;
  /** Only the first start, by the newest revision. */
  quick?: boolean | undefined;
  /** Evaluator of conditions; the fast path when absent. */
  evaluator?: Evaluator | undefined;
  signal: AbortSignal;
  /** Called before each start. */
  onStart?: (start: StartNews) => void;
  /** Called with what the client prints. */
  onPrint?: (line: string) => void;
  /** Called at the end with the starts of each revision. */
  onStarts?: (starts: readonly { revision: string; starts: number }[]) => void;
}

export interface StartNews {
  number: number;
  /** Starts of this revision in all; absent before the revision is known. */
  of?: number;
  title: string;
  /** An older revision that the client may accept. */
  revision?: string;
}
