/** `mcpc`: check and judge servers, run suites and talk to a server, from a program. Each part is loaded when it is used. */
import type { RunReport } from '../core/model/reports/run-report.ts';
import type { SuiteReport } from '../core/model/reports/suite-report.ts';
import type { CheckOptions } from './runs/check.ts';
import type { JudgeOptions } from './runs/judge.ts';
import type { SuiteCaseInfo, SuiteOptions } from './runs/run-suite.ts';
import type { TargetOption } from './target/target.ts';

export { connect, McpcError } from './client.ts';
export type * from './client.ts';
export type { CheckOptions } from './runs/check.ts';
export type { JudgeOptions } from './runs/judge.ts';
export type { SuiteCaseInfo, SuiteOptions } from './runs/run-suite.ts';
export type { CheckProgress } from '../check/check-options.ts';
export type { Hints } from '../core/model/rules/hints.ts';
export type { SuiteCaseReport, SuiteReport } from '../core/model/reports/suite-report.ts';

/**
 * Checks a server against the specification, as `mcpc check` does. It writes nothing to stdout or stderr.
 * @throws McpcError of stage `usage` for options that do not fit, `target` for a server that cannot be reached or sends
 *   nothing, `interrupted` once the signal was given
 */
export async function check(target: TargetOption, options?: CheckOptions): Promise<RunReport> {
  return (await import('./runs/check.ts')).check(target, options);
}

/**
 * Judges a saved trace, or a capture of another tool, as `mcpc judge` does.
 * @throws McpcError of stage `usage` for a file that cannot be read, or options that do not fit
 */
export async function judge(file: string, options?: JudgeOptions): Promise<RunReport> {
  return (await import('./runs/judge.ts')).judge(file, options);
}

/**
 * Runs suites, as `mcpc run` does. It writes nothing to stdout or stderr.
 * @param paths a file or folder, or several
 * @throws McpcError of stage `usage` naming file, line and column of what is wrong in the files
 */
export async function runSuite(paths: string | readonly string[], options?: SuiteOptions): Promise<SuiteReport> {
  return (await import('./runs/run-suite.ts')).runSuite(paths, options);
}

/** The cases that a run with these options would have; starts nothing. @throws McpcError usage as runSuite */
export async function listCases(paths: string | readonly string[], options?: SuiteOptions): Promise<SuiteCaseInfo[]> {
  return (await import('./runs/run-suite.ts')).listCases(paths, options);
}
