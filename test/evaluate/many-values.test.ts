/** What a path finds is judged up to 10,000 values; of more nothing is decided, by neither evaluator, and nothing fails. */
import { describe, expect, test } from 'vitest';
import type { Evaluator } from '../../src/core/evaluate/judge.ts';
import type { RuleOutcome } from '../../src/core/evaluate/rule-tally.ts';
import type { CompiledRule, Condition, LeafCondition } from '../../src/core/model/rules/rule.ts';
import type { Trace } from '../../src/core/model/trace.ts';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import { judgeByAll, loadProject } from '../support/rules.ts';

const project = await loadProject();
const {
  applies: _applies,
  when: _when,
  ...base
} = project.plan.rules.find(
  ({ kind, role, at, transports }) =>
    kind === 'exchange' && role === 'server' && at['2025-11-25'] && transports.includes('stdio'),
)!;

function tools(count: number): Trace {
  const list = Array.from({ length: count }, (_, at) => ({ name: `tool-${at}`, tags: ['a'] }));
  const trace = ['> {"id":1,"method":"tools/list"}', `< ${JSON.stringify({ id: 1, result: { tools: list } })}`];
  return exampleTrace({ verdict: 'pass', trace }, { transport: 'stdio', revision: '2025-11-25', era: 'stateful' });
}

async function judge(condition: Condition, count: number, evaluator: Evaluator): Promise<RuleOutcome> {
  const rule: CompiledRule = {
    ...base,
    filter: { method: ['tools/list'] },
    expect: condition,
    advice: [],
    message: 'No.',
    fix: 'Yes.',
  };
  return (await judgeByAll([rule], tools(count), 'server', evaluator))[0]!;
}

const walked: LeafCondition = {
  fact: 'subject.result',
  path: '$.tools[*].name',
  operator: 'everyMatches',
  value: '^none$',
};
const queried: LeafCondition = { fact: 'subject.result', path: '$..name', operator: 'everyMatches', value: '^none$' };
const derived: LeafCondition = {
  fact: 'subject.toolCount',
  operator: 'atMost',
  value: 5,
  derived: { of: 'subject.result', steps: [{ path: '$.tools[*].tags[*]', do: 'count' }] },
};
const answered: LeafCondition = { fact: 'subject.answered', operator: 'is', value: true };

describe.each<Evaluator>(['fast', 'engine'])('%s', (evaluator) => {
  test.each([
    ['a walked path', walked],
    ['a query', queried],
    ['a derived fact', derived],
  ])('%s', async (_title, leaf) => {
    expect(await judge(leaf, 10_000, evaluator)).toMatchObject({ status: 'fail', judged: 1 });
    expect(await judge(leaf, 10_001, evaluator)).toMatchObject({ status: 'not-exercised', selected: 1, judged: 0 });
  });

  test('what another part decides is decided', async () => {
    expect(await judge({ any: [answered, walked, derived] }, 10_001, evaluator)).toMatchObject({
      status: 'pass',
      judged: 1,
    });
    expect(await judge({ all: [{ not: answered }, walked, derived] }, 10_001, evaluator)).toMatchObject({
      status: 'fail',
      judged: 1,
    });
  });
});
