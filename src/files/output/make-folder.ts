/**
 * Makes a folder, and those on the way to it. Node's own `recursive` never ends below a folder that is there and takes
 * none, such as /proc.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** @throws Error of the file system, with its code */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && existsSync(path) && statSync(path).isDirectory()) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || above === path || existsSync(above)) throw error;
    makeFolder(above);
    makeFolder(path);
  }
}
