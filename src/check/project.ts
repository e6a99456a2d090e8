/** Puts together what rules are compiled with: catalogue, vocabulary of conditions, the rule files themselves. */
import { operators } from '../core/evaluate/operators/operators.ts';
import type { Plan } from '../core/model/rules/rule.ts';
import type { RuleSource } from '../core/rules/compile-rule.ts';
import {
  compileRules,
  createRuleChecker,
  readFactFiles,
  readHouseRules,
  readRuleFolder,
  readSharedDefinitions,
  type RuleChecker,
} from '../files/package/load-rules.ts';
import { withRuleCode } from '../files/package/rule-code.ts';
import { generatedFile, rulesFolder, packageRoot } from '../files/package/package-root.ts';
import type { Catalogue } from '../core/spec/requirements/catalogue.ts';
import { loadCatalogue } from '../files/package/load-catalogue.ts';

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
  return { sources, plan: compileWith(sources, catalogue, [], root) };
}

/**
 * Compiles a user's rule files against the official and house requirements.
 * @param houseFacts files of derived facts
 * @param rulesCode runs the code that the rules bring
 * @throws RuleFileError, McpcError usage for code that is not to run
 */
export function compileHouseRules(
  patterns: readonly string[],
  catalogue: Catalogue,
  houseFacts: readonly string[],
  rulesCode = false,
): Plan {
  return compileWith(readHouseRules(patterns), catalogue, withRuleCode(patterns, houseFacts, rulesCode));
}

/** Compiles rules with the shared definitions and derived facts of mcpc, and those of the user. @throws RuleFileError */
export function compileWith(
  sources: readonly RuleSource[],
  catalogue: Catalogue,
  houseFacts: readonly string[],
  root = packageRoot(),
): Plan {
  const folder = rulesFolder(root);
  const checker = openRuleChecker(root);
  return compileRules(
    sources,
    checker,
    catalogue,
    readSharedDefinitions(folder),
    readFactFiles(folder, houseFacts, checker),
  );
}
