/** Flags and commands under their old names do what they do under the new ones, for one minor version. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { someOf } from '../support/run/some-of.ts';
import { exampleServer, root, Workspace } from './harness.ts';
import { sound } from './servers.ts';

const space = new Workspace();
const lines = [
  {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  },
  {
    jsonrpc: '2.0',
    id: 0,
    result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  },
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: {} } },
  { jsonrpc: '2.0', id: 1, result: { content: [] } },
];
space.write('capture.jsonl', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
space.write(
  'house.md',
  '# House\n\nRevision: all\n\n- **MUST** server `acme.one` It is so. [-] {observe: server-active}\n',
);
space.write('sound.mjs', sound);

/** The text of a file without times, which differ from run to run. */
const steady = (name: string): string =>
  space.read(name).replaceAll(/"(?:created_at|startedAt|ts|time\w*|at)":\s*[^,}]+/g, '');

describe('the same output under both names', () => {
  // Some in `npm test`; all with --mode all.
  test.each(
    someOf<[string, string[], string[], [string, string]]>(
      [
        [
          'import --format is --from',
          ['import', 'capture.jsonl', '--format', 'jsonrpc', '--out-trace', 'old.episode'],
          ['import', 'capture.jsonl', '--from', 'jsonrpc', '--out-trace', 'new.episode'],
          ['old.episode', 'new.episode'],
        ],
        [
          'trace import-mcp --format is --from',
          ['trace', 'import-mcp', '--input', 'capture.jsonl', '--format', 'jsonrpc', '--out-trace', 'old.mcp'],
          ['trace', 'import-mcp', '--input', 'capture.jsonl', '--from', 'jsonrpc', '--out-trace', 'new.mcp'],
          ['old.mcp', 'new.mcp'],
        ],
        [
          'import --out-wire is --out-mcpc-trace',
          ['import', 'capture.jsonl', '--out-wire', 'old.wire'],
          ['import', 'capture.jsonl', '--out-mcpc-trace', 'new.wire'],
          ['old.wire', 'new.wire'],
        ],
        [
          'rules new --from is --requirements-from',
          ['rules', 'new', '--from', 'house.md', '--folder', 'old'],
          ['rules', 'new', '--requirements-from', 'house.md', '--folder', 'new'],
          ['old/acme/one.json', 'new/acme/one.json'],
        ],
        [
          'rules hints is hints init',
          ['rules', 'hints', '-o', 'old.yaml', '--', 'node', exampleServer, 'stdio'],
          ['hints', 'init', '-o', 'new.yaml', '--', 'node', exampleServer, 'stdio'],
          ['old.yaml', 'new.yaml'],
        ],
      ],
      2,
      ([title]) => title,
    ),
  )('%s', async (_title, old, now, [before, after]) => {
    for (const args of [old, now]) {
      const { code, stderr } = await space.call(args);
      expect(code, stderr).toBe(0);
    }
    expect(steady(before)).toBe(steady(after));
    expect(space.read(before).length).toBeGreaterThan(50);
  });
});

test('intercept writes reports to --output, by --format or by extension, and to --report as before', async () => {
  const args = [
    'intercept',
    '--format',
    'markdown',
    '--output',
    'by-format.txt',
    '-o',
    'by-extension.json',
    '--report',
    'old.json',
    '--',
    'node',
    'sound.mjs',
  ];
  const child = spawn(process.execPath, [join(root, 'bin/mcpc.js'), ...args], {
    cwd: space.folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = createInterface({ input: child.stdout });
  const said: string[] = [];
  answers.on('line', (line) => said.push(line));
  const say = async (message: object): Promise<void> => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    await once(answers, 'line');
  };
  await say(lines[0]!);
  await say({ jsonrpc: '2.0', id: 1, method: 'ping' });
  child.stdin.end();
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(0);
  expect(said.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([0, 1]);
  expect(space.read('by-format.txt')).toMatch(/^<!-- written by mcpc -->|^# /);
  expect(JSON.parse(space.read('old.json'))).toEqual(JSON.parse(space.read('by-extension.json')));
});

test('to judge an episode is an error that names the flags which keep a trace', async () => {
  expect((await space.call(['import', 'capture.jsonl', '--out-trace', 'episode.jsonl'])).code).toBe(0);
  const { code, stderr } = await space.call(['judge', 'episode.jsonl']);
  expect(code).toBe(2);
  expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
    /mcpc import CAPTURE --out-mcpc-trace FILE" and "mcpc check --trace FILE/,
  );
});
