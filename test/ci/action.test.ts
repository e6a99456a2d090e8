/**
 * The steps of action.yml as a runner carries them out: in bash, with its variables and files, on the packed file. What
 * other actions do (upload of SARIF and artifacts) is looked at, not done. Needs the build.
 */
import { thorough } from '../support/run/options.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../cli/harness.ts';

interface Step {
  id?: string;
  if?: string;
  run?: string;
  uses?: string;
  shell?: string;
  env?: Record<string, string>;
  with?: Record<string, string>;
}

const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
  inputs: Record<string, { default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: Step[] };
};
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const node = JSON.stringify(process.execPath);
let work: string;
let packed: string;

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'mcpc-action-'));
  const made = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', work], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1e8,
  });
  packed = join(work, (JSON.parse(made) as { filename: string }[])[0]!.filename);
  cpSync(join(root, 'test/coprocess/servers/moody-server.mjs'), join(work, 'moody.mjs'));
  cpSync(join(root, 'dist/example-server.js'), join(work, 'example.mjs'));
  writeFileSync(
    join(work, 'suite.yaml'),
    `servers: { moody: { command: [${node}, moody.mjs] } }
tools:
  - { name: echoes, tool: echo, args: { message: hello }, expect: [{ target: "result.content[0].text", matcher: { exact: hello } }] }
  - { name: is wrong, tool: echo, args: { message: hello }, expect: [{ target: "result.content[0].text", matcher: { exact: bye } }] }
`,
  );
});
afterAll(() => rmSync(work, { recursive: true }));

interface Ran {
  code: number;
  outputs: Record<string, string>;
  summary: string;
  stdout: string;
}

/** What the step that installs has added to the path, by the version: it does the same each time. */
const installed = new Map<string, string>();

/** Runs the steps that have a command line, until one fails. */
function runAction(inputs: Record<string, string>): Ran {
  const temp = mkdtempSync(join(work, 'runner-'));
  const file = (name: string): string => {
    writeFileSync(join(temp, name), '');
    return join(temp, name);
  };
  const [output, path, summary] = [file('output'), file('path'), file('summary')];
  const given = {
    ...Object.fromEntries(Object.entries(action.inputs).map(([name, one]) => [name, one.default])),
    ...inputs,
  };
  const value = (text: string): string =>
    text.replace(/\$\{\{ (\S+) \}\}/g, (_whole, name: string) => {
      if (name === 'github.action_path') return root;
      if (name === 'github.action_repository') return 'acme/mcpc';
      const found = given[name.replace(/^inputs\./, '') as keyof typeof given];
      expect(found, name).toBeDefined();
      return String(found);
    });
  let stdout = '';
  for (const { run, env = {} } of action.runs.steps) {
    if (run === undefined) continue;
    const known = run.includes('install.sh') ? installed.get(given['version']!) : undefined;
    if (known !== undefined) {
      writeFileSync(path, known);
      continue;
    }
    const made = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: work,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: [...readFileSync(path, 'utf8').split('\n').filter(Boolean), process.env['PATH']].join(delimiter),
        GITHUB_ACTIONS: 'true',
        GITHUB_SERVER_URL: 'http://127.0.0.1:9',
        GITHUB_OUTPUT: output,
        GITHUB_PATH: path,
        GITHUB_STEP_SUMMARY: summary,
        RUNNER_TEMP: temp,
        ...Object.fromEntries(Object.entries(env).map(([name, text]) => [name, value(text)])),
      },
    });
    stdout += made.stdout;
    if (run.includes('install.sh') && made.status === 0) installed.set(given['version']!, readFileSync(path, 'utf8'));
    const outputs = Object.fromEntries(
      readFileSync(output, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    if (made.status !== 0 || run.includes('run.mjs'))
      return { code: made.status ?? -1, outputs, summary: readFileSync(summary, 'utf8'), stdout: stdout + made.stderr };
  }
  throw new Error('the action has no step that runs the check');
}

test('it is pinned to the version of the package, and no input reaches a shell by insertion', () => {
  expect(String(action.inputs['version']!.default)).toBe(version);
  for (const { run, shell } of action.runs.steps) {
    expect(run ?? '').not.toContain('${{');
    if (run !== undefined) expect(shell).toBe('bash');
  }
  for (const { value } of Object.values(action.outputs))
    expect(value).toMatch(/^\$\{\{ steps\.run\.outputs\.\w+ \}\}$/);
  const others = action.runs.steps.filter(({ uses }) => uses !== undefined);
  expect(others.map(({ uses }) => uses)).toEqual([
    'github/codeql-action/upload-sarif@v3',
    'actions/upload-artifact@v4',
  ]);
  for (const one of others) expect(one.if).toContain('always()');
});

describe('its steps', () => {
  test.runIf(thorough)(
    'a sound server: outputs, summary and reports; the words of its command are kept together',
    () => {
      const folder = join(work, 'a folder; touch pwned');
      mkdirSync(folder, { recursive: true });
      cpSync(join(work, 'example.mjs'), join(folder, 'server.mjs'));
      const ran = runAction({
        version: packed,
        server: `${node} 'a folder; touch pwned/server.mjs' stdio`,
        formats: 'html, junit sarif badge-svg',
        'min-grade': 'b',
      });
      expect(ran.code, ran.stdout).toBe(0);
      expect(ran.outputs).toMatchObject({ grade: 'A', compliant: 'true', failed: '0' });
      expect(Number(ran.outputs['score'])).toBeGreaterThan(90);
      expect(Number(ran.outputs['passed'])).toBeGreaterThan(50);
      for (const name of [
        'check.html',
        'check.junit.xml',
        'check.sarif',
        'check.svg',
        'check.json',
        'check.trace.jsonl',
      ])
        expect(existsSync(join(ran.outputs['report']!, name)), name).toBe(true);
      expect(ran.outputs['sarif']).toBe(ran.outputs['report']);
      expect(ran.summary).toContain('Grade');
      expect(existsSync(join(work, 'pwned'))).toBe(false);
    },
  );

  test.runIf(thorough)('a server with violations and a suite that fails, by what the action is to fail on', () => {
    const server = `${node} moody.mjs`;
    const strict = runAction({ version: packed, server, suite: 'suite.yaml', threshold: '50' });
    expect(strict.code).toBe(1);
    expect(strict.outputs).toMatchObject({ compliant: 'false', passed: '1', failed: '1' });
    expect(strict.stdout).toContain('::error');
    expect(strict.summary).toContain('is wrong');
    expect(runAction({ version: packed, suite: 'suite.yaml', threshold: '50', 'fail-on': 'gates' }).code).toBe(0);
    expect(runAction({ version: packed, suite: 'suite.yaml', 'fail-on': 'gates' }).code).toBe(1);
    expect(runAction({ version: packed, server, 'fail-on': 'gates' }).code).toBe(0);
    expect(runAction({ version: packed, server, 'fail-on': 'gates', 'min-grade': 'A' }).code).toBe(1);
    expect(runAction({ version: packed, server, suite: 'suite.yaml', 'fail-on': 'never' }).code).toBe(0);
  });

  test.each<[inputs: Record<string, string>, words: string]>([
    [{}, '::error::Name a server'],
    [{ server: 'node x.js', formats: 'pdf' }, '::error::formats: there is no format "pdf"'],
    [{ server: 'node x.js', 'fail-on': 'sometimes' }, '::error::fail-on'],
    [{ server: 'node "x.js' }, 'a quotation mark is not closed'],
    [{ server: 'node x.js', version: '$(touch pwned)' }, '::error::version has to be'],
  ])('%o is refused', (inputs, words) => {
    const ran = runAction({ version: packed, ...inputs });
    expect(ran.code).toBe(2);
    expect(ran.stdout).toContain(words);
    expect(existsSync(join(work, 'pwned'))).toBe(false);
  });
});
