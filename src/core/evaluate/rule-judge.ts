/**
 * Judges one rule by the fast path: takes the subjects of its kind as they come, and asks the numbered leaves of its
 * conditions. json-rules-engine has the last word on what fails, and looks at the first subjects that pass.
 */
import { FactError } from '../facts/core/reading.ts';
import type { Subject } from '../facts/core/subject.ts';
import { notRecorded } from '../facts/core/unrecorded.ts';
import type { CompiledRule } from '../model/rules/rule.ts';
import type { TransportKind } from '../model/trace.ts';
import { disagreement } from './conditions/disagreement.ts';
import type { ConditionCheck, ConditionFactory } from './conditions/engine.ts';
import { readAtOnce } from './conditions/fact-reader.ts';
import type { LeafTests } from './conditions/leaf.ts';
import { holds, questionsOf, type Taken } from './conditions/questions.ts';
import type { OperatorContext } from './operators/operator.ts';
import { createRuleTally, type JudgeHooks, type RuleOutcome } from './rule-tally.ts';

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
  /** Notes a subject that the rule might select, if the trace told enough. @returns whether it need not be told of others */
  drop(subject: Subject): boolean;
  /** Adds a subject that passed to the evidence. @returns whether there is as much of it as is kept, and the engine has seen enough */
  cite(subject: Subject): boolean;
  /** A connection that negotiated the judged revision is over: does the requirement bind it? */
  takeSession(subject: Subject): void;
  /** Facts that the rule reads are not to be had: that is its verdict, whatever else was decided. */
  spoil(reason: string): void;
  /** The outcome by what was taken so far. */
  outcome(transport: TransportKind): RuleOutcome;
}

/** What conditions are evaluated by. */
export interface Evaluation {
  factory: ConditionFactory;
  tests: LeafTests;
  context: OperatorContext;
}

/** Subjects of one rule that pass and are judged by the engine as well; of one of level MAY the one that is shown. */
const confirmedPasses = { rule: 20, feature: 1 };
/**
 * How many of a rule the engine has looked at in this process. A worker that checks a whole fleet has both ways of judging
 * compared as often as one check does, and of each target once more.
 */
const confirmedInAll = new WeakMap<CompiledRule, number>();

export function createRuleJudge(
  rule: CompiledRule,
  { factory, tests, context }: Evaluation,
  hooks: JudgeHooks,
): RuleJudge {
  // In the order in which they are written: what a trace does not tell ends the matter where it is asked for.
  const { applies, when, expect, remarks } = questionsOf(rule, true);
  const tally = createRuleTally(rule, context, hooks);
  const joined: { alike: Alike; held: boolean }[] = [];
  const wantsReplays = 'replay' in rule.filter;
  const enough =
    rule.feature === true
      ? confirmedPasses.feature
      : Math.max(1, confirmedPasses.rule - (confirmedInAll.get(rule) ?? 0));
  let engine: ConditionCheck | undefined;
  let confirmed = 0;

  function decide(subject: Subject): Taken {
    // A message that a resumed stream brings again is no second message.
    if (subject.facts.replay === true && !wantsReplays) return 'open';
    tally.selected += 1;
    // The target spans connections; whether the rule binds it was asked of each of them.
    if (subject.session && applies !== undefined && !holds(applies, subject, tests)) return 'aside';
    if (when !== undefined && !holds(when, subject, tests)) return 'aside';
    tally.judged += 1;
    const held = holds(expect, subject, tests);
    const remarked = remark(subject);
    if (!held) {
      fail(subject);
      return 'open';
    }
    tally.pass(subject);
    confirm(subject);
    return remarked ? 'open' : 'passed';
  }

  /**
   * A remark changes no verdict, not even where the facts that it asks for were not recorded.
   *
   * @returns whether there is more to say of subjects like this one
   */
  function remark(subject: Subject): boolean {
    let more = false;
    for (const [at, ask] of remarks.entries()) {
      if (tally.remarksFull()) return false;
      try {
        if (!holds(ask, subject, tests)) continue;
        tally.remark(rule.advice[at]!.message, subject);
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
    const account = tally.fail(subject);
    if (!account) return;
    const due = ask(subject).then(({ holds: held, leaves }) => {
      if (held) throw disagreement(rule, subject, leaves, tests, 'fail');
      account(leaves);
    });
    hooks.wait(due.catch(tally.note));
  }

  /** @returns whether the engine has looked at enough subjects that passed */
  function confirm(subject: Subject): boolean {
    if (confirmed >= enough) return true;
    confirmed += 1;
    confirmedInAll.set(rule, (confirmedInAll.get(rule) ?? 0) + 1);
    const due = ask(subject).then(({ holds: held, leaves }) => {
      if (!held) throw disagreement(rule, subject, leaves, tests, 'pass');
    });
    hooks.wait(due.catch(tally.note));
    return false;
  }

  function mayConcern(subject: Subject): boolean {
    try {
      return [applies, when].every((one) => one === undefined || holds(one, subject, tests));
    } catch {
      return true;
    }
  }

  /** Of a subject of which the trace does not tell enough: whether it may break the rule for all that is known. */
  function mayBreak(subject: Subject): boolean {
    try {
      return !holds(expect, subject, tests);
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
      const before = tally.judged;
      try {
        return decide(subject);
      } catch (error) {
        if (error === notRecorded) {
          tally.judged = before;
          if (!mayBreak(subject)) return 'aside';
          tally.dropped = true;
          return 'dropped';
        }
        tally.note(faultOf(error, subject));
        return 'open';
      }
    },
    spoil: tally.note,
    drop(subject) {
      if (!tally.dropped && mayConcern(subject) && mayBreak(subject)) tally.dropped = true;
      return tally.dropped;
    },
    joins(alike, held) {
      joined.push({ alike, held });
    },
    cite(subject) {
      const enough = confirm(subject);
      return tally.cite(subject) && enough;
    },
    takeSession(subject) {
      if (applies === undefined) return;
      try {
        tally.bind(holds(applies, subject, tests));
      } catch (error) {
        if (error !== notRecorded) tally.note(error);
      }
    },
    outcome(transport) {
      const sum = (of: typeof joined): number => of.reduce((count, { alike }) => count + alike.count, 0);
      return tally.outcome(transport, { judged: sum(joined.filter(({ held }) => held)), selected: sum(joined) });
    },
  };
}

/** What went wrong, with the subject that shows it. */
export function faultOf(error: unknown, subject: Subject): unknown {
  return error instanceof FactError ? `${error.message} (subject of event ${subject.events.at(-1) ?? 0})` : error;
}
