/**
 * Finds the rules whose `given` selects a subject without asking each of them. The values that rules name for
 * a fact are numbered; a subject's numbers make a key, and for each key the list of rules is worked out once.
 */
import type { Subject } from '../facts/subject.ts';
import type { CompiledRule } from '../model/rule.ts';

interface IndexedFact {
  name: string;
  /** Each value that some rule names, with its digit; 0 stands for all others. */
  digits: Map<unknown, number>;
}

/** A rule, or what stands for one. */
interface Holder {
  rule: Pick<CompiledRule, 'filter'>;
}

/** Keys worked out before all are forgotten: a hostile transcript could make many. */
const keptKeys = 20_000;

/**
 * @param holders rules of one subject kind
 * @returns the holders whose filter the subject passes, in their order
 */
export function createRuleIndex<T extends Holder>(holders: readonly T[]): (subject: Subject) => readonly T[] {
  const facts = fitting(indexedFacts(holders));
  const exact = holders.every(({ rule }) => Object.keys(rule.filter).every((name) => facts.some((fact) => fact.name === name)));
  const found = new Map<number, readonly T[]>();
  return (subject) => {
    let key = 0;
    for (const { name, digits } of facts) key = key * (digits.size + 1) + (digits.get(subject.facts[name]) ?? 0);
    let list = found.get(key);
    if (!list) {
      if (found.size >= keptKeys) found.clear();
      found.set(key, (list = holders.filter(({ rule }) => passes(rule.filter, subject.facts, facts))));
    }
    return exact ? list : list.filter(({ rule }) => passes(rule.filter, subject.facts));
  };
}

function indexedFacts(holders: readonly Holder[]): IndexedFact[] {
  const values = new Map<string, Set<unknown>>();
  for (const { rule } of holders) {
    for (const [name, wanted] of Object.entries(rule.filter)) {
      const named = values.get(name) ?? new Set();
      for (const value of allowed(wanted)) named.add(value);
      values.set(name, named);
    }
  }
  return [...values].map(([name, named]) => ({ name, digits: new Map([...named].map((value, at) => [value, at + 1])) }));
}

/** Values that a filter allows for a fact. */
function allowed(wanted: unknown): unknown[] {
  return Array.isArray(wanted) ? (wanted as unknown[]) : [wanted];
}

/** @param indexed when given, only these facts are looked at */
function passes(filter: Record<string, unknown>, facts: Record<string, unknown>, indexed?: readonly IndexedFact[]): boolean {
  return Object.entries(filter).every(
    ([name, wanted]) => (indexed !== undefined && !indexed.some((fact) => fact.name === name)) || allowed(wanted).includes(facts[name]),
  );
}

/** As many facts as a key can hold without losing digits; rules of one's own may name any number of values. */
function fitting(facts: readonly IndexedFact[]): IndexedFact[] {
  let keys = 1;
  return facts.filter(({ digits }) => {
    if (keys * (digits.size + 1) > Number.MAX_SAFE_INTEGER) return false;
    keys *= digits.size + 1;
    return true;
  });
}
