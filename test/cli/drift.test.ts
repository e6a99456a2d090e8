/** drift lock, check and approve, and ci with a lock beside the suite, on a server that changes what it offers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, Workspace } from './harness.ts';
import { thorough } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';

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

test.runIf(thorough)(
  'ci fails for each change once a lock is beside the suite, and for a new order it does not',
  async () => {
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
    for (const drift of someOf(changes, 4, String)) {
      const { code, stderr } = await run(drift);
      expect(code, drift).toBe(1);
      expect(stderr, drift).toContain('the server differs from evals/mcpc.lock.json');
      expect(stderr, drift).not.toContain('pass rate');
    }
    expect((await run('order')).code).toBe(0);
    const title = await run('title');
    expect(title.stderr).toContain('tool add /title: title changed');
    expect((await run('title', '--drift-fail-on', 'security,breaking')).code).toBe(0);
  },
  300_000,
);

test.runIf(thorough)(
  'a generated suite has a lock beside it, so that ci names each change with its class',
  async () => {
    const space = new Workspace();
    const generated = await space.run(['generate', '--output', 'evals', ...command]);
    expect(generated.stderr).toContain('evals/mcpc.lock.json: what drifting offers');
    await space.call(['drift', 'lock', '--lock', 'live.json', ...command]);
    expect(space.read('evals/mcpc.lock.json')).toBe(space.read('live.json'));
    expect((await space.run(['ci', 'evals'])).code).toBe(0);
    // Its own cases do not depend on the order of tools either.
    expect((await space.call(['ci', 'evals'], { env: { DRIFT: 'order' } })).code).toBe(0);
    const classes: Record<string, string> = {
      title: 'cosmetic',
      optional: 'additive',
      closed: 'breaking',
      new: 'security',
    };
    for (const [drift, kind] of Object.entries(classes)) {
      const { code, stderr } = await space.call(['ci', 'evals'], { env: { DRIFT: drift } });
      expect(code, drift).toBe(1);
      expect(stderr, drift).toContain(`the server differs from evals/mcpc.lock.json in 1 place (${kind})`);
    }
    // A lock is not replaced unasked, and not written where it would hold nothing.
    const kept = await space.call(['generate', '--output', 'evals', '--overwrite', '--no-lock', ...command]);
    expect(kept.stderr).not.toContain('mcpc.lock.json');
    const env = { UNSTEADY: 'twice' };
    const unsteady = await space.call(['init', 'other', '--overwrite', ...command], { env });
    expect(unsteady.stderr).toContain('No lock was written, since no lock can hold what changes within one run');
    expect(space.has('other/mcpc.lock.json')).toBe(false);
    const recording = ['check', '--profile', 'quick', '--trace', 'was.jsonl', '--quiet', ...command];
    await space.call(recording);
    await space.call(['generate', '--recording', 'was.jsonl', '--output', 'recorded', ...command]);
    expect(space.read('recorded/mcpc.lock.json')).toBe(space.read('live.json'));
  },
  120_000,
);

test.runIf(thorough)(
  'check says what changed, approve takes in one entry, and a lock edited by hand is refused and kept',
  async () => {
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
  },
  300_000,
);

test.runIf(thorough).each<[string, string, ...string[]]>([
  ['twice', 'tools differ when they are asked for twice'],
  ['list-changed', 'tools differ after the server said that a list changed'],
  ['second', 'tools differ on a second connection'],
  ['client', 'tools differ for a client that is called "claude-ai"', '--as', 'cursor,claude-ai'],
  ['call', 'tools differ after a call of the tool', '--after-call'],
])('a server that shows something else within one run fails: %s', async (unsteady, says, ...flags) => {
  const space = new Workspace();
  await space.call(['drift', 'lock', ...command]);
  const env = { UNSTEADY: unsteady, SEEN: space.path('seen') };
  const found = await space.call(['drift', 'check', ...flags, ...command], { env });
  expect(found.stdout).toContain(`unsteady: ${says}`);
  expect(found.code).toBe(1);
  expect((await space.call(['drift', 'check', ...flags, ...command])).code).toBe(0);
});

test('a recording is locked and compared without its server, and the lock is that of the server', async () => {
  const space = new Workspace();
  const recorded = await space.call(['check', '--profile', 'quick', '--trace', 'was.jsonl', '--quiet', ...command]);
  expect(space.has('was.jsonl'), recorded.stderr).toBe(true);
  const locked = await space.run(['drift', 'lock', '--recording', 'was.jsonl', '--lock', 'recorded.json']);
  expect(locked.code, locked.stderr).toBe(0);
  await space.call(['drift', 'lock', '--lock', 'live.json', ...command]);
  expect(space.read('recorded.json')).toBe(space.read('live.json'));
  const env = { DRIFT: 'enum' };
  await space.call(['check', '--profile', 'quick', '--trace', 'is.jsonl', '--quiet', ...command], { env });
  const found = await space.call(['drift', 'check', '--recording', 'is.jsonl', '--lock', 'live.json']);
  expect(found.stdout).toContain('input: enum was added');
  expect(found.code).toBe(1);
  const both = await space.call(['drift', 'check', '--recording', 'is.jsonl', '--lock', 'live.json', ...command]);
  expect(both.code).toBe(2);
});

test('a recording that lacks the handshake or the tools is refused', async () => {
  const space = new Workspace();
  const hello = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } };
  const asked = (id: number, method: string) => ({ jsonrpc: '2.0', id, method, params: {} });
  const gave = (id: number, result: object) => ({ jsonrpc: '2.0', id, result });
  const lines = (...all: object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('');
  const start = [asked(1, 'initialize'), gave(1, hello)];
  const listed = [asked(2, 'tools/list'), gave(2, { tools: [], nextCursor: 'more' })];
  space.write('cut.jsonl', lines(...start, ...listed));
  space.write('headless.jsonl', lines(...listed));
  expect(await space.call(['drift', 'lock', '--recording', 'cut.jsonl'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('tools/list was not recorded to the last page') as string,
  });
  expect(await space.call(['drift', 'lock', '--recording', 'headless.jsonl'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has no handshake') as string,
  });
  expect(space.has('mcpc.lock.json')).toBe(false);
});

test.runIf(thorough)('SARIF, JUnit, Markdown and GitHub name each change with its class', async () => {
  const space = new Workspace();
  await space.call(['drift', 'lock', ...command]);
  const shown = async (format: string, drift: string) =>
    (await space.call(['drift', 'check', '--format', format, ...command], { env: { DRIFT: drift } })).stdout;
  const sarif = JSON.parse(await shown('sarif', 'hidden')) as {
    runs: [{ results: { ruleId: string; level: string; message: { text: string } }[] }];
  };
  expect(sarif.runs[0].results.map(({ ruleId, level }) => `${level} ${ruleId}`)).toEqual([
    'error drift/security',
    'error drift/security',
  ]);
  expect(sarif.runs[0].results[1]!.message.text).toContain('U+E0041 (tag character), U+202E');
  const junit = await shown('junit', 'hidden');
  expect(junit).toContain('<testsuite name="drift of drifting" tests="1" failures="1">');
  expect(junit).toContain('<failure message="security: tool add /description: the description changed">');
  expect(junit).not.toMatch(/[\u202e\u{e0041}]/u);
  expect(await shown('junit', 'order')).toContain('failures="0"');
  expect(await shown('junit', 'optional')).toMatch(/<system-out>additive: .* is new<\/system-out>/);
  expect(await shown('markdown', 'enum')).toContain('| breaking | tool add |');
  expect(await shown('github', 'enum')).toContain('::error file=mcpc.lock.json,title=drift%3A breaking::tool add');
});

test.runIf(thorough)('check compares with a lock beside its verdicts', async () => {
  const space = new Workspace();
  await space.call(['drift', 'lock', ...command]);
  const check = ['check', '--only', 'ping', '--profile', 'quick', '--lock', 'mcpc.lock.json', '--quiet', ...command];
  const same = await space.call(check);
  expect(same.stderr).toContain('drifting offers what mcpc.lock.json says.');
  const changed = await space.call(check, { env: { DRIFT: 'enum' } });
  expect(changed.stderr).toContain('input: enum was added');
  expect(changed.code).toBe(1);
  expect((await space.call(check, { env: { DRIFT: 'title' } })).code).toBe(same.code);
});

test.runIf(thorough)(
  'a fleet has one lock with a section for each server, which is filled once and then compared',
  async () => {
    const space = new Workspace();
    const entry = (drift: string) => ({ command: process.execPath, args: [server], env: { DRIFT: drift } });
    const fleet = (one: string, other: string): void =>
      void space.write('fleet.yaml', { version: 1, servers: { one: entry(one), other: entry(other) } });
    fleet('', '');
    const check = [
      'fleet',
      'check',
      'fleet.yaml',
      '--profile',
      'quick',
      '--only-rules',
      'tools',
      '--lock',
      'locks.json',
    ];
    expect((await space.call(check)).code).toBe(2);
    const first = await space.run([...check, '--add-to-lock', '--out', 'first']);
    expect(first.stderr).toContain('2 servers added to locks.json: one, other');
    expect(Object.keys((JSON.parse(space.read('locks.json')) as { servers: object }).servers)).toEqual([
      'one',
      'other',
    ]);
    fleet('', 'annotations');
    const second = await space.run([...check, '--out', 'second']);
    expect(second.stderr).toContain('/annotations/readOnlyHint: readOnlyHint was true, is false');
    expect(second.stderr).toContain('Exit 1: 1 server changed since locks.json: other');
    expect(second.code).toBe(1);
    expect(JSON.parse(space.read('second/drift.json'))).toMatchObject({
      servers: [{ changes: [] }, { server: 'other' }],
    });
  },
  120_000,
);
