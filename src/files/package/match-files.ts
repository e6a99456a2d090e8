/** Paths and globs of rule files, as flags name them. */
import { globSync } from 'tinyglobby';

/** The files that a path or glob names. */
export function matchFiles(pattern: string): string[] {
  return /[*?[{]/.test(pattern) ? globSync(pattern, { expandDirectories: false }).sort() : [pattern];
}
