/**
 * Judges one rule by the fast path: takes the subjects that it selects, and evaluates its conditions as plain
 * functions. json-rules-engine decides failures, and evaluates the first passing subjects.
 */
import { FactError } from '../facts/core/reading.ts';
import type { Subject } from '../facts/state/subject.ts';
import { notRecorded } from '../facts/registry/unrecorded.ts';
import type { CompiledRule, Condition } from '../model/rules/rule.ts';
import type { TransportKind } from '../model/trace.ts';
import { disagreement } from './conditions/disagreement.ts';
import type { ConditionCheck, ConditionFactory } from './conditions/engine.ts';
import { readAtOnce } from './conditions/fact-reader.ts';
import { cheapFirst, type Predicate } from './conditions/predicate.ts';
import type { OperatorContext } from './operators/operator.ts';
import { createRuleTally, type JudgeHooks, type RuleOutcome } from './rule-tally.ts';

export interface RuleJudge {
  rule: CompiledRule;
  /** Judges a subject that the rule's `given` selects. */
  take(subject: Subject): void;
  /**
   * Records a subject that the rule might select if the trace were complete.
   * @returns true if further ones need not be recorded
   */
  drop(subject: Subject): boolean;
  /** A connection that negotiated the judged revision is over: does the requirement bind it? */
  takeSession(subject: Subject): void;
  /** Facts that the rule reads are not to be had: that is its verdict, whatever else was decided. */
  spoil(reason: string): void;
  /** The outcome by what was taken so far. */
  outcome(transport: TransportKind): RuleOutcome;
}

/** Evaluators of conditions. */
export interface Evaluation {
  factory: ConditionFactory;
  /** Compiles a condition, or a leaf of it, for the fast path. */
  predicateOf: (condition: Condition) => Predicate;
  context: OperatorContext;
}

/** Number of passing subjects of one rule that the engine evaluates as well; for level MAY the displayed one. */
const confirmedPasses = { rule: 20, feature: 1 };
/**
 * Number of subjects of a rule that the engine has evaluated in this process. A worker that checks a whole fleet has
 * both ways of judging compared as often as one check does, and of each target once more.
 */
const confirmedInAll = new WeakMap<CompiledRule, number>();

export function createRuleJudge(
  rule: CompiledRule,
  { factory, predicateOf, context }: Evaluation,
  hooks: JudgeHooks,
): RuleJudge {
  const applies = rule.applies && predicateOf(rule.applies);
  const when = rule.when && predicateOf(cheapFirst(rule.when));
  const expect = predicateOf(rule.expect);
  const remarks = rule.advice.map((one) => ({ message: one.message, isDue: predicateOf(one.when) }));
  const tally = createRuleTally(rule, context, hooks);
  const skipsReplays = rule.kind === 'message' && !('replay' in rule.filter);
  const enough =
    rule.feature === true
      ? confirmedPasses.feature
      : Math.max(1, confirmedPasses.rule - (confirmedInAll.get(rule) ?? 0));
  let engine: ConditionCheck | undefined;
  let confirmed = 0;

  function decide(subject: Subject): void {
    // A message that a resumed stream brings again is no second message.
    if (skipsReplays && subject.facts.replay === true) return;
    tally.selected += 1;
    // The target spans connections; whether the rule binds it was asked of each of them.
    if (subject.session && applies !== undefined && !applies(subject)) return;
    if (when !== undefined && !when(subject)) return tally.leave(subject);
    tally.judged += 1;
    const held = expect(subject);
    remark(subject);
    if (!held) {
      fail(subject);
      return;
    }
    tally.pass(subject);
    confirm(subject);
  }

  /** A remark changes no verdict, not even where the facts that it asks for were not recorded. */
  function remark(subject: Subject): void {
    for (const { message, isDue } of remarks) {
      if (tally.remarksFull()) return;
      try {
        if (isDue(subject)) tally.remark(message, subject);
      } catch (error) {
        if (error !== notRecorded) throw error;
      }
    }
  }

  /** The engine evaluates failures, decides them, and reports every leaf. */
  function fail(subject: Subject): void {
    const account = tally.fail(subject);
    if (!account) return;
    const due = ask(subject).then(({ holds: held, leaves }) => {
      if (held) throw disagreement(rule, subject, leaves, predicateOf, 'fail');
      account(leaves);
    });
    hooks.wait(due.catch(tally.note));
  }

  function confirm(subject: Subject): void {
    if (confirmed >= enough) return;
    confirmed += 1;
    confirmedInAll.set(rule, (confirmedInAll.get(rule) ?? 0) + 1);
    const due = ask(subject).then(({ holds: held, leaves }) => {
      if (!held) throw disagreement(rule, subject, leaves, predicateOf, 'pass');
    });
    hooks.wait(due.catch(tally.note));
  }

  function mayConcern(subject: Subject): boolean {
    try {
      return [applies, when].every((one) => one === undefined || one(subject));
    } catch {
      return true;
    }
  }

  /** For a subject with unknown facts: true if it may break the rule, as far as known. */
  function mayBreak(subject: Subject): boolean {
    try {
      return !expect(subject);
    } catch {
      return true;
    }
  }

  function ask(subject: Subject): ReturnType<ConditionCheck['run']> {
    engine ??= factory.compile(rule.expect);
    // It reads all that it needs before it waits for anything.
    return engine.run(readAtOnce(subject));
  }

  return {
    rule,
    take(subject) {
      const { judged } = tally;
      try {
        decide(subject);
      } catch (error) {
        if (error !== notRecorded) {
          tally.note(faultOf(error, subject));
          return;
        }
        tally.judged = judged;
        if (mayBreak(subject)) tally.dropped = true;
      }
    },
    spoil: tally.note,
    drop(subject) {
      if (!tally.dropped && mayConcern(subject) && mayBreak(subject)) tally.dropped = true;
      return tally.dropped;
    },
    takeSession(subject) {
      if (applies === undefined) return;
      try {
        tally.bind(applies(subject));
      } catch (error) {
        if (error !== notRecorded) tally.note(error);
      }
    },
    outcome: (transport) => tally.outcome(transport),
  };
}

/** The error, with its subject. */
export function faultOf(error: unknown, subject: Subject): unknown {
  return error instanceof FactError ? `${error.message} (subject of event ${subject.events.at(-1) ?? 0})` : error;
}
