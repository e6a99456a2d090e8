/** Writes a text that comes in pieces: there as a whole or not at all, and never in memory as a whole. */
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { usageError } from '../../model/errors.ts';

/** @throws McpcError usage for a file that cannot be written, and whatever the pieces throw */
export function writeInPieces(path: string, pieces: Iterable<string>): void {
  const draft = `${path}.${process.pid}.tmp`;
  const attempt = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw usageError(`Cannot write the report to ${path}: ${(error as Error).message}`, 'Check the path and its permissions.', error);
    }
  };
  const file = attempt(() => {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(draft, 'w');
  });
  try {
    for (const piece of pieces) {
      const data = Buffer.from(piece);
      attempt(() => {
        for (let done = 0; done < data.length; ) done += writeSync(file, data, done);
      });
    }
  } catch (error) {
    closeSync(file);
    rmSync(draft, { force: true });
    throw error;
  }
  closeSync(file);
  attempt(() => renameSync(draft, path));
}
