/** The flag --input: values for what a configuration asks its user for. */
import { inputName } from '../../../../files/config/variables.ts';
import { usageError } from '../../../../core/model/errors.ts';
import { repeatedFlag } from './flag-values.ts';

export function inputFlag(helpGroup: string) {
  return repeatedFlag({
    summary:
      'Value for ${input:NAME} of a configuration; the environment variable NAME does the same. Without either the default is taken. Repeats.',
    helpGroup,
    helpValue: 'NAME=VALUE',
  });
}

/**
 * Puts the values into the environment, where workers find them, too; servers do not inherit them.
 *
 * @throws McpcError usage for a value without a name
 */
export function giveInputs(pairs: readonly string[] = [], env: NodeJS.ProcessEnv = process.env): void {
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw usageError(`--input takes NAME=VALUE, not "${pair}".`, 'For example --input region=eu.');
    env[inputName(pair.slice(0, at))] = pair.slice(at + 1);
  }
}
