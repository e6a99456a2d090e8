/** The use case `run`: carries out the cases of suites, some of them side by side, and makes the report. */
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import type { JsonObject } from '../../model/json.ts';
import { append } from '../../model/lists.ts';
import type { Hints } from '../../model/rules/hints.ts';
import type { Era, Revision } from '../../model/rules/requirement.ts';
import type { SuiteCaseReport, SuiteReport, SuiteTrial } from '../../model/reports/suite-report.ts';
import { isKnownRevision, newestRevision } from '../../spec/revisions.ts';
import { methodTables } from '../../spec/messages/method-tables.ts';
import type { MethodTables } from '../../spec/messages/method-tables.ts';
import type { ServerBlock, SuiteCase } from '../../suite/model.ts';
import type { CaseRecord } from '../../suite/run/case-record.ts';
import { prepareCases } from '../../suite/run/prepare.ts';
import { createRedactor } from '../../trace/redaction/redact.ts';
import type { Redactor } from '../../trace/redaction/redact.ts';
import type { TraceEvent } from '../../model/trace.ts';
import { withTraffic } from './traffic/judge-traffic.ts';
import type { ConformanceChoice } from './traffic/judge-traffic.ts';
import { trialOf } from './case-report.ts';
import { needEngines } from './connect/engines.ts';
import { removeLeftovers } from './connect/fixture.ts';
import type { OpenOptions } from './connect/connection.ts';
import { createSharing } from './connect/sharing.ts';
import type { Lane, Lanes, SessionMode } from './connect/lanes.ts';
import { serverTarget } from './connect/server-target.ts';
import { caseReport, suiteReport } from './report-parts.ts';
import { withOverride } from './override.ts';
import type { ServerOverride } from './override.ts';
import { openRunTrace } from './run-trace.ts';
import type { RunTraceOptions } from './run-trace.ts';
import { skipReason } from './skip.ts';
import type { SuiteSnapshots } from './snapshot/stored.ts';

export type { ServerOverride, SuiteCase };

export interface RunSuiteOptions {
  cases: readonly SuiteCase[];
  /** As they were named. */
  suites: readonly string[];
  /** Absolute path. */
  fixture?: string;
  /** What replaces the servers of the files. */
  override?: ServerOverride;
  docker?: string;
  /** Program that runs containers; docker when absent. */
  engine?: ServerBlock['engine'];
  /** What the user tells of the server, for the step `check` and for what may be shared. */
  hints?: Hints;
  trials: number;
  /** End a case, and the run, with the first trial that fails. */
  untilFail?: boolean;
  /** How often a trial that failed is repeated. */
  retries?: number;
  timeoutMs: number;
  jobs?: number;
  session: SessionMode;
  conformance: ConformanceChoice;
  /** Which traces to keep. */
  trace?: RunTraceOptions;
  spec: Revision | 'auto';
  /** End after this many failed cases. */
  bail?: number;
  all: boolean;
  toolVersion: string;
  env: NodeJS.ProcessEnv;
  secrets: readonly string[];
  /** The command that runs one case alone, without its filter. */
  rerun(one: SuiteCase): string;
  notices: readonly string[];
  signal: AbortSignal;
  /** Told in the order of the files. */
  onCase?(one: SuiteCaseReport): void;
  /** Told when a case begins. */
  onBegin?(one: SuiteCase): void;
  /** What is stored of answers, for the expectation `snapshot`. */
  snapshots?: SuiteSnapshots;
  /** Told what each trial saw, with what takes secrets out of messages, and its events without secrets. */
  onSeen?(one: SuiteCase, record: CaseRecord, clean: (message: JsonObject) => JsonObject, events: readonly TraceEvent[]): void;
}

interface Run extends RunSuiteOptions {
  redactor: Redactor;
  methods: MethodTables;
  /** Undefined where all cases are skipped. */
  lanes: Lanes | undefined;
  /** What servers turned out to speak, by their description. */
  eras: Map<string, Promise<Era | undefined>>;
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
  const { secrets, notices } = secretsOf(cases, options);
  const redactor = createRedactor({ secrets });
  const trace = options.trace === undefined ? undefined : openRunTrace(options.trace);
  if (options.fixture !== undefined) removeLeftovers();
  const sharing = createSharing(cases.filter((one) => (one.session ?? options.session) === 'auto' && skipReason(one, options.env) === undefined), async (one) => {
    const { readOnlyTools } = await import('./connect/read-only-tools.ts');
    const spec = specOf(one, options);
    return readOnlyTools({ ...openedAs(options), spec, askForStateless: spec === 'auto', server: one.server!, budgetMs: one.timeoutMs ?? options.timeoutMs }, { redactor, fixture: options.fixture, signal: options.signal, ...(options.hints === undefined ? {} : { hints: options.hints }) });
  });
  // What reaches servers is loaded where a case does.
  const lanes = cases.every((one) => skipReason(one, options.env) !== undefined) ? undefined : (await import('./connect/lanes.ts')).createLanes({ mode: options.session, fixture: options.docker === undefined ? options.fixture : undefined, redactor, sharing, ...(trace ? { writer: trace.writer } : {}) });
  const run: Run = { ...options, cases, redactor, lanes, methods: await methodTables(), eras: new Map(), failed: 0 };
  const reports: SuiteCaseReport[] = [];
  try {
    for (const next of begin(run)) {
      const report = await next;
      if (report === undefined) continue;
      reports.push(report);
      options.onCase?.(report);
    }
  } finally {
    await lanes?.closeAll();
  }
  const missing = cases.length - reports.length;
  const incomplete = missing === 0 ? null : `${options.signal.aborted ? 'interrupted' : `ended after ${run.failed} failed`}; ${missing} cases were not run`;
  await trace?.finish({ complete: incomplete === null, ...(incomplete === null ? {} : { reason: incomplete }) });
  return suiteReport(reports, { ...options, startedAt, durationMs: performance.now() - began, notices: [...options.notices, ...notices, ...[sharing.told() ?? []].flat()], incomplete });
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
  const tried = [await runTrial(one, order, trial, run)];
  for (let retry = 0; retry < (run.retries ?? 0) && tried.at(-1)!.status === 'fail' && !run.signal.aborted; retry += 1) {
    tried.push({ ...tried.pop()!, repeated: true }, await runTrial(one, order, trial, run));
  }
  return tried;
}

async function runTrial(one: SuiteCase, order: number, trial: number, run: Run): Promise<SuiteTrial> {
  try {
    return await run.lanes!.use(one, order, (lane) => tryOnce(one, trial, lane, run));
  } catch (error) {
    // What the disk says is no fault of ours; anything without a code is.
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    const detail = run.redactor.text(`the fixture ${run.fixture} cannot be copied: ${(error as Error).message}`);
    return { trial, status: 'fail', durationMs: 0, detail, failures: [{ step: '', title: 'fixture', expectation: null, detail, expected: null, actual: null, ...one.place, evidence: [] }], stderr: [] };
  }
}

async function tryOnce(one: SuiteCase, trial: number, { connection, fixture }: Lane, run: Run): Promise<SuiteTrial> {
  const spec = specOf(one, run);
  const asked = spec === 'auto' ? askOnce(one, run) : undefined;
  const era = await asked?.known;
  const clean = (message: JsonObject): JsonObject => run.redactor.event({ seq: 0, t: 0, session: 's0', from: 'server', kind: 'message', message }).message as JsonObject;
  const snapshots = run.snapshots?.(one, clean);
  const { carryOut } = await import('./carry-out.ts');
  try {
    const seen = await carryOut(one, {
      connection,
      ...(snapshots === undefined ? {} : { snapshots }),
      trial,
      fixture: fixture ?? run.fixture,
      budgetMs: one.timeoutMs ?? run.timeoutMs,
      all: run.all,
      methods: run.methods,
      ...(run.hints === undefined ? {} : { hints: run.hints }),
      signal: run.signal,
      ...(asked === undefined ? {} : { onOpened: asked.tell }),
      open: {
        spec: era === 'stateless' ? newestRevision : spec,
        askForStateless: asked !== undefined && asked.known === undefined,
        ...openedAs(run),
      },
    });
    run.onSeen?.(one, seen.record, clean, seen.events);
    return await withTraffic(trialOf(one, trial, seen, { all: run.all, ...(snapshots === undefined ? {} : { snapshots }), clean: run.redactor.text }), one, { header: connection.recorder.header, events: seen.events, all: run.all, clean: run.redactor.text }, run.conformance);
  } finally {
    asked?.tell(undefined);
  }
}

function specOf({ spec }: SuiteCase, options: Pick<RunSuiteOptions, 'spec'>): Revision | 'auto' {
  return spec !== undefined && isKnownRevision(spec) ? spec : options.spec;
}

/** How servers are opened, whichever case it is for. */
function openedAs({ override, env, toolVersion }: Pick<RunSuiteOptions, 'override' | 'env' | 'toolVersion'>): Pick<OpenOptions, 'override' | 'env' | 'toolVersion'> {
  const target = override !== undefined && 'target' in override ? override.target : undefined;
  return { override: target?.kind === 'stdio' ? undefined : target, env: target?.kind === 'stdio' ? (target.env ?? env) : env, toolVersion };
}

/**
 * Of cases with equal servers the first asks what the server speaks, and the others wait for what it learns, so that
 * what they send does not depend on how many run side by side.
 */
function askOnce({ server }: SuiteCase, run: Run): { known?: Promise<Era | undefined>; tell(era: Era | undefined): void } {
  const key = JSON.stringify(server ?? {});
  const known = run.eras.get(key);
  if (known !== undefined) return { known, tell: () => {} };
  let tell: (era: Era | undefined) => void = () => {};
  run.eras.set(key, new Promise((resolve) => (tell = resolve)));
  return { tell: (era) => tell(era) };
}

/** Values of environments and headers that must not be written, and variables that are not set. */
function secretsOf(cases: readonly SuiteCase[], options: RunSuiteOptions): { secrets: string[]; notices: string[] } {
  const secrets = new Set(options.secrets);
  const notices = new Set<string>();
  for (const { server, file, place, skip } of cases) {
    const plan = server === undefined || skip !== undefined ? undefined : serverTarget(server, undefined, options.env);
    if (plan === undefined || 'words' in plan) continue;
    for (const secret of plan.secrets) secrets.add(secret);
    for (const name of plan.unset) notices.add(`${file}:${place.line}: the environment variable ${name} is not set; its value is empty.`);
  }
  return { secrets: [...secrets], notices: [...notices] };
}

/** What cases have in common so that they may disturb each other: an address. */
function addressOf({ server }: SuiteCase, { override }: Pick<RunSuiteOptions, 'override'>): string | undefined {
  if (server === undefined) return undefined;
  if (override !== undefined && 'target' in override) return override.target.kind === 'stdio' ? undefined : override.target.url;
  return server.url !== undefined && server.transport !== '' && server.transport.toLowerCase() !== 'stdio' ? server.url : undefined;
}
