/**
 * `mcpc init --project` in copies of three projects (test/suite/projects): each command of the written workflow passes
 * as it stands, in bash and with mcpc from the packed file that the set-up wrote; a second run changes nothing. Needs
 * the build.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { errorOf, root, Workspace, type Outcome } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

interface Step {
  uses?: string;
  run?: string;
  if?: string;
}
interface Workflow {
  jobs: { mcp: { env?: Record<string, string>; steps: Step[] } };
}

/** A copy of one of the projects, with the packages of this repository in a folder above it. */
class Project {
  readonly space = new Workspace();
  readonly name: string;
  readonly env: Record<string, string>;

  constructor(name: string, env: Record<string, string> = {}) {
    this.name = name;
    this.env = env;
    cpSync(join(root, 'test/suite/projects', name), this.space.path(name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), this.space.path('node_modules'));
  }

  path(file: string): string {
    return this.space.path(join(this.name, file));
  }

  read(file: string): string {
    return readFileSync(this.path(file), 'utf8');
  }

  init(...words: string[]): Promise<Outcome> {
    return this.space.call(['init', '--project', ...words], { folder: this.name, env: this.env });
  }

  /** Every file with its bytes. */
  state(): Map<string, string> {
    const files = readdirSync(this.path('.'), { recursive: true, encoding: 'utf8' });
    return new Map(
      files.flatMap((file): [string, string][] => {
        try {
          return [[file, readFileSync(this.path(file), 'base64')]];
        } catch {
          return [];
        }
      }),
    );
  }

  workflow(): Workflow {
    return parse(this.read('.github/workflows/mcpc.yml')) as Workflow;
  }

  /** Runs a command line in bash, as a runner does. */
  bash(line: string): { code: number | null; output: string } {
    const prefix = this.space.path('global');
    mkdirSync(prefix, { recursive: true });
    const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', line], {
      cwd: this.path('.'),
      encoding: 'utf8',
      env: {
        ...process.env,
        ...this.env,
        npm_config_prefix: prefix,
        GITHUB_STEP_SUMMARY: this.space.path('summary.md'),
        PATH: `${join(prefix, 'bin')}${delimiter}${process.env['PATH']}`,
      },
    });
    return { code: status, output: stdout + stderr };
  }
}

async function passesAsWritten(project: Project): Promise<void> {
  const before = project.state();
  const dry = thorough ? await project.init('--dry-run') : undefined;
  expect(dry?.code ?? 0, dry?.stderr).toBe(0);
  expect(project.state()).toEqual(before);

  const made = await project.init('--quiet');
  expect(made.code, made.stderr).toBe(0);
  for (const [file, bytes] of before) if (file !== 'package.json') expect(project.state().get(file), file).toBe(bytes);
  // What --dry-run printed is what is written.
  for (const file of ['mcpc.yaml', 'mcpc-baseline.json', 'evals/tools.yaml', '.github/workflows/mcpc.yml'])
    expect(dry?.stdout ?? `==> ${file} <==\n${project.read(file)}`, file).toContain(
      `==> ${file} <==\n${project.read(file)}`,
    );

  const after = project.state();
  const again = await project.init();
  expect(again.code, again.stderr).toBe(0);
  expect(again.stderr).toContain('Everything is there; nothing was changed.');
  expect(project.state()).toEqual(after);

  const { steps } = project.workflow().jobs.mcp;
  const lines = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
  for (const line of lines) {
    const { code, output } = project.bash(line);
    expect({ line, code }, output).toEqual({ line, code: 0 });
  }
  expect(lines.some((line) => line.startsWith('mcpc ci'))).toBe(true);
  const summary = readFileSync(project.space.path('summary.md'), 'utf8');
  for (const part of ['cases', project.read('mcp-report/check.md').split('\n', 1)[0]!]) expect(summary).toContain(part);
  expect(existsSync(project.path('mcp-report/check.trace.jsonl'))).toBe(true);
}

test.runIf(thorough)('JavaScript: a script that starts it, and a violation that the baseline takes in', async () => {
  const project = new Project('javascript');
  await passesAsWritten(project);
  const { scripts } = JSON.parse(project.read('package.json')) as { scripts: Record<string, string> };
  expect(scripts).toEqual({ start: 'node server.cjs', test: 'node --test', 'test:mcp': 'mcpc check && mcpc ci' });
  expect(project.read('mcpc-baseline.json')).toContain('ping/answer-empty-result');
  // What fails anew fails the workflow.
  const script = project.read('server.cjs');
  writeFileSync(project.path('server.cjs'), script.replace("'Method not found'", '42'));
  expect(project.bash('mcpc check --quiet --profile quick').code).toBe(1);
  writeFileSync(project.path('server.cjs'), script.replace('is in UTC', 'is in CET'));
  expect(project.bash('mcpc ci').code).toBe(1);
});

test.runIf(thorough)(
  'TypeScript: it has to be built first; what the set-up adds to package.json is one line',
  async () => {
    const project = new Project('typescript');
    const unbuilt = await project.init();
    expect(unbuilt.code).toBe(3);
    expect(errorOf(unbuilt).why).toContain('dist/index.js, which is not there; build it first: npm run build');
    const before = `${JSON.stringify(JSON.parse(project.read('package.json')), null, '\t')}\n`;
    writeFileSync(project.path('package.json'), before);
    expect(project.bash('npm run build').code).toBe(0);
    await passesAsWritten(project);
    expect(project.read('package.json')).toBe(
      before.replace('"build": "tsc"\n', '"build": "tsc",\n\t\t"test:mcp": "mcpc check && mcpc ci"\n'),
    );
    expect(project.workflow().jobs.mcp.steps.map(({ run }) => run)).toContain('npm run build');
  },
);

test.runIf(thorough)(
  'a client configuration alone: the servers that answer, by its file; no secret is copied',
  async () => {
    const project = new Project('client', { MEMORY_FILE: join(new Workspace().folder, 'planted-secret-0815.json') });
    await passesAsWritten(project);
    expect(parse(project.read('mcpc.yaml'))).toMatchObject({
      include: [{ files: '.mcp.json', only: ['memory'], baseline: 'mcpc-baseline.json' }],
      suites: ['evals'],
    });
    expect(project.workflow().jobs.mcp.env).toEqual({ MEMORY_FILE: '${{ secrets.MEMORY_FILE }}' });
    for (const [file, bytes] of project.state())
      if (!file.startsWith('mcp-report')) expect(Buffer.from(bytes, 'base64').toString(), file).not.toContain('0815');
  },
);

const server = readFileSync(join(root, 'test/suite/projects/javascript/server.cjs'), 'utf8');

test.runIf(thorough)('a program of pyproject.toml is started by the tool that the lock names', async () => {
  const space = new Workspace();
  space.write('pyproject.toml', '[project]\nname = "clock"\n[project.scripts]\nclock-mcp = "clock:main"\n');
  space.write('uv.lock', '');
  space.write('server.cjs', server);
  // Stands for uv, which starts what follows `run`.
  space.write('bin/uv', `#!/bin/sh\ntest "$1 $2" = "run clock-mcp" && exec "${process.execPath}" server.cjs\n`);
  chmodSync(space.path('bin/uv'), 0o755);
  const made = await space.call(['init', '--project', '--dry-run', '--package', '@acme/mcpc@0.1.0'], {
    env: { PATH: `${space.path('bin')}${delimiter}${process.env['PATH']}` },
  });
  expect(made.code, made.stderr).toBe(0);
  expect(made.stdout).toContain('clock-mcp:\n    command: uv\n    args: [run, clock-mcp]\n');
  expect(made.stdout).toContain(
    '      - uses: astral-sh/setup-uv@v6\n      - run: npm install --global @acme/mcpc@0.1.0',
  );
  expect(made.stdout).toContain('- run: uv sync\n');
  expect(made.stdout).not.toContain('package.json');
});

test('what does not answer is listed with the reason, and nothing is written', async () => {
  const space = new Workspace();
  const empty = await space.call(['init', '--project']);
  expect(empty.code).toBe(2);
  expect(errorOf(empty).heading).toContain('No MCP server was found in package.json');
  space.write('package.json', { name: 'web', bin: { web: 'gone.js' }, main: 'quits.cjs', scripts: { build: 'x' } });
  space.write('quits.cjs', 'process.exit(3);\n');
  space.write('.mcp.json', { mcpServers: { far: { type: 'http', url: 'https://mcp.example.com/mcp' } } });
  const { code, stdout, stderr } = await space.call(['init', '--project', '--dry-run']);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toContain('package.json, bin.web names gone.js, which is not there; build it first');
  expect(stderr).toContain('package.json, main: node quits.cjs: ');
  expect(stderr).toContain('"far" of .mcp.json is at https://mcp.example.com/mcp, where nothing is asked');
  expect(readdirSync(space.folder).toSorted()).toEqual(['.mcp.json', 'package.json', 'quits.cjs']);
});

test('a project file that is there decides, and what it names is added', async () => {
  const space = new Workspace();
  space.write('server.cjs', server);
  space.write('package.json', { scripts: { 'test:mcp': 'mine' }, devDependencies: { mcpc: '0.1.0' } });
  const own = `version: 1
check: { only: [ping] }
servers:
  one: { command: node, args: [server.cjs], baseline: known/one.json }
  two: { command: node, args: [server.cjs] }
`;
  space.write('mcpc.yml', own);
  const made = await space.call(['init', '--project', '--', 'node', 'other.js']);
  expect(made.code, made.stderr).toBe(0);
  expect(space.read('mcpc.yml')).toBe(own);
  expect(space.has('mcpc.yaml')).toBe(false);
  expect(space.has('evals')).toBe(false);
  expect(space.has('tools')).toBe(false);
  expect(space.read('known/one.json')).toContain('ping/answer-empty-result');
  expect(JSON.parse(space.read('package.json'))).toEqual({
    scripts: { 'test:mcp': 'mine' },
    devDependencies: { mcpc: '0.1.0' },
  });
  const workflow = parse(space.read('.github/workflows/mcpc.yml')) as Workflow;
  const lines = workflow.jobs.mcp.steps.flatMap(({ run = '' }) => (run.includes('mcpc check') ? [run] : []));
  expect(lines).toEqual([
    expect.stringMatching(/^npx --no mcpc check one .* -o mcp-report\/1-check\.md /),
    expect.stringMatching(/^npx --no mcpc check two /),
  ]);
  expect(made.stderr).toContain('mcpc.yml: kept');
});

test.each([
  [['--overwrite'], '--overwrite'],
  [['--env', 'KEY=x', '--', 'node', 'server.cjs'], '--env has no meaning with --project'],
  [['--', 'node', 'server.cjs', '--token', 'planted-secret-0815'], 'named with what looks like a secret'],
  [['--url', 'http://user:planted-secret-0815@127.0.0.1:9/mcp'], 'named with what looks like a secret'],
  [['notes', '--', 'node', 'server.cjs'], 'notes is there already and holds no suites'],
])('what it cannot take is refused before anything starts: %s', async (words, why) => {
  const space = new Workspace();
  space.write('server.cjs', server);
  space.write('notes/list.txt', 'milk');
  const { code, stderr } = await space.call(['init', '--project', ...words]);
  expect(code, stderr).toBe(2);
  expect(stderr).toContain(why);
  expect(stderr).not.toContain('Trying');
  expect(stderr).not.toContain('0815');
  expect(readdirSync(space.folder).toSorted()).toEqual(['notes', 'server.cjs']);
});
