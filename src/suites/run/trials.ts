/**
 * Trials of cases: the shared state of a run, each on the connection of its case. Loaded where a case reaches a server.
 */
import type { GivenSecrets } from './connect/server-target.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { Hints } from '../../core/model/rules/hints.ts';
import type { Era, Revision } from '../../core/model/rules/requirement.ts';
import type { SuiteTrial } from '../../core/model/reports/suite-report.ts';
import { isKnownRevision, newestRevision } from '../../core/spec/revisions.ts';
import { methodTables } from '../../files/package/method-tables.ts';
import type { MethodTables } from '../../files/package/method-tables.ts';
import type { SuiteCase } from '../language/model.ts';
import type { CaseRecord } from '../language/judge/case-record.ts';
import { partMark } from '../../client/transport/process/run-mark.ts';
import { createRedactor } from '../../core/trace/redaction/redact.ts';
import type { Redactor } from '../../core/trace/redaction/redact.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import { endedCommands, leftBehindText } from '../../check/reporting/left-behind.ts';
import { carryOut } from './carry-out.ts';
import { withTraffic } from './traffic/judge-traffic.ts';
import type { ConformanceChoice } from './traffic/judge-traffic.ts';
import { trialOf } from './traffic/case-report.ts';
import type { OpenOptions } from './connect/connection.ts';
import { createSharing } from './connect/sharing.ts';
import { createLanes } from './connect/lanes.ts';
import type { Lane, Lanes, SessionMode } from './connect/lanes.ts';
import type { ServerOverride } from './connect/override.ts';
import type { RunTraceOptions } from './run-trace.ts';
import { skipReason } from '../language/skip.ts';
import type { SuiteSnapshots } from './snapshot/stored.ts';

export interface TrialOptions {
  /** Of the run, with the servers that they will have. */
  cases: readonly SuiteCase[];
  /** Absolute path. */
  fixture?: string;
  /** Replacement for the servers of the files. */
  override?: ServerOverride;
  docker?: string;
  /** Information from the user about the server, for the step `check` and for sharing. */
  hints?: Hints;
  timeoutMs: number;
  session: SessionMode;
  conformance: ConformanceChoice;
  /** Which traces to keep. */
  trace?: RunTraceOptions;
  spec: Revision | 'auto';
  all: boolean;
  toolVersion: string;
  env: NodeJS.ProcessEnv;
  /** Values given for the servers. */
  known: GivenSecrets;
  signal: AbortSignal;
  /** Stored answers, for the expectation `snapshot`. */
  snapshots?: SuiteSnapshots;
  /**
   * Called with the observations of each trial, a function that removes secrets from messages, and its events without
   * secrets.
   */
  onSeen?(
    one: SuiteCase,
    record: CaseRecord,
    clean: (message: JsonObject) => JsonObject,
    events: readonly TraceEvent[],
  ): void;
}

export interface Trials {
  /** @param order place of the case in the run */
  once(one: SuiteCase, order: number, trial: number): Promise<SuiteTrial>;
  /** Ends all connections. */
  close(): Promise<void>;
  /** Notices about the whole run. */
  told(): string[];
  /**
   * Writes the trace.
   * @param incomplete why the run is not complete;
   * @param notices notices about the whole run
   */
  finish(incomplete: string | null, notices: readonly string[]): Promise<void>;
}

interface Run extends TrialOptions {
  redactor: Redactor;
  methods: MethodTables;
  lanes: Lanes;
  /** Detected revisions of servers, by their description. */
  eras: Map<string, Promise<Era | undefined>>;
}

export async function openTrials(options: TrialOptions): Promise<Trials> {
  const { cases, fixture, signal, hints } = options;
  const redactor = createRedactor(options.known);
  const trace = options.trace === undefined ? undefined : (await import('./run-trace.ts')).openRunTrace(options.trace);
  const sharing = createSharing(
    cases.filter((one) => (one.session ?? options.session) === 'auto' && skipReason(one, options.env) === undefined),
    async (one) => {
      const { readOnlyTools } = await import('./connect/read-only-tools.ts');
      const spec = specOf(one, options);
      return readOnlyTools(
        {
          ...openedAs(options),
          spec,
          askForStateless: spec === 'auto',
          server: one.server!,
          budgetMs: one.timeoutMs ?? options.timeoutMs,
        },
        { redactor, fixture, signal, hints },
      );
    },
  );
  const mark = partMark();
  let left: string[] = [];
  const lanes = createLanes({
    mode: options.session,
    mark,
    fixture: options.docker === undefined ? fixture : undefined,
    redactor,
    sharing,
    ...(trace ? { writer: trace.writer } : {}),
  });
  const run: Run = { ...options, redactor, lanes, methods: await methodTables(), eras: new Map() };
  return {
    once: (one, order, trial) => runTrial(one, order, trial, run),
    async close() {
      await lanes.closeAll();
      left = await endedCommands(mark, redactor);
    },
    told: () => [sharing.told() ?? [], left.map(leftBehindText)].flat(),
    async finish(incomplete, notices) {
      await trace?.finish({
        notices,
        complete: incomplete === null,
        ...(incomplete === null ? {} : { reason: incomplete }),
      });
    },
  };
}

async function runTrial(one: SuiteCase, order: number, trial: number, run: Run): Promise<SuiteTrial> {
  try {
    return await run.lanes.use(one, order, (lane) => tryOnce(one, trial, lane, run));
  } catch (error) {
    // Errors of the disk are not internal errors; any without a code is.
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    const detail = run.redactor.text(`the fixture ${run.fixture} cannot be copied: ${(error as Error).message}`);
    return {
      trial,
      status: 'fail',
      durationMs: 0,
      detail,
      failures: [
        {
          step: '',
          title: 'fixture',
          expectation: null,
          detail,
          expected: null,
          actual: null,
          ...one.place,
          evidence: [],
        },
      ],
      stderr: [],
    };
  }
}

async function tryOnce(one: SuiteCase, trial: number, { connection, fixture }: Lane, run: Run): Promise<SuiteTrial> {
  const spec = specOf(one, run);
  const asked = spec === 'auto' ? askOnce(one, run) : undefined;
  const era = await asked?.known;
  const clean = (message: JsonObject): JsonObject =>
    run.redactor.event({ seq: 0, t: 0, session: 's0', from: 'server', kind: 'message', message }).message as JsonObject;
  const snapshots = run.snapshots?.(one, clean);
  try {
    const seen = await carryOut(one, {
      connection,
      snapshots,
      trial,
      fixture: fixture ?? run.fixture,
      budgetMs: one.timeoutMs ?? run.timeoutMs,
      all: run.all,
      methods: run.methods,
      hints: run.hints,
      signal: run.signal,
      ...(asked === undefined ? {} : { onOpened: asked.tell }),
      open: {
        spec: era === 'stateless' ? newestRevision : spec,
        askForStateless: asked !== undefined && asked.known === undefined,
        ...openedAs(run),
      },
    });
    run.onSeen?.(one, seen.record, clean, seen.events);
    const whole = await withTraffic(
      trialOf(one, trial, seen, {
        all: run.all,
        snapshots,
        clean: run.redactor.text,
      }),
      one,
      { header: connection.recorder.header, events: seen.events, all: run.all, clean: run.redactor.text },
      run.conformance,
    );
    // As a copy: a part of a text would keep the whole of it in memory until the end of the run.
    return structuredClone(whole);
  } finally {
    asked?.tell(undefined);
  }
}

function specOf({ spec }: SuiteCase, options: Pick<TrialOptions, 'spec'>): Revision | 'auto' {
  return spec !== undefined && isKnownRevision(spec) ? spec : options.spec;
}

/** How to open servers, for any case. */
function openedAs({
  override,
  env,
  toolVersion,
}: Pick<TrialOptions, 'override' | 'env' | 'toolVersion'>): Pick<OpenOptions, 'override' | 'env' | 'toolVersion'> {
  const target = override !== undefined && 'target' in override ? override.target : undefined;
  return {
    // A server inside this process is no command that a block could name.
    override: target?.kind === 'stdio' && target.serve === undefined ? undefined : target,
    env: target?.kind === 'stdio' ? (target.env ?? env) : env,
    toolVersion,
  };
}

/**
 * Of cases with equal servers the first detects the revision, and the others wait for it, so that their messages do not
 * depend on parallelism.
 */
function askOnce(
  { server }: SuiteCase,
  run: Run,
): { known?: Promise<Era | undefined>; tell(era: Era | undefined): void } {
  const key = JSON.stringify(server ?? {});
  const known = run.eras.get(key);
  if (known !== undefined) return { known, tell: () => {} };
  let report: (era: Era | undefined) => void = () => {};
  run.eras.set(key, new Promise((resolve) => (report = resolve)));
  return { tell: (era) => report(era) };
}
