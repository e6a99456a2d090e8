/** Where a run goes: a new folder, or that of a run to go on with. */
import { usageError } from '../../model/errors.ts';
import { defaultParent, defaultRunDirectory, newestUnfinishedRun } from './run-directory.ts';

/** @throws McpcError usage when there is no run to go on with */
export function startOfRun({ out, resume }: { out: string | undefined; resume: boolean }, now: Date): { directory: string; resume: boolean } {
  if (out !== undefined) return { directory: out, resume };
  if (!resume) return { directory: defaultRunDirectory(now), resume };
  const directory = newestUnfinishedRun();
  if (directory === undefined) throw usageError(`No run in ${defaultParent} is unfinished.`, 'Name one with --out, or begin one without --resume.');
  return { directory, resume };
}
