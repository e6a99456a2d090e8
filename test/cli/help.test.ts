/** Help, version, and what is said about wrong words on the command line. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { linkedCopy } from '../support/linked-copy.ts';
import { errorOf, root, Workspace } from './harness.ts';
import { someOf } from '../support/run/some-of.ts';

interface Manifest {
  version: string;
  commands: Record<
    string,
    {
      id: string;
      hidden: boolean;
      summary?: string;
      description?: string;
      examples?: unknown[];
      flags: Record<string, { summary?: string; description?: string }>;
    }
  >;
}

const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as Manifest;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const commands = Object.values(manifest.commands).filter((command) => !command.hidden);
const space = new Workspace();

/** Commands that get a process of their own, by turns; the others share one. */
const started = new Set(
  someOf(
    commands.map(({ id }) => id),
    4,
    (id) => id,
  ),
);

test('the manifest is of this version and has every command', () => {
  expect(manifest.version).toBe(version);
  expect(commands.map((one) => one.id).sort()).toEqual(
    [
      'audit',
      'autocomplete',
      'check',
      'ci',
      'client',
      'client:conformance',
      'client:conformance:list',
      'client:driver:init',
      'client:serve',
      'client:situations:list',
      'client:situations:show',
      'compliance:run',
      'coverage',
      'drift:approve',
      'drift:check',
      'drift:lock',
      'eval',
      'exec',
      'explain',
      'faults:list',
      'faults:proxy',
      'faults:serve',
      'fleet:check',
      'fleet:diff',
      'fleet:init',
      'fleet:list',
      'fleet:merge',
      'fleet:report',
      'fleet:worker',
      'fuzz',
      'generate',
      'hints:init',
      'import',
      'init',
      'intercept',
      'judge',
      'lint',
      'matrix',
      'mcp',
      'replay',
      'report',
      'rules:coverage',
      'rules:explain',
      'rules:lint',
      'rules:list',
      'rules:new',
      'rules:show',
      'run',
      'snapshot',
      'suite:convert',
      'trace:convert',
      'trace:diff',
      'trace:import-mcp',
      'trace:redact',
      'trace:show',
      'trace:validate',
      'verify',
      'watch',
    ].sort(),
  );
});

describe.each(commands.map((command) => [command.id.replaceAll(':', ' '), command] as const))(
  'mcpc %s',
  (name, command) => {
    test('has help with usage and examples, on stdout', async () => {
      const { code, stdout, stderr } = await (started.has(command.id)
        ? space.run([...name.split(' '), '--help'])
        : space.call([...name.split(' '), '--help']));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('USAGE');
      expect(stdout).toMatch(/^EXAMPLES$/m);
      expect(stdout).toContain(`$ mcpc ${name}`);
      // A second command in an example is a line of its own, not a continuation of the first.
      expect(stdout).not.toMatch(/\\\n +mcpc /);
    });

    test('describes itself and every flag', () => {
      expect(command.summary ?? command.description).toBeTruthy();
      for (const [flag, { summary, description }] of Object.entries(command.flags))
        expect(summary ?? description, flag).toBeTruthy();
    });
  },
);

// mcp-assert has the word for it, too.
test.each([[['--version']], [['-v']], [['version']]])('%s prints the version', async (args) => {
  const { code, stdout, stderr } = await space.run(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`^mcpc/${version.replaceAll('.', '\\.')} \\S+ node-v\\d`));
});

test('as it is installed, with any NODE_ENV, nothing is said of TypeScript', async () => {
  const installed = mkdtempSync(join(tmpdir(), 'mcpc-installed-'));
  try {
    for (const part of ['bin', 'dist', 'generated', 'rules', 'package.json', 'oclif.manifest.json'])
      linkedCopy(join(root, part), join(installed, part));
    const run = promisify(execFile)(
      process.execPath,
      [join(installed, 'bin/mcpc.js'), 'rules', 'list', '--only', 'ping'],
      { env: { ...process.env, NODE_ENV: 'development' } },
    );
    expect(await run).toEqual({
      stdout: expect.stringContaining('ping'),
      stderr: expect.not.stringMatching(/typescript|Warning/i),
    });
  } finally {
    rmSync(installed, { recursive: true, force: true });
  }
});

test('check shows the flags that most checks need, and all of them with --help-all', async () => {
  const flagsIn = (text: string): string[] => text.split('DESCRIPTION')[0]!.match(/^ +(?:-\w, )?--[a-z-]+/gm) ?? [];
  const [short, whole] = await Promise.all(
    ['--help', '--help-all'].map(async (flag) => (await space.run(['check', flag])).stdout),
  );
  expect(flagsIn(short!)).toHaveLength(10);
  expect(short).toContain('--help-all');
  expect(flagsIn(whole!).length).toBeGreaterThan(50);
});

test.each([[[]], [['--help']], [['help']], [['-h']]])('%j shows all commands', async (args) => {
  const { code, stdout } = await space.call(args);
  expect(code).toBe(0);
  for (const word of ['check', 'import', 'judge', 'report', 'rules', 'trace'])
    expect(stdout).toMatch(new RegExp(`^ {2}${word} `, 'm'));
});

test('an alias shows how it is used itself', async () => {
  expect((await space.call(['rules', 'hints', '--help'])).stdout).toContain('$ mcpc rules hints [FLAGS] -- COMMAND');
});

test('help before a command is help for it', async () => {
  const [before, behind] = await Promise.all([
    space.call(['help', 'rules', 'show']),
    space.run(['rules', 'show', '--help']),
  ]);
  expect(before).toEqual(behind);
});

test('help behind -- belongs to the server', async () => {
  const outcome = await space.run(['check', '--', 'no-such-command-of-mcpc-tests', '--help']);
  expect(outcome.code).toBe(3);
  expect(errorOf(outcome).why).toContain('was not found');
});

test('help uses the words of the glossary', () => {
  const texts = commands.flatMap(({ id, summary, description, flags }) =>
    [summary, description, ...Object.values(flags).map((flag) => flag.summary ?? flag.description)].map(
      (text) => `${id}: ${text ?? ''}`,
    ),
  );
  expect(texts.length).toBeGreaterThan(200);
  const dated =
    /\b(weakest|mend|take[ns]? secrets out|take no secrets out|fault of mcpc|questions?|found out|stands behind|walks?|aftermath|in vain|wants|mended|of chance|is told|nobody|refusals?)\b/i;
  expect(texts.filter((text) => dated.test(text))).toEqual([]);
});
