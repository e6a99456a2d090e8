/** The expectation `rule`: conditions over the traffic of a case, live and of a kept run; and hints for runs. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { errorOf, root, Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();
const head = `version: 1
servers: { notes: { command: node, args: [${JSON.stringify(join(root, 'test/suite/servers/notes.mjs'))}], env: { TOKEN: "$GIVEN" } } }
defaults: { timeout: 60s, spec: "2025-11-25" }
cases:
`;
const token = 'Zk81bQwLx92Vt0pR';

const read = (name: string): SuiteReport => JSON.parse(work.read(name)) as SuiteReport;
const results = ({ cases }: SuiteReport): Record<string, string> =>
  Object.fromEntries(
    cases.map(({ name, status, detail }) => [name, status === 'pass' ? status : `${status} ${detail}`]),
  );

test('what the traffic of a case has to be is judged at its end, of the run and of what was kept', async () => {
  work.write(
    'rules.yaml',
    `${head}  - name: holds
    steps:
      - { call: count, expect: { rule: { given: { exchange: { method: tools/call } }, expect: { all: [{ fact: subject.outcome, operator: is, value: result }, { fact: subject.result, path: $.content, operator: isEmpty, value: false }] } } } }
      - { call: count }
  - name: does not
    steps:
      - { call: count }
      - call: get_note
        with: { id: 7 }
        expect_error: true
        expect: { rule: { given: { exchange: { method: tools/call } }, expect: { fact: subject.outcome, operator: is, value: result } } }
  - name: nothing is selected
    steps: [{ ping: true, expect: { rule: { given: { exchange: { method: prompts/get } }, expect: { fact: subject.outcome, operator: is, value: result } } } }]
  - name: never decided
    steps: [{ ping: true, expect: { rule: { given: { exchange: { method: ping } }, when: { fact: subject.outcome, operator: is, value: error }, expect: { fact: subject.outcome, operator: is, value: error } } } }]
  - name: over several messages
    steps: [{ call: count }, { call: count }, { notifications: 1ms, expect: { rule: { given: { group: { of: { exchange: { method: tools/call } }, values: { ids: "$.id" } } }, expect: { fact: subject.values.ids, operator: isUnique, value: true } } } }]
  - name: of what is secret nothing is told
    steps: [{ call: env, with: { name: TOKEN }, expect: { rule: { given: { exchange: { method: tools/call } }, expect: { fact: subject.result, path: "$.content[0].text", operator: is, value: ${token} } } } }]
  - name: an earlier failure is told alone
    steps: [{ call: count, expect: { equals: many, rule: { given: { exchange: { method: tools/list } }, expect: { fact: subject.outcome, operator: is, value: error } } } }]
`,
  );
  const live = await work.run(
    ['run', 'rules.yaml', '--trace', 'kept.jsonl', '--format', 'json', '--output', 'live.json'],
    { env: { GIVEN: token } },
  );
  expect(live.code).toBe(1);
  expect(results(read('live.json'))).toEqual({
    holds: 'pass',
    'does not': expect.stringMatching(/^fail rule: 1 of 2 exchange subjects: want .*result.*, got .*error/),
    'nothing is selected': 'fail rule: given selects no exchange of the case',
    'never decided': 'fail rule: given selects 1 exchange subject, but when holds for none',
    'over several messages': 'pass',
    'of what is secret nothing is told': expect.stringMatching(
      /^undecided secrets were taken out of what is judged: rule: /,
    ),
    'an earlier failure is told alone': expect.stringMatching(/^fail expected exact match/),
  });
  for (const text of [work.read('live.json'), live.stderr, work.read('kept.jsonl')]) expect(text).not.toContain(token);
  const failure = read('live.json').cases[1]!.trials[0]!.failures[0]!;
  expect([failure.step, failure.expectation, failure.line, failure.evidence.map(({ from }) => from)]).toEqual([
    '1.steps.1',
    'rule',
    15,
    ['client', 'server'],
  ]);
  expect(
    (await work.call(['run', 'rules.yaml', '--recording', 'kept.jsonl', '--format', 'json', '--output', 'again.json']))
      .code,
  ).toBe(1);
  expect(results(read('again.json'))).toEqual({
    ...results(read('live.json')),
    'of what is secret nothing is told': expect.stringMatching(/^undecided /),
  });
  await work.call([
    'run',
    'rules.yaml',
    '--all-expectations',
    '--recording',
    'kept.jsonl',
    '--format',
    'json',
    '--output',
    'all.json',
  ]);
  expect(
    read('all.json')
      .cases.at(-1)!
      .trials[0]!.failures.map(({ expectation }) => expectation),
  ).toEqual(['equals', 'rule']);
});

test('what is wrong in a rule is told with its place before anything starts, beside all else', async () => {
  work.write(
    'bad.yaml',
    `${head}  - name: a
    each: [{ x: 1 }, { x: 2 }]
    steps:
      - ping: true
        expect:
          rule:
            given: { exchange: { methud: ping } }
            expect:
              all:
                - { fact: subject.outcum, operator: is, value: result }
                - { fact: subject.outcome, operator: iz, value: result }
  - name: b
    steps:
      - { ping: true, expect: { rule: { given: { exchange: {} }, expect: { all: [] } } } }
`,
  );
  work.write(
    'broken.yaml',
    `${head}  - { steps: [{ ping: true, expect: { rule: { given: { exchange: { method: ping } } } } }, { cal: x }] }\n`,
  );
  const outcome = await work.call(['run', '--suite', 'bad.yaml', '--suite', 'broken.yaml']);
  const { why } = errorOf(outcome);
  expect(outcome.code).toBe(2);
  for (const told of [
    /bad\.yaml:11:\d+: rule\.given\.exchange\.methud: .*"method"/,
    /bad\.yaml:14:\d+: rule\.expect\.all\[0\]: .*"subject\.outcome"/,
    /bad\.yaml:15:\d+: rule\.expect\.all\[1\]: .*"is"/,
    /bad\.yaml:18:\d+: rule\.expect\.all: /,
    /broken\.yaml:5:\d+: .*rule: must have required property 'expect'/,
    /broken\.yaml:5:\d+: .*"call"/,
  ])
    expect(why).toMatch(told);
  expect(why.match(/methud/g)!.length).toBeLessThanOrEqual(2);
});

test.runIf(thorough)('hints keep the step check from tools, and cases from a server that others share', async () => {
  const changing = join(root, 'test/suite/servers/changing.mjs');
  work.write(
    'hinted.yaml',
    `version: 1
servers: { changing: { command: node, args: [${JSON.stringify(changing)}], env: { CALLS_FILE: ${JSON.stringify(work.path('calls.txt'))} } } }
defaults: { timeout: 100s, spec: "2025-11-25" }
cases:
  - { name: checked, steps: [{ check: { only: [tools/call-result-schema] } }] }
  - { name: one, steps: [{ call: greet, with: { name: Ada } }] }
  - { name: two, steps: [{ call: list_users }] }
  - { name: three, steps: [{ call: list_users }] }
`,
  );
  work.write('hints.yaml', 'tools:\n  get_time: { call: never }\n  greet: { changes-lists: [tools] }\n');
  work.write('wrong.yaml', 'tools:\n  get_time: { call: perhaps }\n');
  const args = [
    'run',
    'hinted.yaml',
    '--session',
    'auto',
    '--jobs',
    '1',
    '--format',
    'json',
    '--overwrite',
    '--output',
  ];
  const told = async (
    name: string,
    ...more: string[]
  ): Promise<{ notices: string[]; calls: Set<string>; passed: number }> => {
    work.write('calls.txt', '');
    await work.run([...args, name, ...more]);
    const { notices, counts } = read(name);
    return { notices, passed: counts.passed, calls: new Set(work.read('calls.txt').split('\n')) };
  };
  const plain = await told('plain.json');
  expect([plain.passed, plain.notices, plain.calls.has('get_time')]).toEqual([
    4,
    ['--session auto: 3 of 4 cases shared 1 server.'],
    true,
  ]);
  const hinted = await told('hinted.json', '--hints', 'hints.yaml');
  expect([hinted.passed, hinted.notices, hinted.calls.has('get_time')]).toEqual([
    4,
    ['--session auto: 2 of 4 cases shared 1 server.'],
    false,
  ]);
  const wrong = await work.call(['run', 'hinted.yaml', '--hints', 'wrong.yaml']);
  expect([wrong.code, errorOf(wrong).why]).toEqual([2, expect.stringMatching(/wrong\.yaml:2:/)]);
});
