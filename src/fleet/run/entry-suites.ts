/** Runs the suites of an entry against its server, after its check, and sums up what came of them. */
import type { CheckOptions } from '../../check/check-options.ts';
import { timingOf } from '../../check/connect.ts';
import { redactorOf } from '../../check/run-redactor.ts';
import { fixtureFolder } from '../../suites/run/connect/fixture.ts';
import { loadSuites } from '../../suites/run/load.ts';
import { runSuite, type SuiteCase } from '../../suites/run/run-suite.ts';
import type { FleetSuite } from '../../core/model/reports/fleet.ts';
import type { SuiteReport } from '../../core/model/reports/suite-report.ts';
import { startServed } from '../../check/target/serve.ts';
import { createRecorder } from '../../core/trace/recorder.ts';

export interface SuiteCases {
  paths: readonly string[];
  cases: readonly SuiteCase[];
  fixture: string | undefined;
}

const mostNamed = 100;
const longestName = 200;
const caseMs = 30_000;

/** @throws McpcError usage naming file, line and column of everything that is wrong */
export async function loadEntrySuites(paths: readonly string[], fixture: string | undefined): Promise<SuiteCases> {
  const { cases } = await loadSuites(paths, { recursive: false, strict: false, noCommands: false });
  return { paths, cases, fixture: fixture === undefined ? undefined : fixtureFolder(fixture) };
}

export interface EntrySuiteOptions {
  env: NodeJS.ProcessEnv;
  toolVersion: string;
  /** Cases at a time. */
  jobs: number;
  /** Ends the run; what was not begun is missing then. */
  signal: AbortSignal;
}

type Server = Pick<CheckOptions, 'target' | 'serve' | 'secrets' | 'spec' | 'timing' | 'hints'>;

/** All cases against the server of the entry, whatever servers their files name. */
export async function runEntrySuites(
  { paths, cases, fixture }: SuiteCases,
  server: Server,
  { env, toolVersion, jobs, signal }: EntrySuiteOptions,
): Promise<SuiteReport> {
  const { target, serve, secrets, spec, hints } = server;
  const recorder = createRecorder({ keep: false, redactor: redactorOf(server) });
  const served = serve && (await startServed(serve, target, recorder.sink, timingOf(server), signal));
  try {
    return await runSuite({
      cases,
      suites: paths,
      fixture,
      override: { target },
      trials: 1,
      timeoutMs: caseMs,
      jobs,
      session: 'fresh',
      conformance: { usual: 'off' },
      spec,
      all: false,
      hints,
      toolVersion,
      env,
      secrets,
      rerun: ({ file }) => `mcpc run ${file}`,
      notices: [],
      signal,
    });
  } finally {
    await served?.stop();
  }
}

/** @param report path of the whole report within the run directory */
export function summariseSuite({ counts, cases, incomplete }: SuiteReport, report: string): FleetSuite {
  const run = counts.total - counts.skipped;
  return {
    report,
    ...counts,
    passRate: run === 0 ? null : Math.floor((counts.passed * 100) / run),
    failures: cases
      .filter(({ status }) => status === 'fail')
      .slice(0, mostNamed)
      .map(({ name }) => name.slice(0, longestName)),
    incomplete,
  };
}
