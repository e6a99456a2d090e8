/**
 * Copies of the fixture folder, one for each case, in folders whose names identify the process that made them. Links
 * are left out. Copies of processes that are gone are removed.
 */
import { randomBytes } from 'node:crypto';
import { constants, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cp, lstat, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Places } from '../../../core/json-schema/places.ts';
import { usageError } from '../../../core/model/errors.ts';
import { withTexts } from '../../../core/model/json.ts';

const prefix = 'mcpc-fixture';
const fixturePlaceholder = '{{fixture}}';

/** Copies that this process has to remove. */
const copies = new Set<string>();
let hooked = false;

export interface FixtureCopy {
  path: string;
  remove(): Promise<void>;
}

/** @throws McpcError usage when it is no folder */
export function fixtureFolder(path: string): string {
  const folder = resolve(path);
  let isFolder = false;
  try {
    isFolder = statSync(folder).isDirectory();
  } catch {
    // Reported below.
  }
  if (!isFolder) throw usageError(`There is no fixture folder ${path}.`, 'Check the path given with --fixture.');
  return folder;
}

/** Copies a folder, sharing blocks with it where the disk can. Rejects with what the system says. */
export async function copyFixture(folder: string): Promise<FixtureCopy> {
  // No capitals: some servers take paths for the same whatever their case, and then do not find them.
  const outer = join(tmpdir(), `${prefix}-${process.pid}-${startOf(process.pid)}-${randomBytes(5).toString('hex')}`);
  await mkdir(outer, { mode: 0o700 });
  copies.add(outer);
  if (!hooked) process.on('exit', () => copies.forEach((copy) => rmSync(copy, { recursive: true, force: true })));
  hooked = true;
  const path = join(outer, basename(folder));
  const remove = async (): Promise<void> => {
    await rm(outer, { recursive: true, force: true, maxRetries: 3 });
    copies.delete(outer);
  };
  try {
    await cp(folder, path, {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      filter: async (from) => !(await lstat(from)).isSymbolicLink(),
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

/** Where paths in arguments lie: in a copy, at its first file. */
export function placesIn(copy: string): Places {
  const file = readdirSync(copy, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort()[0];
  return { folder: copy, file };
}

/** Words of a command line with the path of a copy in place of `{{fixture}}`. */
export function filledIn(words: readonly string[], copy: string): string[] {
  return words.map((word) => word.replaceAll(fixturePlaceholder, copy));
}

/** A value that goes into a file, with `{{fixture}}` in place of the path of a copy, which is gone then. */
export function withPlaceholder<T>(value: T, copy: string | undefined): T {
  return copy === undefined ? value : (withTexts(value, (text) => text.replaceAll(copy, fixturePlaceholder)) as T);
}

/** The opposite, for values out of such a file. */
export function withCopy<T>(value: T, copy: string | undefined): T {
  return copy === undefined ? value : (withTexts(value, (text) => text.replaceAll(fixturePlaceholder, copy)) as T);
}

/** Removes copies that a killed run has left. */
export function removeLeftovers(): void {
  const form = new RegExp(`^${prefix}-(\\d+)-(\\d+)-`);
  for (const name of readdirSync(tmpdir())) {
    const [, pid, start] = form.exec(name) ?? [];
    if (
      pid === undefined ||
      (Number(pid) !== process.pid && isRunning(Number(pid)) && startOf(Number(pid)) === start) ||
      Number(pid) === process.pid
    )
      continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // It belongs to another process, which may remove it.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Start time of a process, in ticks since the start of the machine; 0 if the system does not report it. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0';
  } catch {
    return '0';
  }
}
