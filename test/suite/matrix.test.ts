/** `mcpc matrix`: the same cases on several servers, packages, transports, revisions and versions of node. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MatrixReport } from '../../src/core/model/reports/matrix-report.ts';
import { errorOf, exampleServer, root, Workspace } from '../cli/harness.ts';
import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import { renderMatrix } from '../../src/report/suite/matrix.ts';
import { launchBrowser } from '../support/browser.ts';
import { columnsOf } from '../../src/suites/run/matrix/columns.ts';
import { startReferenceServer } from '../../src/testkit/example-server/start.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();
const changing = join(root, 'test/suite/servers/changing.mjs');

beforeAll(() => {
  work.write(
    'evals/changing.yaml',
    `version: 1
servers: { changing: { command: node, args: [${JSON.stringify(changing)}], session: file } }
cases:
  - { name: greets, steps: [{ call: greet, with: { name: Ada }, expect: { equals: "Hello, Ada" } }] }
  - { name: tells the weather, steps: [{ call: get_weather, with: { city: Oslo }, expect: { structured: { degrees: 11 } } }] }
  - { name: never, skip: no reason, steps: [{ ping: true }] }
`,
  );
});

async function matrix(...args: string[]): Promise<MatrixReport & { code: number | null; stderr: string }> {
  const { code, stdout, stderr } = await work.call(['matrix', ...args, '--json']);
  if (stdout === '') throw new Error(stderr);
  return { ...(JSON.parse(stdout) as MatrixReport), code, stderr };
}

const grid = ({ rows }: MatrixReport): string[] =>
  rows.map(
    ({ name, differs, cells }) => `${differs ? '!' : ' '} ${name}: ${cells.map((cell) => cell?.status).join(' ')}`,
  );

test('servers beside each other: what differs first, and the exit code (A-114)', async () => {
  const { code, stdout } = await work.run([
    'matrix',
    'evals',
    '--with',
    `old=node ${changing}`,
    '--with',
    `new=node '${changing}' 'number changed'`,
    '--output',
    'm.md',
    '--output',
    'm.html',
    '--output',
    'm.json',
  ]);
  expect(code).toBe(1);
  expect(
    stdout
      .split('\n')
      .slice(0, 5)
      .map((line) => line.replace(/ +/g, ' ').trim()),
  ).toEqual(['old new', '≠ tells the weather PASS FAIL', 'greets PASS PASS', 'never SKIP SKIP', 'passed 2/2 1/2']);
  expect(stdout).toContain('tells the weather [new]: structured: degrees: want 11, got 12');
  expect(stdout).toMatch(/1 case differs, 1 failed somewhere: 3 cases in 2 columns\n$/);
  const markdown = work.read('m.md');
  expect(markdown).toContain(
    '| Case | old | new |\n|---|---|---|\n| ≠ tells the weather | PASS | FAIL |\n| greets | PASS | PASS |',
  );
  expect(work.read('m.html')).toContain(
    '<tr data-row="0" class="differs" data-fails><th scope="row">tells the weather',
  );
  expect(grid(JSON.parse(work.read('m.json')) as MatrixReport)).toEqual([
    '! tells the weather: pass fail',
    '  greets: pass pass',
    '  never: skip skip',
  ]);
});

test('--allow-different: only what fails everywhere counts', async () => {
  const servers = ['--with', `a=node ${changing} "text changed"`, '--with', `b=node ${changing} "number changed"`];
  expect((await matrix('evals', ...servers, '--allow-different')).code).toBe(0);
  const both = await matrix('evals', ...servers.slice(0, 2), '--with', `c=node ${changing} empty`, '--allow-different');
  expect({ code: both.code, counts: both.counts }).toEqual({
    code: 1,
    counts: { cases: 3, differing: 0, failed: 1, failedEverywhere: 1 },
  });
});

describe('packages', () => {
  test.runIf(thorough)('are installed once, and started by the version of node that is asked for', async () => {
    for (const [version, change] of [
      ['1.0.0', ''],
      ['2.0.0', 'text changed'],
    ] as const) {
      const source = readFileSync(changing, 'utf8')
        .replace('process.argv[2]', `process.argv[2] ?? ${JSON.stringify(change)}`)
        .replace(`'${'get_icon'}', annotations`, `'get_icon', annotations`);
      work.write(`pack-${version}/package/server.mjs`, `#!/usr/bin/env node\n${source}`);
      work.write(`pack-${version}/package/package.json`, { name: 'my-server', version, bin: './server.mjs' });
      execFileSync('tar', ['-czf', work.path(`my-server-${version}.tgz`), 'package'], {
        cwd: work.path(`pack-${version}`),
      });
    }
    // A version of node as nvm keeps it: this one under a name of its own, which is told by the server's process.
    mkdirSync(work.path('nvm/versions/node/v18.99.0/bin'), { recursive: true });
    symlinkSync(process.execPath, work.path('nvm/versions/node/v18.99.0/bin/node'));
    const args = [
      'matrix',
      'evals',
      '--with',
      'old=npm:file:my-server-1.0.0.tgz',
      '--with',
      'new=npm:file:my-server-2.0.0.tgz',
      '--node',
      `${process.versions.node},18`,
      '--cache-dir',
      'cache',
      '--json',
    ];
    const env = { NVM_DIR: work.path('nvm'), npm_config_offline: 'true' };
    const { code, stdout, stderr } = await work.call(args, { env });
    const report = JSON.parse(stdout) as MatrixReport;
    expect({ code, columns: report.columns.map(({ name, node }) => [name, node]) }, stderr).toEqual({
      code: 1,
      columns: [
        [`old node ${process.versions.node}`, process.versions.node],
        ['old node 18', '18.99.0'],
        [`new node ${process.versions.node}`, process.versions.node],
        ['new node 18', '18.99.0'],
      ],
    });
    expect(grid(report)).toEqual([
      '! greets: pass pass fail fail',
      '  tells the weather: pass pass pass pass',
      '  never: skip skip skip skip',
    ]);
    expect(stderr.match(/Installing/g)).toHaveLength(2);
    expect((await work.call(args, { env })).stderr).not.toContain('Installing');
  });

  test('that cannot be installed end it before a case begins', async () => {
    const outcome = await work.call([
      'matrix',
      'evals',
      '--with',
      'gone=npm:file:no-such.tgz',
      '--with',
      `new=node ${changing}`,
    ]);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toContain('There is no package');
    expect(outcome.stderr).not.toContain('Column');
  });
});

describe('from the member matrix of a suite', () => {
  let server: Awaited<ReturnType<typeof startReferenceServer>>;
  beforeAll(async () => {
    server = await startReferenceServer({ transport: 'http' });
  });
  afterAll(() => server.close());

  test('transports and revisions of one server', async () => {
    work.write(
      'both/both.yaml',
      `version: 1
servers: { reference: { command: node, args: [${JSON.stringify(exampleServer)}, stdio], url: "${server.url}" } }
matrix: { transports: [stdio, http], spec: [2025-06-18, 2025-11-25] }
cases:
  - { name: revision, steps: [{ initialize: true, expect: { structured: { protocolVersion: 2025-11-25 } } }] }
  - { name: lists its tools, steps: [{ list: tools, expect: { not_empty: true } }] }
`,
    );
    const report = await matrix('both');
    expect(report.columns.map(({ name, transport, spec }) => [name, transport, spec])).toEqual(
      ['stdio', 'http'].flatMap((transport) =>
        ['2025-06-18', '2025-11-25'].map((spec) => [`${transport} ${spec}`, transport, spec]),
      ),
    );
    expect(grid(report)).toEqual(['! revision: fail pass fail pass', '  lists its tools: pass pass pass pass']);
    expect(report.code).toBe(1);
  });
});

test.runIf(thorough)(
  'a server is started over HTTP for its columns, by flags and by the suite, and is gone afterwards',
  async () => {
    const reference = JSON.stringify(exampleServer);
    work.write(
      'served/served.yaml',
      `version: 1
servers: { reference: { command: node, args: [${reference}, stdio] } }
matrix: { servers: { here: { command: node, args: [${reference}, stdio], serve: [node, ${reference}, http, --port, "{{port}}"], url: "http://127.0.0.1:{{port}}/mcp" } }, transports: [stdio, http] }
cases: [{ name: over HTTP, steps: [{ list: tools, expect: { http: { status: 200 } } }] }, { name: lists its tools, steps: [{ list: tools, expect: { not_empty: true } }] }]
`,
    );
    for (const args of [
      [],
      [
        '--transports',
        'stdio,http',
        '--with',
        `here=node ${exampleServer} stdio`,
        '--serve',
        `here=node ${exampleServer} http --port {{port}}`,
      ],
    ]) {
      const report = await matrix('served', '--timeout', '60s', ...args);
      expect(report.columns.map(({ name }) => name)).toEqual(['here stdio', 'here http']);
      expect(grid(report)).toEqual(['! over HTTP: fail pass', '  lists its tools: pass pass']);
    }
    const dead = await matrix(
      'served',
      '--serve',
      'dead=node -e process.exit(3) http://127.0.0.1:{{port}}/other',
      '--transports',
      'http',
    );
    expect(dead.counts).toMatchObject({ cases: 2, failedEverywhere: 2 });
    expect(dead.columns[0]!.notices).toEqual([expect.stringContaining('ended before it listened')]);
  },
  300_000,
);

test('what cannot be combined is refused before anything starts (A-115)', async () => {
  for (const [args, why] of [
    [['evals'], 'The matrix has one column'],
    [['evals', '--with', 'node server.js'], '--with takes a name and a server'],
  ] as const) {
    const outcome = await work.call(['matrix', ...args]);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toContain(why);
  }
  const none = { servers: new Map(), transports: [], specs: [], nodes: [] };
  const axes = { servers: [], serves: [], languages: [], transports: [], specs: [], nodes: [] };
  const a = { name: 'a', words: ['node', 'x.js'] };
  expect(() => columnsOf({ ...axes, servers: [a, a] }, none)).toThrow('Two servers of the matrix are called a.');
  expect(() => columnsOf({ ...axes, specs: ['2020-01-01'] }, none)).toThrow('There is no revision "2020-01-01".');
  expect(() => columnsOf({ ...axes, servers: [a], transports: ['stdio', 'http'] }, none)).toThrow(
    'The server a has no address for http.',
  );
  expect(() => columnsOf({ ...axes, servers: [a], transports: ['tcp'] }, none)).toThrow('There is no transport "tcp".');
  expect(() => columnsOf({ ...axes, languages: ['gopls'] }, none)).toThrow(
    '--languages takes entries such as go:gopls',
  );
  expect(() =>
    columnsOf({ ...axes, servers: [a], nodes: Array.from({ length: 101 }, (_, index) => `${index}`) }, none),
  ).toThrow('101 columns');
});

test('values of the property matrix that no column can have are told with their places', async () => {
  work.write(
    'odd.yaml',
    'version: 1\nmatrix:\n  transports: [stdio, pigeon]\n  spec: [1999-01-01]\n  node: [20, x]\ncases: []\n',
  );
  const outcome = await work.call(['matrix', 'odd.yaml']);
  expect(outcome.code).toBe(2);
  for (const words of [
    'odd.yaml:3:23: matrix.transports: "pigeon" is no transport',
    'odd.yaml:4:10: matrix.spec: "1999-01-01" is no revision',
    'odd.yaml:5:14: matrix.node: "x" is no version of node',
  ])
    expect(errorOf(outcome).why).toContain(words);
});

test('an engine of containers that is not there is told before the first column, and before coverage asks a server', async () => {
  work.write('boxed/a.yaml', 'server: { command: srv, docker: image }\nassert: { tool: x }\n');
  mkdirSync(work.path('only'), { recursive: true });
  symlinkSync(process.execPath, work.path('only/node'));
  const env = { PATH: work.path('only') };
  for (const args of [
    ['matrix', 'boxed', '--spec', '2025-06-18,2025-11-25'],
    ['snapshot', 'boxed'],
    ['coverage', 'boxed'],
  ]) {
    const outcome = await work.call(args, { env });
    expect([args[0], outcome.code, errorOf(outcome).why]).toEqual([
      args[0],
      2,
      expect.stringContaining('There is no docker in PATH'),
    ]);
    expect(outcome.stderr).not.toContain('Column');
  }
});

test('--languages starts agent-lsp with each, and says the language', async () => {
  work.write(
    'bin/agent-lsp',
    `#!/bin/sh\n[ "$1" = go:gopls ] && exec "${process.execPath}" "${changing}"\nexec "${process.execPath}" "${changing}" "text changed"\n`,
  );
  execFileSync('chmod', ['+x', work.path('bin/agent-lsp')]);
  const { stdout } = await work.call(['matrix', 'evals', '--languages', 'go:gopls,ts:tsserver', '--json'], {
    env: { PATH: `${work.path('bin')}:${process.env['PATH']}` },
  });
  const report = JSON.parse(stdout) as MatrixReport;
  expect(report.columns.map(({ name, language }) => [name, language])).toEqual([
    ['go', 'go'],
    ['ts', 'ts'],
  ]);
  expect(grid(report)[0]).toBe('! greets: pass fail');
});

test.runIf(thorough)(
  'no text of a suite or a server breaks out of the reports, and axe finds nothing on the page',
  async () => {
    const hostile = '<script>alert(1)</script> | `x` \u001b[31m\u202e';
    const counts = { total: 2, passed: 1, failed: 1, skipped: 0, undecided: 0, flaky: 0 };
    const column = (name: string): MatrixReport['columns'][number] => ({
      name,
      server: name,
      transport: null,
      spec: null,
      node: null,
      language: null,
      counts,
      durationMs: 5,
      incomplete: null,
      notices: [],
    });
    const report: MatrixReport = {
      format: 'mcpc-matrix-report',
      version: 1,
      tool: { name: 'mcpc', version: '1.2.3' },
      suites: ['evals'],
      startedAt: '2026-01-01T00:00:00.000Z',
      durationMs: 10,
      columns: [column('old'), column(hostile)],
      rows: [
        {
          id: 'a#1',
          name: hostile,
          file: 'a.yaml',
          line: 1,
          differs: true,
          cells: [
            { status: 'pass', detail: '', durationMs: 1 },
            { status: 'fail', detail: `${hostile}\n\`\`\`\n`, durationMs: 1 },
          ],
        },
        {
          id: 'a#2',
          name: 'skipped',
          file: 'a.yaml',
          line: 2,
          differs: false,
          cells: [{ status: 'skip', detail: 'later', durationMs: 0 }, null],
        },
      ],
      counts: { cases: 2, differing: 1, failed: 1, failedEverywhere: 0 },
      incomplete: null,
    };
    for (const format of ['terminal', 'html', 'markdown'] as const) {
      const text = renderMatrix(report, format, { color: false });
      expect(text, format).not.toMatch(/\u001b|\u202e/);
      // Within a fence longer than any in the text nothing is markup.
      if (format !== 'terminal')
        expect(text.replace(/^(`{4,})text\n[^]*?^\1$/m, ''), format).not.toContain('<script>alert');
    }
    work.write('page.html', renderMatrix(report, 'html'));
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ bypassCSP: true });
      await page.goto(pathToFileURL(work.path('page.html')).href);
      expect(await page.locator('script').count()).toBe(1);
      expect(await page.locator('tbody tr').count()).toBe(2);
      await page.addScriptTag({ content: axe.source });
      const found = (await page.evaluate(
        'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa"] })',
      )) as AxeResults;
      expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    } finally {
      await browser.close();
    }
  },
  120_000,
);
