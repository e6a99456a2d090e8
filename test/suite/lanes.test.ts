/** Suites in the lane form: they compile to cases of the engine. Needs the build. */
import { beforeAll, describe, expect, test } from 'vitest';
import { laneCliHint } from '../../src/sdk/lanes.ts';
import { readSuiteText } from '../../src/suites/language/file/read-suite.ts';
import { mismatch } from '../../src/suites/language/lanes/matchers.ts';
import { targetExpectation } from '../../src/suites/language/lanes/target.ts';
import { exampleServer, Workspace } from '../cli/harness.ts';
import { moody } from '../coprocess/harness.ts';
import { thorough } from '../support/run/options.ts';

const server = `servers:\n  moody:\n    command: [${JSON.stringify(process.execPath)}, ${JSON.stringify(moody)}]\n`;
const read = (text: string, files: Record<string, string> = {}) =>
  readSuiteText(
    text,
    { path: 'suite.yaml', base: 'suite.yaml' },
    { strict: false, imported: (path) => (path in files ? { path, text: files[path]! } : undefined) },
  );
const problems = (text: string, files?: Record<string, string>): string[] =>
  read(text, files).problems.map(
    ({ line, column, severity, text: words }) => `${line}:${column} ${severity}: ${words}`,
  );

describe('matchers', () => {
  beforeAll(() => targetExpectation.prepare!());
  const big = 12345678901234567890n;

  test.each<[option: Record<string, unknown>, fits: unknown[], others: unknown[]]>([
    [{ exact: 'a' }, ['a'], ['b', 1, null]],
    [{ exact: 1 }, [1], ['1', true, 1.5, null]],
    [{ exact: { a: [1, null] } }, [{ a: [1, null] }], [{ a: [1] }, { a: [1, null], b: 1 }, {}]],
    [{ exact: big }, [big], [12345678901234567891n, '12345678901234567890']],
    [{ contains: 'b' }, ['abc', ['a', 'b']], ['ac', ['ab'], { b: 1 }, 1]],
    [{ contains: { a: 1 } }, [[{ a: 1 }]], ['{"a":1}', [{ a: 2 }]]],
    [{ regex: '^a+$' }, ['aa'], ['ab', 1]],
    [{ schema: { type: 'array', minItems: 1 } }, [[1]], [[], {}]],
    [{ type: 'number' }, [1, 1.5], ['1', null]],
    [{ type: 'integer' }, [1, big], [1.5]],
    [{ type: 'null' }, [null], [0, '']],
    [{ type: 'array' }, [[]], [{}]],
    [{ range: { min: 1, max: 3 } }, [1, 2.5, 3], [0.9, 4, '2']],
    [{ range: { min: 1 } }, [1e9, big], [0]],
    [{ length: 2 }, ['ab', '😀😀', [1, 2], { a: 1, b: 2 }], ['a', [], 2]],
    [{ length: { max: 1 } }, ['', []], ['ab']],
    [{ not: { contains: 'error' } }, ['fine', 1], ['an error']],
    [{ not: { exact: 1, type: 'integer' } }, [2, 'a'], [1]],
    [{ type: 'string', not: { exact: '' } }, ['a'], ['', 1]],
  ])('%o', (option, fits, others) => {
    for (const value of fits) expect(mismatch(value, option), String(value as string)).toBeUndefined();
    for (const value of others) expect(mismatch(value, option), String(value as string)).toBeTypeOf('string');
  });

  test('what cannot be decided holds neither way', () => {
    for (const option of [{ regex: '(' }, { not: { regex: '(' } }])
      expect(mismatch('x', option)).toContain('invalid pattern');
  });
});

describe('reading', () => {
  test('an unknown lane, server and check are errors with line and column; an unknown member is a warning', () => {
    expect(problems(`${server}toools:\n  - tool: x\n`)).toEqual([
      `4:1 error: there is no lane "toools"; lanes are tools, resources, prompts, compliance, security, agents, evals. Did you mean "tools"?`,
    ]);
    expect(problems(`${server}tools:\n  - tool: x\n    server: other\n    expct: []\n`)).toEqual([
      '7:5 warning: tools.0: unknown property "expct". Did you mean "expect"?',
      '6:5 error: there is no server "other"; known are moody',
    ]);
    expect(problems(`${server}compliance:\n  - check: everything\n`)[0]).toMatch(
      /^5:5 error: check: there is no check "everything"/,
    );
    expect(
      problems(`${server}tools:\n  - tool: x\n    expect: [{ target: result, matcher: { exakt: 1 } }]\n`)[0],
    ).toContain('unknown property "exakt"');
  });

  test('variables keep their types, and names without a value stay with a warning', () => {
    const { cases, problems: wrong } = read(
      `${server}variables: { n: 3, who: Ada }\ntools:\n  - tool: echo\n    args: { n: "\${n}", text: "\${who} \${n}", other: "\${none}" }\n`,
    );
    expect(cases[0]!.steps[0]!.act).toMatchObject({ params: { arguments: { n: 3, text: 'Ada 3', other: '${none}' } } });
    expect(wrong.map(({ text }) => text)).toEqual(['there is no variable "none"; "${none}" is sent unchanged']);
  });

  test('imports bring servers, variables and tests, each file once', () => {
    const files = {
      'base.yaml': 'imports: [more.yaml]\nvariables: { who: Ada }\nservers: { base: { command: [base] } }\n',
      'more.yaml': 'imports: [base.yaml]\ntools:\n  - tool: of-more\n    server: base\n',
    };
    const { cases, problems: wrong } = read(
      'imports: [base.yaml]\ntools:\n  - tool: echo\n    server: base\n    args: { who: "${who}" }\n',
      files,
    );
    expect(wrong).toEqual([]);
    expect(cases.map(({ id, name, server: own }) => [id, name, own?.command])).toEqual([
      ['suite.yaml#1', 'tools/call echo', 'base'],
      ['more.yaml#1', 'tools/call of-more', 'base'],
    ]);
    expect(cases[0]!.steps[0]!.act).toMatchObject({ params: { arguments: { who: 'Ada' } } });
    expect(problems('imports: [none.yaml]\ntools: []\n')).toEqual(['1:11 error: imports: none.yaml cannot be read']);
  });
});

test('a run: all lanes, with what fails and what is skipped', async () => {
  const space = new Workspace();
  const suite = space.write(
    'suite.yaml',
    `${server}tools:
  - name: echoes
    tool: echo
    args: { message: hello }
    expect:
      - { target: "result.content[0].text", matcher: { exact: hello, length: 5, not: { contains: goodbye } } }
      - { target: result.content, matcher: { schema: content.json } }
      - { target: duration_ms, matcher: { range: { max: 20000 } } }
  - name: faults
    tool: fault
    expect: [{ target: error.code, matcher: { exact: -32050 } }, { target: error.message, matcher: { regex: refused$ } }]
  - name: a missing target fits no negation
    tool: fault
    expect: [{ target: "result.content[0].text", matcher: { not: { contains: x } } }]
  - name: left out
    tool: die
    skip: it ends the server
resources:
  - { uri: "moody:mood", expect: [{ target: "result.contents[0].text", matcher: { type: string } }] }
prompts:
  - { prompt: greet, args: { name: Ada }, expect: [{ target: "result.messages[0].content.text", matcher: { contains: Ada } }] }
compliance:
  - { name: names itself, check: initialize, expect: [{ target: result.serverInfo.name, matcher: { exact: moody } }] }
  - { name: lists, check: tools/list, expect: [{ target: result.tools, matcher: { length: 5 } }] }
security: { scan: true }
agents: []
evals: [{ prompt: anything }]
`,
  );
  space.write('content.json', { type: 'array', minItems: 1 });
  const { stdout, code, stderr } = await space.call(['run', 'suite.yaml', '--format', 'json']);
  expect(stderr).toBe('');
  expect(code).toBe(1);
  const { cases } = JSON.parse(stdout) as { cases: { name: string; status: string; detail: string; block: string }[] };
  expect(cases.map(({ name, status }) => `${status} ${name}`)).toEqual([
    'pass echoes',
    'pass faults',
    'fail a missing target fits no negation',
    'skip left out',
    'pass resources/read moody:mood',
    'pass prompts/get greet',
    'pass names itself',
    'pass lists',
    'pass tool definitions of moody',
    'skip agents',
    'skip evals',
  ]);
  expect(cases[2]!.detail).toContain('the response is an error');
  expect(cases[9]!.detail).toContain(laneCliHint('agents', 'suite.yaml'));
  expect(cases[10]!.detail).toContain(laneCliHint('evals', 'suite.yaml'));
  expect(suite).toContain('suite.yaml');
});

test('a snapshot keeps the value at its target alone', async () => {
  const space = new Workspace();
  const suite = (message: string): string =>
    `${server}tools:\n  - name: echoes\n    tool: echo\n    args: { message: ${message} }\n    expect: [{ target: "result.content[0].type", matcher: { snapshot: true, type: string } }]\n`;
  space.write('suite.yaml', suite('one'));
  expect((await space.call(['snapshot', 'suite.yaml', '--update'])).code).toBe(0);
  expect(space.read('suite.yaml.snap')).toContain('value: text');
  expect(space.read('suite.yaml.snap')).not.toContain('one');
  // Another text, of which the snapshot says nothing.
  space.write('suite.yaml', suite('two'));
  expect((await space.call(['run', 'suite.yaml'])).code).toBe(0);
  space.write('suite.yaml', suite('two').replace('[0].type', '[0].text'));
  const other = await space.call(['run', 'suite.yaml']);
  expect(other.code).toBe(1);
  expect(other.stdout).toContain('snapshot: the answer is another than the stored one');
});

test.runIf(thorough)(
  'compliance run checks each server of a suite once; eval says that there is no model',
  async () => {
    const space = new Workspace();
    const node = JSON.stringify(process.execPath);
    const example = `  example: { command: [${node}, ${JSON.stringify(exampleServer)}, stdio] }\n`;
    space.write(
      'suite.yaml',
      `${server}  same: { command: [${node}, ${JSON.stringify(moody)}] }\n${example}tools: []\n`,
    );
    const check = ['compliance', 'run', '--from-suite', 'suite.yaml', '--level', 'must', '--json'];
    const { stdout, code } = await space.call(check);
    const results = JSON.parse(stdout) as { name: string; status: string; detail: string }[];
    expect(results.map(({ name, status }) => `${status} ${name}`)).toEqual([
      'FAIL compliance of moody',
      'PASS compliance of example',
    ]);
    expect(results[0]!.detail).toContain('versioning/initialize-server-alternative');
    expect(code).toBe(1);
    const evaluated = await space.call(['eval', 'suite.yaml']);
    expect(evaluated).toMatchObject({ code: 2, stdout: '' });
    expect(evaluated.stderr).toContain('mcpc calls no model');
  },
);
