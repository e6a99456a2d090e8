/** Which classes of changes fail, as a flag names them. */
import { changeClasses, type ChangeClass } from './compare-locks.ts';
import { usageError } from '../model/errors.ts';

/** @throws McpcError usage */
export function failingClasses(given: string, flag = '--fail-on'): ChangeClass[] {
  if (given === 'any') return [...changeClasses];
  if (given === 'none') return [];
  return given.split(',').map((word) => {
    const found = changeClasses.find((one) => one === word.trim());
    if (found === undefined)
      throw usageError(
        `${flag} knows no class ${JSON.stringify(word.trim())}.`,
        `Use any of ${changeClasses.join(', ')}; "any" or "none".`,
      );
    return found;
  });
}
