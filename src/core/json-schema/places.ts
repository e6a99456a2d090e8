/** Where values for paths lie. */
export interface Places {
  readonly folder: string;
  /** Name of a file in the folder; `example.txt` when absent. */
  readonly file?: string;
}

/** The file in the folder. */
export const exampleFile = 'example.txt';

/** For values that no run sends, such as those in a hints file. The folder need not exist. */
export const usualPlaces: Places = { folder: '/tmp/mcpc-run' };
