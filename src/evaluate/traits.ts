/**
 * Traits: what a rule's conditions read of a subject, as far as it comes in a few kinds only. Subjects with equal
 * traits get equal verdicts, which is what verdict-memo.ts rests on.
 */
import type { Subject } from '../facts/subject.ts';
import type { CompiledRule, LeafCondition } from '../model/rule.ts';
import { conditionsOf, leavesOf } from '../rules/shared-definitions.ts';
import { jsonTypeOf, operatorsByName, type OperatorContext } from './operators.ts';
import { otherFact, valueReader } from './predicate.ts';

export interface Trait {
  key: string;
  /** Number of the kind that the subject is of; 0 when it is of none that could be told apart. */
  kindOf(subject: Subject): number;
}

/** A value that stands for itself alone, so that nothing follows for other subjects. */
export const odd = 0;

/** Kinds told apart by one trait; ids and times would make any number. */
const mostKinds = 16;

const longestText = 100;

/** Operators of which two kinds are enough: they hold, or they do not. */
const yesOrNo: ReadonlySet<string> = new Set(['atLeast', 'atMost']);

/** Facts of a connection that are no lists and no objects, so that their values alone make the kinds. */
const scalars: ReadonlySet<string> = new Set(['transport', 'era', 'revision', 'requestedVersion', 'phase'].map((name) => `session.${name}`));

/** Operators that compare; with plain values to compare with, all lists and objects are one kind to them. */
const comparing: ReadonlySet<string> = new Set(['is', 'isNot', 'isOneOf', 'isNoneOf']);

/** Paths that cost next to nothing to walk; others are left to the rules, which may not come to them. */
const cheapPath = /^\$(?:\.[A-Za-z_][\w-]*|\['[^'\\]*'\]){1,4}$/;

/**
 * @param same names of `subject` facts that are the same for all subjects in question
 * @returns undefined for a rule with a condition that reads more than can be looked at for every subject
 */
export function traitsOf(rule: CompiledRule, same: ReadonlySet<string>, context: OperatorContext): Trait[] | undefined {
  const traits: Trait[] = [];
  for (const { leaf } of conditionsOf(rule).flatMap((condition) => leavesOf(condition, ''))) {
    for (const part of partsOf(leaf)) {
      if (part.path !== undefined && !cheapPath.test(part.path)) return undefined;
      if (part.path !== undefined || !same.has(part.fact)) traits.push(traitOf(part, context));
    }
  }
  return traits;
}

/** Stands for an operator that takes in the whole value. */
const byValue = '';

/** What a leaf reads: its fact, and the one that it is compared with. */
function partsOf(leaf: LeafCondition): LeafCondition[] {
  const other = otherFact(leaf.value);
  return other ? [{ ...leaf, operator: byValue }, { ...other, operator: byValue }] : [leaf];
}

function traitOf({ fact, path, operator, value }: LeafCondition, context: OperatorContext): Trait {
  const read = valueReader(fact, path);
  const place = path === undefined ? fact : `${fact} ${path}`;
  if (operator === 'exists') return { key: `${place} exists`, kindOf: (subject) => (read(subject) === undefined ? 1 : 2) };
  if (operator === 'isEmpty') {
    const { test } = operatorsByName.get(operator)!;
    return {
      key: `${place} isEmpty`,
      kindOf(subject) {
        const actual = read(subject);
        return test(actual, true, context) ? 1 : test(actual, false, context) ? 2 : 3;
      },
    };
  }
  if (yesOrNo.has(operator)) {
    const { test } = operatorsByName.get(operator)!;
    return { key: `${place} ${operator} ${JSON.stringify(value)}`, kindOf: (subject) => (test(read(subject), value, context) ? 1 : 2) };
  }
  const kinds = createKinds();
  if (scalars.has(place)) return { key: place, kindOf: (subject) => kinds(read(subject)) };
  if (operator === 'hasType') return { key: `${place} type`, kindOf: (subject) => kinds(typeOf(read(subject))) };
  if (comparing.has(operator) && [value].flat().every((one) => typeof one !== 'object' || one === null)) {
    return { key: `${place} plain`, kindOf: (subject) => kinds(plainly(read(subject))) };
  }
  return { key: place, kindOf: (subject) => kinds(read(subject)) };
}

function typeOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return Number.isInteger(value) ? 'integer' : jsonTypeOf(value);
}

const nested = Symbol('a list or an object');

function plainly(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? nested : value;
}

const emptyList = Symbol('empty list');

/** Numbers the kinds of a value in the order in which they turn up. */
function createKinds(): (value: unknown) => number {
  const numbers = new Map<unknown, number>();
  let last: unknown;
  let lastNumber = odd;
  return (value) => {
    if (lastNumber !== odd && value === last) return lastNumber;
    const kind = distinct(value);
    if (kind === undefined && value !== undefined) return odd;
    let number = numbers.get(kind);
    if (number === undefined) {
      if (numbers.size >= mostKinds) return odd;
      numbers.set(kind, (number = numbers.size + 1));
    }
    last = value;
    lastNumber = number;
    return number;
  };
}

/** Something that equals only what no operator tells apart from the value; undefined where nothing does. */
function distinct(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longestText ? undefined : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) && value.length === 0) return emptyList;
  // What is frozen stays what it is.
  return Object.isFrozen(value) ? value : undefined;
}
