/** `check`: the check of a live target, in this process. */
import { availableParallelism } from 'node:os';
import type { CheckProgress } from '../../check/check-options.ts';
import { optionsIn } from '../../check/settings/of-entry.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import type { Hints } from '../../core/model/rules/hints.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import { refuseOneObject, targetOf, type TargetOption } from '../target/target.ts';
import { packageVersion } from '../version.ts';
import { throwIfAborted } from './interrupted.ts';
import { selectionOf, type RuleOptions } from './rule-options.ts';

export interface CheckOptions extends RuleOptions {
  /** Name of the server in the report. */
  name?: string;
  /** The revision, several of them, or `each` that the server speaks; the newest that it speaks when absent. */
  spec?: Revision | 'auto' | 'each' | readonly Revision[];
  /** `quick` asks only what one connection decides without waiting. */
  profile?: 'full' | 'quick';
  /** Path of a hints file (docs/hints.md), or what would stand in one. */
  hints?: string | Hints;
  /** Connections at a time. */
  jobs?: number;
  /** Most requests a second. */
  maxRate?: number;
  /** Milliseconds until the first response, and until each later one. */
  startTimeoutMs?: number;
  timeoutMs?: number;
  /** Milliseconds for the whole check, after which the report is incomplete; 600,000 when absent. */
  checkTimeoutMs?: number;
  /** Call also tools that may change something. */
  allowDestructive?: boolean;
  /** Tools that may always be called, and those that never are: names, or globs over them. */
  allowTools?: readonly string[];
  denyTools?: readonly string[];
  /** Where to write the trace. A file that is there is replaced. */
  traceFile?: string;
  /** Ends the check, which then rejects. */
  signal?: AbortSignal;
  onProgress?(progress: CheckProgress): void;
  /** Called with each line that the server writes to stderr, without secrets. */
  onStderr?(line: string): void;
  /** Called with what a reader should know and is no verdict. */
  onNotice?(line: string): void;
}

const usualCheckMs = 600_000;

/**
 * Checks a server against the specification, as `mcpc check` does. It writes nothing to stdout or stderr.
 * @throws McpcError of stage `usage` for invalid options, `target` for a server that cannot be reached or sends
 * nothing, `interrupted` once the signal was given
 */
export async function check(target: TargetOption, options: CheckOptions = {}): Promise<RunReport> {
  const { signal, hints, spec = 'auto' } = options;
  throwIfAborted(signal);
  refuseOneObject(target, 'A check');
  const { hintsFile, notices = [], ...resolved } = await targetOf(target, options.name);
  for (const line of notices) options.onNotice?.(line);
  const { runChecks } = await import('../../check/check-each.ts');
  const named = hints ?? hintsFile;
  const ended = new AbortController();
  const { checkTimeoutMs = usualCheckMs } = options;
  const timer = setTimeout(() => ended.abort(`the check took longer than ${checkTimeoutMs} ms`), checkTimeoutMs);
  const jobs = options.jobs ?? Math.min(8, availableParallelism() + 2);
  try {
    return await runChecks({
      ...resolved,
      spec: typeof spec === 'string' && spec !== 'each' ? spec : 'auto',
      ...(typeof spec === 'string' && spec !== 'each' ? {} : { specs: spec as 'each' | readonly Revision[] }),
      ...(options.profile === undefined ? {} : { profile: options.profile }),
      selection: selectionOf(options),
      timing: {
        ...(options.startTimeoutMs === undefined ? {} : { startMs: options.startTimeoutMs }),
        ...(options.timeoutMs === undefined ? {} : { answerMs: options.timeoutMs }),
      },
      ...(named === undefined
        ? {}
        : {
            hints:
              typeof named === 'string' ? (await import('../../check/target/hints-file.ts')).readHints(named) : named,
          }),
      jobs,
      ...(options.jobs === undefined ? {} : { mostJobs: options.jobs }),
      ...optionsIn(options),
      allowDestructive: options.allowDestructive === true,
      allowTools: [...(options.allowTools ?? [])],
      denyTools: [...(options.denyTools ?? [])],
      ...(options.traceFile === undefined ? {} : { traceFile: options.traceFile }),
      toolVersion: packageVersion(),
      signal: signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]),
      onProgress: options.onProgress,
      onStderr: options.onStderr,
      onNotice: options.onNotice,
      onWait: options.onNotice,
    });
  } finally {
    clearTimeout(timer);
    throwIfAborted(signal);
  }
}
