/**
 * Judges subjects that the same rules select, all rules at once: a tree of the leaves of their conditions, of which
 * each is asked at most once for a subject, and only where a rule still hangs on it. At the end of a way stands what
 * each rule says of every subject that comes there, so that such subjects are counted and cited and no more. A rule
 * that fails one, or has a remark to make, takes it itself. The tree grows as subjects come.
 */
import type { Subject } from '../facts/core/subject.ts';
import { factsReadBy } from '../rules/rule-facts.ts';
import { otherFact } from '../rules/shared-definitions.ts';
import { compileBody, createHeat, leafCode, Names } from './conditions/leaf-code.ts';
import type { LeafTest, LeafTests } from './conditions/leaf.ts';
import {
  cleared,
  conclusion,
  leafOf,
  no,
  nothingKnown,
  priceOf,
  questionsOf,
  untold,
  yes,
  type Known,
} from './conditions/questions.ts';
import type { Alike, RuleJudge } from './rule-judge.ts';

/** What became of all subjects that came to the same place. */
interface End extends Alike {
  passing: RuleJudge[];
  /** Rules that take each subject themselves. */
  taking: RuleJudge[];
  /** The rules that passed have all the evidence that they keep. */
  cited: boolean;
}

interface Fork {
  /** Number of a leaf. */
  leaf: number;
  ask: LeafTest;
  yes?: Place;
  no?: Place;
  /** Rules of which it is not known here what they say, by their places. */
  undecided: readonly number[];
  /** The way here. */
  before?: { fork: Fork; held: boolean };
}

type Place = Fork | { end: End };

export interface VerdictTree {
  /** All rules that take such subjects, in their order. */
  judges: readonly RuleJudge[];
  take(subject: Subject): void;
  /** What a subject is counted by of whose facts, which never change, nothing is left to be said; undefined for others. */
  alike(subject: Subject): Alike | undefined;
}

/** What is known of all subjects that a tree takes. */
export interface Common {
  /** Names of facts that are the same for all of them, as in `subject.method`. */
  same: ReadonlySet<string>;
  /** Names of facts that the trace does not tell of any of them. */
  hidden: ReadonlySet<string>;
}

/** Forks before all is forgotten, and how often that may happen before nothing is remembered any more. */
const mostForks = 4000;
const mostStarts = 4;

/** Forks of a tree that is compiled: larger functions are not made fast by the engine. */
const mostCompiled = 300;

/**
 * @param walks subjects before the tree is compiled
 */
export function createVerdictTree(
  judges: readonly RuleJudge[],
  { same, hidden }: Common,
  tests: LeafTests,
  walks: number,
): VerdictTree {
  const questions = judges.map(({ rule }) => questionsOf(rule, hidden.size > 0));
  const all = judges.map((_, index) => index);
  /** Leaves that are the same for all subjects, and what they come to. */
  const settled: [leaf: number, held: number][] = [];
  let root: Place | undefined;
  let forks = 0;
  let starts = 1;
  const heat = createHeat(walks);
  /** The tree as it was when it was compiled: gives the number of an end, or -1 for a place that it did not have. */
  let quick: ((subject: Subject) => number) | undefined;
  let ends: End[] = [];

  let scratch = nothingKnown();

  /** Whether no rule looks at anything but the subject's own facts; few trees are ever asked. */
  let factsAlone: boolean | undefined;

  function takeEach(subject: Subject, among: readonly RuleJudge[]): void {
    for (const judge of among) judge.take(subject);
  }

  /** What is known of the subjects that went that way; of one way at a time. */
  function knownAt(fork: Fork | undefined, held: boolean): Known {
    scratch = cleared(scratch);
    const known = scratch;
    for (const [leaf, always] of settled) known[leaf] = always;
    for (let step = fork && { fork, held }; step !== undefined; step = step.fork.before)
      known[step.fork.leaf] = step.held ? yes : no;
    return known;
  }

  /** The place behind a fork that nobody has come to yet. */
  function grow(subject: Subject, fork: Fork | undefined, held: boolean): Place {
    const known = knownAt(fork, held);
    let undecided = fork?.undecided ?? all;
    for (;;) {
      // Most leaves decide no rule: the list is one for many places.
      let left: number[] | undefined;
      let leaf = -1;
      let cost = Infinity;
      for (let at = 0; at < undecided.length; at += 1) {
        const index = undecided[at]!;
        const said = conclusion(questions[index]!, known);
        if (typeof said !== 'number') {
          left ??= undecided.slice(0, at);
          continue;
        }
        left?.push(index);
        const price = priceOf(said);
        if (price >= cost) continue;
        leaf = said;
        cost = price;
      }
      if (leaf === -1) return { end: endOf(subject, known) };
      undecided = left ?? undecided;
      const always = settle(subject, leaf);
      if (always === undefined) {
        forks += 1;
        return { leaf, ask: tests(leaf), undecided, ...(fork ? { before: { fork, held } } : {}) };
      }
      known[leaf] = always;
    }
  }

  /** What a leaf comes to that is the same for all subjects; undefined for others. */
  function settle(subject: Subject, leaf: number): number | undefined {
    const { fact: named, value, derived } = leafOf(leaf);
    // What a derived fact rests on is the fact that it follows from.
    const fact = derived?.of ?? named;
    const source = otherFact(value);
    const other = source?.derived?.of ?? source?.fact ?? fact;
    let always: number;
    if (hidden.has(fact) || hidden.has(other)) always = untold;
    else if (same.has(fact) && same.has(other)) always = tests(leaf)(subject) ? yes : no;
    else return undefined;
    settled.push([leaf, always]);
    return always;
  }

  /** The first subject is taken by each rule, whose word counts. */
  function endOf(subject: Subject, known: Known): End {
    const end: End = { count: 0, passing: [], taking: [], cited: false };
    for (const [index, judge] of judges.entries()) {
      const taken = judge.take(subject);
      if (taken === 'open' || taken !== conclusion(questions[index]!, known)) end.taking.push(judge);
      else {
        if (taken === 'passed') end.passing.push(judge);
        judge.joins(end, taken === 'passed');
      }
    }
    return end;
  }

  function compile({ facts }: Subject): void {
    const names = new Names(facts);
    ends = [];
    const codeOf = (place: Place | undefined, before: ReadonlySet<string>): string => {
      if (place === undefined) return 'return -1;';
      if ('end' in place) return `return ${ends.push(place.end) - 1};`;
      const read = new Set(before);
      return `if (${leafCode(leafOf(place.leaf), place.ask, tests.ofValue(place.leaf), names, read)}) { ${codeOf(place.yes, read)} } else { ${codeOf(place.no, read)} }`;
    };
    quick = compileBody(`if (${asksEach(names)}) return -1; ${codeOf(root, new Set())}`, names);
  }

  /** The same as `isForEach`, of subjects like those that the code is for. */
  function asksEach(names: Names): string {
    return `n === undefined || s.kind === "message" && ${names.factCode('replay')} === true`;
  }

  /** Walks to the end of the subject's way; undefined where the subject was the first to come there, and has been judged. */
  function endFor(subject: Subject): End | undefined {
    if (root === undefined) {
      root = grow(subject, undefined, false);
      if ('end' in root) return undefined;
    }
    if (heat.walked() && forks <= mostCompiled) compile(subject);
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

  /** Subjects that each rule takes: what a resumed stream brings again is judged by few; whether a rule binds the target is not asked of the target. */
  function isForEach({ session, kind, facts }: Subject): boolean {
    return session === undefined || (kind === 'message' && facts.replay === true);
  }

  /** The end that the compiled tree knows. */
  function quickEnd(subject: Subject): End | undefined {
    try {
      const number = quick === undefined ? -1 : quick(subject);
      return number === -1 ? undefined : ends[number];
    } catch {
      // Each leaf is asked again without it, and each rule tells its own fault.
      return undefined;
    }
  }

  function joins(subject: Subject, end: End): void {
    end.count += 1;
    if (!end.cited) {
      end.cited = true;
      for (const judge of end.passing) if (!judge.cite(subject)) end.cited = false;
    }
    takeEach(subject, end.taking);
  }

  return {
    judges,
    alike(subject) {
      factsAlone ??= judges.every(({ rule }) => factsReadBy(rule).every(({ fact }) => fact.startsWith('subject.')));
      const end = factsAlone ? quickEnd(subject) : undefined;
      return end?.cited === true && end.taking.length === 0 ? end : undefined;
    },
    take(subject) {
      if (judges.length === 0) return;
      let end = quickEnd(subject);
      if (end !== undefined) {
        joins(subject, end);
        return;
      }
      if (starts > mostStarts || isForEach(subject)) {
        takeEach(subject, judges);
        return;
      }
      if (forks >= mostForks) {
        root = undefined;
        quick = undefined;
        forks = 0;
        starts += 1;
      }
      try {
        end = endFor(subject);
      } catch {
        takeEach(subject, judges);
        return;
      }
      if (end !== undefined) joins(subject, end);
    },
  };
}
