/** Where values for paths lie. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Places {
  readonly folder: string;
  /** Name of a file in the folder; `example.txt` when absent. */
  readonly file?: string;
}

/** For values that no run sends, such as those in a file of hints. */
export const usualPlaces: Places = { folder: join(tmpdir(), 'mcpc-run') };

/** The file in the folder. */
export const exampleFile = 'example.txt';
