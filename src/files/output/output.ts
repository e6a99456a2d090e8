/** The one writer of files that a user names: complete or absent, and never over a foreign file. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { McpcError, usageError } from '../../core/model/errors.ts';
import { codeOf, openDraft, writeWhole, type Draft } from './draft.ts';
import { noteWritten, overwriteRemedy, refuseForeign, type OwnFile } from './own-files.ts';
import { makeFolder } from './make-folder.ts';

/** Files that may be replaced: those of mcpc of one kind, none, or any. */
export type Replaces = OwnFile | 'nothing' | 'anything';

export interface OutputFile {
  path: string;
  /** For messages, as in `the report`. */
  what: string;
  replaces: Replaces;
  /** The user said --overwrite. */
  overwrite?: boolean;
  /** Permissions; those of the file, or the usual ones, when absent. */
  mode?: number;
  /** False where many files are written that can be written again. */
  sync?: boolean;
  remedy?: string;
}

/**
 * The place of a trace that is written during a run: it is appended in place, since a killed run must leave what was
 * recorded. Only its beginning asks whether the file may be replaced.
 */
export function traceOutput(path: string, overwrite: boolean): OutputFile {
  return { path, what: 'the trace', replaces: 'trace', overwrite };
}

/**
 * Call it before any work for the file: the report of a run without a place would be lost.
 * @throws McpcError usage for a file that must not be replaced, for a folder, and for an unusable place
 */
export function checkOutput(file: OutputFile): void {
  refuseReplaced(file);
  let place = file.path;
  // Folders on the way are made when the file is written.
  if (!existsSync(place)) while (!existsSync(dirname(place)) && dirname(place) !== place) place = dirname(place);
  const folder = dirname(place);
  if (!statSync(folder).isDirectory())
    throw usageError(
      `Cannot write ${file.what} to ${file.path}: ${folder} is no folder.`,
      file.remedy ?? 'Name a file in a folder.',
    );
  try {
    const draft = openDraft(place, file.mode);
    try {
      accessSync(draft.file, constants.W_OK);
    } finally {
      draft.discard();
    }
  } catch (error) {
    throw unwritten(file, error);
  }
}

function refuseReplaced({ path, what, replaces, overwrite = false, remedy }: OutputFile): void {
  if (!existsSync(path)) return;
  if (statSync(path).isDirectory())
    throw usageError(`Cannot write ${what} to ${path}: it is a folder.`, 'Name a file.');
  if (replaces === 'anything') return;
  if (replaces !== 'nothing') return refuseForeign(path, replaces, overwrite);
  if (!overwrite && statSync(path).isFile()) throw usageError(`${path} is there already.`, remedy ?? overwriteRemedy);
}

/** Writes a text or its pieces; folders on the way are made. @throws McpcError usage, and whatever the pieces throw */
export function writeOutput(file: OutputFile, pieces: string | Iterable<string>): void {
  refuseReplaced(file);
  try {
    makeFolder(dirname(file.path));
    writeWhole(file.path, pieces, {
      mode: file.mode,
      sync: file.sync,
    });
  } catch (error) {
    throw unwritten(file, error);
  }
  noteWritten(file.path);
}

export interface OutputInParts extends OutputFile {
  /** Writes everything to a path, which is not the one above. */
  write(path: string): Promise<void> | void;
}

/**
 * Writes several files, all of them or none: a failure leaves nothing and overwrites nothing. Their folders must be there.
 * @throws McpcError usage for a file that cannot be written, and whatever a writer throws
 */
export async function writeTogether(outputs: readonly OutputInParts[]): Promise<void> {
  for (const output of outputs) {
    refuseReplaced(output);
    const folder = dirname(output.path);
    if (!existsSync(folder))
      throw usageError(
        `Cannot write to ${output.path}: there is no folder ${folder}.`,
        'Make the folder, or name another one.',
      );
  }
  const drafts: Draft[] = [];
  try {
    for (const output of outputs) {
      try {
        const draft = openDraft(output.path, output.mode);
        drafts.push(draft);
        await output.write(draft.file);
      } catch (error) {
        throw unwritten(output, error);
      }
    }
    for (const [at, output] of outputs.entries()) {
      try {
        drafts[at]!.commit();
      } catch (error) {
        throw unwritten(output, error);
      }
      noteWritten(output.path);
    }
  } finally {
    for (const draft of drafts) draft.discard();
  }
}

/** Errors of the file system for a full disk, quota or process limit. */
const noRoom: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EFBIG: 'files may not be that large here',
};

/** Faults of the file system in words; everything else as it is. */
function unwritten({ path, what }: OutputFile, error: unknown): unknown {
  // A writer that has said so itself knows the draft only.
  const fault = error instanceof McpcError && codeOf(error.cause ?? error) in noRoom ? error.cause : error;
  const code = codeOf(fault);
  if (fault instanceof McpcError || !/^E[A-Z0-9]+$/.test(code)) return error;
  const full = noRoom[code];
  if (full === undefined)
    return usageError(
      `Cannot write ${what} to ${path}: ${(fault as Error).message}`,
      'Check the path and its permissions.',
      fault,
    );
  return usageError(
    `Cannot write ${what} to ${path}: ${full} (${code}).`,
    'What stood there was left as it was. Make room, or name another place.',
    fault,
  );
}
