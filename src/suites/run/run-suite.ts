/** The use case `run`: carries out the cases of suites, some of them side by side, and makes the report. */
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { append } from '../../core/model/lists.ts';
import type { SuiteCaseReport, SuiteReport, SuiteTrial } from '../../core/model/reports/suite-report.ts';
import type { ServerBlock, SuiteCase } from '../language/model.ts';
import { prepareCases } from '../language/judge/prepare.ts';
import { needEngines } from './connect/engines.ts';
import { removeLeftovers } from './connect/fixture.ts';
import { secretsOf } from './connect/known-secrets.ts';
import { caseReport, suiteReport, trialsOf } from './report-parts.ts';
import { withOverride } from './connect/override.ts';
import type { ServerOverride } from './connect/override.ts';
import { skipReason } from '../language/skip.ts';
import type { TrialOptions, Trials } from './trials.ts';

export type { ServerOverride, SuiteCase };

export interface RunSuiteOptions extends Omit<TrialOptions, 'known'> {
  /** Values of flags that must not be written anywhere. */
  secrets: readonly string[];
  /** As they were named. */
  suites: readonly string[];
  /** Program that runs containers; docker when absent. */
  engine?: ServerBlock['engine'];
  trials: number;
  /** End a case, and the run, with the first trial that fails. */
  untilFail?: boolean;
  /** Number of repetitions of a failed trial. */
  retries?: number;
  jobs?: number;
  /** End after this many failed cases. */
  bail?: number;
  /** The command that runs one case alone, without its filter. */
  rerun(one: SuiteCase): string;
  notices: readonly string[];
  /** Called in the order of the files. */
  onCase?(one: SuiteCaseReport): void;
  /** Called when a case begins. */
  onBegin?(one: SuiteCase): void;
}

interface Run extends RunSuiteOptions {
  /** Undefined where all cases are skipped. */
  trialOnce: Trials['once'] | undefined;
  failed: number;
}

/** Carries out all cases. Never rejects for what a server does. @throws McpcError usage where no container can be run */
export async function runSuite(given: RunSuiteOptions): Promise<SuiteReport> {
  // The environment of the process asks the system for each variable.
  const options = { ...given, env: { ...given.env } };
  await prepareCases(options.cases);
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const cases = options.cases.map((one) => withOverride(one, options));
  needEngines(cases, options.env);
  const { known, notices } = secretsOf(cases, options);
  removeLeftovers();
  // Modules for servers are loaded only for a case, or to write a trace.
  const idle = options.trace === undefined && cases.every((one) => skipReason(one, options.env) !== undefined);
  const trials = idle ? undefined : await (await import('./trials.ts')).openTrials({ ...options, cases, known });
  const run: Run = { ...options, cases, trialOnce: trials?.once, failed: 0 };
  const reports: SuiteCaseReport[] = [];
  try {
    for (const next of begin(run)) {
      const report = await next;
      if (report === undefined) continue;
      reports.push(report);
      options.onCase?.(report);
    }
  } finally {
    await trials?.close();
  }
  const missing = cases.length - reports.length;
  const incomplete =
    missing === 0
      ? null
      : `${options.signal.aborted ? 'interrupted' : `ended after ${run.failed} failed`}; ${missing} cases were not run`;
  const reported = [...notices, ...(trials?.told() ?? [])];
  await trials?.finish(incomplete, reported);
  return suiteReport(reports, {
    ...options,
    trials: options.untilFail === true ? trialsOf(reports) : options.trials,
    startedAt,
    durationMs: performance.now() - began,
    notices: [...options.notices, ...reported],
    incomplete,
  });
}

/** Begins the cases in their order; those on one address come one after another. */
function begin(run: Run): Promise<SuiteCaseReport | undefined>[] {
  const side = pLimit(run.jobs ?? availableParallelism());
  const byAddress = new Map<string, ReturnType<typeof pLimit>>();
  return run.cases.map((one, order) => {
    const address = addressOf(one, run);
    const work = (): Promise<SuiteCaseReport | undefined> => runCase(one, order, run);
    if (address === undefined) return side(work);
    let turn = byAddress.get(address);
    if (turn === undefined) byAddress.set(address, (turn = pLimit(1)));
    return turn(() => side(work));
  });
}

/** @returns undefined when the run was ended before */
async function runCase(one: SuiteCase, order: number, run: Run): Promise<SuiteCaseReport | undefined> {
  if (run.signal.aborted || (run.bail !== undefined && run.failed >= run.bail)) return undefined;
  const skipped = skipReason(one, run.env);
  run.onBegin?.(one);
  const trials: SuiteTrial[] = [];
  for (let trial = 1; trial <= run.trials; trial += 1) {
    if (skipped === undefined) append(trials, await withRetries(one, order, trial, run));
    else trials.push({ trial, status: 'skip', durationMs: 0, detail: skipped, failures: [], stderr: [] });
    if (run.signal.aborted) return undefined;
    if (run.untilFail === true && (skipped !== undefined || trials.at(-1)!.status === 'fail')) break;
  }
  const report = caseReport(one, trials, run.rerun(one));
  if (report.status === 'fail') run.failed += 1;
  return report;
}

/** A trial and what it took to make it pass; all but the last are marked as repeated. */
async function withRetries(one: SuiteCase, order: number, trial: number, run: Run): Promise<SuiteTrial[]> {
  const tried = [await run.trialOnce!(one, order, trial)];
  for (
    let retry = 0;
    retry < (run.retries ?? 0) && tried.at(-1)!.status === 'fail' && !run.signal.aborted;
    retry += 1
  ) {
    tried.push({ ...tried.pop()!, repeated: true }, await run.trialOnce!(one, order, trial));
  }
  return tried;
}

/** A shared resource by which cases may interfere: an address. */
function addressOf({ server }: SuiteCase, { override }: Pick<RunSuiteOptions, 'override'>): string | undefined {
  if (server === undefined) return undefined;
  if (override !== undefined && 'target' in override)
    return override.target.kind === 'stdio' ? undefined : override.target.url;
  return server.url !== undefined && server.transport !== '' && server.transport.toLowerCase() !== 'stdio'
    ? server.url
    : undefined;
}
