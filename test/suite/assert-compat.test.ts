/** `--assert-compat`: what a script written for mcp-assert sees, and what everybody else does; and the other rows of docs/assert-parity.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { mcpcWords } from '../../src/check/commands/support/flags/assert-compat.ts';
import { parse } from 'yaml';
import { root, Workspace } from '../cli/harness.ts';
import { sound } from '../cli/servers.ts';

const work = new Workspace();
const docs = readFileSync(join(root, 'docs/assert-parity.md'), 'utf8');

beforeAll(() => {
  const server = `server: { command: node, args: [sound.mjs] }\n`;
  work.write('sound.mjs', sound);
  const changing = JSON.stringify(join(root, 'test/suite/servers/changing.mjs'));
  work.write(
    'right/a.yaml',
    `name: greets\nserver: { command: node, args: [${changing}] }\nassert: { tool: greet, args: { name: Ada }, expect: { not_error: true } }\n`,
  );
  work.write('skipped/a.yaml', `name: skipped\nskip: true\n${server}assert: { tool: x }\n`);
  work.write('wrong/a.yaml', `name: lists\n${server}assert: { tool: nosuch, expect: { not_error: true } }\n`);
  work.write('broken/a.yaml', 'assert: { tool: greet\n');
  work.write('broken/b.yaml', `name: skipped\nskip: true\n${server}assert: { tool: x }\n`);
  work.write('text.txt', 'no suite');
  work.write('empty/keep.txt', '');
  work.write('evals/read_file.yaml', 'mine\n');
});

/** Rows, the line, mcpc's own exit code, that of mcp-assert, and the beginning of stderr with the flag. */
const lines: [row: string, words: string[], own: number, theirs: number, says: RegExp][] = [
  ['A-004 unknown command', ['bogus'], 2, 1, /^unknown command: bogus\n$/],
  ['A-005 unknown flag', ['run', '--bogus'], 2, 2, /^error: run: Unknown flag --bogus\.[^]*Flags of run: --suite /],
  ['A-005 value without a unit', ['run', '--timeout', '10'], 2, 2, /^error: run: --timeout takes a duration/],
  ['A-005 value of a choice', ['run', '--session', 'odd'], 2, 2, /^error: run: Expected --session=odd/],
  ['A-009 prefix', ['run', '--suite', 'nope'], 2, 1, /^error: run: There is no suite nope\./],
  ['A-010 no suite', ['run'], 2, 1, /^error: run: No suite is named: an argument or --suite is required/],
  ['A-010 no YAML', ['run', '--suite', 'text.txt'], 2, 1, /^error: run: text\.txt is no suite/],
  ['A-012 empty folder', ['run', '--suite', 'empty'], 2, 1, /^error: run: no assertion files found in empty/],
  ['A-013 a broken file', ['run', '--suite', 'broken'], 2, 1, /^error: run: broken\/a\.yaml:/],
  ['A-102 no baseline', ['run', '--suite', 'skipped', '--baseline', 'none.json'], 2, 1, /^error: run: Cannot read/],
  ['A-115 matrix', ['matrix', '--suite', 'skipped', '--languages', 'gopls'], 2, 1, /^error: matrix: --languages/],
  ['A-135 init again', ['init', 'evals'], 2, 1, /^error: init: evals\/read_file\.yaml is there already/],
  ['A-008 unreachable', ['fuzz', '--server', 'node gone.mjs'], 3, 1, /^error: fuzz: The target could not be checked/],
  ['A-133 unknown tool', ['fuzz', '--server', 'node sound.mjs', '--tool', 'nosuch'], 2, 1, /^error: fuzz: The server/],
  ['A-008 a case fails', ['run', '--suite', 'wrong'], 1, 1, /^$/],
  ['A-008 nothing fails', ['run', '--suite', 'right'], 0, 0, /^Badge for a README: /],
];

it.each(lines)('%s: %j', async (_row, words, own, theirs, says) => {
  const plain = await work.call(words);
  expect(plain.code, plain.stderr).toBe(own);
  expect(plain.stderr).not.toMatch(/^error: |Badge/m);
  const compat = await work.call([...words, '--assert-compat']);
  expect(compat.code, compat.stderr).toBe(theirs);
  expect(compat.stderr).toMatch(says);
  expect(compat.stdout.startsWith(plain.stdout.slice(0, 5))).toBe(true);
});

test('an unknown command prints the help on stdout; version is name and version; the environment does the same (A-003, A-004)', async () => {
  const env = { MCPC_ASSERT_COMPAT: '1' };
  expect((await work.call(['bogus'], { env })).stdout).toContain('USAGE');
  for (const words of [['version'], ['--version']])
    expect(await work.call(words, { env })).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mcpc \S+\n$/) });
  for (const words of [['help'], ['-h'], ['--help'], ['help', 'run'], ['run', '-h']])
    expect(await work.call(words, { env }), words.join(' ')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('USAGE'),
    });
});

test('no badge without a word on stdout, and none after a failure (A-107)', async () => {
  const passed = await work.call(['ci', '--suite', 'right', '--suite', 'skipped', '--json', '--assert-compat']);
  expect(JSON.parse(passed.stdout)).toHaveLength(2);
  expect(passed.stderr).toMatch(
    /!\[mcpc: 1\/1 passed\]\(https:\/\/img\.shields\.io\/badge\/mcpc-1%2F1%20passed-brightgreen\)\n$/,
  );
  expect((await work.call(['ci', '--suite', 'wrong', '--assert-compat'])).stderr).not.toContain('Badge');
});

test.each([
  [
    ['run', '-suite', 'x', '-json=true'],
    ['run', '--suite', 'x', '--json'],
  ],
  [
    ['run', '--json=false', '--suite=x'],
    ['run', '--suite=x'],
  ],
  [
    ['run', '-q', '-o', '-1', '--odd=true'],
    ['run', '-q', '-o', '-1', '--odd=true'],
  ],
  [
    ['--assert-compat', 'run', '--', 'node', '-suite', '--assert-compat'],
    ['run', '--', 'node', '-suite', '--assert-compat'],
  ],
  [
    ['run', '--json=maybe'],
    ['run', '--json=maybe'],
  ],
])('the line %j', (words, read) => {
  const flags = { suite: { type: 'option' }, json: { type: 'boolean' }, quiet: { type: 'boolean', char: 'q' } };
  expect(mcpcWords(words, flags)).toEqual(read);
});

describe('other rows', () => {
  test('other languages start mcpc and read name, status and why it failed (A-157)', async () => {
    const { stdout } = await work.call(['run', '--suite', 'right', '--suite', 'wrong', '--suite', 'skipped', '--json']);
    expect(
      (JSON.parse(stdout) as Record<string, unknown>[]).map(({ name, status, detail }) => [
        name,
        status,
        typeof detail,
      ]),
    ).toEqual([
      ['greets', 'PASS', 'undefined'],
      ['lists', 'FAIL', 'string'],
      ['skipped', 'SKIP', 'undefined'],
    ]);
  });

  test('the action takes a suite, a threshold and a server (A-158)', () => {
    const { inputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as { inputs: Record<string, unknown> };
    expect(Object.keys(inputs)).toEqual(
      expect.arrayContaining(['suite', 'threshold', 'server', 'url', 'config', 'formats']),
    );
  });

  test('each stands in the table with what mcpc does', () => {
    const said = new Set(docs.match(/\b[AC]-\d{3}\b(?: to [AC]-\d{3})?/g));
    const wanted =
      'A-003 A-004 A-008 A-010 A-012 A-013 A-102 A-115 A-133 A-135 A-005 A-009 A-029 A-107 A-110 A-117 A-118 A-120 A-124 A-138 A-141 A-142 A-157 A-158 C-003 C-005 C-006 C-007 C-008 C-010 C-030 C-031 C-032 C-033';
    expect(wanted.split(' ').filter((id) => !said.has(id))).toEqual([]);
    expect(said).toContain('A-149 to A-151');
  });

  test('the rules of C-030 to C-033 have an example that passes and one that fails', () => {
    const ids = [...docs.slice(docs.indexOf('| C-030')).matchAll(/`((?:tools|roots|sampling)\/[a-z-]+)`/g)].map(
      ([, id]) => id!,
    );
    expect(ids).toHaveLength(7);
    for (const id of ids) {
      const rule = JSON.parse(readFileSync(join(root, 'rules', `${id}.json`), 'utf8')) as {
        examples: { verdict?: string; expect?: string }[];
      };
      const text = JSON.stringify(rule.examples);
      for (const status of ['pass', 'fail']) expect(text, `${id} ${status}`).toContain(`"${status}"`);
    }
  });

  test('what the table calls a command or a flag is one (C-003, C-006, C-008, C-010)', async () => {
    const table = docs
      .slice(docs.indexOf('## Other checkers'))
      .split('\n')
      .filter((line) => line.startsWith('| '));
    const own = table.map((line) => line.split(' | ').at(-1)!).join('\n');
    const commands = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
    for (const [, words] of own.matchAll(/`mcpc ([a-z ]+?)(?: [A-Z-]|`)/g))
      expect(
        commands.some(
          (file) =>
            file.endsWith(`commands/${words!.replaceAll(' ', '/')}.ts`) ||
            file.endsWith(`commands/${words!.replaceAll(' ', '/')}/index.ts`),
        ),
        words,
      ).toBe(true);
    const { stdout } = await work.call(['check', '--help-all']);
    const { stdout: run } = await work.call(['run', '--help']);
    for (const [flag] of own.matchAll(/--[a-z-]+/g))
      if (flag !== '--update') expect(stdout + run, flag).toContain(flag);
  });
});
