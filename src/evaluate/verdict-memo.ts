/**
 * Judges subjects that the same rules select, and remembers what those rules made of them: a subject with the
 * traits of an earlier one is counted and cited without evaluating anything. A rule is evaluated where a trait
 * that it reads is odd, and wherever it did more than pass or stand aside.
 */
import type { Subject } from '../facts/subject.ts';
import type { OperatorContext } from './operators.ts';
import type { RuleJudge } from './rule-judge.ts';
import { odd, traitsOf, type Trait } from './traits.ts';

/** What became of all subjects with the same traits. */
export interface Alike {
  /** Subjects after the first one. */
  count: number;
}

interface Known extends Alike {
  passing: RuleJudge[];
  /** Rules that have to be evaluated for each subject. */
  evaluated: RuleJudge[];
  /** The rules that passed have all the evidence that they keep. */
  cited: boolean;
}

interface Branch {
  next: (Branch | undefined)[];
  known?: Known;
}

export interface VerdictMemo {
  /** All rules that take such subjects, in their order. */
  judges: readonly RuleJudge[];
  /** @param subject one of which no fact is hidden: what may be read of it has to follow from its traits */
  take(subject: Subject): void;
}

/** Branches before all is forgotten, and how often that may happen before nothing is remembered any more. */
const mostBranches = 4000;
const mostStarts = 4;

/** @param same names of facts that are the same for all subjects that will be taken, as in `subject.method` */
export function createVerdictMemo(judges: readonly RuleJudge[], same: ReadonlySet<string>, context: OperatorContext): VerdictMemo {
  const readBy = new Map<RuleJudge, Trait[]>();
  const traits = new Map<string, Trait>();
  for (const judge of judges) {
    const own = traitsOf(judge.rule, same, context);
    if (own === undefined) continue;
    for (const trait of own) if (!traits.has(trait.key)) traits.set(trait.key, trait);
    readBy.set(judge, own.map(({ key }) => traits.get(key)!));
  }
  const asked = [...traits.values()];
  const always = judges.filter((judge) => !readBy.has(judge));
  const others = judges.filter((judge) => readBy.has(judge));
  let root: Branch = { next: [] };
  let branches = 0;
  let starts = 1;

  function takeEach(subject: Subject, among: readonly RuleJudge[]): void {
    for (const judge of among) judge.take(subject);
  }

  /** The place of the subject's traits; undefined when there is no room for it. */
  function branchOf(subject: Subject): Branch | undefined {
    let branch = root;
    for (const trait of asked) {
      const kind = trait.kindOf(subject);
      let next = branch.next[kind];
      if (next === undefined) {
        if (branches >= mostBranches) return undefined;
        branches += 1;
        branch.next[kind] = next = { next: [] };
      }
      branch = next;
    }
    return branch;
  }

  /** Judges the first subject of a kind and keeps what came of it. */
  function learn(subject: Subject): Known {
    const oddOnes = new Set(asked.filter((trait) => trait.kindOf(subject) === odd));
    const known: Known = { count: 0, passing: [], evaluated: [...always], cited: false };
    for (const judge of others) {
      const taken = judge.take(subject);
      if (taken === 'open' || readBy.get(judge)!.some((trait) => oddOnes.has(trait))) known.evaluated.push(judge);
      else {
        if (taken === 'passed') known.passing.push(judge);
        judge.joins(known, taken === 'passed');
      }
    }
    takeEach(subject, always);
    return known;
  }

  function forget(): void {
    root = { next: [] };
    branches = 0;
    starts += 1;
  }

  return {
    judges,
    take(subject) {
      // What a resumed stream brings again is judged by few.
      if (starts > mostStarts || subject.facts.replay === true) {
        takeEach(subject, judges);
        return;
      }
      const branch = branchOf(subject);
      if (branch === undefined) {
        forget();
        takeEach(subject, judges);
        return;
      }
      const { known } = branch;
      if (known === undefined) {
        branch.known = learn(subject);
        return;
      }
      known.count += 1;
      if (!known.cited) {
        known.cited = true;
        for (const judge of known.passing) if (!judge.cite(subject)) known.cited = false;
      }
      takeEach(subject, known.evaluated);
    },
  };
}
