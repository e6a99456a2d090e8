/** The rules that decide the checks of a scenario: those of mcpc, and those in its file. */
import { McpcError } from '../../core/model/errors.ts';
import type { CompiledRule } from '../../core/model/rules/rule.ts';
import { compileCaseRule } from '../../core/rules/compile-case-rule.ts';
import type { ConditionContext } from '../../core/rules/compile-rule.ts';
import { resolveDerivedFacts } from '../../core/rules/derived-facts.ts';
import { readFactFiles, readSharedDefinitions } from '../../files/package/load-rules.ts';
import { rulesFolder } from '../../files/package/package-root.ts';
import { everything, loadPlan, type SelectedPlan } from '../../check/plan.ts';
import { openRuleChecker } from '../../check/project.ts';
import type { OwnRule, Scenario, ScenarioCheck } from './scenarios.ts';

/** The plan of a scenario, and the ids of the rules that decide a check. */
export interface ScenarioRules {
  plan: SelectedPlan;
  of(check: ScenarioCheck): readonly string[];
}

/** @throws McpcError internal for a scenario whose rules are wrong */
export async function rulesOf({ scenario, checks }: Scenario): Promise<ScenarioRules> {
  const plan = await loadPlan(everything);
  const context = conditionContext();
  const byCheck = new Map<ScenarioCheck, string[]>();
  const own: CompiledRule[] = [];
  for (const [index, check] of checks.entries()) {
    const ids = [check.rule ?? []].flat();
    for (const [part, rule] of [check.judge, check.also].entries()) {
      if (rule === undefined) continue;
      const compiled = compiledRule(`conformance/check-${index + 1}-${part + 1}`, rule, check, context, scenario);
      own.push(compiled);
      ids.push(compiled.id);
    }
    byCheck.set(check, ids);
  }
  return {
    plan: { ...plan, rules: [...plan.rules.filter(({ role }) => role === 'client'), ...own] },
    of: (check) => byCheck.get(check) ?? [],
  };
}

function conditionContext(): ConditionContext {
  const folder = rulesFolder();
  const checker = openRuleChecker();
  return {
    derived: resolveDerivedFacts(readFactFiles(folder, [], checker), []),
    shared: readSharedDefinitions(folder),
    ...checker,
  };
}

function compiledRule(
  id: string,
  rule: OwnRule,
  { description }: ScenarioCheck,
  context: ConditionContext,
  scenario: string,
): CompiledRule {
  const compiled = compileCaseRule(id, rule, context);
  if ('problems' in compiled) {
    const wrong = compiled.problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
    throw new McpcError('internal', `The scenario ${scenario} has a rule that is wrong: ${wrong}`);
  }
  return {
    ...compiled.rule,
    role: 'client',
    area: 'conformance',
    title: description,
    message: `It does not hold: ${description}`,
  };
}
