/**
 * Runs whole checks against the reference server: over HTTP and HTTP+SSE in this process, over stdio as a
 * bundled process. What a verdict ought to be is decided by the gates, not here.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { RuleSelection } from '../../src/check/check-options.ts';
import { runCheck } from '../../src/check/check.ts';
import { judgeTraceFile } from '../../src/check/judge.ts';
import { everything, readGeneratedPlan } from '../../src/check/plan.ts';
import { McpcError } from '../../src/core/model/errors.ts';
import type { Hints } from '../../src/core/model/rules/hints.ts';
import type { CompiledRule } from '../../src/core/model/rules/rule.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { traitsOfSteps } from '../../src/client/steps/table.ts';
import type { Target } from '../../src/client/target/target.ts';
import type { Timing } from '../../src/client/target/timing.ts';
import type { ServeOptions } from '../../src/check/target/serve-options.ts';
import { testTokenPrefix } from '../../src/core/model/made-up-tokens.ts';
import { goodToken } from '../../src/server/session/guard.ts';
import type { TransportKind } from '../../src/server/session/host.ts';
import type { Revision } from '../../src/server/protocol/revisions.ts';
import { type ReferenceOptions, serveInMemory, startReferenceServer } from '../../src/testkit/example-server/start.ts';
import { freePort } from './free-port.ts';
import { namedTestTokens } from './test-tokens.ts';

/** Deadlines for a server that answers at once: what does not come by then never does. */
const quick: Partial<Timing> = {
  startMs: 15_000,
  answerMs: 2500,
  lateMs: 900,
  streamEndMs: 600,
  exitMs: 1000,
  closeMs: 100,
};

/**
 * Tools of the reference server that are left out without consent, and do no harm: those that change something of
 * its own, and, where the revision has no annotations, those whose names tell nothing.
 */
export const harmlessTools = [
  'change-lists',
  'touch-counter',
  'connect-account',
  'write-report',
  'ask-*',
  'slow',
  'fail',
  'forecast',
  'picture',
  'sound',
  'attach',
  'log',
  'ping-client',
  'reconnect',
  'throw-error',
  'export-report',
  'test_*',
  'json_schema_2020_12_tool',
  'bonus',
];

/** The rule that needs the hint below. */
export const watchingRule = 'cancellation/receiver-work-stop-seen';

const workHints: Hints = {
  file: 'hints.yaml',
  tools: { slow: { slow: true, seenIn: 'demo://work' } },
  prompts: {},
  resources: { read: [], never: [] },
  templates: {},
  completions: [],
};

export interface ReferenceCheck extends ReferenceOptions {
  transport: TransportKind;
  /** Revision to hold the server to. */
  revision: Revision;
  /**
   * Rules that take part whatever their stimulus; of the others only those whose stimulus needs no connection
   * of its own, or listens. Absent: all rules.
   */
  focus?: readonly string[];
  /** The only rules that take part. */
  only?: readonly string[];
  /** stdio: a server inside this process, rather than one of its own. */
  inMemory?: boolean;
  /** HTTP: the check starts the server itself, as a process. */
  served?: boolean;
  /** A guarded server: the check has no token. */
  withoutToken?: boolean;
  /** A token in place of the good one. */
  token?: string;
  timing?: Partial<Timing>;
  /** The check is told which resource shows the work of the slow tool, which takes it two seconds more; so it is where the focus is on that. */
  watchesWork?: boolean;
}

export interface ReferenceLab {
  check(options: ReferenceCheck): Promise<ReferenceOutcome>;
  /** A check that ought to find nothing; what a busy machine may have brought about is looked at again, with patience. */
  checkSound(options: ReferenceCheck): Promise<ReferenceOutcome>;
  /** Removes the bundle and all traces. */
  close(): Promise<void>;
}

export interface ReferenceOutcome {
  report: RunReport;
  /** Why the check gave up, if it did; the report then judges what was recorded until then. */
  gaveUp?: string;
  /** Path of the trace; gone when the laboratory is closed. */
  trace: string;
}

/** For a second look, when a busy machine may have been why something did not come in time. */
export const patient: Partial<Timing> = {
  startMs: 30_000,
  answerMs: 10_000,
  lateMs: 2500,
  streamEndMs: 2000,
  exitMs: 4000,
  closeMs: 500,
};

/** Bundles the server once, into a folder of its own. */
export async function openReferenceLab(): Promise<ReferenceLab> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mcpc-reference-'));
  const bundle = path.join(folder, 'reference.mjs');
  const entry = fileURLToPath(new URL('../../src/testkit/example-server/main.ts', import.meta.url));
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: bundle,
    logLevel: 'error',
  });
  let count = 0;

  async function check(options: ReferenceCheck): Promise<ReferenceOutcome> {
    count += 1;
    const trace = path.join(folder, `${count}.jsonl`);
    const { target, serve, stop } = await startTarget(options, bundle);
    try {
      const report = await runCheck({
        target,
        name: 'reference',
        ...(serve ? { serve } : {}),
        fallback: false,
        spec: options.revision,
        selection: selectionFor(options),
        timing: { ...quick, ...options.timing },
        jobs: 3,
        mostJobs: 3,
        allowDestructive: false,
        allowTools: harmlessTools,
        secrets: [],
        toolVersion: '0',
        ...(options.watchesWork === true || options.focus?.includes(watchingRule) ? { hints: workHints } : {}),
        traceFile: trace,
      });
      return { report, trace };
    } catch (error) {
      if (!(error instanceof McpcError) || error.stage !== 'target') throw error;
      return {
        report: await judgeTraceFile(trace, { selection: everything, toolVersion: '0' }),
        gaveUp: error.message,
        trace,
      };
    } finally {
      await stop();
    }
  }

  async function checkSound(options: ReferenceCheck): Promise<ReferenceOutcome> {
    const quickly = await check({ watchesWork: true, ...options });
    const { report, gaveUp } = quickly;
    const isSound =
      gaveUp === undefined &&
      report.incomplete === null &&
      !report.parts[0]!.verdicts.some(({ status }) => status === 'fail' || status === 'error');
    return isSound ? quickly : check({ watchesWork: true, ...options, timing: patient });
  }

  return { check, checkSound, close: () => rm(folder, { recursive: true, force: true }) };
}

function selectionFor({ focus, only }: ReferenceCheck): RuleSelection {
  if (only !== undefined) return { ...everything, only: [...only] };
  if (focus === undefined) return everything;
  const { rules } = readGeneratedPlan();
  // Over HTTP much is said only to a client that listens; the probes that do have connections of their own.
  const listens = (stimulus: CompiledRule['stimulus']): boolean => traitsOfSteps(stimulus ?? []).listens === true;
  const shared = rules.filter(
    ({ id, isolated, stimulus }) =>
      focus.includes(id) || listens(stimulus) || (!isolated && (stimulus === undefined || stimulus[0] === 'handshake')),
  );
  return { ...everything, only: shared.map(({ id }) => id) };
}

interface StartedTarget {
  target: Target;
  serve?: ServeOptions;
  stop(): Promise<void>;
}

const nothing = async (): Promise<void> => {};

async function startTarget(options: ReferenceCheck, bundle: string): Promise<StartedTarget> {
  const { transport, mutation, variant, revisions } = options;
  if (transport === 'stdio' && options.inMemory)
    return {
      target: { kind: 'stdio', command: 'reference', args: idArguments(options), serve: serveInMemory(options) },
      stop: nothing,
    };
  if (options.change && (transport === 'stdio' || options.served))
    throw new Error('A change that is in no catalogue needs a server inside this process.');
  if (transport === 'stdio')
    return {
      target: { kind: 'stdio', command: process.execPath, args: [bundle, 'stdio', ...idArguments(options)] },
      stop: nothing,
    };
  if (options.served) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}${transport === 'http' ? '/mcp' : '/sse'}`;
    const serve = {
      command: process.execPath,
      args: [bundle, transport, '--port', String(port), ...idArguments(options)],
      port,
    };
    return { target: { kind: transport, url, headers: [] }, serve, stop: nothing };
  }
  const server = await startReferenceServer({
    transport,
    ...(options.fixtures === undefined ? {} : { fixtures: options.fixtures }),
    ...(mutation === undefined ? {} : { mutation }),
    ...(variant === undefined ? {} : { variant }),
    ...(options.change === undefined ? {} : { change: options.change }),
    ...(revisions === undefined ? {} : { revisions }),
    ...(options.guard === undefined ? {} : { guard: options.guard }),
  });
  const headers: [string, string][] =
    options.guard === undefined || options.withoutToken === true
      ? []
      : [['Authorization', `Bearer ${options.token ?? goodToken}`]];
  // Only the good one is a token of the server; the others are refused by their names.
  const testTokens =
    headers.length === 0 || options.token !== undefined
      ? {}
      : { testTokens: { ...namedTestTokens, [`${testTokenPrefix}good`]: goodToken } };
  return { target: { kind: transport, url: server.url, headers, ...testTokens }, stop: () => server.close() };
}

function idArguments({ mutation, variant, revisions, fixtures }: ReferenceCheck): string[] {
  return [
    ...(mutation === undefined ? [] : ['--mutation', mutation]),
    ...(variant === undefined ? [] : ['--variant', variant]),
    ...(revisions === undefined ? [] : ['--revisions', revisions.join(',')]),
    ...(fixtures === true ? ['--fixtures'] : []),
  ];
}
