/** Names of the formats of suite reports, apart from what renders them, which takes a while to load. */
import { usageError } from '../../core/model/errors.ts';

export const suiteFormats = [
  'terminal',
  'json',
  'html',
  'markdown',
  'junit',
  'github',
  'sarif',
  'ctrf',
  'tap',
  'badge-json',
  'badge-svg',
] as const;
export type SuiteFormat = (typeof suiteFormats)[number];

/** The format of a name given by a user. @throws McpcError (usage) listing the names there are. */
export function suiteFormat(name: string): SuiteFormat {
  const found = suiteFormats.find((format) => format === name);
  if (found === undefined)
    throw usageError(`"${name}" is no format of such a report; use one of ${suiteFormats.join(', ')}.`);
  return found;
}
