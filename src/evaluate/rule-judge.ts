/** Judges one rule: takes the subjects of its kind as they come, adds up their verdicts, keeps the evidence. */
import { FactError, settled } from '../facts/core/reading.ts';
import type { Subject } from '../facts/core/subject.ts';
import { notRecorded } from '../facts/core/unrecorded.ts';
import type { CompiledRule } from '../model/rule.ts';
import type { TransportKind } from '../model/trace.ts';
import type { Status } from '../model/verdict.ts';
import { explainLeaf, type ConditionCheck, type ConditionFactory, type LeafResult } from './conditions/engine.ts';
import { readNow } from './conditions/fact-reader.ts';
import type { OperatorContext } from './operators/operator.ts';
import { compilePredicate, compileSelection, type Predicate } from './conditions/leaf.ts';

export interface RuleOutcome {
  rule: CompiledRule;
  status: Status;
  judged: number;
  failed: number;
  /** Subjects that `given` selected, decided or not. */
  selected: number;
  expected?: string;
  actual?: string;
  /** Facts of the first failing subject, for the rule's message; of the first passing one otherwise. */
  facts: Record<string, unknown>;
  /** Remarks due: the rule's message templates with the facts they speak of. */
  advice: { message: string; facts: Record<string, unknown> }[];
  evidence: number[];
  /** Why the status is `error` or `not-applicable`. */
  reason?: string;
  /** Leaves of the first failing subject (tests look for conditions that no example makes false). */
  leaves: LeafResult[];
}

/** A subject that broke a rule, told as soon as that is certain. */
export interface Failure {
  rule: CompiledRule;
  facts: Record<string, unknown>;
  events: readonly number[];
  expected: string;
  actual: string;
}

/**
 * What a rule made of a subject: it passed, or the rule stood aside, either of which follows from the facts that
 * the rule read and changes nothing else; or there is more to it.
 */
export type Taken = 'passed' | 'aside' | 'open';

/** Subjects of which a rule says the same. */
export interface Alike {
  /** How many there are after the first one, which the rule took itself. */
  count: number;
}

export interface RuleJudge {
  rule: CompiledRule;
  /** Judges a subject that the rule's `given` selects. */
  take(subject: Subject): Taken;
  /** From now on these subjects count as judged and passed, or as selected only, without being taken. */
  joins(alike: Alike, passed: boolean): void;
  /** Adds a subject that passed to the evidence. @returns whether there is as much of it as is kept */
  cite(subject: Subject): boolean;
  /** A connection that negotiated the judged revision is over: does the requirement bind it? */
  takeSession(subject: Subject): void;
  /** Facts that the rule reads are not to be had: that is its verdict, whatever else was decided. */
  spoil(reason: string): void;
  /** The outcome by what was taken so far. */
  outcome(transport: TransportKind): RuleOutcome;
}

export interface JudgeHooks {
  /** Where the engine is asked, its answer has to be waited for; subjects that hold cost no turn of the event loop. */
  wait(due: Promise<void>): void;
  onFailure?: ((failure: Failure) => void) | undefined;
  /** Told of events that may become evidence, as soon as a verdict rests on them. */
  onCited?: ((seq: number) => void) | undefined;
}

const keptEvidence = 200;

/** Failing subjects of one rule that the engine is asked about; a hostile transcript may have a million. */
const confirmed = 100;

const keptRemarks = 5;

export function createRuleJudge(
  rule: CompiledRule,
  factory: ConditionFactory,
  context: OperatorContext,
  hooks: JudgeHooks,
): RuleJudge {
  const applies = rule.applies && compilePredicate(rule.applies, context);
  const when = rule.when && compileSelection(rule.when, context);
  const quickly = compilePredicate(rule.expect, context);
  const advice = rule.advice.map((one) => ({ message: one.message, check: compilePredicate(one.when, context) }));
  let engine: ConditionCheck | undefined;

  const joined: { alike: Alike; held: boolean }[] = [];
  const passed = new Set<number>();
  const failedEvents = new Set<number>();
  const remarks: { message: string; facts: Record<string, unknown> }[] = [];
  let selected = 0;
  let judged = 0;
  let failed = 0;
  let bound: boolean | undefined;
  let first: { leaves: LeafResult[]; facts: Record<string, unknown> } | undefined;
  let firstPassed: Record<string, unknown> | undefined;
  let problem: string | undefined;

  function holds(check: Predicate | undefined, subject: Subject): boolean {
    return check === undefined || check(subject);
  }

  const wantsReplays = 'replay' in rule.filter;

  function decide(subject: Subject): Taken {
    // A message that a resumed stream brings again is no second message.
    if (subject.facts.replay === true && !wantsReplays) return 'open';
    selected += 1;
    // The target spans connections; whether the rule binds it was asked of each of them.
    if (subject.session && !holds(applies, subject)) return 'aside';
    if (!holds(when, subject)) return 'aside';
    judged += 1;
    const held = quickly(subject);
    const remarked = remark(subject);
    if (!held) {
      fail(subject);
      return 'open';
    }
    firstPassed ??= settled(subject.facts);
    cite(subject, passed);
    return remarked ? 'open' : 'passed';
  }

  /**
   * A remark changes no verdict, not even where the facts that it asks for were not recorded.
   *
   * @returns whether there is more to say of subjects like this one
   */
  function remark(subject: Subject): boolean {
    let more = false;
    for (const { message, check } of advice) {
      if (remarks.length >= keptRemarks) return false;
      try {
        if (!check(subject)) continue;
        remarks.push({ message, facts: settled(subject.facts) });
        more = true;
      } catch (error) {
        if (error !== notRecorded) throw error;
        more = true;
      }
    }
    return more;
  }

  /** What does not hold is evaluated by the engine, whose word counts and which tells every leaf. */
  function fail(subject: Subject): void {
    failed += 1;
    cite(subject, failedEvents);
    if (failed > confirmed) return;
    engine ??= factory.compile(rule.expect);
    const facts = settled(subject.facts);
    const mine: typeof first = first === undefined ? { leaves: [], facts } : undefined;
    first ??= mine;
    const due = engine.run(readNow(subject)).then((outcome) => {
      if (outcome.holds) throw new Error('the two evaluations of the rule disagree');
      if (mine) mine.leaves = outcome.leaves;
      hooks.onFailure?.({ rule, facts, events: subject.events, ...told(outcome.leaves, context) });
    });
    hooks.wait(due.catch(note));
  }

  function cite(subject: Subject, into: Set<number>): void {
    for (const seq of subject.events) {
      if (into.size >= keptEvidence || into.has(seq)) continue;
      into.add(seq);
      hooks.onCited?.(seq);
    }
  }

  function note(error: unknown): void {
    problem ??= error instanceof Error ? error.message : String(error);
  }

  return {
    rule,
    take(subject) {
      const before = judged;
      try {
        return decide(subject);
      } catch (error) {
        if (error === notRecorded) {
          judged = before;
          return 'aside';
        }
        note(error instanceof FactError ? `${error.message} (subject of event ${subject.events.at(-1) ?? 0})` : error);
        return 'open';
      }
    },
    spoil: note,
    joins(alike, held) {
      joined.push({ alike, held });
    },
    cite(subject) {
      if (passed.size < keptEvidence) cite(subject, passed);
      return passed.size >= keptEvidence;
    },
    takeSession(subject) {
      if (!applies) return;
      try {
        bound = holds(applies, subject) || bound === true;
      } catch (error) {
        if (error !== notRecorded) note(error);
      }
    },
    outcome(transport) {
      const sum = (of: typeof joined): number => of.reduce((count, { alike }) => count + alike.count, 0);
      const allJudged = judged + sum(joined.filter(({ held }) => held));
      const base = {
        rule,
        judged: allJudged,
        failed,
        selected: selected + sum(joined),
        facts: first?.facts ?? firstPassed ?? {},
        advice: remarks,
        leaves: first?.leaves ?? [],
        evidence: [...(failed > 0 ? failedEvents : passed)].sort((a, b) => a - b),
      };
      if (problem !== undefined) return { ...base, status: 'error', reason: problem };
      if (!rule.transports.includes(transport)) {
        return { ...base, status: 'not-applicable', reason: `holds on ${rule.transports.join(' and ')} only` };
      }
      if (failed > 0) {
        return { ...base, status: 'fail', ...told(first?.leaves ?? [], context) };
      }
      if (allJudged > 0) return { ...base, status: 'pass' };
      if (bound === false) return { ...base, status: 'not-applicable', reason: 'does not bind this target' };
      return { ...base, status: 'not-exercised' };
    },
  };
}

/** What was expected and what was seen, by the leaves that do not hold. */
function told(leaves: readonly LeafResult[], context: OperatorContext): { expected: string; actual: string } {
  const broken = leaves.filter((leaf) => leaf.matters).map((leaf) => explainLeaf(leaf, context));
  return { expected: broken.map((one) => one.expected).join('; or '), actual: [...new Set(broken.map((one) => one.actual))].join('; ') };
}
