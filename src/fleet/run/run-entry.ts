/**
 * Checks one server of a fleet and leaves its report and trace in the server's folder. The same for the processes of
 * one run and for workers on a queue. It does not settle results: the owner of the journal does.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { McpcError } from '../../core/model/errors.ts';
import type { FleetRule, FleetServer } from '../../core/model/reports/fleet.ts';
import type { FleetEntry } from '../../check/settings/fleet-entry.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { privateMode } from '../../files/output/draft.ts';
import { placeDurably, writeDurably } from '../../files/output/durable.ts';
import type { SuiteReport } from '../../core/model/reports/suite-report.ts';
import type { SuiteCases } from './entry-suites.ts';
import { suitePath } from './run-directory.ts';
import { notSpoken, summarise, unsettled } from './summary.ts';
import { applyBaselineFile, readBaseline } from '../../check/reporting/baseline-file.ts';
import { createStderrTail } from '../../check/target/stderr-tail.ts';
import { withDisabled } from '../../core/score/disabled.ts';
import { today } from '../../check/reporting/today.ts';
import { knowsRevision } from '../../core/score/baseline.ts';
import { runCheck, whyNotSpoken } from '../../check/check.ts';
import type { RuleSelection } from '../../check/check-options.ts';
import {
  openClientEntry,
  openEntry,
  type OpenedClient,
  type OpenedEntry,
  type OpenEntryOptions,
} from '../../check/fleet-file/entry.ts';
import { asText } from '../../core/model/json.ts';
import { makeFolder } from '../../files/output/make-folder.ts';

export interface RunEntryOptions {
  /** Where `report.json` and `trace.jsonl` go; made when it is missing. */
  folder: string;
  /** Which attempt this is, from 1. */
  attempt: number;
  selection: RuleSelection;
  /** Profile; the full one when absent. */
  profile?: 'quick';
  /** The rules of the run. */
  rules: readonly FleetRule[];
  toolVersion: string;
  /** Connections at a time for probes that need one of their own, to begin with and at most. */
  connections: { few: number; most: number };
  /** How to open entries; the environment and the signal are added. */
  open?: Omit<OpenEntryOptions, 'env' | 'signal'>;
  env: NodeJS.ProcessEnv;
  /** Called when the check itself begins, with its time limit in milliseconds. */
  onBegun?: (checkMs: number) => void;
  /** Ends the check without a result. */
  signal: AbortSignal;
}

/** Longest wait for a check to end after its deadline: connections are closed, processes ended. */
const graceMs = 3_000;
/** Longest wait for a package to be installed. */
const installMs = 600_000;
/** Many times what a check takes, and little enough for several servers that flood to share a worker. */
const MiB = 1024 * 1024;
const transportLimits = {
  maxLineBytes: 8 * MiB,
  maxBodyBytes: 8 * MiB,
  maxSseEventBytes: 8 * MiB,
  maxStreamBytes: 32 * MiB,
};
const traceLimits = { maxEvents: 60_000, maxBytes: 32 * MiB };
/** Of several checks together it must be far less than the heap of a worker. */
const readyEvents = { maxLooseBytes: 6 * MiB };

/**
 * The result is complete on the disk when this resolves.
 * @throws McpcError interrupted when the signal is aborted; the error of the file system when a file cannot be written;
 * nothing for faults of the server
 */
export async function runEntry(
  entry: FleetEntry,
  options: RunEntryOptions,
): Promise<{ server: FleetServer; report?: RunReport }> {
  const { attempt: attempts, folder, signal } = options;
  const began = performance.now();
  const without = (
    status: 'unreachable' | 'timeout' | 'error',
    reason: string,
    traced = false,
  ): { server: FleetServer } => ({
    server: unsettled(entry, status, reason, { attempts, durationMs: performance.now() - began, traced }),
  });
  makeFolder(folder);
  await Promise.all(
    ['report.json', 'trace.jsonl', 'suite.json'].map((name) => rm(path.join(folder, name), { force: true })),
  );

  let opened: Opened;
  const install = deadline(installMs, signal);
  try {
    const how = { ...options.open, env: options.env, signal: install.signal };
    opened =
      entry.client === undefined
        ? { server: await openEntry(entry, how) }
        : { client: await openClientEntry(entry, how) };
  } catch (error) {
    refuseInterrupted(signal);
    return without('error', messageOf(error));
  } finally {
    install.clear();
  }

  const { baselineFile, checkMs } = opened.server ?? opened.client;
  const { suites, fixture } = opened.server ?? {};
  let cases: SuiteCases | undefined;
  try {
    cases =
      suites === undefined ? undefined : await (await import('./entry-suites.ts')).loadEntrySuites(suites, fixture);
  } catch (error) {
    return without('error', messageOf(error));
  }
  const limit = deadline(checkMs, signal);
  options.onBegun?.(checkMs);
  const late = `the check took longer than ${checkMs} ms`;
  const fresh = path.join(folder, 'trace.jsonl.part');
  let report: RunReport | undefined;
  let failure: unknown;
  const stderr = createStderrTail();
  try {
    report = await limit.within(
      checkOpened(entry, opened, options, { traceFile: fresh, signal: limit.signal, onStderr: stderr.add }),
    );
  } catch (error) {
    failure = error;
  } finally {
    limit.clear();
  }
  refuseInterrupted(signal);
  refuseDisk(failure);
  const unspoken = whyNotSpoken(failure);
  if (unspoken !== undefined) {
    // The trace holds nothing but the question.
    await rm(fresh, { force: true });
    return { server: notSpoken(entry, unspoken, { attempts, durationMs: performance.now() - began }) };
  }
  const traced = await keepTrace(fresh, path.join(folder, 'trace.jsonl'));
  if (report === undefined) {
    if (limit.signal.aborted) return without('timeout', late, traced);
    if (failure instanceof McpcError && failure.stage === 'target')
      return without('unreachable', `${messageOf(failure)}${wrote(stderr.telling())}`, traced);
    return without('error', messageOf(failure), traced);
  }
  const cut = limit.signal.aborted ? late : undefined;
  // Next to the report, also after both are moved.
  report = { ...report, trace: traced ? 'trace.jsonl' : null, ...(cut === undefined ? {} : { incomplete: cut }) };
  if (baselineFile !== undefined) {
    try {
      const baseline = readBaseline(baselineFile, true);
      // A file that all revisions of a server share may know nothing of this one.
      if (entry.base === undefined || baseline === undefined || knowsRevision(baseline, report.parts[0]!.revision))
        report = applyBaselineFile(report, baselineFile, baseline, false);
    } catch (error) {
      return without('error', messageOf(error), traced);
    }
  }
  if (entry.disabled !== undefined)
    report = withDisabled(report, entry.disabled.rules, today(), entry.disabled.mayFailElsewhere);
  await writeDurably(path.join(folder, 'report.json'), `${JSON.stringify(report)}\n`, { mode: privateMode });
  const server = summarise(report, entry, options.rules, attempts, cut);
  if (cases === undefined || cut !== undefined) return { server, report };
  const { summariseSuite } = await import('./entry-suites.ts');
  const suite = await suiteOf(cases, { opened: opened.server!, checkMs, options });
  await writeDurably(path.join(folder, 'suite.json'), `${JSON.stringify(suite)}\n`, { mode: privateMode });
  return {
    server: {
      ...server,
      suite: summariseSuite(suite, suitePath(entry.id)),
      durationMs: Math.round(performance.now() - began),
    },
    report,
  };
}

type Opened = { server: OpenedEntry; client?: undefined } | { client: OpenedClient; server?: undefined };

/** Runs the check of a server or of a client. @throws McpcError as both */
async function checkOpened(
  entry: FleetEntry,
  opened: Opened,
  { selection, profile, connections, toolVersion, env }: RunEntryOptions,
  run: { traceFile: string; signal: AbortSignal; onStderr: (line: string) => void },
): Promise<RunReport> {
  const { traceFile, signal, onStderr } = run;
  if (opened.server === undefined) {
    const { checkClientEntry } = await import('../clients/client-entry.ts');
    const how = { selection, quick: profile === 'quick', jobs: connections.few, env, toolVersion, traceFile, signal };
    return checkClientEntry(entry, opened.client, { ...how, onPrint: onStderr });
  }
  const { baselineFile: _baseline, checkMs: _limit, suites: _suites, fixture: _fixture, ...target } = opened.server;
  return runCheck({
    ...target,
    // A revision of several is judged where it is spoken.
    ...(entry.base === undefined ? {} : { onlyIfSpoken: {} }),
    selection,
    ...(profile === undefined ? {} : { profile }),
    jobs: connections.few,
    mostJobs: connections.most,
    traceFile,
    traceLimits,
    readyEvents,
    transportLimits,
    toolVersion,
    signal,
    onStderr,
  });
}

/** Its time is that of a check; what is under way then is ended, and the rest not begun. */
async function suiteOf(
  cases: SuiteCases,
  { opened, checkMs, options }: { opened: OpenedEntry; checkMs: number; options: RunEntryOptions },
): Promise<SuiteReport> {
  const limit = deadline(checkMs, options.signal);
  try {
    const { runEntrySuites } = await import('./entry-suites.ts');
    const report = await runEntrySuites(cases, opened, {
      env: options.env,
      toolVersion: options.toolVersion,
      jobs: options.connections.few,
      signal: limit.signal,
    });
    refuseInterrupted(options.signal);
    return limit.signal.aborted ? { ...report, incomplete: `the suites took longer than ${checkMs} ms` } : report;
  } finally {
    limit.clear();
  }
}

interface Deadline {
  /** Aborted when the time is over, or with the outer signal. */
  signal: AbortSignal;
  /** The value of the work; undefined when it has not ended some seconds after the signal. */
  within<T>(work: Promise<T>): Promise<T | undefined>;
  clear(): void;
}

function deadline(ms: number, outer: AbortSignal): Deadline {
  const controller = new AbortController();
  let overdue: () => void = () => {};
  const tooLate = new Promise<undefined>((resolve) => (overdue = () => resolve(undefined)));
  let grace: NodeJS.Timeout | undefined;
  const end = (): void => {
    if (controller.signal.aborted) return;
    controller.abort();
    grace = setTimeout(overdue, graceMs);
  };
  const timer = setTimeout(end, ms);
  outer.addEventListener('abort', end, { once: true });
  if (outer.aborted) end();
  return {
    signal: controller.signal,
    within: (work) => {
      // A late rejection must not become an unhandled one.
      work.catch(() => {});
      return Promise.race([work, tooLate]);
    },
    clear() {
      clearTimeout(timer);
      clearTimeout(grace);
      outer.removeEventListener('abort', end);
    },
  };
}

/** @returns whether there is a trace */
async function keepTrace(from: string, to: string): Promise<boolean> {
  try {
    await placeDurably(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function refuseInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new McpcError('interrupted', 'The check was interrupted.');
}

/** A trace that could not be written is no fault of the server, and the next one would fare no better. */
function refuseDisk(failure: unknown): void {
  const { code, syscall } = ((failure as Error | undefined)?.cause ?? {}) as NodeJS.ErrnoException;
  if (
    failure instanceof McpcError &&
    failure.stage === 'usage' &&
    code !== undefined &&
    /^(?:write|fsync|open|close)$/.test(syscall ?? '')
  )
    throw failure.cause;
}

/** The server's last words on stderr, in at most two lines. */
function wrote(lines: readonly string[]): string {
  const last = lines.slice(-2).map((line) => line.trim().slice(0, 200));
  return last.length === 0 ? '' : ` Its stderr: ${last.join('; ')}`;
}

/** One line, with the remedy. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : asText(error);
  const remedy = error instanceof McpcError && error.remedy !== undefined ? ` ${error.remedy}` : '';
  return `${text}${remedy}`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('; ');
}
