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
      'compliance:run',
      'coverage',
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
      'matrix',
      'mcp',
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

test.each([[['--version']], [['-v']]])('%s prints the version', async (args) => {
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

describe('wrong words', () => {
  test.each(
    someOf<[string[], RegExp, RegExp | undefined]>(
      [
        [['chek'], /no command "chek"/, /Did you mean "mcpc check"/],
        [['rules', 'lst'], /no command "rules lst"/, /Did you mean "mcpc rules list"/],
        [['zzzzzzzz'], /no command "zzzzzzzz"/, /--help/],
        [['check', '--urll', 'x'], /Unknown flag --urll/, /Did you mean --url\?/],
        [['check', '--port', '3', '--', 'node'], /Unknown flag --port/, /goes after "--"/],
        [['check', '--url'], /--url expects a value/, /--help/],
        [['check', 'node', 'server.js'], /Unexpected argument: server\.js/, /mcpc check -- node server\.js/],
        [
          ['check', '--timeout', '5s', 'npx', '-y', 'a-server'],
          /Unexpected argument|Unknown flag/,
          /mcpc check --timeout 5s -- npx -y a-server/,
        ],
        [
          ['check', 'npx', '-y', 'a-server', '--port', '3'],
          /Unknown flags -y, --port/,
          /mcpc check -- npx -y a-server --port 3/,
        ],
        [['check', '--name', 'node', '--bogus'], /Unknown flag --bogus/, /^(?!.*mcpc check)/s],
        [['check', 'server.py'], /neither a flag nor an address/, /mcpc check -- python3 server\.py/],
        [['check', 'localhost:3000'], /is no URL/, /mcpc check http:\/\/localhost:3000$/],
        [['check', '127.0.0.1:3000/mcp'], /is no URL/, /mcpc check http:\/\/127\.0\.0\.1:3000\/mcp$/],
        [['check', 'node'], /"node" is neither a flag nor an address/, /mcpc check -- node/],
        [['check', '--'], /Nothing follows "--"/, /mcpc check -- node server\.js/],
        [['check'], /No target is named/, /--url/],
        [
          ['check', '--level', 'maybe', '--', 'x'],
          /--level takes must, should or may, not "maybe"\. Did you mean "may"\?/,
          undefined,
        ],
        [['check', '--transport', 'pigeon', '--', 'x'], /one of: stdio, http, sse/, undefined],
        [['check', '--spec', '2025-01-01', '--', 'x'], /no revision "2025-01-01"/, /2025-11-25/],
        [['check', '--timeout', '10', '--', 'x'], /--timeout takes a duration, not "10"/, /10s/],
        [['check', '--start-timeout', '-1s', '--', 'x'], /start-timeout/, undefined],
        [['check', '--timeout', '0ms', '--', 'x'], /--timeout takes a duration, not "0ms"/, undefined],
        [['check', '--min-score', '101', '--', 'x'], /--min-score takes a number from 0 to 100, not "101"/, undefined],
        [['check', '--min-score', '', '--', 'x'], /--min-score takes a number/, undefined],
        [['check', '--min-grade', 'Q', '--', 'x'], /"Q" is no grade; use one of A/, undefined],
        [['check', '--jobs', '1.5', '--', 'x'], /--jobs takes a whole number from 1 to 64/, undefined],
        [['check', '--only', 'nowhere', '--', 'x'], /No rule fits "nowhere"/, /rules list/],
        [['check', '--set', '1066', '--', 'x'], /no frozen set "1066"/, undefined],
        [['check', '--update-baseline', '--', 'x'], /--baseline/, undefined],
        [['check', '--quiet', '--verbose', '--', 'x'], /quiet|verbose/, undefined],
        [['check', '--json', '--format', 'markdown', '--', 'x'], /Only one format can go to stdout/, /--output/],
        [['check', '--format', 'word', '--', 'x'], /"word" is no report format; use one of json/, undefined],
        [['check', '--output', 'report.doc', '--', 'x'], /--output report\.doc has no --format/, undefined],
        [['check', '-f', 'html', '-o', 'a', '-f', 'json', '-o', 'a', '--', 'x'], /same file a/, undefined],
        [['check', '--url', 'gopher://x', '--header', 'a: b'], /no http or https address/, undefined],
        [['check', '--url', 'http://127.0.0.1:1/', '--header', 'nonsense'], /--header takes "Name: value"/, undefined],
        [['check', '--url', 'http://127.0.0.1:1/', '--', 'x'], /named twice: a command and --url/, undefined],
        [['check', 'http://a/', '--url', 'http://b/'], /given twice/, undefined],
        [['check', '--header', 'a: b', '--', 'x'], /--header has no meaning for a server on stdio/, undefined],
        [['check', '--transport', 'http', '--', 'x'], /--transport http needs an address/, /--serve/],
        [
          ['check', '--url', 'http://127.0.0.1:1/', '--env', 'A=b'],
          /--env has no meaning for a server that mcpc does not start/,
          /--serve/,
        ],
        [['check', '--env', 'novalue', '--', 'x'], /--env takes NAME=VALUE/, undefined],
        [['check', '--serve', 'x'], /--serve needs the address/, undefined],
        [
          ['check', '--serve', 'x --port {{port}}', '--url', 'http://127.0.0.1:3000/mcp'],
          /does not use the port/,
          /\{\{port\}\}/,
        ],
        [['intercept', '--format', 'html', '--', 'x'], /--format html has no --output/, /--format html --output FILE/],
        [['judge', 'session.jsonl', '--roll', 'client'], /Unknown flag --roll/, /^Did you mean --role\?/],
        [['run', 'evals', '--filterr', 'a'], /Unknown flag --filterr/, /^Did you mean --filter\?/],
        [['check', 'http://127.0.0.1:1/', '--urll'], /Unknown flag --urll/, /^Did you mean --url\?/],
        [['fleet', 'check'], /^Missing 1 required arg:\s+file {2}The fleet file, YAML or JSON\.$/, undefined],
        [['judge', 'package.json', '--from', 'harr'], /unknown format: harr/, /inspector/],
        [['judge'], /Missing 1 required arg/, undefined],
        [['report'], /Missing 1 required arg/, undefined],
        [['rules', 'show', 'ping/answer-empty-resul'], /There is no rule/, /Did you mean ping\/answer-empty-result/],
        [['rules', 'list', '--spec', 'x'], /no revision "x"/, undefined],
        [['rules', 'new', 'Not An Id'], /no id of a rule/, undefined],
        [['rules', 'new', 'acme/x', '--requirement', 'acme.no.such'], /no requirement "acme\.no\.such"/, undefined],
        [['rules', 'new'], /No rule is named/, undefined],
      ],
      3,
      ([words]) => words.join(' '),
    ),
  )('%j', async (args, why, fix) => {
    const outcome = await space.call(args);
    expect(outcome.code, outcome.stderr).toBe(2);
    const told = errorOf(outcome);
    expect(told.heading).toBe('mcpc cannot do that');
    expect(told.why).toMatch(why);
    if (fix) expect(told.fix).toMatch(fix);
  });
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
