/** Finds the file that a compiled rule came from. */
import path from 'node:path';
import { McpcError } from '../../core/model/errors.ts';
import type { RuleSource } from '../../core/rules/compile-rule.ts';
import { readHouseRules } from '../../files/package/load-rules.ts';
import { rulesFolder } from '../../files/package/package-root.ts';
import { isThereOrPacked } from '../../files/package/packed-files.ts';

/**
 * @param houseRules patterns of the user's own rule files
 * @throws McpcError internal when a compiled rule has no file
 */
export function readRuleSource(id: string, houseRules: readonly string[]): RuleSource {
  const own = path.join(rulesFolder(), `${id}.json`);
  const sources = isThereOrPacked(own) ? readHouseRules([own]) : readHouseRules(houseRules);
  const found = sources.find((source) => source.id === id);
  if (found === undefined)
    throw new McpcError('internal', `The file of the rule ${id} is missing.`, { remedy: 'Install mcpc again.' });
  return found;
}
