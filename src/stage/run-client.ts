/** The use case `client`: plays the situations of the rules to a client, judges the trace while it grows, reports. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { McpcError } from '../core/model/errors.ts';
import { joinRuns, type AskedRevision } from '../core/model/reports/run-parts.ts';
import type { RunReport } from '../core/model/reports/run-report.ts';
import type { Revision } from '../core/model/rules/requirement.ts';
import { createRedactor } from '../core/trace/redaction/redact.ts';
import { NotSpoken } from '../client/target/answered-otherwise.ts';
import { endLeftBehind } from '../client/transport/process/left-behind.ts';
import { markedEnv, partMark } from '../client/transport/process/run-mark.ts';
import { loadPlan } from '../check/plan.ts';
import { secretsOfEnvironment } from '../check/run-redactor.ts';
import { traceOfRevision } from '../check/trace-files.ts';
import type { ClientOptions } from './run/client-options.ts';
import { runRevision, type RevisionResult, type RevisionRun } from './run/revision-run.ts';
import { olderThan } from './run/served.ts';

/** Usual number of starts at the same time. */
export function usualJobs(): number {
  return Math.min(4, availableParallelism());
}

type RunOf = Pick<RevisionRun, 'spec' | 'offered' | 'traceFile' | 'loginless'>;

/** @throws McpcError target when the client cannot be started or never connects; usage for the selection and the trace file */
export async function runClient(options: ClientOptions): Promise<RunReport> {
  const mark = partMark();
  const redactor = createRedactor({
    answers: 'all',
    secrets: [...options.secrets, ...secretsOfEnvironment(options.env)],
    commands: options.words === undefined ? [] : [[...options.words]],
    keepSecrets: options.keepSecrets,
  });
  const over = limited(options);
  const several = options.spec === 'auto' && options.quick !== true;
  const common = {
    plan: await loadPlan(options.selection),
    redactor,
    env: markedEnv(options.env, mark),
    signal: over.signal,
    whyEnded: over.why,
    run: several ? randomBytes(8).toString('hex') : undefined,
  };
  const starts: { revision: string; starts: number }[] = [];
  const run = async (one: RunOf): Promise<RevisionResult> => {
    const result = await runRevision({ ...common, ...one }, options);
    starts.push({ revision: result.revision ?? one.spec, starts: result.starts });
    await endLeftBehind(mark);
    return result;
  };
  try {
    const spec = options.spec === 'newest' ? 'auto' : options.spec;
    const offered = options.onlyIfAccepted === true && spec !== 'auto';
    const first = await run({ spec, offered, traceFile: options.traceFile });
    if (first.unspoken !== undefined) throw new NotSpoken(spec as Revision, first.unspoken.why, first.unspoken.wire);
    const report = several ? await withOlder(first, options, over, run) : first.report!;
    options.onStarts?.(starts);
    return report;
  } catch (error) {
    throw error instanceof McpcError && !(error instanceof NotSpoken)
      ? new McpcError(error.stage, redactor.text(error.message), { remedy: error.remedy ?? '', cause: error.cause })
      : error;
  } finally {
    over.clear();
    await endLeftBehind(mark);
  }
}

/** Adds a part for each older revision that the client accepts, newest first. */
async function withOlder(
  first: RevisionResult,
  { transport, traceFile }: ClientOptions,
  { signal, why }: Limit,
  run: (one: RunOf) => Promise<RevisionResult>,
): Promise<RunReport> {
  const done = [first.report!];
  const unspoken: AskedRevision[] = [];
  const wanted = first.revision === undefined ? [] : olderThan(first.revision, transport);
  for (const [at, revision] of wanted.entries()) {
    if (signal.aborted) {
      const left = wanted.slice(at).join(' and ');
      return joinRuns(done, { unspoken, incomplete: `${why()} before it was seen whether the client accepts ${left}` });
    }
    const file = traceFile === undefined ? undefined : traceOfRevision(traceFile, revision);
    const loginless = first.loginless === undefined ? undefined : `MCP ${first.revision}, ${first.loginless}`;
    const result = await run({ spec: revision, offered: true, traceFile: file, loginless });
    if (result.report !== undefined) done.push(result.report);
    if (result.unspoken === undefined) continue;
    unspoken.push(result.unspoken);
    // It holds nothing but the question, which the report shows.
    if (file !== undefined) rmSync(file, { force: true });
  }
  return joinRuns(done, { unspoken });
}

interface Limit {
  signal: AbortSignal;
  why(): string;
  clear(): void;
}

/** The signal of the run, given also once its time is over. */
function limited({ signal, checkMs }: ClientOptions): Limit {
  const late = new AbortController();
  const timer = checkMs === undefined ? undefined : setTimeout(() => late.abort(), checkMs);
  return {
    signal: AbortSignal.any([signal, late.signal]),
    why: () => (signal.aborted ? 'the run was interrupted' : `the time limit of ${checkMs} ms was over`),
    clear: () => clearTimeout(timer),
  };
}
