/** The linter names conditions that no subject can meet: a path or an operator that does not fit the fact. */
import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lintRules } from '../../src/check/authoring/lint-rules.ts';
import { thorough } from '../support/run/options.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-unmet-'));
mkdirSync(path.join(folder, 'house'));
const requirements = path.join(folder, 'house.md');
writeFileSync(
  requirements,
  '# House\n\nRevision: all\n\n- **MUST** server `house.list.latency` Lists are quick. [-] {observe: server-active}\n',
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const exchange = { exchange: { from: 'client', method: 'tools/list' } };
const group = { group: { of: exchange, values: { ms: { fact: 'subject.elapsedMs' } } } };
const answered = ['> {"id":1,"method":"tools/list"}', '< {"id":1,"result":{"tools":[]}}'];

async function problemsOf(given: object, expectation: object, facts: object[] = []): Promise<string[]> {
  const file = path.join(folder, 'house', 'list-latency.json');
  const rule = {
    title: 'The list of tools comes quickly',
    requirement: ['house.list.latency'],
    role: 'server',
    given,
    expect: expectation,
    message: 'The list of tools was slow: {{actual}}.',
    fix: 'Keep the list of tools in memory.',
    examples: [
      { verdict: 'pass', trace: answered },
      { verdict: 'fail', trace: answered },
    ],
  };
  writeFileSync(file, JSON.stringify(rule));
  const houseFacts = path.join(folder, 'facts.json');
  writeFileSync(houseFacts, JSON.stringify({ facts }));
  const { problems } = await lintRules([file], [requirements], facts.length === 0 ? [] : [houseFacts]);
  return problems.map(({ message }) => message);
}

test.each<[object, object, RegExp]>([
  [group, { fact: 'subject.values.ms', operator: 'atMost', value: 200 }, /is a list, .* everyAtMost or percentAtMost/],
  [group, { fact: 'subject.times', operator: 'atLeast', value: 1 }, /is a list, .* everyAtLeast or percentAtLeast/],
  [group, { fact: 'subject.values.ms', path: '$.x', operator: 'atMost', value: 2 }, /\$\.x is absent in it/],
  [group, { fact: 'subject.count', path: '$.x', operator: 'atMost', value: 2 }, /is a number, so \$\.x is absent/],
  [exchange, { fact: 'subject.elapsedMs', operator: 'everyAtMost', value: 2 }, /is a number, .* tests a list/],
])('%j %j', async (given, expectation, message) => {
  expect(await problemsOf(given, expectation)).toEqual([expect.stringMatching(message)]);
});

test('a path to an entry and an operator on lists can be met', async () => {
  for (const condition of [
    { fact: 'subject.values.ms', path: '$[0]', operator: 'atMost', value: 200 },
    { fact: 'subject.values.ms', operator: 'percentAtMost', value: { percent: 95, value: 200 } },
  ])
    for (const problem of await problemsOf(group, condition)) expect(problem).not.toMatch(/absent|is a list/);
});

test('a derived fact of all collected values is refused', async () => {
  const fact = { name: 'house.slowest', of: 'group.values', path: '$.ms', do: 'max', says: 'The slowest of them.' };
  expect(
    await problemsOf(group, { fact: 'subject.values.ms', operator: 'everyAtMost', value: 2 }, [fact]),
  ).toContainEqual(expect.stringContaining('read subject.values.<name>'));
});

test.runIf(thorough)('the rules that ship have no problem', async () => {
  expect((await lintRules([], [], [])).problems).toEqual([]);
});
