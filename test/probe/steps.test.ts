/** The table of steps: what it says of stimuli before they run agrees with how rules are expanded and planned. */
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readGeneratedPlan } from '../../src/check/plan.ts';
import type { Step } from '../../src/core/model/rules/rule.ts';
import { waitsForTask } from '../../src/client/schedule/run-shared.ts';
import { objectStep, objectSteps, traitsOfSteps, wordSteps } from '../../src/client/steps/table.ts';
import { createRuleChecker } from '../../src/files/package/load-rules.ts';
import { expandSteps } from '../../src/core/rules/shared-definitions.ts';

const shared = { conditions: {}, steps: { greeting: ['handshake', 'linger'] } };

test('a step is known by one member, whatever stands beside it', () => {
  const names = objectSteps.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(wordSteps.map(({ name }) => name)).size).toBe(wordSteps.length);
  for (const { name, schema } of objectSteps)
    expect(Object.keys(schema).filter((member) => member !== name && names.includes(member))).toEqual([]);
  expect(objectStep({ as: 'x', request: 'ping' }).name).toBe('request');
  expect(() => objectStep({ requets: 'ping' })).toThrow('unknown step {"requets":"ping"}');
});

test('lists of steps within a step are expanded wherever the table says that there are some', () => {
  const lists = {
    forEachList: ['use:greeting'],
    then: ['use:greeting'],
    ifChallenged: ['use:greeting'],
    parallel: [['use:greeting'], ['use:greeting']],
    steps: ['use:greeting'],
    newSession: ['use:greeting'],
    quietly: ['use:greeting'],
  };
  const nested = objectSteps.filter(({ within }) => within);
  expect(nested.length).toBeGreaterThan(6);
  for (const { name, schema, within } of nested) {
    const members = Object.keys(schema).filter((member) => member in lists);
    const step = {
      [name]: 'any',
      ...Object.fromEntries(members.map((member) => [member, lists[member as keyof typeof lists]])),
    };
    const [expanded] = expandSteps([step], shared) as [Record<string, unknown>];
    for (const list of within!(expanded)) expect(list).toEqual(['handshake', 'linger']);
    expect(within!(expanded).length).toBeGreaterThan(0);
  }
});

describe('traits', () => {
  test('of a step are those of the steps within it too, at any depth', () => {
    const deep = (step: Step): Step[] => [
      {
        ifDeclared: 'tools',
        then: [{ parallel: [['sentinel'], [{ repeat: 2, steps: [{ newSession: ['handshake', step] }] }]] }],
      },
    ];
    expect(traitsOfSteps(deep({ pollTask: 'x' }))).toEqual({ opensAnother: true, waitsForTask: true });
    expect(traitsOfSteps(deep({ openStream: 'x' }))).toEqual({ opensAnother: true, listens: true });
    expect(traitsOfSteps(deep({ callTool: 'asks-client', then: [{ pollTask: 'x' }] }))).toMatchObject({
      asksClient: true,
      waitsForTask: true,
    });
    expect(traitsOfSteps(deep({ callTool: 'slow' })).asksClient).not.toBe(true);
  });

  test('are no matter of the params that are sent', () => {
    const sent: Step[] = [
      'handshake',
      {
        request: 'tools/list',
        params: { name: 'asks-client', arguments: { pollTask: 1, openStream: 2, method: 'tools/call' } },
      },
    ];
    expect(traitsOfSteps(sent)).toEqual({});
    expect(waitsForTask({ steps: sent, rules: [] })).toBe(false);
  });

  test('tell those rules of ours whose stimulus waits for tasks, listens or asks', () => {
    const { rules } = readGeneratedPlan();
    const having = (trait: 'waitsForTask' | 'listens' | 'asksClient'): string[] =>
      rules.filter(({ stimulus }) => stimulus && traitsOfSteps(stimulus)[trait] === true).map(({ id }) => id);
    // No rule of ours sends these words in a message.
    const naming = (...texts: string[]): string[] =>
      rules
        .filter(({ stimulus }) => stimulus && texts.some((text) => JSON.stringify(stimulus).includes(text)))
        .map(({ id }) => id);
    expect(having('waitsForTask').length).toBeGreaterThan(20);
    expect(having('waitsForTask')).toEqual(naming('"pollTask":'));
    expect(having('listens').length).toBeGreaterThan(5);
    expect(having('listens')).toEqual(naming('"openStream":', '"listen":'));
    expect(having('asksClient').length).toBeGreaterThan(5);
    expect(having('asksClient')).toEqual(naming('"callTool":"asks-client"', '"roundTrip":', '"roundTripElsewhere":'));
  });
});

describe('the schema that is generated of them', () => {
  const rulesFolder = fileURLToPath(new URL('../../rules', import.meta.url));
  const checker = createRuleChecker(rulesFolder, new Map());
  const rule = {
    title: 'Each request is answered',
    requirement: ['ping.answer.empty-result'],
    role: 'server',
    given: { exchange: {} },
    expect: { fact: 'subject.answered', operator: 'isTrue', value: true },
    message: 'It was not answered.',
    fix: 'Answer each request.',
    examples: [
      { verdict: 'pass', trace: ['> {}'] },
      { verdict: 'fail', trace: ['> {}'] },
    ],
  };
  const problems = (stimulus: unknown): string[] =>
    checker
      .check(path.join('rules', 'x.json'), { ...rule, stimulus })
      .map(({ path: place, message }) => `${place}: ${message}`);

  test.each<[string, unknown]>([
    ['every word', wordSteps.map(({ name }) => name)],
    ['a list by name', ['use:tour']],
    ['a request', [{ request: 'ping', as: 'x', wait: false }, { await: 'x' }]],
    ['steps within steps', [{ forEachList: [{ parallel: [['sentinel'], [{ repeat: 2, steps: ['linger'] }]] }] }]],
  ])('takes %s', (_title, stimulus) => {
    expect(problems(stimulus)).toEqual([]);
  });

  test.each<[unknown, string]>([
    [
      ['hanshake'],
      'stimulus[0]: must be one of handshake, linger, survey, sentinel, ownTools, settle, shutDown, closeStdin, listening, cancelSeenWork, deleteSession, authorizationMetadata, deleteWithoutSession',
    ],
    [[{ request: 5 }], 'stimulus[0].request: must be string'],
    [
      [{ callTool: 'anything' }],
      'stimulus[0].callTool: must be one of any, announces, fails, slow, asks-client, logs, no-arguments, became-task, unremarkable, with-arguments, reports-progress, with-output-schema, with-param-headers, with-typed-arguments',
    ],
    [[{ parallel: [['handshake']] }], 'stimulus[0].parallel: must NOT have fewer than 2 items'],
    [[{ repeat: 999, steps: ['linger'] }], 'stimulus[0].repeat: must be <= 200'],
    [[{ http: {} }], "stimulus[0].http: must have required property 'method'"],
    [[{ await: 'X y' }], 'stimulus[0].await: must match pattern "^[a-z][a-zA-Z0-9]*$"'],
    [
      [{ handshake: { vesion: '1' } }],
      'stimulus[0].handshake.vesion: is unknown here. Did you mean "version"? Known: version, deviation, headers, initialized, clientCapabilities.',
    ],
    [[{ ifDeclared: 'tools' }], "stimulus[0]: must have required property 'then'"],
    [
      [{ request: 'ping', wat: false }],
      'stimulus[0].wat: is unknown here. Did you mean "wait"? Known: wait, as, meta, id, params, request, headers, deviation, progressToken.',
    ],
    [[], 'stimulus: must NOT have fewer than 1 items'],
  ])('refuses %j', (stimulus, problem) => {
    expect(problems(stimulus)).toEqual([problem]);
  });

  test('names the steps that an unknown one may be, the nearest first', () => {
    const [problem, ...others] = problems([{ requets: 'ping' }]);
    expect(others).toEqual([]);
    expect(problem).toMatch(
      /^stimulus\[0\]: names none of what can stand here\. Did you mean "request"\? Known: request, resume, /,
    );
  });
});
