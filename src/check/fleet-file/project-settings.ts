/** The members of a fleet file that make it a project file. Pure. */
import { usageError } from '../../core/model/errors.ts';
import type { ProjectSettings } from '../../core/model/reports/fleet.ts';
import type { FleetFile } from './fleet-file.ts';

/**
 * @param around.pathOf makes a path absolute
 * @param around.from where an item of `disable` stands, `file:line`
 * @throws McpcError usage for a rule that is disabled twice, and a day that no month has
 */
export function projectSettings(
  { check = {}, ci = {}, disable = [] }: FleetFile,
  { pathOf, from }: { pathOf(text: string): string; from(index: number): string },
): ProjectSettings {
  const paths = (member: 'rules' | 'requirements' | 'facts'): object =>
    check[member] === undefined ? {} : { [member]: check[member].map(pathOf) };
  const path = (member: 'baseline' | 'lock'): object =>
    ci[member] === undefined ? {} : { [member]: pathOf(ci[member]) };
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
  return {
    check: { ...check, ...paths('rules'), ...paths('requirements'), ...paths('facts') },
    ci: { ...ci, ...path('baseline'), ...path('lock') },
    disable: disabled,
  };
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
