/**
 * `mcpc/vitest` from the built package, in a project of its own with the vitest of this one: matchers, describeSuite and
 * withServer, and what they say where something fails. Needs the build.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'mcpc-vitest-'));
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '@modelcontextprotocol'), { recursive: true });
  symlinkSync(root, join(modules, 'mcpc'));
  for (const name of [
    'vitest',
    'zod',
    '@modelcontextprotocol/sdk',
    '@modelcontextprotocol/server',
    'typescript',
    'ts7',
  ])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  cpSync(join(root, 'test/api/servers/objects.mjs'), join(project, 'objects.mjs'));
  write('package.json', '{ "type": "module" }');
  write('vitest.config.mjs', 'export default { test: { include: ["*.test.ts"], testTimeout: 120000 } };');
});
afterAll(() => rmSync(project, { recursive: true }));

function write(name: string, text: string): void {
  writeFileSync(join(project, name), text);
}

interface Ran {
  code: number | null;
  /** Status by full name of the test. */
  tests: Record<string, string>;
  messages: string;
  output: string;
}

/** Runs the vitest of the project. */
function vitest(...args: string[]): Ran {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', '--outputFile=out.json', ...args],
    { cwd: project, encoding: 'utf8', env: { ...process.env, CI: '', VITEST: undefined, NO_COLOR: '1' } },
  );
  const { testResults } = JSON.parse(readFileSync(join(project, 'out.json'), 'utf8')) as {
    testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
  };
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  return {
    code: status,
    tests: Object.fromEntries(all.map(({ fullName, status: is }) => [fullName.trim(), is])),
    messages: all.flatMap(({ failureMessages }) => failureMessages).join('\n'),
    output: stdout + stderr,
  };
}

const suiteOf = (expected: number): string => `servers:
  one: { command: [${JSON.stringify(process.execPath)}, objects.mjs, "1"] }
tools:
  - { name: greets, tool: greet, args: { name: Ada }, expect: [{ target: result.structuredContent.length, matcher: { exact: ${expected} } }] }
  - { name: refuses, tool: refuse, expect: [{ target: result.isError, matcher: { exact: true } }] }
  - { name: is left out, tool: greet, skip: not today }
`;

test.runIf(thorough)(
  'matchers, a fixture and a suite: what holds passes, what does not fails with what there is to say',
  () => {
    write(
      'notes.test.ts',
      `import { expect, test as base } from 'vitest';
import { describeSuite, withServer } from 'mcpc/vitest';
import { createServer } from './objects.mjs';

const test = base.extend<{ server: import('mcpc').Session }>({ server: withServer(() => createServer(1)) });

test('greets', async ({ server }) => {
  const reply = await server.call('greet', { name: 'Ada' });
  expect(reply).toSucceed();
  expect(reply).not.toBeToolError();
  expect(reply).toMatchStructured({ length: expect.any(Number) });
  expect(reply).toMatchMcpSnapshot();
  await expect(reply).toFitOutputSchema();
  await expect(server).toHaveTool('greet');
  await expect(server).toObey('tools/*');
  await expect(server).toBeCompliant();
});
test('misses', async ({ server }) => {
  expect(await server.call('gret')).toSucceed();
});
describeSuite('suite.yaml', { name: 'good' });
describeSuite('bad.yaml', { target: () => createServer(2) });
`,
    );
    write('suite.yaml', suiteOf(3));
    write('bad.yaml', suiteOf(4));
    const ran = vitest();
    expect(ran.tests).toEqual({
      greets: 'passed',
      misses: 'failed',
      'good greets': 'passed',
      'good refuses': 'passed',
      'good is left out': 'skipped',
      'bad.yaml greets': 'failed',
      'bad.yaml refuses': 'passed',
      'bad.yaml is left out': 'skipped',
    });
    expect(ran.code).toBe(1);
    expect(ran.messages).toContain('Did you mean "greet"?');
    expect(ran.messages).toContain('want 4, got 3');
    expect(ran.messages).toMatch(/at bad\.yaml:4:\d+/);
    expect(readFileSync(join(project, 'notes.test.ts.mcp.snap'), 'utf8')).toContain('Hello, Ada!');
    // One test alone: the cases that are left out are not run.
    const alone = vitest('-t', 'good refuses');
    expect(alone.tests).toMatchObject({ 'good greets': 'skipped', 'good refuses': 'passed' });
    expect(alone.code).toBe(0);
    // The types of the matchers, under both compilers.
    write(
      'tsconfig.json',
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: 'nodenext',
          target: 'es2022',
          types: [],
          allowJs: true,
          skipLibCheck: true,
        },
        files: ['notes.test.ts'],
      }),
    );
    for (const compiler of ['typescript', 'ts7'])
      execFileSync(process.execPath, [join(root, 'node_modules', compiler, 'bin/tsc'), '-p', '.'], { cwd: project });
    write(
      'wrong.test.ts',
      `import { expect } from 'vitest';\nimport 'mcpc/vitest';\nexpect(1).toFailWith({ code: 'x' });\n`,
    );
    const wrong = spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/ts7/bin/tsc'),
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--skipLibCheck',
        'wrong.test.ts',
        '--ignoreConfig',
      ],
      { cwd: project, encoding: 'utf8' },
    );
    rmSync(join(project, 'wrong.test.ts'));
    expect(wrong.stdout).toContain(
      "wrong.test.ts(3,24): error TS2322: Type 'string' is not assignable to type 'number'",
    );
  },
);
