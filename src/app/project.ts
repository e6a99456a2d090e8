/** Puts together what rules are compiled with: catalogue, vocabulary of conditions, the rule files themselves. */
import { operators } from '../evaluate/operators.ts';
import type { Plan } from '../model/rule.ts';
import type { RuleSource } from '../rules/compile-rule.ts';
import { compileRules, createRuleChecker, readHouseRules, readRuleFolder, readSharedDefinitions, type RuleChecker } from '../rules/load-rules.ts';
import { generatedFile, rulesFolder, packageRoot } from '../spec/package-root.ts';
import type { Catalogue } from '../spec/requirements/catalogue.ts';
import { loadCatalogue } from '../spec/requirements/load-catalogue.ts';

/** @throws RuleFileError or RequirementsError for a broken installation or house file */
export function openCatalogue(houseRequirements: readonly string[] = []): Catalogue {
  return loadCatalogue({ generated: generatedFile('requirements.json'), house: houseRequirements });
}

export function openRuleChecker(root = packageRoot()): RuleChecker {
  return createRuleChecker(rulesFolder(root), new Map(operators.map((one) => [one.name, one.option])));
}

/** Compiles mcpc's own rules from their files. @throws RuleFileError with every problem */
export function compileOwnRules(catalogue: Catalogue, root = packageRoot()): { sources: RuleSource[]; plan: Plan } {
  const folder = rulesFolder(root);
  const sources = readRuleFolder(folder);
  return { sources, plan: compileRules(sources, openRuleChecker(root), catalogue, readSharedDefinitions(folder)) };
}

/** Compiles a user's rule files against the official and house requirements. @throws RuleFileError */
export function compileHouseRules(patterns: readonly string[], catalogue: Catalogue): Plan {
  const sources = readHouseRules(patterns);
  return compileRules(sources, openRuleChecker(), catalogue, readSharedDefinitions(rulesFolder()));
}
