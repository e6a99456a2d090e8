/** `runSuite`: the cases of YAML suites, in this process. */
import { fixtureFolder } from '../../suites/run/connect/fixture.ts';
import { loadSuites } from '../../suites/run/load.ts';
import { runSuite as runCases, type ServerOverride } from '../../suites/run/run-suite.ts';
import { selectCases } from '../../suites/run/select.ts';
import { snapshotsFor } from '../../suites/run/snapshot/wanted.ts';
import type { SuiteCaseReport, SuiteReport } from '../../core/model/reports/suite-report.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import { usageError } from '../../core/model/errors.ts';
import { refuseOneObject, targetOf, type TargetOption } from '../target/target.ts';
import { packageVersion } from '../version.ts';
import { throwIfAborted } from './interrupted.ts';

/** Description of a case before it runs. */
export interface SuiteCaseInfo {
  id: string;
  name: string;
  file: string;
  line: number;
  tags: readonly string[];
}

export interface SuiteOptions {
  /** Takes the place of the servers of the files. A server object has to be given as a function that makes one. */
  target?: TargetOption;
  /** Go deeper than one folder. */
  recursive?: boolean;
  /** Unknown properties in the files are errors. */
  strict?: boolean;
  /** Refuse steps that run programs. */
  noCommands?: boolean;
  /** Globs, or patterns as /regex/, over names; or ids. */
  filter?: readonly string[];
  tags?: readonly string[];
  skipTags?: readonly string[];
  /** As `2/4`. */
  shard?: string;
  /** Folder of files to copy for each case. */
  fixture?: string;
  /** Number of runs of each case, and of repetitions of a failed trial. */
  trials?: number;
  retries?: number;
  /** Cases at a time. */
  jobs?: number;
  /** End after so many failed cases. */
  bail?: number;
  /** Milliseconds for a case that names no limit; 30,000 when absent. */
  timeoutMs?: number;
  /** Which cases share a server; `fresh` (none) when absent. */
  session?: 'fresh' | 'auto' | 'file' | 'suite';
  /** Judge the traffic of the cases by the specification, too. */
  conformance?: 'off' | 'warn' | 'fail';
  /** Report every unmet expectation, not only the first of a case. */
  allExpectations?: boolean;
  spec?: Revision | 'auto';
  /** Where to write the trace of the run. */
  traceFile?: string;
  /** Environment of the servers; that of this process when absent. */
  env?: NodeJS.ProcessEnv;
  /** Ends the run: cases that were not begun are left out, and the report is incomplete. */
  signal?: AbortSignal;
  onBegin?(one: SuiteCaseInfo): void;
  /** Called with each case as it ends, in the order of the files. */
  onCase?(report: SuiteCaseReport): void;
  /** Called with what is doubtful in the files, with file, line and column. */
  onNotice?(line: string): void;
}

/**
 * Runs suites, as `mcpc run` does. It writes nothing to stdout or stderr.
 * @param paths a file or folder, or several
 * @throws McpcError of stage `usage` naming file, line and column of faults in the files
 */
export async function runSuite(paths: string | readonly string[], options: SuiteOptions = {}): Promise<SuiteReport> {
  const { signal = new AbortController().signal } = options;
  throwIfAborted(signal);
  const suites = typeof paths === 'string' ? [paths] : paths;
  if (suites.length === 0) throw usageError('No suite is named.', 'Name a file or folder of suites.');
  const { all, chosen } = await casesOf(suites, options);
  const fixture = options.fixture === undefined ? undefined : fixtureFolder(options.fixture);
  const { override, secrets } = await overrideOf(options.target);
  const { onBegin } = options;
  return runCases({
    cases: chosen,
    suites,
    snapshots: await snapshotsFor(chosen, all, fixture),
    fixture,
    override,
    secrets,
    trials: options.trials ?? 1,
    retries: options.retries,
    jobs: options.jobs,
    ...(options.bail === undefined ? {} : { bail: options.bail }),
    timeoutMs: options.timeoutMs ?? 30_000,
    session: options.session ?? 'fresh',
    conformance: { asked: options.conformance, usual: 'off' },
    ...(options.traceFile === undefined ? {} : { trace: { file: options.traceFile } }),
    spec: options.spec ?? 'auto',
    all: options.allExpectations === true,
    toolVersion: packageVersion(),
    env: options.env ?? process.env,
    rerun: ({ file, id }) => `mcpc run ${file} --filter ${id}`,
    notices: [],
    signal,
    ...(onBegin === undefined ? {} : { onBegin: (one) => onBegin(infoOf(one)) }),
    onCase: options.onCase,
  });
}

/** The cases that a run with these options would have, without starting anything. @throws McpcError usage as runSuite */
export async function listCases(
  paths: string | readonly string[],
  options: SuiteOptions = {},
): Promise<SuiteCaseInfo[]> {
  const { chosen } = await casesOf(typeof paths === 'string' ? [paths] : paths, options);
  return chosen.map(infoOf);
}

type Cases = Awaited<ReturnType<typeof loadSuites>>['cases'];

async function casesOf(suites: readonly string[], options: SuiteOptions): Promise<{ all: Cases; chosen: Cases }> {
  const loaded = await loadSuites(suites, {
    recursive: options.recursive === true,
    strict: options.strict === true,
    noCommands: options.noCommands === true,
  });
  for (const line of loaded.warnings) options.onNotice?.(line);
  const chosen = selectCases(loaded.cases, {
    filters: options.filter ?? [],
    tags: options.tags ?? [],
    skipTags: options.skipTags ?? [],
    ...(options.shard === undefined ? {} : { shard: options.shard }),
  });
  return { all: loaded.cases, chosen };
}

function infoOf({ id, name, file, place, tags }: Cases[number]): SuiteCaseInfo {
  return { id, name, file, line: place.line, tags };
}

async function overrideOf(
  option: TargetOption | undefined,
): Promise<{ override?: ServerOverride; secrets: readonly string[] }> {
  if (option === undefined) return { secrets: [] };
  refuseOneObject(option, 'A run of suites');
  const { target, secrets, serve } = await targetOf(option);
  if (serve !== undefined)
    throw usageError('A run of suites starts no HTTP server.', 'Start it before, and give its address as `url`.');
  return { override: { target }, secrets };
}
