/**
 * Writes files so that each is there as a whole or not at all: under another name first, renamed when all of them
 * are finished. On a failure nothing is left and nothing is overwritten.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { usageError } from '../model/errors.ts';

export interface Output {
  path: string;
  /** Writes everything to a path, which is not the one above. */
  write(path: string): Promise<void> | void;
}

/** @throws McpcError (usage) for a file that cannot be written, and whatever a writer throws */
export async function writeTogether(outputs: readonly Output[]): Promise<void> {
  const sign = randomBytes(6).toString('hex');
  const planned = outputs.map((output) => ({ ...output, draft: join(dirname(output.path), `.${basename(output.path)}.${sign}.tmp`) }));
  for (const { path } of planned) {
    if (existsSync(path) && statSync(path).isDirectory()) throw usageError(`Cannot write to ${path}: it is a folder.`, 'Name a file.');
    if (!existsSync(dirname(path))) throw usageError(`Cannot write to ${path}: there is no folder ${dirname(path)}.`, 'Make the folder, or name another one.');
  }
  try {
    for (const { write, draft } of planned) await write(draft);
    for (const { path, draft } of planned) renameSync(draft, path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== undefined && /^E[A-Z]+$/.test(code)) throw usageError(`Cannot write: ${message}`, 'Check the path and its permissions.', error);
    throw error;
  } finally {
    for (const { draft } of planned) rmSync(draft, { force: true });
  }
}
