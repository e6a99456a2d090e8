/**
 * Finds the rules whose `given` selects a subject without testing each: a tree that reads one fact after another, and
 * in each branch only those that a remaining rule names. Grown as subjects come.
 */
import type { Subject } from '../facts/state/subject.ts';
import type { CompiledRule } from '../model/rules/rule.ts';
import { allowed, allows } from '../model/rules/subject-kind.ts';

/** A rule, or what stands for one. */
interface Holder {
  rule: Pick<CompiledRule, 'filter'>;
}

interface Fork<T> {
  fact: string;
  /** Holders still in question here. */
  left: readonly T[];
  /** Values of the fact that a rule still in question names; all others lead to the same place. */
  named: ReadonlySet<unknown>;
  branches: Map<unknown, Branch<T>>;
}

type Branch<T> = Fork<T> | { found: readonly T[] };

/** Stands for each value that no rule names. */
const otherValue = Symbol('other');

/** Branches before all are forgotten: a hostile transcript could make many. */
const mostBranches = 20_000;

/**
 * @param holders rules of one subject kind
 * @returns gives the holders whose filter the subject passes, in their order; one list for all subjects with the same values
 */
export function createRuleIndex<T extends Holder>(holders: readonly T[]): (subject: Subject) => readonly T[] {
  const facts = factsByUse(holders);
  let root = branchFor(holders, facts);
  let grown = 0;

  /** @param asked facts not yet asked for */
  function branchFor(left: readonly T[], asked: readonly string[]): Branch<T> {
    const fact = asked.find((name) => left.some(({ rule }) => name in rule.filter));
    if (fact === undefined) return { found: left };
    const named = new Set(left.flatMap(({ rule }) => (fact in rule.filter ? allowed(rule.filter[fact]) : [])));
    return { fact, left, named, branches: new Map() };
  }

  function grow({ fact, left, branches }: Fork<T>, key: unknown, value: unknown): Branch<T> {
    const kept = left.filter(({ rule }) => allows(rule.filter, fact, value));
    const branch = branchFor(kept, facts.slice(facts.indexOf(fact) + 1));
    branches.set(key, branch);
    grown += 1;
    return branch;
  }

  return (subject) => {
    if (grown >= mostBranches) {
      root = branchFor(holders, facts);
      grown = 0;
    }
    let branch = root;
    while ('fact' in branch) {
      const value = subject.facts[branch.fact];
      const key = branch.named.has(value) ? value : otherValue;
      branch = branch.branches.get(key) ?? grow(branch, key, value);
    }
    return branch.found;
  };
}

/** The facts of filters, those of most rules first. */
function factsByUse(holders: readonly Holder[]): string[] {
  const uses = new Map<string, number>();
  for (const { rule } of holders)
    for (const name of Object.keys(rule.filter)) uses.set(name, (uses.get(name) ?? 0) + 1);
  return [...uses].sort(([, a], [, b]) => b - a).map(([name]) => name);
}
