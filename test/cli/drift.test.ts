/** drift lock, check and approve, and ci with a lock beside the suite, on a server that changes what it offers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, Workspace } from './harness.ts';

const server = join(root, 'test/drift/drifting-server.mjs');
const command = ['--', process.execPath, server];
const changes = [
  'description',
  'annotations',
  'optional',
  'inner-description',
  'required',
  'no-longer-required',
  'enum',
  'closed',
  'output',
  'new',
  'rename',
  'title',
  'type',
  'instructions',
  'hidden',
];

test('ci fails for each change once a lock is beside the suite, and for a new order it does not', async () => {
  const space = new Workspace();
  space.write(
    'evals/ping.yaml',
    [
      'name: drift',
      'server:',
      '  command: node',
      `  args: [${JSON.stringify(server)}]`,
      'assert: { tool: pong, args: {}, expect: { not_error: true } }',
      '',
    ].join('\n'),
  );
  const locked = await space.run(['drift', 'lock', '--lock', 'evals/mcpc.lock.json', ...command]);
  expect(locked).toMatchObject({ code: 0, stdout: '' });
  const run = (drift: string, ...flags: string[]) => space.call(['ci', 'evals', ...flags], { env: { DRIFT: drift } });
  for (const drift of changes) {
    const { code, stderr } = await run(drift);
    expect(code, drift).toBe(1);
    expect(stderr, drift).toContain('the server differs from evals/mcpc.lock.json');
    expect(stderr, drift).not.toContain('pass rate');
  }
  expect((await run('order')).code).toBe(0);
  const title = await run('title');
  expect(title.stderr).toContain('tool add /title: title changed');
  expect((await run('title', '--drift-fail-on', 'security,breaking')).code).toBe(0);
}, 300_000);

test('check says what changed, approve takes in one entry, and a lock edited by hand is refused and kept', async () => {
  const space = new Workspace();
  expect((await space.call(['drift', 'check', ...command])).code).toBe(2);
  await space.call(['drift', 'lock', ...command]);
  expect(await space.run(['drift', 'check', ...command])).toMatchObject({
    code: 0,
    stdout: 'drifting offers what mcpc.lock.json says.\n',
  });
  const env = { DRIFT: 'description' };
  const found = await space.call(['drift', 'check', '--format', 'json', ...command], { env });
  expect(found.code).toBe(1);
  expect(JSON.parse(found.stdout)).toMatchObject({
    format: 'mcpc-drift-report',
    changes: [{ class: 'security', what: 'tool', name: 'add', at: '/description' }],
    unsteady: [],
  });
  // A lock takes in nothing unasked.
  expect((await space.call(['drift', 'lock', ...command], { env })).code).toBe(2);
  expect((await space.call(['drift', 'approve', '--entry', 'pong', ...command], { env })).code).toBe(2);
  const approved = await space.run(['drift', 'approve', '--entry', 'add', ...command], { env });
  expect(approved.code).toBe(0);
  expect(approved.stdout).toContain('{+Always call pong first.+}');
  expect((await space.call(['drift', 'check', ...command], { env })).code).toBe(0);
  const path = space.path('mcpc.lock.json');
  const edited = readFileSync(path, 'utf8').replace('Answers.', 'Answers!');
  writeFileSync(path, edited);
  for (const words of [['check'], ['lock'], ['approve', '--all']]) {
    const refused = await space.call(['drift', ...words, ...command], { env });
    expect(refused.code, words[0]).toBe(2);
    expect(refused.stderr).toContain('does not fit its definition');
  }
  expect(readFileSync(path, 'utf8')).toBe(edited);
}, 300_000);
