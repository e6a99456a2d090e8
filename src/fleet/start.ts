/** Where a run goes: a new folder, or that of a run to go on with, and the quick look before it. */
import { usageError } from '../core/model/errors.ts';
import { beginRun, type FleetCheckOptions } from './check-fleet.ts';
import {
  defaultParent,
  defaultRunDirectory,
  holdsRun,
  newestUnfinishedRun,
  quickFolder,
  readFleetReport,
} from './run/run-directory.ts';

/** @throws McpcError usage when there is no run to go on with */
export function startOfRun(
  { out, resume }: { out: string | undefined; resume: boolean },
  now: Date,
): { directory: string; resume: boolean } {
  if (out !== undefined) return { directory: out, resume };
  if (!resume) return { directory: defaultRunDirectory(now), resume };
  const directory = newestUnfinishedRun();
  if (directory === undefined)
    throw usageError(
      `No run in ${defaultParent} is unfinished.`,
      'Name one with --out, or begin one without --resume.',
    );
  return { directory, resume };
}

type Run = Omit<FleetCheckOptions, 'watch'>;

/**
 * The quick look that goes before a run, a run of its own in a folder of it. The full run is started before it, so that
 * it can be resumed after any interruption.
 * @returns undefined when the quick run already exists, and for a run that was begun without one
 * @throws McpcError usage when the folder holds another run, or none that can be resumed
 */
export async function quickLookBefore(run: Run): Promise<Run | undefined> {
  const directory = quickFolder(run.directory);
  await beginRun(run);
  if (run.resume && (!holdsRun(directory) || (!run.recheckChanged && isWhole(directory)))) return undefined;
  const { changedSince, ...rest } = run;
  const earlier = changedSince === undefined ? undefined : quickFolder(changedSince);
  return {
    ...rest,
    directory,
    profile: 'quick',
    failFast: false,
    // Suites are asked once, by the run itself.
    entries: run.entries.map(({ suites: _suites, fixture: _fixture, ...entry }) => entry),
    ...(earlier !== undefined && holdsRun(earlier) ? { changedSince: earlier } : {}),
  };
}

function isWhole(directory: string): boolean {
  try {
    return readFleetReport(directory).incomplete === null;
  } catch {
    return false;
  }
}
