/** `rules lint --fix`: writes the new names of subject kinds and facts into rule files, and changes nothing else. */
import { readFileSync, statSync } from 'node:fs';
import { usageError } from '../../core/model/errors.ts';
import { writeWhole } from '../../files/output/draft.ts';
import { matchFiles } from '../../files/package/match-files.ts';
import { withNewNames } from '../../files/package/old-names.ts';
import { asText } from '../../core/model/json.ts';

export interface FixedFile {
  file: string;
  /** Old names to new ones. */
  renamed: Record<string, string>;
}

/**
 * @param patterns paths and globs of rule files and files of derived facts
 * @returns the changed files
 * @throws McpcError usage for a file that cannot be read or written
 */
export function fixOldNames(patterns: readonly string[]): FixedFile[] {
  return [...new Set(patterns.flatMap(matchFiles))].flatMap((file) => {
    const before = read(file);
    const { text, renamed } = withNewNames(before);
    if (renamed.size === 0) return [];
    writeWhole(file, text, { mode: statSync(file).mode & 0o777 });
    return [{ file, renamed: Object.fromEntries(renamed) }];
  });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(
      `Cannot read ${file}: ${error instanceof Error ? error.message : asText(error)}.`,
      'Check the path.',
    );
  }
}
