/**
 * Judges one rule by json-rules-engine alone (`--evaluator engine`): each condition of each subject, one after another.
 * Slow, and the same verdicts, counts and evidence as those of the fast path, which can so be held against it on any trace.
 */
import type { Subject } from '../facts/state/subject.ts';
import { notRecorded } from '../facts/registry/unrecorded.ts';
import type { CompiledRule, Condition } from '../model/rules/rule.ts';
import type { ConditionCheck, FactReader, LeafResult } from './conditions/engine.ts';
import { readNow, readRecorded } from './conditions/fact-reader.ts';
import { cheapFirst } from './conditions/predicate.ts';
import { faultOf, type Evaluation, type RuleJudge } from './rule-judge.ts';
import { createRuleTally, type JudgeHooks } from './rule-tally.ts';
import { asText } from '../model/json.ts';

/** Outcome of one subject, and its reason. */
export interface Account {
  rule: CompiledRule;
  subject: Subject;
  /** The last two are of connections: whether the requirement binds the target, as they show it. */
  outcome: 'pass' | 'fail' | 'not-judged' | 'error' | 'binds' | 'does-not-bind';
  /** Why it was not judged, or what went wrong. */
  because?: string;
  /** Every leaf of the rule's conditions with its value, those included on which nothing hung any more. */
  conditions: { name: 'applies' | 'when' | 'expect'; holds: boolean; leaves: LeafResult[] }[];
}

export interface EngineHooks extends JudgeHooks {
  /** Asks for an account of each subject; costs as much again. */
  onAccount?: ((account: Account) => void) | undefined;
}

interface Reading {
  /** Fails for facts that the trace does not contain. */
  recorded: FactReader;
  /** Gives no value for it. */
  plain: FactReader;
}

/** Decides later, by what is known now: it takes subjects with settled facts. */
export function createEngineJudge(
  rule: CompiledRule,
  { factory, context }: Omit<Evaluation, 'predicateOf'>,
  hooks: EngineHooks,
): RuleJudge {
  const compile = (condition: Condition | undefined): ConditionCheck | undefined =>
    condition && factory.compile(condition);
  const applies = compile(rule.applies);
  const when = compile(rule.when && cheapFirst(rule.when));
  const expect = factory.compile(rule.expect);
  const remarks = rule.advice.map(({ message, when: due }) => ({ message, check: factory.compile(due) }));
  const tally = createRuleTally(rule, context, hooks);
  const wantsReplays = 'replay' in rule.filter;
  /** Subjects are decided in the order in which they came. */
  let turn = Promise.resolve();

  function next(work: () => Promise<void>): void {
    turn = turn.then(work);
    hooks.wait(turn);
  }

  /** @returns why it was not judged; undefined when it was */
  async function decide(subject: Subject, read: Reading): Promise<string | undefined> {
    if (subject.facts.replay === true && !wantsReplays) return 'it is the replay of a message that was judged before';
    tally.selected += 1;
    if (subject.session && applies && !(await applies.decide(read.recorded)))
      return 'the requirement does not bind this connection ("applies" does not hold)';
    if (when && !(await when.decide(read.recorded))) {
      tally.leave(subject);
      return '"when" does not hold';
    }
    const held = await expect.decide(read.recorded).catch((error: unknown) => {
      if (error !== notRecorded) tally.judged += 1;
      throw error;
    });
    tally.judged += 1;
    await remark(subject, read);
    if (held) tally.pass(subject);
    else tally.fail(subject)?.((await expect.run(read.plain)).leaves);
    return undefined;
  }

  async function remark(subject: Subject, { recorded }: Reading): Promise<void> {
    for (const { message, check } of remarks) {
      if (tally.remarksFull()) return;
      try {
        if (await check.decide(recorded)) tally.remark(message, subject);
      } catch (error) {
        if (error !== notRecorded) throw error;
      }
    }
  }

  /** For a subject with unknown facts: true if it may break the rule, as far as known. */
  const mayBreak = (recorded: FactReader): Promise<boolean> =>
    expect.decide(recorded).then(
      (held) => !held,
      () => true,
    );

  async function take(subject: Subject, read: Reading): Promise<void> {
    let because: string | undefined;
    let broken = false;
    try {
      because = await decide(subject, read);
    } catch (error) {
      because = error instanceof Error ? error.message : asText(error);
      if (error === notRecorded) {
        because = 'a fact that it asks for was not recorded, or a path gives more values than are judged';
        if (await mayBreak(read.recorded)) tally.dropped = true;
      } else {
        broken = true;
        tally.note(faultOf(error, subject));
      }
    }
    if (hooks.onAccount) await account(subject, read, because, broken);
  }

  async function account(subject: Subject, read: Reading, because: string | undefined, broken: boolean): Promise<void> {
    const conditions: Account['conditions'] = [];
    const reported = { applies: subject.session && applies, when, expect };
    for (const name of ['applies', 'when', 'expect'] as const) {
      const found = await reported[name]?.run(read.plain).catch(() => undefined);
      if (found) conditions.push({ name, ...found });
    }
    const held = conditions.at(-1)?.holds === true;
    const outcome = broken ? 'error' : because !== undefined ? 'not-judged' : held ? 'pass' : 'fail';
    hooks.onAccount?.({ rule, subject, outcome, because, conditions });
  }

  return {
    rule,
    take(subject) {
      const read = { recorded: readRecorded(subject), plain: readNow(subject) };
      next(() => take(subject, read));
    },
    drop(subject) {
      const recorded = readRecorded(subject);
      next(async () => {
        for (const check of [applies, when]) if (check && !(await check.decide(recorded).catch(() => true))) return;
        if (await mayBreak(recorded)) tally.dropped = true;
      });
      return false;
    },
    takeSession(subject) {
      if (!applies) return;
      const read = readRecorded(subject);
      const plain = readNow(subject);
      next(async () => {
        try {
          const held = await applies.decide(read);
          tally.bind(held);
          if (hooks.onAccount)
            hooks.onAccount({
              rule,
              subject,
              outcome: held ? 'binds' : 'does-not-bind',
              conditions: [{ name: 'applies', ...(await applies.run(plain)) }],
            });
        } catch (error) {
          if (error !== notRecorded) tally.note(error);
        }
      });
    },
    spoil: tally.note,
    outcome: (transport) => tally.outcome(transport),
  };
}
