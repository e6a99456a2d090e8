/** Finds conditions that no value can meet: an operator or a path that does not fit the kind of value of its fact. */
import { factsOf } from '../facts/registry/registry.ts';
import type { LeafCondition } from '../model/rules/rule.ts';
import type { SubjectKind } from '../model/rules/subject-kind.ts';

/** Operators that test one number or text; none of them holds for a list. */
const ofOne: Readonly<Record<string, string>> = {
  atLeast: 'everyAtLeast or percentAtLeast',
  atMost: 'everyAtMost or percentAtMost',
  matches: 'everyMatches',
  isAfter: 'a path such as $[0]',
  isNotAfter: 'a path such as $[0]',
};

/** Operators that test a list; none of them holds for a number. */
const ofLists = new Set([
  'countIs',
  'everyAtLeast',
  'everyAtMost',
  'everyHasType',
  'everyMatches',
  'everyMatchesSchema',
  'atMostWithin',
  'followsTransitions',
  'hasLengthAtLeast',
  'hasLengthAtMost',
  'includes',
  'isEmpty',
  'isMonotonic',
  'isStrictlyIncreasing',
  'isUnique',
  'percentAtLeast',
  'percentAtMost',
]);

/** @returns why the condition holds for no subject, with the remedy; undefined where it can hold, or nothing is known */
export function misfit(kind: SubjectKind, { fact, path, operator }: LeafCondition): string | undefined {
  if (isList(kind, fact)) {
    if (path !== undefined && path !== '$' && !path.startsWith('$[') && !path.startsWith('$..'))
      return `${fact} is a list, so ${path} is absent in it: begin with $[0] or $[*]`;
    if ((path === undefined || path === '$') && Object.hasOwn(ofOne, operator))
      return `${fact} is a list, and ${operator} tests one value: use ${ofOne[operator]}`;
    return undefined;
  }
  if (!isNumber(kind, fact)) return undefined;
  if (path !== undefined && path !== '$') return `${fact} is a number, so ${path} is absent in it: leave out the path`;
  return ofLists.has(operator) ? `${fact} is a number, and ${operator} tests a list` : undefined;
}

function isList(kind: SubjectKind, fact: string): boolean {
  return kind === 'group' && (fact === 'subject.times' || fact.startsWith('subject.values.'));
}

function isNumber(kind: SubjectKind, fact: string): boolean {
  const [scope, name = ''] = fact.split('.');
  return scope === 'subject' && factsOf(kind).get(name)?.definition.number === true;
}
