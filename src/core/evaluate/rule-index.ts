/**
 * Finds the rules whose `given` selects a subject without asking each of them: a tree that asks for one fact after
 * another, and in each branch only for those that a rule still in question names. Grown as subjects come.
 */
import type { Subject } from '../facts/core/subject.ts';
import type { CompiledRule } from '../model/rules/rule.ts';
import { allowed, allows } from '../model/rules/subject-kind.ts';
import { compileBody, createHeat, literalOf, Names } from './conditions/leaf-code.ts';

/** A rule, or what stands for one. */
interface Holder {
  rule: Pick<CompiledRule, 'filter'>;
}

interface Fork<T, R> {
  fact: string;
  /** Holders still in question here, and the facts asked for on the way that they all name. */
  left: readonly T[];
  same: readonly string[];
  /** Values of the fact that a rule still in question names; all others lead to the same place. */
  named: ReadonlySet<unknown>;
  branches: Map<unknown, Branch<T, R>>;
  other: Branch<T, R> | undefined;
}

type Branch<T, R> = { fork: Fork<T, R> } | { made: R };

/** Branches before all are forgotten: a hostile transcript could make many. */
const mostBranches = 20_000;

/** Branches of a tree that is compiled. */
const mostCompiled = 1000;

/**
 * @param holders rules of one subject kind
 * @param make makes something of the holders that certain values select, in their order, once for all subjects with
 *   these values; `same` names the facts that have one and the same value in all of them, as in `subject.method`
 * @param walks subjects before the tree is compiled
 * @returns gives what was made of the holders whose filter the subject passes
 */
export function createRuleIndex<T extends Holder, R>(
  holders: readonly T[],
  make: (list: readonly T[], same: ReadonlySet<string>) => R,
  walks: number,
): (subject: Subject) => R {
  const facts = factsByUse(holders);
  let root = branchFor(holders, facts, []);
  let grown = 0;
  const heat = createHeat(walks);
  /** The tree as it was when it was compiled: gives a place in `ends`, or -1 for a branch that it did not have. */
  let quick: ((subject: Subject) => number) | undefined;
  let ends: R[] = [];

  /** @param asked facts not yet asked for */
  function branchFor(left: readonly T[], asked: readonly string[], same: readonly string[]): Branch<T, R> {
    const fact = asked.find((name) => left.some(({ rule }) => name in rule.filter));
    if (fact === undefined) return { made: make(left, new Set(same)) };
    const named = new Set(left.flatMap(({ rule }) => (fact in rule.filter ? allowed(rule.filter[fact]) : [])));
    return { fork: { fact, left, same, named, branches: new Map(), other: undefined } };
  }

  function grow({ fact, left, same, named }: Fork<T, R>, value: unknown): Branch<T, R> {
    const kept = left.filter(({ rule }) => allows(rule.filter, fact, value));
    const asked = facts.slice(facts.indexOf(fact) + 1);
    return branchFor(kept, asked, named.has(value) ? [...same, `subject.${fact}`] : same);
  }

  function next({ branches, named, other }: Fork<T, R>, value: unknown): Branch<T, R> | undefined {
    return branches.get(value) ?? (named.has(value) ? undefined : other);
  }

  /** Walks to the end of what the subject's values lead to, and grows what is missing. */
  function extend(subject: Subject): R {
    if (grown >= mostBranches) {
      root = branchFor(holders, facts, []);
      quick = undefined;
      grown = 0;
    }
    let branch = root;
    while ('fork' in branch) {
      const { fork }: { fork: Fork<T, R> } = branch;
      const value = subject.facts[fork.fact];
      const known = next(fork, value);
      branch = known ?? grow(fork, value);
      if (known !== undefined) continue;
      grown += 1;
      if (fork.named.has(value)) fork.branches.set(value, branch);
      else fork.other = branch;
    }
    return branch.made;
  }

  function compile({ facts: like }: Subject): void {
    const names = new Names(like);
    ends = [];
    const codeOf = (branch: Branch<T, R> | undefined): string => {
      if (branch === undefined) return 'return -1;';
      if ('made' in branch) return `return ${ends.push(branch.made) - 1};`;
      const { fact, named, branches, other } = branch.fork;
      const seen = [...named].filter((value) => other !== undefined || branches.has(value));
      const cases = seen.map(
        (value) => `case ${literalOf(value) ?? names.nameOf(value)}: ${codeOf(branches.get(value))}`,
      );
      return `switch (${names.factCode(fact)}) { ${cases.join(' ')} default: ${codeOf(other)} }`;
    };
    quick = compileBody(codeOf(root), names);
  }

  return (subject) => {
    const number = quick === undefined ? -1 : quick(subject);
    if (number !== -1) return ends[number]!;
    if (heat.walked() && grown <= mostCompiled) compile(subject);
    let branch: Branch<T, R> | undefined = root;
    while (branch !== undefined && 'fork' in branch) {
      const { fork }: { fork: Fork<T, R> } = branch;
      branch = next(fork, subject.facts[fork.fact]);
    }
    return branch === undefined ? extend(subject) : branch.made;
  };
}

/** The facts that filters name, those that most rules name first. */
function factsByUse(holders: readonly Holder[]): string[] {
  const uses = new Map<string, number>();
  for (const { rule } of holders)
    for (const name of Object.keys(rule.filter)) uses.set(name, (uses.get(name) ?? 0) + 1);
  return [...uses].sort(([, a], [, b]) => b - a).map(([name]) => name);
}
