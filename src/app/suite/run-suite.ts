/** The use case `run`: carries out the cases of suites, some of them side by side, and makes the report. */
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import type { Revision } from '../../model/requirement.ts';
import type { CaseStatus, SuiteCaseReport, SuiteReport, SuiteTrial } from '../../model/suite-report.ts';
import type { Target } from '../../probe/target.ts';
import { isKnownRevision, newestRevision } from '../../spec/revisions.ts';
import { methodTables } from '../../spec/messages/method-tables.ts';
import type { MethodTables } from '../../spec/messages/method-tables.ts';
import type { ServerBlock, SuiteCase } from '../../suite/model.ts';
import { createRedactor } from '../../trace/redaction/redact.ts';
import type { Redactor } from '../../trace/redaction/redact.ts';
import { carryOut } from './carry-out.ts';
import { trialOf } from './case-report.ts';
import { createConnection } from './connection.ts';
import type { Connection } from './connection.ts';
import { copyFixture, removeLeftovers } from './fixture.ts';
import { serverTarget } from './server-target.ts';

export type { SuiteCase };

export interface RunSuiteOptions {
  cases: readonly SuiteCase[];
  /** As they were named. */
  suites: readonly string[];
  /** Absolute path. */
  fixture?: string;
  /** What replaces the servers of the files. */
  override?: ServerOverride;
  docker?: string;
  trials: number;
  timeoutMs: number;
  jobs?: number;
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
}

/** `words` replace command and arguments of servers on stdio; a target replaces any server. */
export type ServerOverride = { words: readonly string[] } | { target: Target };

interface Run extends RunSuiteOptions {
  redactor: Redactor;
  methods: MethodTables;
  /** Connections and copies that are being ended. */
  endings: Set<Promise<unknown>>;
  /** What servers turned out to speak, by their description. */
  eras: Map<string, 'stateful' | 'stateless'>;
  failed: number;
}

/** Carries out all cases. Never rejects for what a server does. */
export async function runSuite(options: RunSuiteOptions): Promise<SuiteReport> {
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const cases = options.cases.map((one) => withOverride(one, options));
  const { secrets, notices } = secretsOf(cases, options);
  const run: Run = { ...options, cases, redactor: createRedactor({ secrets }), methods: await methodTables(), endings: new Set(), eras: new Map(), failed: 0 };
  if (options.fixture !== undefined) removeLeftovers();
  const side = pLimit(options.jobs ?? availableParallelism());
  /** Cases on one address, and all that have nothing of their own, come one after another. */
  const byAddress = new Map<string, ReturnType<typeof pLimit>>();
  const due = cases.map((one) => {
    const address = addressOf(one, options);
    const work = (): Promise<SuiteCaseReport | undefined> => runCase(one, run);
    if (address === undefined) return side(work);
    let turn = byAddress.get(address);
    if (turn === undefined) byAddress.set(address, (turn = pLimit(1)));
    return turn(() => side(work));
  });
  const reports: SuiteCaseReport[] = [];
  for (const next of due) {
    const report = await next;
    if (report === undefined) continue;
    reports.push(report);
    options.onCase?.(report);
  }
  await Promise.all(run.endings);
  const missing = cases.length - reports.length;
  return {
    format: 'mcpc-suite-report',
    version: 1,
    tool: { name: 'mcpc', version: options.toolVersion },
    suites: [...options.suites],
    startedAt,
    durationMs: Math.round(performance.now() - began),
    counts: countsOf(reports),
    reliability: options.trials > 1 ? reliabilityOf(reports, options.trials) : null,
    cases: reports,
    baseline: null,
    notices: [...options.notices, ...notices],
    incomplete: missing === 0 ? null : options.signal.aborted ? `interrupted; ${missing} cases were not run` : `ended after ${run.failed} failed; ${missing} cases were not run`,
  };
}

/** @returns undefined when the run was ended before */
async function runCase(one: SuiteCase, run: Run): Promise<SuiteCaseReport | undefined> {
  if (run.signal.aborted || (run.bail !== undefined && run.failed >= run.bail)) return undefined;
  const skipped = one.skip?.reason ?? (one.skipUnlessEnv !== undefined && (run.env[one.skipUnlessEnv] ?? '') === '' ? `environment variable ${one.skipUnlessEnv} is not set` : undefined);
  run.onBegin?.(one);
  const trials: SuiteTrial[] = [];
  for (let trial = 1; trial <= run.trials; trial += 1) {
    if (skipped === undefined) trials.push(await runTrial(one, trial, run));
    else trials.push({ trial, status: 'skip', durationMs: 0, detail: skipped, failures: [], stderr: [] });
    if (run.signal.aborted) return undefined;
  }
  const statuses = new Set(trials.map(({ status }) => status));
  const status: CaseStatus = statuses.has('fail') ? 'fail' : statuses.has('undecided') ? 'undecided' : statuses.has('pass') ? 'pass' : 'skip';
  if (status === 'fail') run.failed += 1;
  return {
    id: one.id,
    name: one.name,
    file: one.file,
    line: one.place.line,
    form: one.form,
    block: one.block,
    about: one.about ?? null,
    tags: one.tags,
    status,
    durationMs: trials.reduce((sum, { durationMs }) => sum + durationMs, 0),
    detail: trials.find((trial) => trial.status === status)?.detail ?? '',
    flaky: statuses.has('fail') && statuses.has('pass'),
    trials,
    rerun: run.rerun(one),
    ...(one.language === undefined ? {} : { language: one.language }),
  };
}

async function runTrial(one: SuiteCase, trial: number, run: Run): Promise<SuiteTrial> {
  const key = JSON.stringify(one.server ?? {});
  const known = run.eras.get(key);
  const spec = one.spec !== undefined && isKnownRevision(one.spec) ? one.spec : run.spec;
  let copy: Awaited<ReturnType<typeof copyFixture>> | undefined;
  try {
    copy = run.fixture === undefined || run.docker !== undefined ? undefined : await copyFixture(run.fixture);
  } catch (error) {
    const detail = `the fixture ${run.fixture} cannot be copied: ${(error as Error).message}`;
    return { trial, status: 'fail', durationMs: 0, detail, failures: [{ step: '', title: 'fixture', expectation: null, detail, expected: null, actual: null, ...one.place, evidence: [] }], stderr: [] };
  }
  const connection = createConnection({ redactor: run.redactor, name: one.name });
  try {
    const seen = await carryOut(one, {
      connection,
      trial,
      fixture: copy?.path ?? run.fixture,
      budgetMs: one.timeoutMs ?? run.timeoutMs,
      all: run.all,
      methods: run.methods,
      signal: run.signal,
      open: {
        spec: spec === 'auto' && known === 'stateless' ? newestRevision : spec,
        askForStateless: known === undefined,
        override: run.override !== undefined && 'target' in run.override ? run.override.target : undefined,
        env: run.env,
        toolVersion: run.toolVersion,
      },
    });
    if (connection.opened) run.eras.set(key, connection.opened.era);
    return trialOf(one, trial, seen, { all: run.all, clean: run.redactor.text });
  } finally {
    // Nobody waits for a server to end; all are gone when the run is over.
    endLater(run, connection, copy?.remove);
  }
}

function endLater(run: Run, connection: Connection, remove: (() => Promise<void>) | undefined): void {
  const ending = connection
    .close()
    .then(remove)
    .catch(() => {})
    .finally(() => run.endings.delete(ending));
  run.endings.add(ending);
}

/** The case with the server that takes the place of its own. */
function withOverride(one: SuiteCase, { override, docker }: Pick<RunSuiteOptions, 'override' | 'docker'>): SuiteCase {
  if (one.server === undefined) return one;
  const server: ServerBlock = { ...one.server };
  const isStdio = server.transport === '' || server.transport.toLowerCase() === 'stdio';
  if (override !== undefined && 'words' in override && isStdio) {
    server.command = override.words[0]!;
    server.args = override.words.slice(1);
  }
  if (docker !== undefined && isStdio) server.docker ??= docker;
  return { ...one, server };
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

function countsOf(cases: readonly SuiteCaseReport[]): SuiteReport['counts'] {
  const count = (status: CaseStatus): number => cases.filter((one) => one.status === status).length;
  return { total: cases.length, passed: count('pass'), failed: count('fail'), skipped: count('skip'), undecided: count('undecided'), flaky: cases.filter(({ flaky }) => flaky).length };
}

/** By name: passed at least once, and every time. */
function reliabilityOf(cases: readonly SuiteCaseReport[], trials: number): NonNullable<SuiteReport['reliability']> {
  const byName = new Map<string, CaseStatus[]>();
  for (const { name, trials: all } of cases) byName.set(name, [...(byName.get(name) ?? []), ...all.map(({ status }) => status)]);
  const groups = [...byName.values()];
  return { trials, cases: groups.length, capable: groups.filter((all) => all.includes('pass')).length, reliable: groups.filter((all) => all.every((status) => status === 'pass')).length };
}
