/**
 * Judges subjects that the same rules select, all rules at once: a tree of the leaves of their conditions, of which
 * each is asked at most once for a subject, and only where a rule still hangs on it. At the end of a way stands what
 * each rule says of every subject that comes there, so that such subjects are counted and cited and no more. A rule
 * that fails one, or has a remark to make, takes it itself. The tree grows as subjects come.
 */
import type { Subject } from '../facts/subject.ts';
import type { Condition, LeafCondition } from '../model/rule.ts';
import { compileBody, createHeat, leafCode, Names } from './leaf-code.ts';
import type { OperatorContext } from './operators.ts';
import { cheapFirst, compilePredicate, costOf, otherFact, type Predicate } from './predicate.ts';
import type { RuleJudge, Taken } from './rule-judge.ts';

/** What became of all subjects that came to the same place. */
export interface Alike {
  /** Subjects after the first one. */
  count: number;
}

interface End extends Alike {
  passing: RuleJudge[];
  /** Rules that take each subject themselves. */
  taking: RuleJudge[];
  /** The rules that passed have all the evidence that they keep. */
  cited: boolean;
}

interface Fork {
  leaf: LeafCondition;
  ask: Predicate;
  yes?: Place;
  no?: Place;
  /** The way here. */
  before?: { fork: Fork; held: boolean };
}

type Place = Fork | { end: End };

export interface VerdictTree {
  /** All rules that take such subjects, in their order. */
  judges: readonly RuleJudge[];
  take(subject: Subject): void;
}

/** Conditions of a rule in the order in which they are asked. */
interface Questions {
  selecting: Condition[];
  expect: Condition;
  remarks: Condition[];
}

/** What is known of all subjects that a tree takes. */
export interface Common {
  /** Names of facts that are the same for all of them, as in `subject.method`. */
  same: ReadonlySet<string>;
  /** Names of facts that the trace does not tell of any of them. */
  hidden: ReadonlySet<string>;
}

/** Stands for what hangs on a hidden fact. */
const untold = Symbol('untold');

type Known = Map<string, boolean | typeof untold>;

/** Forks before all is forgotten, and how often that may happen before nothing is remembered any more. */
const mostForks = 4000;
const mostStarts = 4;

/** Forks of a tree that is compiled: larger functions are not made fast by the engine. */
const mostCompiled = 300;

/** @param walks subjects before the tree is compiled */
export function createVerdictTree(judges: readonly RuleJudge[], { same, hidden }: Common, context: OperatorContext, walks: number): VerdictTree {
  const questions = judges.map(({ rule: { applies, when, expect, advice } }): Questions => {
    const selecting = [applies, when && cheapFirst(when)].filter((one) => one !== undefined);
    // Where facts are hidden it matters what is asked first, and rules ask as they are written.
    return { selecting, expect: hidden.size === 0 ? cheapFirst(expect) : expect, remarks: advice.map((one) => one.when) };
  });
  /** By the text of a leaf. */
  const predicates = new Map<string, Predicate>();
  /** Leaves that are the same for all subjects. */
  const settled: Known = new Map();
  let root: Place | undefined;
  let forks = 0;
  let starts = 1;
  const heat = createHeat(walks);
  /** The tree as it was when it was compiled: gives the number of an end, or -1 for a place that it did not have. */
  let quick: ((subject: Subject) => number) | undefined;
  let ends: End[] = [];

  function takeEach(subject: Subject, among: readonly RuleJudge[]): void {
    for (const judge of among) judge.take(subject);
  }

  /** What is known of the subjects that went that way. */
  function knownAt(fork: Fork | undefined, held: boolean): Known {
    const known: Known = new Map(settled);
    for (let step = fork && { fork, held }; step !== undefined; step = step.fork.before) known.set(keyOf(step.fork.leaf), step.held);
    return known;
  }

  /** The place behind a fork that nobody has come to yet. */
  function grow(subject: Subject, fork: Fork | undefined, held: boolean): Place {
    const known = knownAt(fork, held);
    for (;;) {
      const said = questions.map((one) => conclusion(one, known));
      const open = said.filter((one) => typeof one === 'object');
      if (open.length === 0) return { end: endOf(subject, said as Taken[]) };
      const leaf = open.reduce((best, one) => (costOf(one) < costOf(best) ? one : best));
      const key = keyOf(leaf);
      if (isHidden(leaf)) {
        settled.set(key, untold);
        known.set(key, untold);
        continue;
      }
      let ask = predicates.get(key);
      if (!ask) predicates.set(key, (ask = compilePredicate(leaf, context)));
      if (isSettled(leaf)) {
        const always = ask(subject);
        settled.set(key, always);
        known.set(key, always);
        continue;
      }
      forks += 1;
      return { leaf, ask, ...(fork ? { before: { fork, held } } : {}) };
    }
  }

  function isHidden({ fact, value }: LeafCondition): boolean {
    const other = otherFact(value);
    return hidden.has(fact) || (other !== undefined && hidden.has(other.fact));
  }

  function isSettled({ fact, value }: LeafCondition): boolean {
    const other = otherFact(value);
    return same.has(fact) && (other === undefined || same.has(other.fact));
  }

  /** The first subject is taken by each rule, whose word counts. */
  function endOf(subject: Subject, said: readonly Taken[]): End {
    const end: End = { count: 0, passing: [], taking: [], cited: false };
    for (const [index, judge] of judges.entries()) {
      const taken = judge.take(subject);
      if (taken === 'open' || taken !== said[index]) end.taking.push(judge);
      else {
        if (taken === 'passed') end.passing.push(judge);
        judge.joins(end, taken === 'passed');
      }
    }
    return end;
  }

  function compile(): void {
    const names = new Names();
    ends = [];
    const codeOf = (place: Place | undefined): string => {
      if (place === undefined) return 'return -1;';
      if ('end' in place) return `return ${ends.push(place.end) - 1};`;
      return `if (${leafCode(place.leaf, place.ask, names)}) { ${codeOf(place.yes)} } else { ${codeOf(place.no)} }`;
    };
    quick = compileBody(codeOf(root), names);
  }

  /** Walks to the end of the subject's way; undefined where the subject was the first to come there, and has been judged. */
  function endFor(subject: Subject): End | undefined {
    if (root === undefined) {
      root = grow(subject, undefined, false);
      if ('end' in root) return undefined;
    }
    const number = quick === undefined ? -1 : quick(subject);
    if (number !== -1) return ends[number];
    if (heat.walked() && forks <= mostCompiled) compile();
    let place: Place = root;
    while ('ask' in place) {
      const held = place.ask(subject);
      let next: Place | undefined = held ? place.yes : place.no;
      if (next === undefined) {
        next = grow(subject, place, held);
        if (held) place.yes = next;
        else place.no = next;
        if ('end' in next) return undefined;
      }
      place = next;
    }
    return place.end;
  }

  return {
    judges,
    take(subject) {
      if (judges.length === 0) return;
      // What a resumed stream brings again is judged by few; whether a rule binds the target is not asked of the target.
      if (starts > mostStarts || subject.facts.replay === true || subject.session === undefined) {
        takeEach(subject, judges);
        return;
      }
      if (forks >= mostForks) {
        root = undefined;
        quick = undefined;
        forks = 0;
        starts += 1;
      }
      let end: End | undefined;
      try {
        end = endFor(subject);
      } catch {
        // Each rule tells its own fault.
        takeEach(subject, judges);
        return;
      }
      if (end === undefined) return;
      end.count += 1;
      if (!end.cited) {
        end.cited = true;
        for (const judge of end.passing) if (!judge.cite(subject)) end.cited = false;
      }
      takeEach(subject, end.taking);
    },
  };
}

/** What a rule says by the leaves that are known, or a leaf on which that hangs. */
function conclusion({ selecting, expect, remarks }: Questions, known: Known): Taken | LeafCondition {
  for (const condition of [...selecting, expect]) {
    const holds = holdsBy(condition, known);
    if (typeof holds === 'object') return holds;
    if (holds === untold) return 'aside';
    if (!holds) return condition === expect ? 'open' : 'aside';
  }
  for (const condition of remarks) {
    const due = holdsBy(condition, known);
    if (due !== false) return typeof due === 'object' ? due : 'open';
  }
  return 'passed';
}

/**
 * Whether a condition holds by the leaves that are known, or the first of its leaves on which that hangs. What stands
 * behind an untold part is not asked, as the rule itself does not come to it.
 */
function holdsBy(condition: Condition, known: Known): boolean | typeof untold | LeafCondition {
  if ('fact' in condition) return known.get(keyOf(condition)) ?? condition;
  if ('not' in condition) {
    const held = holdsBy(condition.not, known);
    return typeof held === 'boolean' ? !held : held;
  }
  if ('condition' in condition) throw new Error(`condition "${condition.condition}" was not expanded`);
  const [parts, decisive] = 'all' in condition ? [condition.all, false] : [condition.any, true];
  let open: LeafCondition | undefined;
  for (const part of parts) {
    const held = holdsBy(part, known);
    if (held === untold) return open ?? untold;
    if (held === decisive) return decisive;
    if (typeof held === 'object') open ??= held;
  }
  return open ?? !decisive;
}

const keys = new WeakMap<LeafCondition, string>();

function keyOf(leaf: LeafCondition): string {
  let key = keys.get(leaf);
  if (key === undefined) keys.set(leaf, (key = JSON.stringify([leaf.fact, leaf.path, leaf.operator, leaf.value])));
  return key;
}
