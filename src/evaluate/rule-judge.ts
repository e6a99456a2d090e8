/** Judges one rule: takes the subjects of its kind as they come, adds up their verdicts, keeps the evidence. */
import type { Subject } from '../facts/subject.ts';
import type { CompiledRule } from '../model/rule.ts';
import type { TransportKind } from '../model/trace.ts';
import type { Status } from '../model/verdict.ts';
import { explainLeaf, type ConditionCheck, type ConditionFactory, type FactReader, type LeafResult } from './condition-check.ts';
import type { OperatorContext } from './operators.ts';

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
  take(subject: Subject, read: FactReader): Promise<void>;
  /** A connection that negotiated the judged revision is over: does the requirement bind it? */
  takeSession(read: FactReader): Promise<void>;
  finish(transport: TransportKind): RuleOutcome;
}

const keptEvidence = 200;

export function createRuleJudge(
  rule: CompiledRule,
  factory: ConditionFactory,
  context: OperatorContext,
  onFailure?: (rule: CompiledRule, subject: Subject) => void,
): RuleJudge {
  const applies = rule.applies && factory.compile(rule.applies);
  const when = rule.when && factory.compile(rule.when);
  const expect = factory.compile(rule.expect);
  const advice = rule.advice.map((one) => ({ message: one.message, check: factory.compile(one.when) }));
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
  let first: { subject: Subject; leaves: LeafResult[]; facts: Record<string, unknown> } | undefined;
  let firstPassed: Record<string, unknown> | undefined;
  let problem: string | undefined;

  async function holds(check: ConditionCheck | undefined, read: FactReader): Promise<boolean> {
    return check === undefined || (await check.run(read)).holds;
  }

  async function decide(subject: Subject, read: FactReader): Promise<void> {
    if (!filter.every(({ fact, wanted }) => wanted.includes(read(fact)))) return;
    selected += 1;
    // The target spans connections; whether the rule binds it was asked of each of them.
    if (subject.session && !(await holds(applies, read))) return;
    if (!(await holds(when, read))) return;
    judged += 1;
    const outcome = await expect.run(read);
    const seen = outcome.holds ? passed : failedEvents;
    for (const seq of subject.events) if (seen.size < keptEvidence) seen.add(seq);
    if (outcome.holds) firstPassed ??= subject.facts;
    else {
      failed += 1;
      first ??= { subject, leaves: outcome.leaves, facts: subject.facts };
      onFailure?.(rule, subject);
    }
    for (const one of advice) {
      if (remarks.length < 5 && (await holds(one.check, read))) remarks.push({ message: one.message, facts: subject.facts });
    }
  }

  return {
    rule,
    async take(subject, read) {
      try {
        await decide(subject, read);
      } catch (error) {
        problem ??= error instanceof Error ? error.message : String(error);
      }
    },
    async takeSession(read) {
      if (!applies) return;
      try {
        const binds = await holds(applies, read);
        bound = bound === undefined ? binds : bound || binds;
      } catch (error) {
        problem ??= error instanceof Error ? error.message : String(error);
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
