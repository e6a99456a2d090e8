/** `mcpc`: check, judge and lock servers, run suites, serve recordings and talk to a server, from a program. Each part is loaded when it is used. */
import type { RunReport } from '../core/model/reports/run-report.ts';
import type { SuiteReport } from '../core/model/reports/suite-report.ts';
import type { ServerLock } from '../core/drift/lock.ts';
import type { CheckOptions } from './runs/check.ts';
import type { LockOptions, RecordedTarget } from './runs/drift.ts';
import type { JudgeOptions } from './runs/judge.ts';
import type { Replaying, ReplayOptions } from './runs/replay.ts';
import type { SuiteCaseInfo, SuiteOptions } from './runs/run-suite.ts';
import type { TargetOption } from './target/target.ts';

export { connect, McpcError } from './client.ts';
export type * from './client.ts';
export type { CheckOptions } from './runs/check.ts';
export type { JudgeOptions } from './runs/judge.ts';
export { compareLocks } from '../core/drift/compare-locks.ts';
export type { Change, ChangeClass } from '../core/drift/compare-locks.ts';
export type { LockedEntry, LockedList, LockFile, ServerLock } from '../core/drift/lock.ts';
export type { LockOptions, RecordedTarget } from './runs/drift.ts';
export type { Replaying, ReplayOptions } from './runs/replay.ts';
export type { ReplayReport } from '../replay/counts.ts';
export type { SuiteCaseInfo, SuiteOptions } from './runs/run-suite.ts';
export type { CheckProgress } from '../check/check-options.ts';
export type { Hints } from '../core/model/rules/hints.ts';
export type { SuiteCaseReport, SuiteReport } from '../core/model/reports/suite-report.ts';

/**
 * Checks a server against the specification, as `mcpc check` does. It writes nothing to stdout or stderr.
 * @throws McpcError of stage `usage` for invalid options, `target` for a server that cannot be reached or sends
 * nothing, `interrupted` once the signal was given
 */
export async function check(target: TargetOption, options?: CheckOptions): Promise<RunReport> {
  return (await import('./runs/check.ts')).check(target, options);
}

/**
 * Judges a saved trace, or a capture of another tool, as `mcpc judge` does.
 * @throws McpcError of stage `usage` for an unreadable file, or invalid options
 */
export async function judge(file: string, options?: JudgeOptions): Promise<RunReport> {
  return (await import('./runs/judge.ts')).judge(file, options);
}

/**
 * Runs suites, as `mcpc run` does. It writes nothing to stdout or stderr.
 * @param paths a file or folder, or several
 * @throws McpcError of stage `usage` naming file, line and column of faults in the files
 */
export async function runSuite(paths: string | readonly string[], options?: SuiteOptions): Promise<SuiteReport> {
  return (await import('./runs/run-suite.ts')).runSuite(paths, options);
}

/** The cases that a run with these options would have; starts nothing. @throws McpcError usage as runSuite */
export async function listCases(paths: string | readonly string[], options?: SuiteOptions): Promise<SuiteCaseInfo[]> {
  return (await import('./runs/run-suite.ts')).listCases(paths, options);
}

/**
 * Reads what a server offers, or offered in a recording, as `mcpc drift lock` does. It calls no tool and writes
 * nothing. `compareLocks` returns the changes between two.
 * @throws McpcError of stage `usage` for invalid options or an unusable recording, `target` for a server that cannot be
 * reached or returns no lists, `interrupted` once the signal was given
 */
export async function lock(target: TargetOption | RecordedTarget, options?: LockOptions): Promise<ServerLock> {
  return (await import('./runs/drift.ts')).lock(target, options);
}

/**
 * Serves a recording, as `mcpc replay` does: a trace, or a capture of another tool. It writes nothing to stdout or
 * stderr.
 * @throws McpcError of stage `usage` for an unreadable file or invalid options, `interrupted` for an earlier signal
 */
export async function replay(file: string, options?: ReplayOptions): Promise<Replaying> {
  return (await import('./runs/replay.ts')).replay(file, options);
}
