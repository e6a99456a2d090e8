/**
 * json-rules-engine alone gives the outcomes, counts and evidence of the fast path: over the examples of all rules, the
 * traces of the reference server, and those of ten mutations; in `npm test`, over a part of the examples, and in
 * one run of four by a quarter of the rules over one of the traces; all of them with --mode all. And where the two disagree,
 * nobody gets a verdict.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { createConditionFactory } from '../../src/core/evaluate/conditions/engine.ts';
import { compilePredicate, type Predicate } from '../../src/core/evaluate/conditions/predicate.ts';
import { createRuleJudge } from '../../src/core/evaluate/rule-judge.ts';
import type { RuleOutcome } from '../../src/core/evaluate/rule-tally.ts';
import type { Subject } from '../../src/core/facts/state/subject.ts';
import { createSessionState } from '../../src/core/facts/state/session-state.ts';
import type { CompiledRule, Condition, LeafCondition } from '../../src/core/model/rules/rule.ts';
import type { Recorded, Trace, TraceEvent } from '../../src/core/model/trace.ts';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import { readTrace } from '../../src/files/traces/jsonl-reader.ts';
import { mutationCases, resolveRule } from '../support/accuracy.ts';
import { openReferenceLab } from '../support/reference-server.ts';
import { changed, thorough } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';
import { judgeByAll, loadProject, settingsOf } from '../support/rules.ts';

const project = await loadProject();
const lab = await openReferenceLab();
afterAll(() => lab.close());

/** What a capture of JSON-RPC lines lacks. */
const lines: Recorded = {
  transport: true,
  exchanges: false,
  streams: false,
  timing: false,
  bytes: false,
  start: true,
  order: true,
  direction: true,
};

async function bothWays(
  rules: CompiledRule[],
  trace: Trace,
  role: 'server' | 'client' | 'both',
): Promise<RuleOutcome[]> {
  const fast = await judgeByAll(rules, trace, role);
  const byEngine = await judgeByAll(rules, trace, role, 'engine');
  expect(byEngine).toEqual(fast);
  return fast;
}

async function traceOf(file: string): Promise<Trace> {
  const { header, events } = await readTrace(file);
  const all: TraceEvent[] = [];
  for await (const event of events) all.push(event);
  return { header, events: all };
}

function withGaps(trace: Trace): Trace {
  return { ...trace, header: { ...trace.header, recorded: lines } };
}

/** The rules that a whole trace is judged by. @param also the one that it is about */
function rulesDue(also?: string): CompiledRule[] {
  return someOf(
    project.plan.rules,
    4,
    ({ id }) => `both ways by ${id}`,
    ({ id }) => id === also,
  );
}

describe('both evaluators give the same outcomes', { timeout: 300_000 }, () => {
  test('over the examples of all rules', async () => {
    const seen = new Set<string>();
    for (const { id, rule: source } of someOf(
      project.sources,
      10,
      ({ id: name }) => `both ways ${name}`,
      ({ id: name }) => changed.has(name),
    )) {
      const rule = project.rule(id);
      for (const example of source.examples) {
        const [setting] = settingsOf(rule, example);
        if (!setting) continue;
        for (const { status } of await bothWays([rule], exampleTrace(example, setting), rule.role)) seen.add(status);
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(['pass', 'fail', 'not-exercised']));
  });

  const cases = mutationCases(false).filter(
    ({ mutation, whole }) =>
      whole && mutation.serve === undefined && mutation.guard === undefined && mutation.served === undefined,
  );
  const ten = Array.from({ length: 10 }, (_, at) => cases[Math.floor((at * cases.length) / 10)]!);
  const transports = ['http', 'stdio'] as const;
  const due = thorough ? someOf([...transports, ...ten.map(({ id }) => id)], 12, (name) => `both ways ${name}`) : [];

  test.each(transports.filter((transport) => due.includes(transport)))(
    'over a check of the reference server on %s, whole and as a capture',
    async (transport) => {
      const { trace: file } = await lab.check({ transport, revision: '2025-11-25', inMemory: transport === 'stdio' });
      const trace = await traceOf(file);
      const rules = rulesDue();
      const share = rules.length / project.plan.rules.length;
      const outcomes = await bothWays(rules, trace, 'both');
      expect(outcomes.filter(({ status }) => status === 'pass').length).toBeGreaterThan(100 * share);
      const hidden = await bothWays(rules, withGaps(trace), 'both');
      expect(hidden.filter(({ status }) => status === 'pass').length).toBeGreaterThan(50 * share);
    },
  );

  test.each(ten.filter(({ id }) => due.includes(id)))(
    'over a check of the mutation $id',
    async ({ mutation, transport, revision }) => {
      const { trace } = await lab.check({ transport, revision, mutation: mutation.id, focus: [mutation.rule] });
      const outcomes = await bothWays(rulesDue(resolveRule(mutation.rule)), await traceOf(trace), 'both');
      expect(outcomes.some(({ status }) => status === 'fail')).toBe(true);
    },
  );
});

describe('where the fast path and the engine disagree', () => {
  const leaf: LeafCondition = { fact: 'subject.result', path: '$.text', operator: 'is', value: 'right' };
  const base = project.plan.rules.find(({ kind, role }) => kind === 'exchange' && role === 'server')!;
  const { applies: _applies, when: _when, ...plain } = base;
  const rule: CompiledRule = {
    ...plain,
    filter: {},
    expect: { all: [{ fact: 'subject.answered', operator: 'is', value: true }, leaf] },
    advice: [],
  };

  function subjectWith(text: string, seq: number): Subject {
    return {
      kind: 'exchange',
      session: createSessionState('s1', 'stdio'),
      facts: { answered: true, result: { text } },
      events: [seq],
    };
  }

  /** Judges by a fast path that says of that leaf what it is told to. */
  async function judgeWith(
    says: boolean,
    texts: readonly string[],
    judged: CompiledRule = { ...rule },
  ): Promise<RuleOutcome> {
    const context = { schemaFindings: () => undefined };
    const told: LeafCondition = { fact: 'subject.answered', operator: 'is', value: says };
    const lying = (one: Condition): Condition => {
      if ('all' in one) return { all: one.all.map(lying) };
      return JSON.stringify(one) === JSON.stringify(leaf) ? told : one;
    };
    const predicateOf = (one: Condition): Predicate => compilePredicate(lying(one), context);
    const due: Promise<void>[] = [];
    const judge = createRuleJudge(
      judged,
      { factory: createConditionFactory(context), predicateOf, context },
      { wait: (one) => void due.push(one) },
    );
    texts.forEach((text, at) => judge.take(subjectWith(text, at + 1)));
    await Promise.all(due);
    return judge.outcome(rule.transports[0]!);
  }

  test('a wrong pass is an error that names rule, leaf and event', async () => {
    const { status, reason } = await judgeWith(true, ['right', 'right', 'wrong']);
    expect(status).toBe('error');
    expect(reason).toBe(
      `two evaluations of ${rule.id} disagree about event 3: it is a pass by the fast path, and fails by json-rules-engine, which differs in the leaf subject.result $.text is "right"`,
    );
  });

  test('a wrong failure is one as well', async () => {
    const { status, reason } = await judgeWith(false, ['right']);
    expect(status).toBe('error');
    expect(reason).toContain(
      `${rule.id} disagree about event 1: it is a fail by the fast path, and passes by json-rules-engine`,
    );
    expect(reason).toContain('subject.result $.text is "right"');
  });

  test('the first twenty passes of a rule are looked at', async () => {
    const twenty = Array.from({ length: 20 }, (_, at) => (at === 19 ? 'wrong' : 'right'));
    expect((await judgeWith(true, twenty)).status).toBe('error');
    expect(await judgeWith(true, ['right', ...twenty])).toMatchObject({ status: 'pass', judged: 21 });
  });

  test('where one process judges many targets, the first one of each later target', async () => {
    const again = { ...rule };
    await judgeWith(
      true,
      Array.from({ length: 20 }, () => 'right'),
      again,
    );
    expect((await judgeWith(true, ['wrong'], again)).status).toBe('error');
    expect((await judgeWith(true, ['right', 'wrong'], again)).status).toBe('pass');
  });
});
