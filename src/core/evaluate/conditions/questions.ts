/**
 * What a rule asks of a subject, as numbers: each leaf that rules have in common is one number, so that what is known
 * of a subject is a short array, and what a rule says by it is soon told. Made once for each rule.
 */
import type { Subject } from '../../facts/core/subject.ts';
import type { CompiledRule, Condition, LeafCondition } from '../../model/rules/rule.ts';
import { cheapFirst, costOf, type LeafTests } from './leaf.ts';

/**
 * What a rule made of a subject: it passed, the rule stood aside, or it would have had to know what the trace does not
 * tell and the subject may have broken it (`dropped`), each of which follows from the facts that the rule read and
 * changes nothing else; or there is more to it.
 */
export type Taken = 'passed' | 'aside' | 'dropped' | 'open';

/** A condition over numbers of leaves. */
export type Ask = number | { parts: readonly Ask[]; decisive: typeof yes | typeof no } | { not: Ask };

/** Conditions of a rule in the order in which they are asked. */
export interface Questions {
  applies: Ask | undefined;
  when: Ask | undefined;
  /** The two together, as far as they are there. */
  selecting: readonly Ask[];
  expect: Ask;
  remarks: readonly Ask[];
}

/** What is known of a leaf; `untold` hangs on a fact that the trace does not tell. */
export const open = 0;
export const yes = 1;
export const no = 2;
export const untold = 3;

/** What is known of a subject, by the numbers of leaves. */
export type Known = Uint8Array;

const leaves: LeafCondition[] = [];
/** What leaves cost, by their numbers. */
const prices: number[] = [];
const numbers = new Map<string, number>();
const made = { whole: new WeakMap<CompiledRule, Questions>(), partial: new WeakMap<CompiledRule, Questions>() };

export function leafOf(number: number): LeafCondition {
  return leaves[number]!;
}

/** What it costs to ask a leaf; see `costOf`. */
export function priceOf(number: number): number {
  return (prices[number] ??= costOf(leaves[number]!));
}

/** Nothing known yet; of all leaves that there are by now. */
export function nothingKnown(): Known {
  return new Uint8Array(leaves.length);
}

/** The same, in the place of what was known before where all leaves find room in it. */
export function cleared(known: Known): Known {
  return known.length < leaves.length ? nothingKnown() : known.fill(open);
}

/** @param partial some facts are hidden: then it matters what is asked first, and rules ask as they are written */
export function questionsOf(rule: CompiledRule, partial: boolean): Questions {
  const kept = partial ? made.partial : made.whole;
  let questions = kept.get(rule);
  if (!questions) {
    const applies = rule.applies && numbered(rule.applies);
    const when = rule.when && numbered(cheapFirst(rule.when));
    questions = {
      applies,
      when,
      selecting: [applies, when].filter((one) => one !== undefined),
      expect: numbered(partial ? rule.expect : cheapFirst(rule.expect)),
      remarks: rule.advice.map((one) => numbered(one.when)),
    };
    kept.set(rule, questions);
  }
  return questions;
}

/** A condition over the numbers of its leaves. @throws Error for a name that was not expanded */
export function numbered(condition: Condition): Ask {
  if ('fact' in condition) return numberOf(condition);
  if ('not' in condition) return { not: numbered(condition.not) };
  if ('all' in condition) return { parts: condition.all.map(numbered), decisive: no };
  if ('any' in condition) return { parts: condition.any.map(numbered), decisive: yes };
  throw new Error(`condition "${condition.condition}" was not expanded`);
}

/** The number of a leaf; the same for leaves that say the same. */
export function numberOf(leaf: LeafCondition): number {
  const text = JSON.stringify([leaf.fact, leaf.path, leaf.operator, leaf.value, leaf.derived]);
  let number = numbers.get(text);
  if (number === undefined) numbers.set(text, (number = leaves.push(leaf) - 1));
  return number;
}

/**
 * Whether a condition holds for a subject; asks its leaves in the order of the condition, and no further than it has to.
 *
 * @throws NotRecordedError for a leaf that asks for a fact that the trace does not tell
 */
export function holds(ask: Ask, subject: Subject, tests: LeafTests): boolean {
  if (typeof ask === 'number') return tests(ask)(subject);
  if ('not' in ask) return !holds(ask.not, subject, tests);
  const decisive = ask.decisive === yes;
  for (const part of ask.parts) if (holds(part, subject, tests) === decisive) return decisive;
  return !decisive;
}

/** What a rule says by the leaves that are known, or the number of a leaf on which that hangs. */
export function conclusion({ selecting, expect, remarks }: Questions, known: Known): Taken | number {
  for (const ask of selecting) {
    const held = holdsBy(ask, known);
    if (held < 0) return -1 - held;
    if (held === untold) return unselected(expect, known);
    if (held !== yes) return 'aside';
  }
  const held = holdsBy(expect, known);
  if (held < 0) return -1 - held;
  if (held !== yes) return held === no ? 'open' : 'dropped';
  for (const ask of remarks) {
    const due = holdsBy(ask, known);
    if (due < 0) return -1 - due;
    if (due !== no) return 'open';
  }
  return 'passed';
}

/** What is said where nobody knows whether the rule is about the subject: one that it would pass is no loss. */
function unselected(expect: Ask, known: Known): Taken | number {
  const held = holdsBy(expect, known);
  if (held < 0) return -1 - held;
  return held === yes ? 'aside' : 'dropped';
}

/**
 * Whether a condition holds by the leaves that are known: yes, no, untold, or below zero for the first of its leaves on
 * which that hangs. What stands behind an untold part is not asked, as the rule itself does not come to it.
 */
function holdsBy(ask: Ask, known: Known): number {
  if (typeof ask === 'number') return known[ask] === open ? -1 - ask : known[ask]!;
  if ('not' in ask) {
    const held = holdsBy(ask.not, known);
    return held === yes ? no : held === no ? yes : held;
  }
  let first = 0;
  for (const part of ask.parts) {
    const held = holdsBy(part, known);
    if (held === untold) return first < 0 ? first : untold;
    if (held === ask.decisive) return held;
    if (held < 0 && first === 0) first = held;
  }
  return first < 0 ? first : ask.decisive === yes ? no : yes;
}
