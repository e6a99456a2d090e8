/** The use case `fleet check`: checks every server of a fleet into a run directory, from the beginning or from where a run stopped. */
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { RuleSelection } from '../check/check-options.ts';
import { loadPlan } from '../check/plan.ts';
import { digestFor } from '../check/reporting/profile-digest.ts';
import { usageError } from '../core/model/errors.ts';
import type { FleetReport, FleetRunHeader, FleetServer } from '../core/model/reports/fleet.ts';
import type { Fleet, FleetEntry } from '../check/settings/fleet-entry.ts';
import { fleetFeatures, fleetRules } from '../core/model/reports/verdict-codes.ts';
import { fleetReport, isFailure } from './compare/fleet-report.ts';
import { serverIdOf } from '../check/fleet-file/entry-revisions.ts';
import { autoJobs, fixedJobs } from './jobs/job-limit.ts';
import { inGoodOrder } from './queue/order.ts';
import { placesOf } from './queue/places.ts';
import { schedule } from './queue/scheduler.ts';
import { carryOver } from './run/carry-over.ts';
import { lastedBefore } from './run/earlier-times.ts';
import { entryDigest } from './run/entry-digest.ts';
import { openJournal, readJournal, type Journal, type JournalState } from './run/journal.ts';
import type { CheckTask } from './run/messages.ts';
import { WorkerLostError, type CheckExecutor } from './run/pool.ts';
import {
  createRunDirectory,
  journalFile,
  orUnwritable,
  readRunHeader,
  serverFolder,
  writeFleetReport,
} from './run/run-directory.ts';
import { ruleDifferences, serverDifferences } from './run/same-run.ts';
import { unsettled } from './run/summary.ts';

export interface FleetCheckOptions {
  fleet: Fleet;
  /** Servers to check, in the order of the file. */
  entries: readonly FleetEntry[];
  /** `i/n`, where they are a share. */
  shard?: string;
  /** The run directory. */
  directory: string;
  /** Goes on with the run that is there. */
  resume: boolean;
  /** Resuming: checks servers again whose entries are others now. */
  recheckChanged: boolean;
  selection: RuleSelection;
  /** Profile of the checks; the full one when absent. */
  profile?: 'quick';
  toolVersion: string;
  /** Parallel checks: a number, or adapted to this machine. */
  jobs: number | 'auto';
  maxPerHost: number;
  hostErrors: number;
  failFast: boolean;
  /** Directory of a run whose results are reused for unchanged servers. */
  changedSince?: string;
  open?: CheckTask['open'];
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  watch: FleetWatch;
}

/** Listeners for the progress of a run. */
export interface FleetWatch {
  /** Before the first check: how many servers there are, and how many have their result already. */
  started(total: number, done: number): void;
  begun(entry: FleetEntry): void;
  settled(server: FleetServer): void;
  note(line: string): void;
}

/** @param done ids of servers that have their result already */
type OpenExecutor = (header: FleetRunHeader, done: ReadonlySet<string>) => CheckExecutor | Promise<CheckExecutor>;

/** Another check may have killed the worker: each is tried once more, alone. */
const mostLosses = 2;
/** A check is one of several, so that it opens fewer connections at a time than a check by itself. */
const connections = { few: 2, most: 4 };

/**
 * Begins a run whose servers a resuming run checks later; for a run to resume, verifies that it can be resumed.
 * @throws McpcError usage when the directory holds another run, or cannot be written
 */
export async function beginRun(options: Omit<FleetCheckOptions, 'watch'>): Promise<void> {
  await ownHeader(options, await headerOf(options));
}

/**
 * @param openExecutor opens the executor of checks once the run directory exists; it is closed at the end
 * @returns the written report, also of an interrupted or stopped run
 * @throws McpcError usage when the directory holds another run, is full or cannot be written; settled results are kept
 */
export async function runFleet(options: FleetCheckOptions, openExecutor: OpenExecutor): Promise<FleetReport> {
  const began = performance.now();
  const { directory, watch } = options;
  const wanted = await headerOf(options);
  const header = await ownHeader(options, wanted);
  const digests = new Map(wanted.servers.map(({ id, digest }) => [id, digest]));
  const file = path.join(directory, journalFile);
  const state = await readJournal(file);
  const earlierMs = state.last === undefined ? 0 : Date.parse(state.last) - Date.parse(header.startedAt);
  const settled = new Map(
    [...state.settled].filter(([id, { digest }]) => digests.get(id) === digest).map(([id, { server }]) => [id, server]),
  );
  let stopped: string | undefined;
  let journal: Journal | undefined;
  try {
    journal = await openJournal(file);
    const keep = async (server: FleetServer): Promise<void> => {
      await journal!.settled(server, digests.get(server.id)!);
      settled.set(server.id, server);
    };
    if (options.changedSince !== undefined)
      await carryOver({
        from: options.changedSince,
        to: directory,
        header,
        digests,
        uncertain: uncertainOf(options.entries),
        done: new Set(settled.keys()),
        keep,
        note: watch.note,
      });
    watch.started(options.entries.length, settled.size);
    const left = options.entries.filter(({ id }) => !settled.has(id));
    if (left.length > 0)
      stopped = await checkAll(left, {
        options,
        header: { ...header, servers: wanted.servers },
        state,
        journal,
        keep,
        done: new Set(settled.keys()),
        openExecutor,
      });
  } catch (error) {
    throw orUnwritable(directory, error);
  } finally {
    await journal?.close();
  }
  const report = fleetReport(header, settled, {
    stopped,
    durationMs: Math.max(0, earlierMs) + performance.now() - began,
  });
  await writeFleetReport(directory, report);
  return report;
}

/** The header of the run in the directory: written now, or as the run was begun. */
async function ownHeader(options: Omit<FleetCheckOptions, 'watch'>, wanted: FleetRunHeader): Promise<FleetRunHeader> {
  const { directory, resume } = options;
  if (resume) return continueRun(readRunHeader(directory), wanted, options);
  await createRunDirectory(directory, wanted);
  return wanted;
}

/** A package without an exact version may be another one by now. */
function uncertainOf(entries: readonly FleetEntry[]): Set<string> {
  return new Set(
    entries
      .filter(({ reach }) => reach.kind === 'npm' && !/@\d+\.\d+\.\d+[\w.+-]*$/.test(reach.spec))
      .map(({ id }) => id),
  );
}

interface Session {
  options: FleetCheckOptions;
  /** With the digests that the entries have now. */
  header: FleetRunHeader;
  state: JournalState;
  journal: Journal;
  keep(server: FleetServer): Promise<void>;
  /** Ids of servers that have their result already. */
  done: ReadonlySet<string>;
  openExecutor: OpenExecutor;
}

async function checkAll(
  entries: readonly FleetEntry[],
  { options, header, state, journal, keep, done, openExecutor }: Session,
): Promise<string | undefined> {
  const { watch, env, directory } = options;
  const executor = await openExecutor(header, done);
  const attempts = new Map(state.begun);
  let running = 0;
  const auto =
    options.jobs === 'auto'
      ? autoJobs({
          cores: availableParallelism(),
          workers: () => executor.strain?.() ?? { lateMs: 0, heap: 0 },
          running: () => running,
        })
      : undefined;

  async function run(entry: FleetEntry, signal: AbortSignal): Promise<FleetServer> {
    const began = performance.now();
    watch.begun(entry);
    for (let losses = 0; ; ) {
      const attempt = (attempts.get(entry.id) ?? 0) + 1;
      attempts.set(entry.id, attempt);
      await journal.begun(entry.id, attempt);
      const task: CheckTask = {
        entry,
        folder: path.resolve(serverFolder(directory, entry.id)),
        attempt,
        selection: options.selection,
        profile: options.profile,
        toolVersion: options.toolVersion,
        connections,
        open: options.open,
      };
      try {
        return await executor.run(task, { alone: losses > 0, signal });
      } catch (error) {
        if (!(error instanceof WorkerLostError)) throw error;
        losses += 1;
        if (error.certain || losses === mostLosses)
          return unsettled(entry, 'error', error.message, { attempts: attempt, durationMs: performance.now() - began });
      }
    }
  }

  try {
    // One at a time, the order of the file is as good as any.
    return await schedule(
      options.jobs === 1
        ? entries
        : inGoodOrder(
            entries,
            lastedBefore(
              directory,
              entries.map(({ id }) => id),
            ),
          ),
      {
        jobs: auto ?? fixedJobs(options.jobs as number),
        maxPerHost: options.maxPerHost,
        hostErrors: options.hostErrors,
        failFast: options.failFast,
        signal: options.signal,
        placesOf: (entry) => placesOf(entry, env),
        async run(entry, signal) {
          running += 1;
          try {
            return await run(entry, signal);
          } finally {
            running -= 1;
          }
        },
        giveUp: (entry, reason) =>
          unsettled(entry, 'unreachable', reason, { attempts: attempts.get(entry.id) ?? 0, durationMs: 0 }),
        async settle(server) {
          await keep(server);
          await executor.forget?.(server.id);
          watch.settled(server);
        },
        failed: isFailure,
      },
    );
  } finally {
    auto?.stop();
    await executor.close();
  }
}

async function headerOf({
  fleet,
  entries,
  shard,
  selection,
  profile,
  toolVersion,
}: Omit<FleetCheckOptions, 'watch'>): Promise<FleetRunHeader> {
  const plan = await loadPlan(selection);
  const servers = [...new Set(fleet.entries.map(serverIdOf))];
  const places = new Map(servers.map((id, index) => [id, index]));
  return {
    format: 'mcpc-fleet-run',
    version: 1,
    tool: { name: 'mcpc', version: toolVersion },
    ruleSet: {
      digest: digestFor(plan.digest, profile),
      rules: plan.total,
      set: plan.set,
      profile,
    },
    rules: fleetRules(plan.rules),
    features: fleetFeatures(plan.rules),
    file: path.basename(fleet.file),
    id: randomBytes(8).toString('hex'),
    startedAt: new Date().toISOString(),
    selection: {
      only: selection.only,
      skip: selection.skip,
      level: selection.level,
    },
    shard,
    policies: fleet.policies,
    gate: fleet.gate,
    servers: entries.map((entry) => ({
      id: entry.id,
      name: entry.name,
      digest: entryDigest(entry),
      base: entry.base,
      place: places.get(serverIdOf(entry)) ?? 0,
      tags: entry.tags,
      owner: entry.owner,
      expectedGrade: entry.expectedGrade,
    })),
  };
}

/** @returns the header of the run as it was begun. @throws McpcError usage when what is asked for is another run */
function continueRun(
  old: FleetRunHeader,
  now: FleetRunHeader,
  { directory, recheckChanged }: Pick<FleetCheckOptions, 'directory' | 'recheckChanged'>,
): FleetRunHeader {
  const rules = ruleDifferences(old, now);
  const { missing, added, changed } = serverDifferences(old, now);
  const found = [
    ...rules,
    ...(missing.length > 0 ? [`servers that are not asked for now (${few(missing)})`] : []),
    ...(added.length > 0 ? [`servers that it did not have (${few(added)})`] : []),
  ];
  if (found.length > 0)
    throw usageError(
      `The run in ${directory} was begun differently: ${found.join('; ')}.`,
      'Ask for the same as then, or begin a new run without --resume.',
    );
  if (changed.length > 0 && !recheckChanged) {
    throw usageError(
      `The run in ${directory} was begun with other entries of ${few(changed)}.`,
      'Check these again by --recheck-changed, or begin a new run without --resume.',
    );
  }
  return old;
}

function few(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
}
