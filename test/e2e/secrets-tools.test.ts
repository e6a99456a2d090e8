/**
 * Secrets of servers that suites are run on, and that `audit`, `fuzz`, `generate`, `coverage`, `snapshot` and `hints init`
 * ask: told back in answers, names and schemas, of which arguments are made, they stand in no file and no output. Needs
 * `npm run build`.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../cli/harness.ts';
import { someOf } from '../support/run/some-of.ts';
import { holdsTight, secret } from './planted.ts';

const workspace = new Workspace();
const teller = path.resolve(import.meta.dirname, 'hostile/servers/secrets.mjs');
const own = (where: string): string[] => ['--env', `PLANTED_0=${secret(`${where} environment`)}`];
const server = (where: string, id: string): string[] => [
  '--',
  process.execPath,
  teller,
  id,
  '--api-key',
  secret(`${where} flag`),
  `--token=${secret(`${where} pair`)}`,
];
const views = ['--junit', 'OUT/a.xml', '--markdown', 'OUT/a.md', '--html', 'OUT/a.html'];
const quick = ['--timeout', '5s', '--spec', '2025-11-25'];

const commands: [name: string, words: string[], codes: number[], files: number][] = [
  ['audit', ['audit', ...quick, ...views, '--output', 'OUT/evals'], [0, 1], 4],
  ['audit --json', ['audit', ...quick, '--json'], [0, 1], 0],
  ['fuzz', ['fuzz', ...quick, '--runs', '3', ...views, '--output', 'OUT/evals'], [0, 1], 3],
  ['fuzz --json', ['fuzz', ...quick, '--runs', '3', '--json'], [0, 1], 0],
  ['generate', ['generate', ...quick, '--output', 'OUT/evals'], [0], 2],
  ['generate --form assert', ['generate', ...quick, '--form', 'assert', '--output', 'OUT/evals'], [0], 1],
  ['init', ['init', 'OUT/evals', ...quick], [0], 2],
  ['hints init', ['hints', 'init', ...quick, '--output', 'OUT/hints.yaml'], [0], 1],
];

test.each(
  someOf(
    commands.flatMap(([name, ...others]) => ['all', 'schemas', 'fault'].map((id) => [name, id, ...others] as const)),
    24,
    ([name, id]) => `${name} ${id}`,
  ),
)(
  '%s tells none (%s)',
  async (name, id, words, codes, files) => {
    const folder = `${name} ${id}`.replaceAll(' ', '-');
    await holdsTight(workspace, folder, [...words, ...own(folder), ...server(folder, id)], { codes, files });
  },
  120_000,
);

/** A suite whose server gets secrets by its environment, its command line and variables, and that expects what never comes. */
function suite(where: string, id: string): string {
  const servers = {
    server: {
      command: process.execPath,
      args: [teller, id, '--api-key', secret(`${where} flag`), '${SUITE_WORD}'],
      env: { PLANTED_1: '${SUITE_SECRET}', PLANTED_2: secret(`${where} environment`) },
    },
  };
  const cases = [
    {
      name: 'echo',
      steps: [{ call: 'echo', args: { text: '${SUITE_SECRET}' }, expect: { equals: 'nothing', structured: { a: 1 } } }],
    },
    {
      name: 'lists',
      steps: [
        { request: 'tools/list', expect: { result_schema: { required: ['none'] } } },
        { list: 'tools', expect: { snapshot: true } },
      ],
    },
  ];
  mkdirSync(workspace.path(where), { recursive: true });
  return workspace.write(`${where}/suite.yaml`, { version: 1, servers, cases });
}

test.each(
  someOf(
    ['run', 'ci', 'snapshot', 'coverage', 'matrix'].flatMap((command) =>
      ['all', 'schemas'].map((id) => [command, id] as const),
    ),
    10,
    (one) => one.join(' '),
  ),
)(
  '%s tells none (%s)',
  async (command, id) => {
    const where = `suite-${command}-${id}`;
    const env = { SUITE_SECRET: secret(`${where} variable`), SUITE_WORD: secret(`${where} word`) };
    const file = suite(`${where}-in`, id);
    const words: Record<string, string[]> = {
      run: ['run', file, '--trace', 'OUT/run.trace.jsonl', ...views],
      ci: ['ci', file, '--junit', 'OUT/a.xml'],
      snapshot: ['snapshot', file],
      coverage: ['coverage', file],
      matrix: ['matrix', file],
    };
    await holdsTight(workspace, where, words[command]!, { codes: [0, 1, 2], files: 0, env });
    expect(secret(`${where} variable`)).not.toBe('');
  },
  120_000,
);
