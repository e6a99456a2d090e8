/** Writes a file that was not there; never replaces one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../model/errors.ts';

/** @throws McpcError usage when the file exists or cannot be written */
export function writeNewFile(file: string, text: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw usageError(`${file} is there already.`, 'Name another file, or remove it.', error);
    throw usageError(`Cannot write ${file}: ${(error as Error).message}`, 'Check the path given with --output.', error);
  }
}
