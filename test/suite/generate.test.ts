/** `mcpc generate`: the suite passes as it is written, calls nothing that may change something, and notices changes. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { decideTool, noPermission } from '../../src/core/permission/decide.ts';
import { errorOf, exampleServer, root, Workspace } from '../cli/harness.ts';
import { everything, thorough } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';

const work = new Workspace();
const server = join(root, 'test/suite/servers/changing.mjs');
const source = readFileSync(server, 'utf8');
/** Every change that the server knows. */
const changes = [
  ...new Set(
    [...source.matchAll(/^ {2}'([a-z -]+)': \(\) =>/gm), ...source.matchAll(/is\('([A-Za-z -]+)'\)/g)].map(
      ([, name]) => name!,
    ),
  ),
];

let runs = 0;
async function run(
  suite: string,
  args: readonly string[] = [],
  command: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<SuiteReport> {
  const output = `r${(runs += 1)}.json`;
  const { code, stderr } = await work.call(
    [
      'run',
      suite,
      '--session',
      'suite',
      '--format',
      'json',
      '--output',
      output,
      ...args,
      ...(command.length === 0 ? [] : ['--', ...command]),
    ],
    { env },
  );
  expect([0, 1], stderr).toContain(code);
  return JSON.parse(work.read(output)) as SuiteReport;
}

const failed = ({ cases }: SuiteReport): string[] =>
  cases.filter(({ status }) => status === 'fail').map(({ name, detail }) => `${name}: ${detail}`);

let summary = '';
beforeAll(async () => {
  const { code, stdout, stderr } = await work.run([
    'generate',
    '--output',
    'evals',
    '--env',
    `CALLS_FILE=${work.path('calls.txt')}`,
    '--',
    'node',
    server,
  ]);
  expect(code, stderr).toBe(0);
  expect(stdout).toBe('');
  summary = stderr;
});

describe('of a small server', () => {
  test('calls what certainly reads, and says what it left out', () => {
    const called = new Set(readFileSync(work.path('calls.txt'), 'utf8').trim().split('\n'));
    expect([...called].sort()).toEqual([
      'find_missing',
      'get_icon',
      'get_time',
      'get_visits',
      'get_weather',
      'greet',
      'list_users',
    ]);
    expect(summary).toContain('Not called, and written with skip: get_env, delete_user.');
    const tools = work.read('evals/tools.yaml');
    expect(tools).toMatch(/name: delete_user answers\n\s+skip: .*it was not called/);
    expect(tools).toMatch(/name: get_env answers\n\s+skip: its name suggests that it returns secrets/);
  });

  test('what changes from call to call is told, and not written down', () => {
    const tools = work.read('evals/tools.yaml');
    expect(tools).toContain('# Volatile: $.visits.');
    expect(tools).toMatch(/matches_regex:\n\s+- .*It\\s\+is/);
    expect(tools).not.toMatch(/20\d\d-\d\d-\d\dT/);
    expect(tools).toContain('CALLS_FILE: ${CALLS_FILE}');
    expect(tools).not.toContain(work.folder);
  });

  test('passes as it was written', async () => {
    for (let time = 0; time < (everything ? 20 : 2); time += 1) {
      const report = await run('evals');
      expect(failed(report)).toEqual([]);
      expect(report.cases.filter(({ status }) => status === 'pass').length).toBeGreaterThanOrEqual(25);
    }
  }, 600_000);

  test.runIf(thorough)(
    'each change of the server is noticed',
    async () => {
      expect(changes.length).toBeGreaterThanOrEqual(40);
      const tried = someOf(changes, 10, (name) => name);
      const missed: string[] = [];
      for (const change of tried)
        if (failed(await run('evals', [], ['node', server, change])).length === 0) missed.push(change);
      // A member that is added breaks no client.
      expect(missed.filter((change) => change !== 'member added')).toEqual([]);
    },
    600_000,
  );

  test('--form assert: a file for each tool, with what mcp-assert knows (A-138)', async () => {
    const { code, stderr } = await work.call([
      'generate',
      '--form',
      'assert',
      '--output',
      'plain',
      '--quiet',
      '--',
      'node',
      server,
    ]);
    expect(code, stderr).toBe(0);
    expect(readdirSync(work.path('plain')).toSorted()).toEqual([
      'delete_user.yaml',
      'find_missing.yaml',
      'get_env.yaml',
      'get_icon.yaml',
      'get_time.yaml',
      'get_visits.yaml',
      'get_weather.yaml',
      'greet.yaml',
      'list_users.yaml',
    ]);
    const texts = readdirSync(work.path('plain')).map((name) => work.read(`plain/${name}`));
    for (const text of texts)
      expect(text).not.toMatch(/^version:|structured:|output_schema:|content:|schema:|volatile:/m);
    expect(work.read('plain/delete_user.yaml')).toMatch(/^skip: true$/m);
    expect(work.read('plain/greet.yaml')).toMatch(/^assert:\n {2}tool: greet\n[^]*equals: /m);
    const report = await run('plain');
    expect(failed(report)).toEqual([]);
    expect(report.cases.map(({ form, status }) => `${form} ${status}`).toSorted()).toEqual([
      ...Array<string>(7).fill('assert pass'),
      ...Array<string>(2).fill('assert skip'),
    ]);
    expect(failed(await run('plain', [], ['node', server, 'text changed']))).toHaveLength(1);
    expect((await work.call(['generate', '--form', 'assert', '--output', 'plain', '--', 'node', server])).code).toBe(2);
  });

  test('nothing is overwritten unasked', async () => {
    const before = work.read('evals/tools.yaml');
    const outcome = await work.call(['generate', '--output', 'evals', '--', 'node', server]);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toContain('is there already');
    expect(work.read('evals/tools.yaml')).toBe(before);
    expect(
      (await work.call(['generate', '--output', 'evals', '--overwrite', '--quiet', '--', 'node', server])).code,
    ).toBe(0);
  });

  test('a tool that is allowed is called, one that is denied is not', async () => {
    const { code, stderr } = await work.call([
      'generate',
      '-o',
      'allowed',
      '--allow-tool',
      'delete_*',
      '--deny-tool',
      'greet',
      '--',
      'node',
      server,
    ]);
    expect(code, stderr).toBe(0);
    expect(work.read('allowed/tools.yaml')).toMatch(/name: delete_user answers\n\s+steps:\n\s+- call: delete_user/);
    expect(work.read('allowed/tools.yaml')).toMatch(/name: greet answers\n\s+skip: it is denied/);
  });
});

describe.runIf(thorough)('of the reference server', () => {
  const changed = join(root, 'test/suite/servers/changed-reference.mjs');
  const reference = (change: string): string[] => ['node', changed, exampleServer, change];
  const known = JSON.parse(execFileSync(process.execPath, [changed], { encoding: 'utf8' })) as string[];

  test('the suite passes, and notices how the server may change', async () => {
    expect(known.length).toBeGreaterThanOrEqual(30);
    const { code, stderr } = await work.call([
      'generate',
      '--output',
      'reference',
      '--spec',
      '2025-11-25',
      '--',
      ...reference('none'),
    ]);
    expect(code, stderr).toBe(0);
    const args = ['--spec', '2025-11-25', '--timeout', '120s'];
    const plain = await run('reference', [...args, '--trials', everything ? '20' : '2']);
    expect(failed(plain)).toEqual([]);
    expect(plain.counts).toMatchObject({ failed: 0, flaky: 0 });
    const tried = someOf(known, 12, (name) => name);
    const missed: string[] = [];
    for (const change of tried)
      if (failed(await run('reference', args, reference(change))).length === 0) missed.push(change);
    // Nine in ten of them; that a message of a prompt has another role is not expected.
    expect(missed.filter((change) => change !== 'role of a prompt')).toEqual([]);
  }, 900_000);
});

interface Published {
  server: string;
  transport: string;
  revision: string;
  launch: { program: string; args?: string[]; env?: Record<string, string> };
  hints?: { tools?: Record<string, { call?: string }> };
}

describe.runIf(thorough)('of published servers', () => {
  const folder = join(root, 'test/e2e/expected');
  const published = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name): [string, Published][] => {
      const one = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Published;
      return one.transport === 'stdio' ? [[name.replace('.json', ''), one]] : [];
    });

  test.each(someOf(published, published.length, ([name]) => name))(
    '%s: passes as it was written, time and again, and no tool is called that may change something',
    async (name, { server: packageName, revision, launch, hints }) => {
      mkdirSync(work.path(`${name}-files`));
      const put = (text: string): string => text.replaceAll('{{folder}}', work.path(`${name}-files`));
      const command = [
        'node',
        join(root, 'node_modules', packageName, launch.program),
        ...(launch.args ?? []).map(put),
      ];
      const env = Object.fromEntries(Object.entries(launch.env ?? {}).map(([key, value]) => [key, put(value)]));
      // What is to be called nevertheless is for checks; what waits for a network here is left out.
      const never = Object.entries(hints?.tools ?? {}).filter(([, { call }]) => call === 'never');
      const told =
        never.length === 0 ? [] : ['--hints', work.write(`${name}-hints.json`, { tools: Object.fromEntries(never) })];
      // What generate itself sends is seen by a proxy before each process of the server.
      const seen = work.path(`${name}-seen`);
      mkdirSync(seen);
      const proxied = [
        'sh',
        '-c',
        'mcpc=$1; shift; exec node "$mcpc" intercept --trace "$0/$$.jsonl" -- "$@"',
        seen,
        join(root, 'bin/mcpc.js'),
        ...command,
      ];
      const { code, stderr } = await work.call(
        [
          'generate',
          '--output',
          name,
          '--timeout',
          '60s',
          '--start-timeout',
          '60s',
          '--spec',
          revision,
          ...told,
          '--',
          ...proxied,
        ],
        { env },
      );
      expect(code, stderr).toBe(0);
      const lines = readdirSync(seen)
        .flatMap((file) => readFileSync(join(seen, file), 'utf8').split('\n'))
        .filter((line) => line !== '')
        .map(
          (line) =>
            JSON.parse(line) as {
              from?: string;
              message?: { method?: string; params?: { name?: string }; result?: { tools?: Record<string, unknown>[] } };
            },
        );
      const tools = new Map(
        lines.flatMap(({ message }) => message?.result?.tools ?? []).map((tool) => [String(tool['name']), tool]),
      );
      const called = new Set(
        lines.flatMap(({ from, message }) =>
          from === 'client' && message?.method === 'tools/call' ? [String(message.params?.name)] : [],
        ),
      );
      expect(readdirSync(seen).length).toBeGreaterThanOrEqual(2);
      expect(tools.size).toBeGreaterThan(0);
      expect([...called].filter((tool) => !decideTool(tools.get(tool)!, noPermission).call)).toEqual([]);
      const report = await run(
        name,
        ['--trials', everything ? '20' : '2', '--timeout', '120s', '--spec', revision],
        command,
        env,
      );
      expect(failed(report)).toEqual([]);
      expect(report.counts).toMatchObject({ failed: 0, flaky: 0 });
      if (everything) expect(report.reliability).toMatchObject({ trials: 20, flaky: [] });
    },
    900_000,
  );
});

describe('what cannot be', () => {
  test('a server that does not speak MCP', async () => {
    const outcome = await work.call([
      'generate',
      '-o',
      'none',
      '--start-timeout',
      '2s',
      '--',
      'node',
      '-e',
      'process.exit(3)',
    ]);
    expect(outcome.code).toBe(3);
    expect(errorOf(outcome).why).toMatch(/ended|exit/);
    expect(existsSync(work.path('none'))).toBe(false);
  });

  test('a server that lists nothing', async () => {
    work.write(
      'empty.mjs',
      `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => { const { id, method, params } = JSON.parse(line); if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'initialize' ? { result: { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'e', version: '1' } } } : { error: { code: -32601, message: 'no' } }) })); });`,
    );
    const outcome = await work.call(['generate', '-o', 'none', '--quiet', '--', 'node', 'empty.mjs']);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toContain('lists no tools, prompts or resources');
    expect(readdirSync(work.folder)).not.toContain('none');
  });

  test('a tool that never answers is asked once, and written with skip', async () => {
    const { code, stderr } = await work.call([
      'generate',
      '-o',
      'slow',
      '--timeout',
      '700ms',
      '--allow-tool',
      'slow',
      '--',
      'node',
      join(root, 'test/suite/servers/notes.mjs'),
    ]);
    expect(code, stderr).toBe(0);
    expect(work.read('slow/tools.yaml')).toMatch(/name: slow answers\n\s+skip: it did not answer in time/);
  });
});

test.runIf(thorough)(
  'a server that answers with more than 64 MiB in all answered in time',
  async () => {
    work.write(
      'long.mjs',
      `
import { createInterface } from 'node:readline';
const tools = ['get_a', 'get_b', 'get_c'].map((name) => ({ name, inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, annotations: { readOnlyHint: true } }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const results = { initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }), 'tools/list': () => ({ tools }), 'tools/call': () => ({ content: [{ type: 'text', text: 'y'.repeat(4_000_000) }] }), ping: () => ({}) };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(method in results ? { result: results[method]() } : { error: { code: -32601, message: 'no' } }) }) + '\\n');
}).on('close', () => process.exit(0));
`,
    );
    expect(
      await work.call([
        'generate',
        '--output',
        'long',
        '--timeout',
        '5s',
        '--spec',
        '2025-11-25',
        '--',
        'node',
        'long.mjs',
      ]),
    ).toMatchObject({ code: 0 });
    expect(work.read('long/tools.yaml')).not.toContain('skip:');
  },
  60_000,
);

describe('of a server that works on files', () => {
  const filesystem = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
  work.write('files/notes.txt', 'some notes\n');

  test.each(
    someOf<[string, string[], string]>(
      [
        [
          'generate, by --server',
          ['generate', '--fixture', 'files', '--output', 'by-server', '--server', `node ${filesystem} "{{fixture}}"`],
          'by-server',
        ],
        [
          'generate, in the form of mcp-assert',
          [
            'generate',
            '--form',
            'assert',
            '--fixture',
            'files',
            '--output',
            'by-form',
            '--',
            'node',
            filesystem,
            '{{fixture}}',
          ],
          'by-form',
        ],
        [
          'audit',
          ['audit', '--fixture', 'files', '--output', 'by-audit', '--', 'node', filesystem, '{{fixture}}'],
          'by-audit',
        ],
        ['coverage', ['coverage', 'some', '--write', '--fixture', 'files', '--quiet'], 'some'],
      ],
      4,
      ([what]) => what,
    ),
  )(
    '%s: the suite names the copy of the files that each case has, and passes (A-138)',
    async (_title, args, folder) => {
      work.write(
        'some/one.yaml',
        `server: { command: node, args: [${JSON.stringify(filesystem)}, "{{fixture}}"] }\nassert: { tool: list_allowed_directories, expect: { not_error: true } }\n`,
      );
      const made = await work.call(args);
      expect(made.code, made.stderr).toBe(0);
      const texts = readdirSync(work.path(folder)).map((name) => work.read(`${folder}/${name}`));
      expect(texts.join('\n')).toContain('path: "{{fixture}}/notes.txt"');
      for (const text of texts) expect(text).not.toMatch(/mcpc-fixture|mcpc-run/);
      const report = await run(folder, ['--fixture', 'files']);
      expect(failed(report)).toEqual([]);
      expect(report.cases.filter(({ status }) => status === 'pass').length).toBeGreaterThan(5);
    },
    120_000,
  );

  test.runIf(thorough)('a path of this machine within a text becomes part of no pattern', async () => {
    const teller = work.write(
      'teller.mjs',
      `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const results = { initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 't', version: '1' } }), 'tools/list': () => ({ tools: [{ name: 'get_place', annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } }] }), 'tools/call': () => ({ content: [{ type: 'text', text: \`It works in \${process.cwd()}/data today\\n\${process.argv[2] === 'braces' ? '{' + '{fixture}} is a word' : ''}\` }] }) };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(results[method] === undefined ? { error: { code: -32601, message: 'no' } } : { result: results[method]() }) }) + '\\n');
});`,
    );
    expect(
      (await work.call(['generate', '--quiet', '--headers', 'X-Team=a', '--output', 'told', '--', 'node', teller]))
        .code,
    ).toBe(2);
    expect((await work.call(['generate', '--quiet', '--output', 'told', '--', 'node', teller])).code).toBe(0);
    expect(work.read('told/tools.yaml')).toContain(String.raw`^It\s+works\s+in\s+.+/data\s+today\s*$`);
    expect(failed(await run('told'))).toEqual([]);
    // What a server says is no placeholder.
    expect(
      (
        await work.call([
          'generate',
          '--quiet',
          '--fixture',
          'files',
          '--output',
          'braces',
          '--',
          'node',
          teller,
          'braces',
          '{{fixture}}',
        ])
      ).code,
    ).toBe(0);
    expect(work.read('braces/tools.yaml')).toMatch(/matches_regex:\n\s+- .*\.\+\\s\+is\\s\+a\\s\+word/);
    expect(failed(await run('braces', ['--fixture', 'files']))).toEqual([]);
  });
});
