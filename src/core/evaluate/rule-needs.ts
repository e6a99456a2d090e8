/** Needs of rules: which facts of a subject, of a connection and of features a judge must supply. */
import type { Subject } from '../facts/state/subject.ts';
import { featureOf, makerOf } from '../facts/registry/registry.ts';
import { selectorsOf } from '../facts/selections/selections.ts';
import type { CompiledRule } from '../model/rules/rule.ts';
import { allows } from '../model/rules/subject-kind.ts';
import { factsReadBy } from '../rules/rule-facts.ts';
import { conditionsOf, leavesOf } from '../rules/shared-definitions.ts';
import { needsJsonSchemas } from './operators/schema-operators.ts';
import type { RuleJudge } from './rule-judge.ts';
import { asText } from '../model/json.ts';

/** True if a rule takes a subject without a tree. */
export function isSelected(judge: RuleJudge, { facts }: Subject): boolean {
  try {
    return Object.keys(judge.rule.filter).every((name) => allows(judge.rule.filter, name, facts[name]));
  } catch (error) {
    judge.spoil(error instanceof Error ? error.message : asText(error));
    return false;
  }
}

/** True if a rule is about subjects of a feature, or reads any of its facts. */
export function readsFactsOf(rule: CompiledRule, feature: string): boolean {
  const kinds = [rule.kind, ...(rule.selection ? selectorsOf(rule.selection).map(({ kind }) => kind) : [])];
  return (
    kinds.some((kind) => makerOf(kind) === feature) ||
    factsReadBy(rule).some(({ kind, fact }) => featureOf(kind, fact) === feature)
  );
}

export function judgesSchemas(rule: CompiledRule): boolean {
  return conditionsOf(rule).some((condition) =>
    leavesOf(condition, '').some(({ leaf }) => needsJsonSchemas(leaf.operator)),
  );
}

/**
 * Connections that negotiated another revision are judged by the rules of none; the target spans all of them. An answer
 * to `initialize` that names no revision has negotiated none: that is wrong by each of them. What came before a revision
 * was agreed on is judged by each.
 */
export function belongsTo(
  { session, kind, facts, early }: Pick<Subject, 'session' | 'early'> & Partial<Pick<Subject, 'kind' | 'facts'>>,
  revision: string,
): boolean {
  if (session?.bothEras) return false;
  if (early === true) return true;
  const negotiated = session?.revision;
  if (negotiated === undefined || negotiated === revision) return true;
  return session?.isAssumed === true && kind === 'exchange' && facts?.method === 'initialize';
}
