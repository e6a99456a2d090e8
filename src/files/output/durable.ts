/**
 * Files that are whole or not there, whatever happens to the process or the machine. It is independent of their
 * content.
 */
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { writeWhole, type WholeFile } from './draft.ts';

/** Writes a text under a name of its own, syncs it, and puts it into place. @throws what the file system said; the place is then as it was */
export async function writeDurably(
  file: string,
  data: string | Buffer,
  { mode }: Pick<WholeFile, 'mode'> = {},
): Promise<void> {
  writeWhole(file, data, mode === undefined ? {} : { mode });
  await syncFolder(path.dirname(file));
}

/** Puts a file that is whole into place under its final name, synced. */
export async function placeDurably(from: string, to: string): Promise<void> {
  const handle = await open(from, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(from, to);
  await syncFolder(path.dirname(to));
}

/** Makes the names in a folder last. Where folders cannot be synced (Windows) the system does what it does. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
