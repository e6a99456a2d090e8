/** The members of a fleet file that make it a project file. Pure. */
import { usageError } from '../../core/model/errors.ts';
import type { ProjectSettings } from '../settings/fleet-entry.ts';
import { readSections } from '../settings/project-rows.ts';
import type { FleetFile } from './fleet-file.ts';

/**
 * @param around.pathOf makes a path absolute
 * @param around.from where an item of `disable` stands, `file:line`
 * @throws McpcError usage for a rule that is disabled twice, and a day that no month has
 */
export function projectSettings(
  { disable = [], ...file }: FleetFile,
  { pathOf, from }: { pathOf(text: string): string; from(index: number): string },
): ProjectSettings {
  const seen = new Map<string, string>();
  const disabled = disable.map((one, index) => {
    const at = from(index);
    const before = seen.get(one.rule);
    if (before !== undefined)
      throw usageError(`${at}: ${one.rule} is disabled twice: ${before} has it too.`, 'Leave one of them out.');
    seen.set(one.rule, at);
    if (one.until !== undefined && !isDay(one.until))
      throw usageError(`${at}: disable.${index}.until: there is no ${one.until}.`, 'Name a day as YYYY-MM-DD.');
    return { ...one, from: at };
  });
  return { ...readSections(file, pathOf), disable: disabled };
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
