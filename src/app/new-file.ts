/** Writes a file that was not there, or that may be replaced. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../model/errors.ts';

/**
 * @param remedy what to do when the file is there
 * @throws McpcError usage when the file exists, unless it is replaced by `force`, or cannot be written
 */
export function writeNewFile(file: string, text: string, { force = false, remedy = 'Name another file, or remove it.' }: { force?: boolean; remedy?: string } = {}): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw usageError(`${file} is there already.`, remedy, error);
    throw usageError(`Cannot write ${file}: ${(error as Error).message}`, 'Check the path given with --output.', error);
  }
}
