/** Ctrl-C: at any moment code 130, nothing left running, and what was asked for is kept. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseReport } from '../support/read-report.ts';
import { allGone, isRunning, root, Workspace } from './harness.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';
import { clings, silent } from './servers.ts';

const space = new Workspace();
space.write('clings.mjs', clings);
space.write('silent.mjs', silent);

function pids(): number[] {
  return JSON.parse(space.read('pids.json')) as number[];
}

describe.each(someOf(['SIGINT', 'SIGTERM'] as const, 2, (signal) => `interrupt ${signal}`))('%s', (signal) => {
  test('in the middle of probing keeps trace and report, and leaves no orphan', async () => {
    const run = space.start([
      'check',
      '--verbose',
      '--spec',
      '2025-11-25',
      '--only',
      'ping',
      '--trace',
      'partial.jsonl',
      '-o',
      'partial.json',
      '--',
      'node',
      'clings.mjs',
    ]);
    await run.shows('asked to ping');
    expect(pids().every(isRunning)).toBe(true);
    run.kill(signal);
    const { code, stderr, stdout } = await run.ended;
    expect(code).toBe(130);
    expect(stderr).toContain(
      'Interrupted; the trace so far is in partial.jsonl, json of what was decided is in partial.json.',
    );
    expect(stdout).toBe('');
    await allGone(pids());

    const lines = space
      .read('partial.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({ format: 'mcpc-trace' });
    expect(lines.at(-1)).toMatchObject({ footer: true, complete: false });
    const report = parseReport(space.read('partial.json'), 'partial.json');
    expect(report.incomplete).toContain('interrupted');
    // What did not come because of us is no fault of the server.
    expect(report.verdicts.filter((verdict) => verdict.status === 'fail')).toEqual([]);
  });

  test('while waiting for the first answer', async () => {
    const run = space.start(['check', '--verbose', '--', 'node', 'silent.mjs']);
    await run.shows('| started');
    run.kill(signal);
    const { code, stderr } = await run.ended;
    expect({ code, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({ code: 130, last: 'Interrupted.' });
  });

  test.runIf(thorough)('while a server that was started is not listening yet', async () => {
    const run = space.start([
      'check',
      '--verbose',
      '--serve',
      'node silent.mjs {{port}}',
      '--url',
      'http://127.0.0.1:{{port}}/mcp',
    ]);
    await run.shows('| started');
    run.kill(signal);
    expect((await run.ended).code).toBe(130);
  });
});

test('a second Ctrl-C ends everything at once', async () => {
  const run = space.start(['check', '--verbose', '--spec', '2025-11-25', '--only', 'ping', '--', 'node', 'clings.mjs']);
  await run.shows('asked to ping');
  const before = pids();
  run.kill('SIGINT');
  await run.shows('once more to stop at once');
  run.kill('SIGINT');
  expect((await run.ended).code).toBe(130);
  await allGone(before);
});

test('without being asked for, nothing is kept', async () => {
  const own = new Workspace();
  own.write('silent.mjs', silent);
  const run = own.start(['check', '--verbose', '--', 'node', 'silent.mjs']);
  await run.shows('| started');
  run.kill('SIGINT');
  await run.ended;
  expect(existsSync(own.path('partial.jsonl'))).toBe(false);
});

test('watching ends with Ctrl-C', async () => {
  const run = space.start(['check', '--watch', '--start-timeout', '300ms', '--', 'node', 'silent.mjs']);
  await run.shows('Watching .; Ctrl-C ends it.');
  space.write('touched.txt', 'changed');
  await run.shows('touched.txt changed, checking again.');
  run.kill('SIGINT');
  expect((await run.ended).code).toBe(130);
});

const hostile = join(root, 'test/e2e/hostile/servers');
/** mcpc with a fault: texts that it never gets done with. */
const faulty = { env: { NODE_OPTIONS: `--import ${join(hostile, 'faulty-parser.mjs')}` } };
/** Its temporary files have a folder of their own, to see what is left there. */
const ownTmp = (name: string): { env: Record<string, string>; folder: string } => {
  const folder = space.path(name);
  mkdirSync(folder);
  return { env: { ...faulty.env, TMPDIR: folder }, folder };
};
const onFault = (id: string, ...flags: string[]): string[] => [
  'check',
  '--verbose',
  '--spec',
  '2025-11-25',
  '--trace',
  `${id}.jsonl`,
  '-o',
  `${id}.json`,
  ...flags,
  '--',
  'node',
  join(hostile, 'deadlines.mjs'),
  id,
  space.folder,
];

describe('a check that does not come to its end', () => {
  test.runIf(thorough)('ends at the first Ctrl-C, with what was decided', async () => {
    const run = space.start(onFault('keeps-busy'), { env: { ...faulty.env, MCPC_TEST_TOLD: space.path('told') } });
    // From the answer to the ping on only the main thread works.
    while (!space.has('told')) await new Promise((resolve) => setTimeout(resolve, 20));
    run.kill('SIGINT');
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(130);
    expect(stderr).toContain(
      'Interrupted; the trace so far is in keeps-busy.jsonl, json of what was decided is in keeps-busy.json.',
    );
    const report = parseReport(space.read('keeps-busy.json'), 'keeps-busy.json');
    expect(report.incomplete).toBe('interrupted');
    expect(report.grade).toBeNull();
    expect(report.verdicts.length).toBeGreaterThan(100);
    expect(space.read('keeps-busy.jsonl').split('\n')[0]).toContain('mcpc-trace');
  });

  test.each(someOf(['SIGINT', 'SIGKILL'] as const, 2, (signal) => `folder ${signal}`))(
    'leaves no folder of temporary files: %s',
    async (signal) => {
      rmSync(space.path('asked'), { force: true });
      const { env, folder } = ownTmp(`tmp-${signal}`);
      const run = space.start(onFault('hangs-in-a-call', '--overwrite'), { env });
      while (!space.has('asked') || space.read('asked') === '') await new Promise((resolve) => setTimeout(resolve, 20));
      // The tool was given a path in the folder of the run.
      const asked = space.read('asked');
      expect(asked).toContain(folder);
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/^mcpc-run-/)]);
      run.kill(signal);
      await run.ended;
      // After SIGKILL the watchdog removes it.
      while (signal === 'SIGKILL' && readdirSync(folder).length > 0)
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test.runIf(thorough)('ends when it has used up its memory, with what was decided', { timeout: 240_000 }, async () => {
    const { code, stdout, stderr } = await space.run(onFault('fills-memory'), faulty);
    expect(code, stderr).toBe(1);
    expect(stdout).toMatch(/INCOMPLETE/);
    const report = parseReport(space.read('fills-memory.json'), 'fills-memory.json');
    expect(report.incomplete).toMatch(/used up its memory \(\d+ MB\)/);
  });
});

describe('a file that mcpc is never done with', () => {
  const before = [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    },
    {
      jsonrpc: '2.0',
      id: 1,
      result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } },
    },
  ];
  const draftsOf = ({ folder }: Workspace): string[] => readdirSync(folder).filter((name) => name.endsWith('.tmp'));
  /** The watchdog is at it; vitest's own time limit ends the wait. */
  const draftsGone = async (own: Workspace): Promise<void> => {
    while (draftsOf(own).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const busy = { jsonrpc: '2.0', id: 2, method: 'ping', params: { text: 'mcpc-reads-this-for-ever' } };

  test.each(
    someOf<[string, string[]]>(
      [
        ['judge', ['judge', 'busy.jsonl', '--from', 'jsonrpc', '-o', 'busy.html']],
        [
          'import',
          [
            'import',
            'busy.jsonl',
            '--format',
            'jsonrpc',
            '--out-wire',
            'busy.wire.jsonl',
            '--out-trace',
            'busy.episode.jsonl',
          ],
        ],
        [
          'trace convert',
          ['trace', 'convert', 'busy.jsonl', '--from', 'jsonrpc', '--to', 'mcpc', '--output', 'busy.converted.jsonl'],
        ],
      ],
      3,
      ([command]) => `busy ${command}`,
    ),
  )('%s ends at the first Ctrl-C, and leaves nothing', async (_, words) => {
    const own = new Workspace();
    own.write('busy.jsonl', [...before, busy].map((message) => `${JSON.stringify(message)}\n`).join(''));
    const run = own.start(words, { env: { ...faulty.env, MCPC_TEST_TOLD: own.path('told') } });
    while (!own.has('told')) await new Promise((resolve) => setTimeout(resolve, 20));
    run.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: null, signal: 'SIGINT' });
    await draftsGone(own);
    expect(readdirSync(own.folder).sort()).toEqual(['busy.jsonl', 'told']);
  });

  test('import goes at any moment with the file that it was writing', async () => {
    const own = new Workspace();
    const call = (id: number): string =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'echo', arguments: { text: 'x'.repeat(500) } },
      });
    const answer = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } });
    const lines = before.map((message) => JSON.stringify(message));
    for (let id = 2; id < 10_000; id += 1) lines.push(call(id), answer(id));
    own.write('long.jsonl', `${lines.join('\n')}\n`);
    const run = own.start(['import', 'long.jsonl', '--format', 'jsonrpc', '--out-wire', 'long.wire.jsonl']);
    while (draftsOf(own).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    run.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: null, signal: 'SIGINT' });
    await draftsGone(own);
    expect(readdirSync(own.folder)).toEqual(['long.jsonl']);
  });
});
