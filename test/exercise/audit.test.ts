/** `mcpc audit`: names each fault that a planted server has, none of a sound one, and calls nothing that may change something. */
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { XMLParser } from 'fast-xml-parser';
import type { AuditReport, AuditResult } from '../../src/core/model/reports/audit-report.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';
import { allGone, errorOf, root, Workspace } from '../cli/harness.ts';

const work = new Workspace();
const faulty = join(root, 'test/exercise/servers/faulty.mjs');
const modules = join(root, 'node_modules/@modelcontextprotocol');

async function auditOf(args: readonly string[], command: readonly string[]): Promise<AuditReport> {
  const { stdout, stderr } = await work.call(['audit', '--json', ...args, '--', ...command]);
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout) as AuditReport;
}

describe('of a server with a fault in each tool (A-119)', () => {
  let report: AuditReport;
  const of = (name: string): AuditResult => report.results.find(({ tool }) => tool === name)!;
  beforeAll(async () => {
    work.write('files/note.txt', 'a note');
    report = await auditOf(
      [
        '--timeout',
        '1500ms',
        '--allow-tool',
        'put_*',
        '--fixture',
        'files',
        '--junit',
        'a.xml',
        '--markdown',
        'a.md',
        '--html',
        'a.html',
      ],
      ['node', faulty, '{{fixture}}'],
    );
  });

  test.each<[tool: string, status: string, detail: RegExp]>([
    ['get_sound', 'healthy', /^$/],
    ['get_death', 'crash', /During the call the process ended \(exit code 7\)/],
    ['get_late_death', 'crash', /(?:After|During) the call the process ended \(exit code 9\)/],
    ['get_nothing', 'timeout', /No answer in time/],
    ['get_malformed', 'protocol-error', /no "content" that is an array/],
    ['get_internal', 'crash', /-32603 \(internal error\): it broke/],
    ['get_refused', 'refused', /that fit the inputSchema were refused with the error -32602: never/],
    ['get_trace', 'leak', /stack trace of JavaScript/],
    ['get_program', 'leak', /path of the program/],
    ['get_settings', 'leak', /a variable of the environment/],
    ['get_mismatch', 'output-mismatch', /structuredContent does not fit the outputSchema: .*id/],
    ['get_anything', 'invalid-accepted', /\$\.text is missing.*answered with a result that is no error/],
    ['get_visits', 'annotation', /readOnlyHint: true, and a call changed the resource notes:\/\/all/],
    ['get_report', 'annotation', /readOnlyHint: true, and a call changed .*the file log\.txt|the file names/],
    ['put_once', 'annotation', /idempotentHint: true, and a second call with the same arguments changed the resource/],
    ['put_same', 'healthy', /^$/],
    ['delete_all', 'skipped', /Not called: its annotations say that it is destructive/],
  ])('%s: %s', (name, status, detail) => {
    expect(of(name)).toMatchObject({ status, detail: expect.stringMatching(detail) });
  });

  test('counts, score and codes (A-121, A-123, A-125)', () => {
    expect(report).toMatchObject({
      format: 'mcpc-audit-report',
      version: 1,
      tool_count: 17,
      tested: 15,
      score: 13,
      transport: 'stdio',
      incomplete: null,
    });
    expect(report.counts).toMatchObject({
      healthy: 2,
      crash: 3,
      timeout: 1,
      leak: 3,
      annotation: 3,
      refused: 1,
      skipped: 1,
    });
    expect([of('get_death').error_code, of('get_nothing').error_code, of('get_sound').error_code]).toEqual([
      'E201',
      'E202',
      undefined,
    ]);
    expect(of('get_sound')).toMatchObject({ is_error: false, has_content: true, description: 'Does get_sound.' });
  });

  test('a rule that a call broke stands beside its tool', () => {
    expect(of('get_malformed').violations.map(({ rule }) => rule)).not.toEqual([]);
    expect(of('get_sound').violations.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('the files of the user are as they were, and the copy is gone', () => {
    expect(readdirSync(work.path('files'))).toEqual(['note.txt']);
    expect(
      readdirSync(tmpdir()).filter((name) => name.startsWith(`mcpc-fixture-`) && name.includes(String(process.pid))),
    ).toEqual([]);
  });

  test('JUnit, Markdown and HTML tell the same, and no secret of the environment', () => {
    const xml = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(work.read('a.xml')) as {
      testsuites: {
        testsuite: {
          tests: string;
          failures: string;
          skipped: string;
          testcase: { name: string; failure?: { message: string } }[];
        };
      };
    };
    expect(xml.testsuites.testsuite).toMatchObject({ tests: '17', failures: '13', skipped: '2' });
    expect(xml.testsuites.testsuite.testcase.find(({ name }) => name === 'get_death')!.failure!.message).toContain(
      'exit code 7',
    );
    expect(work.read('a.md')).toContain('get\\_anything: invalid accepted');
    const page = work.read('a.html');
    expect(page).toContain('<h1 id="result" class="headline">Score 13</h1>');
    expect(page.match(/<details class="verdict tone-violation"/g)).toHaveLength(13);
  });
});

describe('of sound servers', () => {
  test.each(
    someOf<[string, string[]]>(
      [
        ['server-everything', ['node', join(modules, 'server-everything/dist/index.js'), 'stdio']],
        ['server-memory', ['node', join(modules, 'server-memory/dist/index.js')]],
        ['the reference server', ['node', join(root, 'dist/example-server.js'), 'stdio']],
      ],
      3,
      ([name]) => name,
    ),
  )('%s: nothing is wrong', async (name, command) => {
    const report = await auditOf(
      name === 'server-memory' ? ['--env', `MEMORY_FILE_PATH=${work.path('memory.jsonl')}`] : [],
      command,
    );
    expect(report.results.filter(({ status }) => !['healthy', 'skipped', 'refused'].includes(status))).toEqual([]);
    expect(report.counts.healthy).toBeGreaterThan(2);
    expect(report.score).toBe(100);
  });

  test.runIf(thorough)(
    'with more tools than the trace of one connection holds',
    async () => {
      // For each of them the list is looked at several times, since it says that it only reads.
      const names = Array.from({ length: 80 }, (_, number) => `get_${number}`);
      work.write(
        'many.mjs',
        `
import { createInterface } from 'node:readline';
const tools = ${JSON.stringify(names)}.map((name) => ({ name, description: 'Reads. '.repeat(500), inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const results = { initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }), 'tools/list': () => ({ tools }), 'tools/call': () => ({ content: [] }), ping: () => ({}) };
  const result = results[method]?.();
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error: { code: -32601, message: 'no' } } : { result }) }) + '\\n');
}).on('close', () => process.exit(0));
`,
      );
      const report = await auditOf(['--spec', '2025-11-25'], ['node', 'many.mjs']);
      expect(report.results.filter(({ status }) => status !== 'healthy')).toEqual([]);
      expect(report).toMatchObject({ score: 100, incomplete: null, tested: 80 });
    },
    60_000,
  );

  test.runIf(thorough)('a mutation of the reference server is found', async () => {
    const report = await auditOf(
      [],
      ['node', join(root, 'dist/example-server.js'), 'stdio', '--mutation', 'tools/output-schema-conformance'],
    );
    expect(report.results.map(({ status }) => status)).toContain('output-mismatch');
  });
});

describe('the command', () => {
  test('prints a line for each tool, and fails below --min-score alone (A-116, A-122)', async () => {
    const free = await work.run(['audit', '--server', `node ${faulty} "" get_sound get_anything delete_all`]);
    expect(free).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /✓ get_sound +healthy[\s\S]*✗ get_anything +invalid accepted[\s\S]*3 tools, 2 tested: 1 healthy, 1 invalid accepted, 1 skipped\nScore 50\n$/,
      ),
    });
    const held = await work.call([
      'audit',
      '--quiet',
      '--min-score',
      '60',
      '--',
      'node',
      faulty,
      '',
      'get_sound',
      'get_anything',
    ]);
    expect(held).toMatchObject({ code: 1, stderr: expect.stringContaining('score 50 is below 60') });
    expect(held.stdout).not.toContain('get_sound');
    const none = await work.call(['audit', '--min-score', '1', '--', 'node', faulty, '', 'delete_all']);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('no tool was tested') });
  });

  test('--output writes a suite that passes, and replaces nothing unasked (A-124)', async () => {
    const command = ['--', 'node', faulty, '', 'get_sound', 'delete_all'];
    expect(await work.call(['audit', '--output', 'evals', ...command])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('tools.yaml: '),
    });
    const text = work.read('evals/tools.yaml');
    expect(text).toMatch(/name: delete_all answers\n\s+skip: /);
    expect(await work.call(['run', 'evals'])).toMatchObject({ code: 0 });
    const again = await work.call(['audit', '--output', 'evals', ...command]);
    expect(again.code).toBe(2);
    expect(errorOf(again).why).toContain('is there already');
    expect(work.read('evals/tools.yaml')).toBe(text);
  });

  test('a server that cannot be reached, and wrong usage', async () => {
    expect(await work.call(['audit', '--', 'node', '-e', 'process.exit(3)'])).toMatchObject({ code: 3 });
    expect(errorOf(await work.call(['audit', '--server', 'node x', '--', 'node', 'y'])).why).toContain('named twice');
    expect(errorOf(await work.call(['audit', '--url', 'http://127.0.0.1:1/', '--headers', 'nonsense'])).why).toContain(
      'NAME=VALUE',
    );
    work.write('mine.html', 'mine');
    expect((await work.call(['audit', '--html', 'mine.html', '--', 'node', faulty])).code).toBe(2);
    expect(readFileSync(work.path('mine.html'), 'utf8')).toBe('mine');
  });

  test('Ctrl-C gives the report of what was called, and leaves no process', async () => {
    const running = work.start([
      'audit',
      '--timeout',
      '60s',
      '--',
      'node',
      faulty,
      '',
      'get_sound',
      'get_nothing',
      'get_anything',
    ]);
    await running.shows(/get_sound +healthy/);
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => parentOf(pid) === running.pid);
    expect(children.length).toBeGreaterThan(0);
    running.kill('SIGINT');
    expect(await running.ended).toMatchObject({
      code: 130,
      stdout: expect.stringMatching(/Incomplete: interrupted; 2 of 3 tools were not called/),
    });
    await allGone(children);
  });
});

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
