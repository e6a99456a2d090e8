/** `mcpc fuzz`: finds each planted defect with whatever seed and shrinks it; a sound server gives nothing; a seed sends the same bytes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { fuzzInputs } from '../../src/suites/exercise/fuzz/cases.ts';
import { asLenient } from '../../src/suites/exercise/fuzz/lenient.ts';
import { shrunk } from '../../src/suites/exercise/fuzz/shrink.ts';
import type { FuzzReport } from '../../src/core/model/reports/fuzz-report.ts';
import { errorOf, exampleServer, root, Workspace } from '../cli/harness.ts';
import { everything, thorough } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';

const work = new Workspace();
const fuzzed = join(root, 'test/exercise/servers/fuzzed.mjs');
const modules = join(root, 'node_modules/@modelcontextprotocol');

const defects: Record<string, { status: string; most: RegExp }> = {
  search_blank: { status: 'crash', most: /^\{"query":""\}$/ },
  search_long: { status: 'timeout', most: /^\{"query":"[^"]{3001,3200}"\}$/ },
  search_path: { status: 'leak', most: /^\{"query":"\.\.\/[^"]{0,12}"\}$/ },
  search_missing: { status: 'invalid-accepted', most: /^\{\}$/ },
  search_negative: { status: 'invalid-accepted', most: /^\{"limit":-1\}$/ },
  search_emoji: { status: 'crash', most: /^\{"query":"[^"]{1,16}"\}$/ },
  search_lines: { status: 'protocol', most: /^\{"query":"[^"]{0,2}\\n"\}$/ },
  search_quote: { status: 'internal-error', most: /^\{"query":"'"\}$/ },
};

async function fuzzOf(args: readonly string[], command: readonly string[]): Promise<FuzzReport> {
  const { stdout, stderr } = await work.call(['fuzz', '--json', ...args, '--', ...command]);
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout) as FuzzReport;
}

describe('of a server with eight defects (A-132)', () => {
  /** A quarter of them in `npm test`; all of them with --mode all. */
  const due = someOf(Object.entries(defects), 4, ([tool]) => tool);
  const chosen = everything ? [] : ['get_sound', ...due.map(([tool]) => tool)].flatMap((tool) => ['--tool', tool]);
  test.runIf(thorough).each(someOf([1, 7, 42, 2026, 2_000_000_000], 5, String))(
    'seed %i finds and shrinks all of them, as cases that fail now and pass when mended',
    async (seed) => {
      const report = await fuzzOf(
        [
          '--seed',
          String(seed),
          '--runs',
          '300',
          '--timeout',
          '2s',
          '--jobs',
          '2',
          ...chosen,
          '--output',
          `s${seed}.yaml`,
          '--junit',
          `s${seed}.xml`,
        ],
        ['node', fuzzed],
      );
      const found = Object.fromEntries(
        report.tools.flatMap(({ tool, failures }) =>
          failures.map(({ status, arguments: given, reproduced }) => [
            tool,
            { status, given: JSON.stringify(given), reproduced },
          ]),
        ),
      );
      expect(Object.keys(found).toSorted()).toEqual(due.map(([tool]) => tool).toSorted());
      for (const [tool, { status, most }] of due)
        expect(found[tool], tool).toEqual({ status, given: expect.stringMatching(most), reproduced: true });
      // A run in which a busy machine kept silent for the whole deadline does not count.
      expect(report.tools.find(({ tool }) => tool === 'get_sound')).toMatchObject({
        runs: expect.closeTo(300, -1),
        failures: [],
      });
      expect(report).toMatchObject({
        format: 'mcpc-fuzz-report',
        seed,
        summary: { tools: due.length + 1, failures: due.length },
        incomplete: null,
      });
      const wires = report.tools.flatMap(({ failures }) =>
        failures.map(({ status, wire }) => [status, wire.map(({ label }) => label).join()]),
      );
      for (const [status, labels] of wires)
        expect(labels).toMatch(status === 'internal-error' ? /request.*error/ : /request/);
      const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(
        work.read(`s${seed}.xml`),
      ) as { testsuites: { testsuite: { name: string; tests: string; failures: string }[] } };
      expect(testsuites.testsuite.map(({ name, failures }) => [name, failures])).toEqual(
        report.tools.map(({ tool, failures }) => [tool, String(failures.length)]),
      );

      // A busy machine may take more than the two seconds of the fuzz run to start the servers.
      work.write('patient.yaml', work.read(`s${seed}.yaml`).replaceAll('timeout: 2000ms', 'timeout: 60s'));
      const results = async (env: Record<string, string>): Promise<string[]> =>
        (
          JSON.parse(
            (await work.call(['run', env['MENDED'] ? 'patient.yaml' : `s${seed}.yaml`, '--json'], { env })).stdout,
          ) as { status: string }[]
        ).map(({ status }) => status);
      expect(await results({})).toEqual(due.map(() => 'FAIL'));
      expect(await results({ MENDED: 'yes' })).toEqual(due.map(() => 'PASS'));
      // What dies a while after its answer is not called mended.
      for (const more of someOf([[], ['--env', 'LATE=200']], 2, String)) {
        const again = await fuzzOf(['--replay', `s${seed}.yaml`, '--timeout', '2s', ...more], ['node', fuzzed]);
        expect(again.summary).toMatchObject({ runs: due.length, failed: due.length });
      }
      expect(
        (await work.call(['fuzz', '--replay', `s${seed}.yaml`, '--env', 'MENDED=yes', '--', 'node', fuzzed])).code,
      ).toBe(0);
    },
    900_000,
  );

  test.runIf(thorough)('two runs with a seed send the same bytes, another seed others (A-126, A-131)', async () => {
    const sent = async (name: string, seed: string): Promise<string> => {
      await work.call([
        'fuzz',
        '--seed',
        seed,
        '--runs',
        '60',
        '--tool',
        'get_sound',
        '--tool',
        'search_missing',
        '--env',
        `FUZZ_LOG=${work.path(name)}`,
        '--',
        'node',
        fuzzed,
      ]);
      return work.read(name);
    };
    const [one, same, other] = [await sent('one.log', '5'), await sent('same.log', '5'), await sent('other.log', '6')];
    expect(one.split('\n').length).toBeGreaterThan(200);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });
});

describe.runIf(thorough)('of sound servers', () => {
  test.each(
    someOf<[string, string[], string[]]>(
      [
        ['server-everything', [], ['node', join(modules, 'server-everything/dist/index.js'), 'stdio']],
        [
          'server-memory',
          ['--include-writes', '--env', `MEMORY_FILE_PATH=${work.path('memory.jsonl')}`],
          ['node', join(modules, 'server-memory/dist/index.js')],
        ],
        ['the reference server', [], ['node', join(root, 'dist/example-server.js'), 'stdio']],
      ],
      3,
      ([name]) => name,
    ),
  )(
    '%s: nothing fails',
    async (_name, args, command) => {
      const report = await fuzzOf(
        ['--seed', '3', '--runs', everything ? '300' : '15', '--deny-tool', 'trigger-long-*', ...args],
        command,
      );
      expect(
        report.tools.flatMap(({ tool, failures }) =>
          failures.map(({ status, label, detail }) => `${tool} ${status} ${label}: ${detail}`),
        ),
      ).toEqual([]);
      expect(report.summary.runs).toBeGreaterThan(39);
    },
    900_000,
  );
});

test.runIf(thorough)(
  'a server that speaks both eras is asked for them once: one process for each tool, and three at the begin',
  async () => {
    const counted = work.write(
      'counted.mjs',
      `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(work.path('starts.txt'))}, 'start\\n');\nawait import(${JSON.stringify(pathToFileURL(exampleServer).href)});\n`,
    );
    const { summary, revision } = await fuzzOf(['--seed', '3', '--runs', '2'], ['node', counted, 'stdio']);
    expect(revision).toBe('2026-07-28');
    expect(summary.tools).toBeGreaterThan(1);
    expect(work.read('starts.txt').split('\n').length - 1).toBe(summary.tools + 3);
  },
);

test('a server that once does not answer a ping, as a busy one, has not crashed', async () => {
  const busy = work.write(
    'busy.mjs',
    `import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
let calls = 0;
let quiet = false;
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'tools/call' && (calls += 1) === 5 && !existsSync(process.env.ONCE)) { writeFileSync(process.env.ONCE, 'x'); quiet = true; }
  if (id === undefined || (quiet && method === 'ping')) return;
  const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'busy', version: '1' } } : method === 'tools/list' ? { tools: [{ name: 'get_word', inputSchema: { type: 'object' } }] } : method === 'tools/call' ? { content: [{ type: 'text', text: 'word' }] } : {};
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`,
  );
  const report = await fuzzOf(
    [
      '--seed',
      '1',
      '--runs',
      '12',
      '--timeout',
      '2s',
      '--spec',
      '2025-11-25',
      '--env',
      `ONCE=${work.path('once.txt')}`,
    ],
    ['node', busy],
  );
  expect(work.read('once.txt')).toBe('x');
  expect(report.tools).toMatchObject([{ tool: 'get_word', runs: 11, passed: 11, failures: [] }]);
});

describe('the command', () => {
  test('prints what fails with its exchange, and how to make the calls again (A-134)', async () => {
    const summary = work.path('summary.md');
    const { code, stdout, stderr } = await work.run(
      [
        'fuzz',
        '--seed',
        '4',
        '--runs',
        '5',
        '--tool',
        'search_missing',
        '--html',
        'f.html',
        '--server',
        `node ${fuzzed}`,
      ],
      { env: { GITHUB_STEP_SUMMARY: summary } },
    );
    expect(code, stderr).toBe(1);
    expect(stdout).toMatch(
      /✗ search_missing +\d\/5 passed[\s\S]*invalid-accepted {2}no arguments[\s\S]*arguments: \{\}[\s\S]*→ request[\s\S]*← result[\s\S]*1 failure across 1 tool\n$/,
    );
    expect(stderr).toContain('mcpc fuzz --seed 4 --runs 5');
    expect(readFileSync(summary, 'utf8')).toContain('MCP fuzz');
    expect(work.read('f.html')).toContain('1 failure in 1 tool');
  });

  test.runIf(thorough)('ends after --max-time, refuses an unknown tool, replaces nothing unasked (A-133)', async () => {
    const short = await fuzzOf(
      ['--seed', '1', '--runs', '1000000', '--max-time', '1500ms', '--tool', 'get_sound'],
      ['node', fuzzed],
    );
    expect(short.incomplete).toContain('--max-time');
    expect(short.summary).toMatchObject({ failed: 0 });
    const unknown = await work.call(['fuzz', '--tool', 'nowhere', '--', 'node', fuzzed]);
    expect(unknown.code).toBe(2);
    expect(errorOf(unknown).why).toContain('lists no tool "nowhere"');
    work.write('mine.yaml', 'mine');
    expect((await work.call(['fuzz', '--output', 'mine.yaml', '--', 'node', fuzzed])).code).toBe(2);
    expect(work.read('mine.yaml')).toBe('mine');
  });

  test.runIf(thorough)('Ctrl-C gives what was found', async () => {
    const running = work.start([
      'fuzz',
      '--seed',
      '1',
      '--runs',
      '1000000',
      '--tool',
      'search_missing',
      '--tool',
      'get_sound',
      '--jobs',
      '2',
      '--env',
      `FUZZ_LOG=${work.path('live.log')}`,
      '--',
      'node',
      fuzzed,
    ]);
    let over = false;
    void running.ended.then(() => (over = true));
    // The first of these calls breaks; that is told when it is confirmed, which comes before the others.
    while (!over && (!work.has('live.log') || work.read('live.log').split('"name":"search_missing"').length < 100))
      await new Promise((resolve) => setTimeout(resolve, 20));
    running.kill('SIGINT');
    expect(await running.ended).toMatchObject({
      code: 130,
      stdout: expect.stringMatching(/search_missing[\s\S]*invalid-accepted[\s\S]*Incomplete: interrupted/),
    });
  });
});

test.runIf(thorough)(
  'paths of the copy of the files are written with {{fixture}}, and are those of the new copy when calls are made again',
  async () => {
    work.write('given/notes.txt', 'some notes');
    const picky = work.write(
      'picky.mjs',
      `import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
const tool = { name: 'read_it', annotations: { readOnlyHint: true }, inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } };
const fails = (path) => typeof path === 'string' && path.startsWith(process.argv[2]) && existsSync(path);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const answers = { initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'p', version: '1' } }), ping: () => ({}), 'tools/list': () => ({ tools: [tool] }), 'tools/call': () => ({ isError: true, content: [{ type: 'text', text: fails(params.arguments?.path) ? 'Error: no\\n    at Object.<anonymous> (/srv/app/server.js:10:5)' : 'no' }] }) };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(answers[method] === undefined ? { error: { code: -32601, message: 'no' } } : { result: answers[method]() }) }) + '\\n');
});`,
    );
    const report = await fuzzOf(
      ['--seed', '7', '--fixture', 'given', '--output', 'placed.yaml'],
      ['node', picky, '{{fixture}}'],
    );
    expect(
      report.tools.flatMap(({ failures }) => failures.map(({ status, arguments: given }) => [status, given])),
    ).toEqual([['leak', { path: expect.stringMatching(/^\{\{fixture\}\}/) }]]);
    expect(work.read('placed.yaml')).not.toContain('mcpc-fixture');
    const again = await fuzzOf(['--replay', 'placed.yaml', '--fixture', 'given'], ['node', picky, '{{fixture}}']);
    expect(again.tools.flatMap(({ failures }) => failures.map(({ status }) => status))).toEqual(['leak']);
    const { stdout } = await work.call(['run', 'placed.yaml', '--fixture', 'given', '--json']);
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ status: 'FAIL', detail: expect.stringContaining('stack trace') }),
    ]);
  },
);

const listOf = (...about: Parameters<typeof fuzzInputs>) => [...fuzzInputs(...about)];

describe('arguments', () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, dry_run: { type: 'boolean' }, count: { type: 'integer' } },
    required: ['name'],
  };
  test('fixed cases come first, in the order of the schema, and leave alone what keeps harm away (A-127, A-128, A-129, A-130)', () => {
    const inputs = listOf(schema, { name: 'a', dry_run: true }, { runs: 100, seed: 1 });
    expect(inputs).toHaveLength(100);
    expect(inputs.slice(0, 4).map(({ label }) => label)).toEqual([
      'no arguments',
      'null arguments',
      'name: left out',
      'name: wrong type',
    ]);
    expect(inputs.findIndex(({ label }) => label.startsWith('count:'))).toBeGreaterThan(
      inputs.findIndex(({ label }) => label === 'name: null'),
    );
    expect(inputs.filter(({ label }) => label.startsWith('dry_run'))).toEqual([]);
    expect(listOf(schema, { name: 'a' }, { runs: 2, seed: 1 })).toHaveLength(2);
    expect(listOf(schema, { name: 'a' }, { runs: 300, seed: 1 })).toEqual(
      listOf(schema, { name: 'a' }, { runs: 300, seed: 1 }),
    );
  });

  test.each<[given: unknown, lenient: unknown]>([
    [{ name: 42 }, { name: '42' }],
    [
      { name: 'a', count: '7', dry_run: 'true' },
      { name: 'a', count: 7, dry_run: true },
    ],
    [{ name: null, count: null }, { name: null }],
    [
      { name: 'a', count: 'many', more: 1 },
      { name: 'a', count: 'many', more: 1 },
    ],
  ])('%j is %j to a lenient server', (given, lenient) => {
    expect(asLenient(given, schema)).toEqual(lenient);
  });

  test('shrinks to what matters', async () => {
    const fails = async (given: unknown): Promise<boolean> =>
      Array.isArray((given as { list?: unknown[] }).list) && (given as { list: unknown[] }).list.includes(7);
    expect(await shrunk({ other: 'x'.repeat(500), list: [1, 2, 7, 'a', {}], more: 3 }, 80, fails)).toEqual({
      list: [7],
    });
  });

  test.runIf(thorough)('long texts are cut to what matters, without taking them apart', async () => {
    const long = async (given: unknown): Promise<boolean> =>
      String((given as { text?: unknown }).text ?? '').length >= 5000;
    const held = process.resourceUsage().maxRSS;
    expect(await shrunk({ text: 'x'.repeat(20_000), more: 3 }, 80, long)).toEqual({ text: 'x'.repeat(5000) });
    expect((process.resourceUsage().maxRSS - held) / 1024).toBeLessThan(300);
    const last = async (given: unknown): Promise<boolean> =>
      String((given as { text?: unknown }).text ?? '').endsWith('🙂');
    expect(await shrunk({ text: `${'🙂'.repeat(3000)}` }, 80, last)).toEqual({ text: '🙂' });
  });
});
