/** Judges one rule: takes the subjects of its kind as they come, adds up their verdicts, keeps the evidence. */
import type { Subject } from '../facts/subject.ts';
import type { CompiledRule } from '../model/rule.ts';
import type { TransportKind } from '../model/trace.ts';
import type { Status } from '../model/verdict.ts';
import { explainLeaf, type ConditionCheck, type ConditionFactory, type FactReader, type LeafResult } from './condition-check.ts';
import type { OperatorContext } from './operators.ts';
import { compilePredicate, type Predicate } from './predicate.ts';

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

export interface RuleJudge {
  rule: CompiledRule;
  /** A promise only where the engine is asked, so that the many subjects that hold cost no turn of the event loop. */
  take(subject: Subject, read: FactReader): void | Promise<void>;
  /** A connection that negotiated the judged revision is over: does the requirement bind it? */
  takeSession(read: FactReader): void;
  finish(transport: TransportKind): RuleOutcome;
}

const keptEvidence = 200;

export function createRuleJudge(
  rule: CompiledRule,
  factory: ConditionFactory,
  context: OperatorContext,
  onFailure?: (rule: CompiledRule, subject: Subject) => void,
): RuleJudge {
  const applies = rule.applies && compilePredicate(rule.applies, context);
  const when = rule.when && compilePredicate(rule.when, context);
  const quickly = compilePredicate(rule.expect, context);
  const advice = rule.advice.map((one) => ({ message: one.message, check: compilePredicate(one.when, context) }));
  let engine: ConditionCheck | undefined;
  const filter = Object.entries(rule.filter).map(([fact, wanted]) => ({
    fact: `subject.${fact}`,
    wanted: Array.isArray(wanted) ? (wanted as unknown[]) : [wanted],
  }));

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

  function holds(check: Predicate | undefined, read: FactReader): boolean {
    return check === undefined || check(read);
  }

  const wantsReplays = 'replay' in rule.filter;

  function decide(subject: Subject, read: FactReader): void | Promise<void> {
    // A message that a resumed stream brings again is no second message.
    if (subject.facts.replay === true && !wantsReplays) return;
    if (!filter.every(({ fact, wanted }) => wanted.includes(read(fact)))) return;
    selected += 1;
    // The target spans connections; whether the rule binds it was asked of each of them.
    if (subject.session && !holds(applies, read)) return;
    if (!holds(when, read)) return;
    judged += 1;
    for (const one of advice) {
      if (remarks.length < 5 && holds(one.check, read)) remarks.push({ message: one.message, facts: subject.facts });
    }
    if (!quickly(read)) return fail(subject, read);
    firstPassed ??= subject.facts;
    cite(subject, passed);
  }

  /** What does not hold is evaluated by the engine, whose word counts and which tells every leaf. */
  async function fail(subject: Subject, read: FactReader): Promise<void> {
    engine ??= factory.compile(rule.expect);
    const outcome = await engine.run(read);
    if (outcome.holds) throw new Error('the two evaluations of the rule disagree');
    failed += 1;
    cite(subject, failedEvents);
    first ??= { leaves: outcome.leaves, facts: subject.facts };
    onFailure?.(rule, subject);
  }

  function cite(subject: Subject, into: Set<number>): void {
    for (const seq of subject.events) if (into.size < keptEvidence) into.add(seq);
  }

  function note(error: unknown): void {
    problem ??= error instanceof Error ? error.message : String(error);
  }

  return {
    rule,
    take(subject, read) {
      try {
        return decide(subject, read)?.catch(note);
      } catch (error) {
        note(error);
      }
    },
    takeSession(read) {
      if (!applies) return;
      try {
        bound = holds(applies, read) || bound === true;
      } catch (error) {
        note(error);
      }
    },
    finish(transport) {
      const base = {
        rule,
        judged,
        failed,
        selected,
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
        const told = (first?.leaves ?? []).filter((leaf) => !leaf.holds).map((leaf) => explainLeaf(leaf, context));
        return {
          ...base,
          status: 'fail',
          expected: told.map((one) => one.expected).join('; or '),
          actual: [...new Set(told.map((one) => one.actual))].join('; '),
        };
      }
      if (judged > 0) return { ...base, status: 'pass' };
      if (bound === false) return { ...base, status: 'not-applicable', reason: 'does not bind this target' };
      return { ...base, status: 'not-exercised' };
    },
  };
}
