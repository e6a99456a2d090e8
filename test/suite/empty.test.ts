/** Cases that assert nothing, and files of other tools: neither passes in silence, and neither looks like a failed test. */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorOf, root, Workspace } from '../cli/harness.ts';

const work = new Workspace();
const changing = join(root, 'test/suite/servers/changing.mjs');
const server = `{ command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(changing)}] }`;
const nothing = 'the case asserts nothing: no step of it has an expectation that mcpc knows';
const call = 'call: greet, with: { name: Ada }';

describe('a case that asserts nothing', () => {
  beforeAll(() => {
    work.write(
      'suite.yaml',
      [
        'version: 1',
        `servers: { changing: ${server} }`,
        'cases:',
        `  - { name: misspelt, steps: [{ ${call}, expct: { text: Hello } }] }`,
        `  - { name: no property, steps: [{ ${call}, expect: {} }] }`,
        `  - { name: any result, steps: [{ ${call} }] }`,
        `  - { name: an error, steps: [{ call: no_such_tool, expect_error: true }] }`,
        `  - { name: kept value, steps: [{ ${call}, capture: { said: content } }] }`,
        '',
      ].join('\n'),
    );
    work.write(
      'typo.yaml',
      `name: misspelt\nserver: ${server}\nassert: { tool: greet, args: { name: Ada }, expct: { not_error: true } }\n`,
    );
    work.write(
      'tolerant.yaml',
      `name: tolerant\nserver: ${server}\nowner: me\nassert: { tool: greet, args: { name: Ada }, expect: { not_error: true } }\n`,
    );
  });

  test('run counts it and says so; what has an expectation passes or fails as ever', async () => {
    const { code, stdout } = await work.call(['run', 'suite.yaml', '--json']);
    expect(
      (JSON.parse(stdout) as { name: string; status: string }[]).map(({ name, status }) => `${name}: ${status}`),
    ).toEqual(['misspelt: EMPTY', 'no property: EMPTY', 'any result: PASS', 'an error: PASS', 'kept value: PASS']);
    expect(code).toBe(0);
  });

  test('ci and --strict fail it', async () => {
    const ci = await work.call(['ci', 'suite.yaml']);
    expect(ci.code).toBe(1);
    expect(ci.stderr + ci.stdout).toContain('2 failed');
    expect(ci.stderr + ci.stdout).toContain(nothing);
    work.write(
      'empty.yaml',
      `version: 1\nservers: { s: ${server} }\ncases: [{ name: a, steps: [{ ${call}, expect: {} }] }]\n`,
    );
    expect((await work.call(['run', 'empty.yaml'])).code).toBe(0);
    expect((await work.call(['run', 'empty.yaml', '--strict'])).code).toBe(1);
  });

  test('files of mcp-assert too, which may otherwise have members that nobody knows', async () => {
    const one = await work.call(['run', 'typo.yaml']);
    expect({ code: one.code, told: one.stdout + one.stderr }).toEqual({
      code: 0,
      told: expect.stringContaining(nothing),
    });
    expect((await work.call(['ci', 'typo.yaml'])).code).toBe(1);
    const tolerant = await work.call(['ci', 'tolerant.yaml']);
    expect(tolerant.stdout + tolerant.stderr).toContain('1 passed');
    expect(tolerant.code).toBe(0);
  });

  test.each([
    ['terminal', '2 asserting nothing'],
    ['markdown', '2 asserting nothing: misspelt'],
    ['junit', `<skipped message="${nothing}"/>`],
    ['tap', `# TODO ${nothing}`],
    ['github', `::warning file=`],
    ['sarif', '"ruleId": "suite/empty"'],
    ['html', 'Asserts nothing'],
    ['ctrf', nothing],
    ['json', '"status": "empty"'],
  ])('%s shows it', async (format, shown) => {
    const { code, stdout, stderr } = await work.call(['run', 'suite.yaml', '--format', format]);
    expect(code).toBe(0);
    expect(format === 'terminal' ? stdout + stderr : stdout).toContain(shown);
  });
});

describe('a file of another tool', () => {
  test.each<[what: string, text: string]>([
    ['a file of MCP Aegis', 'tests:\n  - it: lists\n    request: { method: tools/list }\n    expect: {}\n'],
    ['a file of MCPSpec', 'name: a\nserver: node s.js\ntests:\n  - { name: b, call: t, with: {} }\n'],
    ['a file of mcp-probe', 'server: { command: node }\ntests:\n  - { name: a, call: tools/list }\n'],
    [
      'a file of mcptest',
      'server: { command: node }\ntests:\n  - { name: a, tool: t, input: {}, expect: { text: "3" } }\n',
    ],
    ['a file of mcp-server-tester', 'tools:\n  expected_tool_list: [a]\n  tests: []\n'],
    ['a file of mcp-autotest', 'case: a\nin: { tool: t }\nout: {}\n'],
    ['a list of evaluations', 'tests:\n  - { name: a, prompt: what time is it }\n'],
    ['a configuration of promptfoo', 'providers: [x]\nprompts: [y]\ntests: [{ vars: {}, assert: [] }]\n'],
    ['a Compose file', 'services: { db: { image: x } }\n'],
    ['a workflow of GitHub', 'on: push\njobs: { a: { runs-on: x } }\n'],
    ['an object of Kubernetes', 'apiVersion: v1\nkind: Pod\n'],
    ['a fleet file of mcpc', 'version: 1\ninclude: [.mcp.json]\n'],
  ])('%s is named, and no test failed', async (what, text) => {
    work.write('foreign/one.yaml', text);
    const outcome = await work.call(['run', 'foreign']);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toMatch(
      new RegExp(`^foreign/one\\.yaml:1:1: this is ${what}.* no suite that mcpc runs`),
    );
  });
});

describe('suite convert', () => {
  const assert = (name: string): string =>
    `name: ${name}\nserver: ${server}\nassert: { tool: greet, args: { name: ${name} }, expect: { not_error: true } }\n`;

  test('folders are kept, and the converted folder runs as it was written', async () => {
    work.write('nested/a/echo.yaml', assert('Ada'));
    work.write('nested/b/echo.yaml', assert('Bea'));
    expect((await work.call(['suite', 'convert', 'nested', '--output', 'flat'])).code).toBe(0);
    expect([work.has('flat/a/echo.yaml'), work.has('flat/b/echo.yaml')]).toEqual([true, true]);
    expect((await work.call(['run', 'flat'])).stdout).toContain('2 passed');
  });

  test('several files of mcp-jest become one suite that names each server once', async () => {
    const jest = { server: { command: process.execPath, args: [changing] } };
    work.write('1.json', { ...jest, tests: { tools: { greet: { args: { name: 'Ada' } } } } });
    work.write('2.json', { ...jest, tests: { tools: { greet: { args: { name: 'Bea' } } } } });
    const { code } = await work.call(['suite', 'convert', '1.json', '2.json', '--output', 'jest.yaml']);
    expect(code).toBe(0);
    expect(work.read('jest.yaml').match(/command:/g)).toHaveLength(1);
    expect((await work.call(['run', 'jest.yaml'])).stdout).toContain('4 passed');
  });
});
