/**
 * Files that appear completely or not at all: they are written in the same folder and renamed. On any failure the old
 * file remains. It is independent of the content of the files.
 *
 * No library does the same: write-file-atomic writes once and accepts a short write, as from a nearly full disk, as
 * complete.
 */
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export interface Draft {
  /** Where to write. */
  readonly file: string;
  /** Puts what was written into its place. @throws what the file system said */
  commit(): void;
  /** Leaves the place as it was; without effect after `commit`. */
  discard(): void;
}

/** Readable by the owner alone: for files that hold what was exchanged. */
export const privateMode = 0o600;

const drafts = new Set<string>();
let watching = false;
let reported: ((file: string) => void) | undefined;

/**
 * Reports the absolute path of each draft before it is begun, so that another process can remove it should this one be
 * killed.
 */
export function onDraft(listener: (file: string) => void): void {
  reported = listener;
}

/** A process that is asked to end in the middle leaves no draft behind. */
function removeAtExit(file: string): void {
  drafts.add(file);
  if (watching) return;
  watching = true;
  process.on('exit', () => {
    for (const draft of drafts) rmSync(draft, { force: true });
  });
}

/**
 * Makes an empty neighbour of a file. What is no regular file (a device, a pipe) is written as it is, and so is a file
 * in a folder that takes no new ones.
 *
 * @param mode permissions of the file; its own, or the usual ones, when absent
 * @throws the error of the file system
 */
export function openDraft(path: string, mode?: number): Draft {
  const place = existsSync(path) ? realpathSync(path) : path;
  const old = existsSync(place) ? statSync(place) : undefined;
  const asItIs: Draft = { file: place, commit: () => {}, discard: () => {} };
  if (old !== undefined && !old.isFile()) return asItIs;
  const file = join(dirname(place), `.${basename(place)}.${randomBytes(6).toString('hex')}.tmp`);
  let handle: number;
  // Before it exists, so that it is known at every moment.
  reported?.(resolve(file));
  try {
    handle = openSync(file, 'wx', mode ?? 0o666);
  } catch (error) {
    if (old !== undefined && ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) return asItIs;
    throw error;
  }
  removeAtExit(file);
  const wanted = mode ?? (old && old.mode & 0o777);
  if (wanted !== undefined) fchmodSync(handle, wanted);
  closeSync(handle);
  const discard = (): void => {
    rmSync(file, { force: true });
    drafts.delete(file);
  };
  return {
    file,
    commit() {
      if (old) keepOwner(file, old);
      try {
        renameSync(file, place);
      } catch (error) {
        // A file that is mounted by itself, as containers do, cannot be replaced but by its bytes.
        if (codeOf(error) !== 'EBUSY') throw error;
        copyFileSync(file, place);
      }
      discard();
    },
    discard,
  };
}

function keepOwner(file: string, { uid, gid }: Stats): void {
  try {
    const now = statSync(file);
    if (now.uid !== uid || now.gid !== gid) chownSync(file, uid, gid);
  } catch {
    // Only an administrator gives files to others.
  }
}

export interface WholeFile {
  mode?: number;
  /** False: the bytes may still be on their way to the disk when this returns. */
  sync?: boolean;
}

/**
 * Writes a text, or pieces that are never in memory as a whole.
 * @throws the error of the file system, and any error of the pieces; the old file then remains
 */
export function writeWhole(
  path: string,
  pieces: string | Buffer | Iterable<string>,
  { mode, sync = true }: WholeFile = {},
): void {
  const draft = openDraft(path, mode);
  try {
    const handle = openSync(draft.file, 'w');
    try {
      for (const piece of typeof pieces === 'string' || Buffer.isBuffer(pieces) ? [pieces] : pieces)
        writeAll(handle, Buffer.from(piece as string));
      if (sync) syncFile(handle);
    } finally {
      closeSync(handle);
    }
    draft.commit();
  } finally {
    draft.discard();
  }
}

/** A disk that is nearly full takes a part, and says so with the next write. */
function writeAll(handle: number, data: Buffer): void {
  for (let done = 0; done < data.length; ) done += writeSync(handle, data, done);
}

/** Makes the bytes last. @throws what the file system said, save where there is nothing to sync */
export function syncFile(handle: number): void {
  try {
    fsyncSync(handle);
  } catch (error) {
    // Pipes and terminals have nothing to sync.
    if (!['EINVAL', 'ENOTSUP', 'EROFS'].includes(codeOf(error))) throw error;
  }
}

export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
