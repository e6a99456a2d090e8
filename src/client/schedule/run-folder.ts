/**
 * The folder that paths in arguments lie below. It is made when the first one is wanted, holds one small file, and
 * goes with the run, with whatever a tool put there.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usualPlaces, exampleFile, type Places } from '../../core/json-schema/places.ts';
import { makeRunFolder, removeFolder } from '../transport/process/run-folders.ts';

export interface RunFolder extends Places {
  remove(): void;
}

export function createRunFolder(): RunFolder {
  let made: string | undefined;
  return {
    get folder() {
      if (made !== undefined) return made;
      try {
        made = makeRunFolder();
        writeFileSync(join(made, exampleFile), 'A file of mcpc.\n');
      } catch {
        // A disk that takes nothing more must not end a check: the paths are as harmless when nothing is there.
        made ??= usualPlaces.folder;
      }
      return made;
    },
    remove() {
      if (made !== undefined && made !== usualPlaces.folder) removeFolder(made);
      made = undefined;
    },
  };
}
