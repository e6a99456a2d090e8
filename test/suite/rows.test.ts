/** The contract with mcp-assert: each of its rows has a test that names it, or a line in docs/assert-parity.md that says what differs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorOf, root, Workspace } from '../cli/harness.ts';

interface Row {
  id: string;
  says: string;
  /** First cell of the line in docs/assert-parity.md that says the difference. */
  differs?: string;
}

const rows = JSON.parse(readFileSync(join(root, 'test/suite/rows.json'), 'utf8')) as Row[];
const work = new Workspace();

/** Ids that tests name: in a title or comment of theirs, or in a file of the corpus. */
function named(): Set<string> {
  const files = ['test/suite', 'test/exercise', 'test/intercept', 'test/cli'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(root, folder, file)),
  );
  const read = files.filter((file) => file.endsWith('.test.ts') || (file.includes('corpus') && file.endsWith('.yaml')));
  return new Set(read.flatMap((file) => readFileSync(file, 'utf8').match(/\bA-\d{3}\b/g) ?? []));
}

test('each row is named by a test, or its difference is told', () => {
  const docs = readFileSync(join(root, 'docs/assert-parity.md'), 'utf8');
  const table = new Set(
    docs.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split(' | ')[0]!.slice(2)] : [])),
  );
  const found = named();
  expect(rows).toHaveLength(175);
  expect(
    rows.filter(({ id, differs }) => differs === undefined && !found.has(id)).map(({ id, says }) => `${id} ${says}`),
  ).toEqual([]);
  expect(
    rows
      .filter(({ differs }) => differs !== undefined && !table.has(differs))
      .map(({ id, differs }) => `${id} ${differs}`),
  ).toEqual([]);
  const ids = new Set(rows.map(({ id }) => id));
  expect([...found].filter((id) => !ids.has(id))).toEqual([]);
});

test('commands, their help, flags and durations (A-001, A-002, A-005, A-006, A-093)', async () => {
  for (const command of [
    'run',
    'ci',
    'matrix',
    'audit',
    'fuzz',
    'init',
    'generate',
    'coverage',
    'snapshot',
    'watch',
    'intercept',
  ]) {
    const { code, stdout } = await work.call([command, '--help']);
    expect([command, code, stdout]).toEqual([command, 0, expect.stringContaining('USAGE')]);
  }
  expect(await work.call([])).toMatchObject({ code: 0, stdout: expect.stringContaining('run') });
  const { stdout } = await work.call(['run', '--help']);
  for (const flag of [
    'suite',
    'fixture',
    'server',
    'docker',
    'trials',
    'timeout',
    'json',
    'junit',
    'markdown',
    'badge',
    'baseline',
    'save-baseline',
    'fix',
    'reuse-server',
  ])
    expect(stdout).toContain(`--${flag}`);
  work.write('skip.yaml', 'skip: true\ntimeout: 1m30s\nassert: { tool: x }\n');
  for (const args of [['--timeout', '1m30s'], ['--timeout=500ms'], ['--trials', '2']])
    expect((await work.call(['run', 'skip.yaml', ...args])).code, args.join(' ')).toBe(0);
  for (const args of [['--timeout', 'soon'], ['--bogus'], ['--trials', '0'], ['--trials', 'many']]) {
    const outcome = await work.call(['run', 'skip.yaml', ...args]);
    expect([outcome.code, errorOf(outcome).why], args.join(' ')).toEqual([2, expect.stringContaining(args[0]!)]);
  }
});

test('two cases of one name are both reported, and one group for trials (A-015); no colours where nobody looks (A-106)', async () => {
  work.write(
    'twice.yaml',
    'name: twice\ntrace: []\ntrajectory: [{ type: absence, tools: [a] }]\n---\nname: twice\ntrace: []\ntrajectory: [{ type: presence, tools: [a] }]\n',
  );
  const { stdout } = await work.call(['run', 'twice.yaml', '--json', '--trials', '2']);
  expect(
    (JSON.parse(stdout) as { name: string; status: string }[]).map(({ name, status }) => `${name} ${status}`),
  ).toEqual(['twice PASS', 'twice PASS', 'twice FAIL', 'twice FAIL']);
  const shown = await work.call(['run', 'twice.yaml', '--trials', '2']);
  expect(shown.stdout).toContain('pass@k: 1/1 capable, pass^k: 0/1 reliable');
  expect(shown.stdout + shown.stderr).not.toMatch(/\u001B\[|\[1\/2\]/);
});
