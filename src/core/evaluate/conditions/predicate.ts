/**
 * The fast path: a condition as one plain function. json-rules-engine clones its conditions and awaits every leaf at
 * each evaluation (10 to 20 µs), too slow for each rule on each message of a long trace. So passing subjects are found
 * here. A test proves that both agree on every example of every rule. The engine decides failures, and also evaluates
 * some passes.
 */
import type { Subject } from '../../facts/state/subject.ts';
import { judgedPath, notRecorded } from '../../facts/registry/unrecorded.ts';
import type { DerivedFact } from '../../model/rules/derived-fact.ts';
import { largest } from '../../model/lists.ts';
import type { Condition, LeafCondition } from '../../model/rules/rule.ts';
import { otherFact } from '../../rules/shared-definitions.ts';
import { derivedReader, factReader, subjectMember } from './fact-reader.ts';
import type { Operator, OperatorContext } from '../operators/operator.ts';
import type { ValueTest } from '../operators/value-tests.ts';
import { operatorsByName } from '../operators/operators.ts';

/** @throws NotRecordedError if the condition depends on a fact that the trace does not contain */
export type Predicate = (subject: Subject) => boolean;

/**
 * A function that asks the leaves of a condition in their order, and no further than it has to.
 *
 * @throws Error for an operator that does not exist, or a name that was not expanded (rules are checked for that when they are loaded)
 */
export function compilePredicate(condition: Condition, context: OperatorContext): Predicate {
  if ('fact' in condition) return compileLeaf(condition, context);
  if ('not' in condition) {
    const part = compilePredicate(condition.not, context);
    return (subject) => !part(subject);
  }
  if ('condition' in condition) throw new Error(`condition "${condition.condition}" was not expanded`);
  const decisive = 'any' in condition;
  const parts = ('any' in condition ? condition.any : condition.all).map((part) => compilePredicate(part, context));
  if (parts.length === 1) return parts[0]!;
  return (subject) => {
    for (const part of parts) if (part(subject) === decisive) return decisive;
    return !decisive;
  };
}

function testOfValue(operator: Operator, option: unknown, context: OperatorContext): ValueTest {
  return operator.prepare?.(option) ?? ((actual) => operator.test(actual, option, context));
}

/**
 * A condition with the parts of an `all` by their cost. Only for conditions that select: if one part is false and the
 * other depends on an unrecorded fact, the result may be "not to be judged".
 */
export function cheapFirst(condition: Condition): Condition {
  return 'all' in condition ? { all: [...condition.all].sort((a, b) => costOf(a) - costOf(b)) } : condition;
}

/** Rough classes: a glance, a walk over a list or a pattern, a query, a schema. */
function costOf(condition: Condition): number {
  if ('all' in condition) return largest([0, ...condition.all.map(costOf)]);
  if ('any' in condition) return largest([0, ...condition.any.map(costOf)]);
  if ('not' in condition) return costOf(condition.not);
  if ('condition' in condition) return 0;
  const { operator, path = '' } = condition;
  if (/schema/i.test(operator)) return 3;
  if (path.includes('?')) return 2;
  return path.includes('*') || operator.endsWith('atches') ? 1 : 0;
}

function compileLeaf(
  { fact, path, operator: name, value, derived }: LeafCondition,
  context: OperatorContext,
): Predicate {
  const operator = operatorsByName.get(name);
  if (!operator) throw new Error(`unknown operator "${name}"`);
  const actual = valueReader(fact, path, derived);
  const source = otherFact(value);
  if (source) {
    const option = valueReader(source.fact, source.path, source.derived);
    return (subject) => operator.test(actual(subject), option(subject), context);
  }
  const test = testOfValue(operator, value, context);
  if (operator.lasting && derived === undefined && path === undefined)
    return ofBeginnings(fact, (subject) => test(actual(subject)), test);
  const member = path === undefined && derived === undefined ? subjectMember(fact) : undefined;
  if (member === undefined) return (subject) => test(actual(subject));
  // Most leaves of most messages: with nothing hidden, there is nothing between the fact and its test.
  return (subject) => test(subject.hidden === undefined ? subject.facts[member] : actual(subject));
}

/** The test of a leaf on a list with a possibly missing end: a failure in it is certain, a pass is not. */
function ofBeginnings(fact: string, whole: Predicate, ofStart: (start: unknown) => boolean): Predicate {
  const name = subjectMember(fact);
  return (subject) => {
    if (name === undefined || subject.beginning?.has(fact) !== true) return whole(subject);
    if (ofStart(subject.facts[name])) throw notRecorded;
    return false;
  };
}

/** Reads the input of a leaf: a fact, or the value at a path in it. */
function valueReader(fact: string, path: string | undefined, derived?: DerivedFact): (subject: Subject) => unknown {
  const read = derived ? derivedReader(derived) : factReader(fact);
  if (path === undefined) return read;
  const within = judgedPath(path);
  return (subject) => within(read(subject));
}
