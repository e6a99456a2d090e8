/** Facts that follow from others: what each derivation gives, and what is wrong in a file of them. */
import { describe, expect, test } from 'vitest';
import { createTextRenderer, verdictOf } from '../../src/check/reporting/verdict-text.ts';
import { derivation } from '../../src/core/facts/core/derived.ts';
import type { Derivation, DerivedFactEntry } from '../../src/core/model/rules/derived-fact.ts';
import { ofConnection, resolveDerivedFacts } from '../../src/core/rules/derived-facts.ts';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import type { RuleProblem } from '../../src/core/rules/rule-problem.ts';
import { judgeTrace, loadProject } from '../support/rules.ts';

const cases: [Derivation, unknown, unknown][] = [
  ['exists', null, true],
  ['exists', undefined, false],
  ['count', [1, 2], 2],
  ['count', { a: 1 }, 1],
  ['count', 'text', undefined],
  ['length', 'four', 4],
  ['length', ['one', 'three'], [3, 5]],
  ['first', [7, 8], 7],
  ['first', [], undefined],
  ['last', [7, 8], 8],
  ['min', [3, 1, 2], 1],
  ['max', [3, 1, 2], 3],
  ['min', [], undefined],
  ['max', [1, '2'], undefined],
  ['distinct', [1, '1', 1], [1, '1']],
  ['repeated', [1, '1', 1, 2, 1], [1]],
  ['spread', [5, 2, 9], 7],
  ['spread', [], undefined],
  ['time', '2025-11-25T10:30:00+01:00', 1_764_063_000_000],
  ['time', ['2025-11-25T09:30:00Z', 'soon', 7], [1_764_063_000_000]],
  ['time', 'soon', undefined],
  ['type', null, 'null'],
  ['type', [], 'array'],
  ['type', 1.5, 'number'],
];

test.each(cases)('%s of %j is %j', (what, value, wanted) => {
  expect(derivation([{ do: what }])(value)).toEqual(wanted);
});

test('a path comes before what is done, and steps follow one another', () => {
  expect(
    derivation([{ path: '$.list[*].n', do: 'distinct' }, { do: 'count' }])({ list: [{ n: 1 }, { n: 1 }, { n: 2 }] }),
  ).toBe(2);
  expect(derivation([{ path: '$.a' }, { do: 'exists' }])({ b: 1 })).toBe(false);
});

test('texts name parts of derived facts, and a finding names what a value is compared with as the rule does', async () => {
  const project = await loadProject();
  const render = createTextRenderer();
  const rule = project.rule('tasks/errors-wrapped-error');
  const [noError, otherError] = await Promise.all(
    project.sources
      .find(({ id }) => id === rule.id)!
      .rule.examples.filter(({ verdict }) => verdict === 'fail')
      .map(async (example) => {
        const outcome = await judgeTrace(
          rule,
          exampleTrace(example, { transport: 'stdio', revision: '2025-11-25', era: 'stateful' }),
        );
        return verdictOf(outcome!, { revision: '2025-11-25', transport: 'stdio' }, render);
      }),
  );
  expect(noError!.message).toMatch(/tasks\/result for task t1 gave a result\.$/);
  expect(noError!.expected).toContain('tasks/result gives the error of the request itself');
  expect(otherError!.message).toMatch(/gave the error -32000\.$/);
});

describe('a file of derived facts', () => {
  const problemsOf = (facts: Partial<DerivedFactEntry>[], house = false): string[] => {
    const problems: RuleProblem[] = [];
    resolveDerivedFacts(
      [
        {
          file: 'facts.json',
          facts: facts.map((one) => ({ says: 'What it says.', ...one })) as DerivedFactEntry[],
          house,
        },
      ],
      problems,
    );
    return problems.map(({ path, message }) => `${path}: ${message}`);
  };

  test.each<[string, Partial<DerivedFactEntry>[], boolean, string]>([
    [
      'an unknown fact',
      [{ name: 'trace.x', of: 'trace.sessionIdz', do: 'count' }],
      false,
      'facts[0].of: there is no fact trace.sessionIdz Did you mean "trace.sessionIds"?',
    ],
    [
      'an unknown kind',
      [{ name: 'mesage.x', of: 'message.id', do: 'type' }],
      false,
      'facts[0].name: there is no subject kind "mesage" Did you mean "message"?',
    ],
    [
      'a name that code has',
      [{ name: 'message.id', of: 'message.params', do: 'type' }],
      false,
      'facts[0].name: code gives a fact message.id already',
    ],
    [
      'one name twice',
      [
        { name: 'message.x', of: 'message.id', do: 'type' },
        { name: 'message.x', of: 'message.id', do: 'type' },
      ],
      false,
      'facts[1].name: message.x is also in facts.json',
    ],
    [
      'a circle',
      [
        { name: 'message.x', of: 'message.y', do: 'count' },
        { name: 'message.y', of: 'message.x', do: 'count' },
      ],
      false,
      'facts[0].of: message.x -> message.y -> message.x goes round in a circle',
    ],
    [
      'a house name in our file',
      [{ name: 'house.x', of: 'message.id', do: 'type' }],
      false,
      'facts[0].name: only a file of your own may use names with "house."',
    ],
    [
      'another name in a house file',
      [{ name: 'message.x', of: 'message.id', do: 'type' }],
      true,
      'facts[0].name: names in a file of your own begin with "house."',
    ],
  ])('%s is told with its place', (_title, facts, house, wanted) => {
    expect(problemsOf(facts, house)).toContain(wanted);
  });

  test('a fact holds for its kind, one of the connection for all that have a connection', () => {
    const entries: DerivedFactEntry[] = [
      { name: 'house.type', of: 'message.id', do: 'type', says: 'What it says.' },
      { name: 'house.info', of: 'session.serverCapabilities', do: 'count', says: 'What it says.' },
      { name: 'house.short', of: 'house.type', do: 'length', says: 'What it says.' },
    ];
    const derived = resolveDerivedFacts([{ file: 'facts.json', facts: entries, house: true }], []);
    expect(derived.find('message', 'house.type')).toEqual({ of: 'subject.id', steps: [{ do: 'type' }] });
    expect(derived.find('message', 'house.short')).toEqual({
      of: 'subject.id',
      steps: [{ do: 'type' }, { do: 'length' }],
    });
    expect(derived.find('exchange', 'house.type')).toBeUndefined();
    expect(derived.find('exchange', 'house.info')).toEqual({
      of: 'session.serverCapabilities',
      steps: [{ do: 'count' }],
    });
    expect(derived.find('trace', 'house.info')).toBeUndefined();
  });

  test('one of session subjects is a fact of theirs, and none of the connection', () => {
    const facts: DerivedFactEntry[] = [
      { name: 'session.offered', of: 'session.serverCapabilities', do: 'count', says: 'What it says.' },
      { name: 'session.repeats', of: 'session.eventIds', path: '$.repeated', says: 'What it says.' },
    ];
    const derived = resolveDerivedFacts([{ file: 'facts.json', facts, house: false }], []);
    expect(derived.find('session', 'subject.repeats')).toEqual({
      of: 'subject.eventIds',
      steps: [{ path: '$.repeated' }],
    });
    expect(derived.find('session', 'session.repeats')).toBeUndefined();
    expect(derived.find('message', 'session.repeats')).toBeUndefined();
    expect(ofConnection(facts).map(({ name }) => name)).toEqual(['session.offered']);
  });
});
