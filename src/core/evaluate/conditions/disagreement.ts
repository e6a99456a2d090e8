/** The error for a rule with different results of json-rules-engine and the fast path. */
import type { Subject } from '../../facts/state/subject.ts';
import type { CompiledRule, Condition, LeafCondition } from '../../model/rules/rule.ts';
import { leavesOf } from '../../rules/shared-definitions.ts';
import type { LeafResult } from './engine.ts';
import type { Predicate } from './predicate.ts';

/**
 * @param leaves of the rule's `expect` as the engine found them, in their order
 * @param said what the fast path made of the subject
 */
export function disagreement(
  rule: CompiledRule,
  subject: Subject,
  leaves: readonly LeafResult[],
  predicateOf: (condition: Condition) => Predicate,
  said: 'pass' | 'fail',
): Error {
  const written = leavesOf(rule.expect, '').map(({ leaf }) => leaf);
  const at = written.findIndex(
    (leaf, index) => leaves[index] !== undefined && asksOtherwise(leaf, leaves[index], subject, predicateOf),
  );
  const leaf = written[at] ?? written[0]!;
  const text = `${leaf.fact}${leaf.path === undefined ? '' : ` ${leaf.path}`} ${leaf.operator} ${JSON.stringify(leaf.value)}`;
  const other = said === 'pass' ? 'fails' : 'passes';
  return new Error(
    `two evaluations of ${rule.id} disagree about event ${subject.events.join(', ')}: it is a ${said} by the fast path, and ${other} by json-rules-engine, ${at === -1 ? 'with the same leaves, first' : 'which differs in the leaf'} ${text}`,
  );
}

function asksOtherwise(
  leaf: LeafCondition,
  { operator, holds }: LeafResult,
  subject: Subject,
  predicateOf: (condition: Condition) => Predicate,
): boolean {
  const plain = operator.startsWith('not ') ? !holds : holds;
  try {
    return predicateOf(leaf)(subject) !== plain;
  } catch {
    return true;
  }
}
