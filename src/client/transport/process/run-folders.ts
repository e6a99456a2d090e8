/**
 * Temporary folders of a run. Their names begin with its mark, so that a survivor of their thread or process can find
 * and remove them: the main thread, the parent of a worker, the watchdog. It must not touch other folders.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMark } from './run-mark.ts';

/** Prefixes of the paths of temporary folders: those of the run, or of its marked part, and those of its parts. */
export function runFolderPrefixes(mark = runMark()): [own: string, parts: string] {
  const begin = join(tmpdir(), `mcpc-run-${mark}`);
  return [`${begin}-`, `${begin}.`];
}

/** Makes a folder, readable by its owner only. Throws what the system says. */
export function makeRunFolder(): string {
  return mkdtempSync(runFolderPrefixes()[0]);
}

/** Removes a folder with its content, if possible. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // It belongs to another process by now, or is in use.
  }
}

/**
 * Removes all remaining temporary folders of a run, or of a part of it.
 * @param mark of the run, which includes its parts, or of one part
 */
export function removeRunFolders(mark = runMark()): void {
  const prefixes = runFolderPrefixes(mark);
  try {
    for (const name of readdirSync(tmpdir())) {
      const folder = join(tmpdir(), name);
      if (prefixes.some((prefix) => folder.startsWith(prefix))) removeFolder(folder);
    }
  } catch {
    // The folder does not exist, or is not readable: then nothing was made in it either.
  }
}
