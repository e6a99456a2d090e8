/** `mcpc fleet report` and `mcpc fleet diff` on run directories, made by hand and by real checks. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FleetDiff } from '../../src/core/model/reports/fleet-compare.ts';
import type { FleetReport } from '../../src/core/model/reports/fleet.ts';
import { validateFleetReport } from '../../src/report/fleet/validate-fleet.ts';
import { olderFleet, sampleFleet, writeSampleRun } from '../support/sample-fleet.ts';
import { errorOf, Workspace } from './harness.ts';
import { sound, wrongPing } from './servers.ts';
import { someOf } from '../support/run/some-of.ts';

const space = new Workspace();

beforeAll(() => {
  writeSampleRun(space.path('runs/old'), olderFleet());
  writeSampleRun(space.path('runs/new'), sampleFleet());
});

describe('fleet report', () => {
  test('shows the run against the one before it in the same folder, and its policies', async () => {
    const { code, stdout, stderr } = await space.run(['fleet', 'report', 'runs/new']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^2 OF 9 SERVERS COMPLIANT/);
    expect(stdout).toContain('Since 2026-11-21 05:15:00 UTC  2 regressions, 1 server lost');
    expect(stdout).toMatch(/Broken policies[\s\S]*compliant of prod/);
  });

  test('writes every format where it was asked to, and nothing on stdout beside files', async () => {
    const files = [
      '-f',
      'junit',
      '-o',
      'out/junit.xml',
      '-o',
      'out/mcp.sarif',
      '-o',
      'out/fleet.csv',
      '-f',
      'issue',
      '-o',
      'out/issue.md',
      '-o',
      'out/badge.svg',
      '-o',
      'out/page.html',
    ];
    const { code, stdout, stderr } = await space.call(['fleet', 'report', 'runs/new', ...files]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    for (const name of ['junit.xml', 'mcp.sarif', 'fleet.csv', 'issue.md', 'badge.svg', 'page.html'])
      expect(stderr).toContain(`Wrote out/${name}`);
    expect(space.read('out/junit.xml')).toContain('The server answered 1999-01-01');
    expect(JSON.parse(space.read('out/mcp.sarif'))).toMatchObject({ version: '2.1.0' });
    expect(space.read('out/fleet.csv').trimEnd().split('\r\n')).toHaveLength(10);
    // A page alone leads to no pages beside it.
    expect(space.read('out/page.html')).not.toContain('href="servers/');
  });

  test('html in a folder has a page and badges for each server that has a report', async () => {
    const { code } = await space.call(['fleet', 'report', 'runs/new', '-f', 'html', '-o', 'public']);
    expect(code).toBe(0);
    expect(space.read('public/index.html')).toContain('href="servers/search/index.html#v-tools-list-answered"');
    const page = space.read('public/servers/search/index.html');
    expect(page).toContain('<a class="back" href="../../index.html">All servers</a>');
    expect(page).toContain('id="v-tools-list-answered"');
    expect(JSON.parse(space.read('public/servers/search/badge.json'))).toMatchObject({ schemaVersion: 1 });
    expect(space.has('public/servers/gone/index.html')).toBe(false);
    expect(JSON.parse(space.read('public/servers/gone/badge.json'))).toMatchObject({
      label: 'MCP',
      message: 'unreachable',
      color: 'lightgrey',
      isError: true,
    });
    // The run itself is left as it was.
    expect(space.has('runs/new/index.html')).toBe(false);
  });

  test('--json is the report of the run, --quiet one line', async () => {
    const [json, quiet] = await Promise.all([
      space.call(['fleet', 'report', 'runs/new', '--json']),
      space.call(['fleet', 'report', 'runs/new', '-q']),
    ]);
    expect(validateFleetReport(JSON.parse(json.stdout), 'stdout')).toEqual(
      JSON.parse(space.read('runs/new/fleet.json')),
    );
    expect(quiet.stdout).toMatch(/^MCP fleet 2026-11-22: [^\n]+\n$/);
  });

  test('is made of the journal when the run has not ended', async () => {
    cpSync(space.path('runs/new'), space.path('cut/new'), { recursive: true });
    rmSync(space.path('cut/new/fleet.json'));
    const { servers } = sampleFleet().report;
    const line = (server: object): string =>
      JSON.stringify({ t: '2026-11-22T05:15:30.000Z', event: 'settled', digest: 'x', server });
    writeFileSync(
      space.path('cut/new/journal.jsonl'),
      `${line(servers[0]!)}\n${line(servers[1]!)}\n{"t":"2026-11-22T05:15:31.000Z","event":"sett`,
    );
    const { code, stdout } = await space.call(['fleet', 'report', 'cut/new', '--json']);
    expect(code).toBe(0);
    const report = validateFleetReport(JSON.parse(stdout), 'stdout');
    expect(report.servers.map(({ id }) => id)).toEqual(['billing', 'search']);
    expect(report).toMatchObject({
      incomplete: '7 of 9 servers were not checked: the run has not ended',
      durationMs: 30_000,
    });
  });

  test('takes a fleet.json alone, without the reports', async () => {
    space.write('alone/fleet-copy.json', JSON.parse(space.read('runs/new/fleet.json')) as object);
    const { code, stdout } = await space.call(['fleet', 'report', 'alone/fleet-copy.json', '-f', 'sarif']);
    expect(code).toBe(0);
    expect(stdout).toContain('The report of the server is not in the run directory.');
  });

  test('shows as many earlier runs as asked', async () => {
    const rows = async (runs: string): Promise<number> =>
      (await space.call(['fleet', 'report', 'runs/new', '-f', 'markdown', '--runs', runs])).stdout
        .split('\n')
        .filter((line) => /^\| (?:\*\*)?2026-/.test(line)).length;
    expect(await rows('5')).toBe(2);
    expect(await rows('0')).toBe(0);
  });

  test.each(
    someOf<[string[], RegExp]>(
      [
        [['fleet', 'report', 'nowhere'], /nowhere holds no run of a fleet/],
        [
          ['fleet', 'report', 'spoiled.json'],
          /spoiled\.json is no report of a fleet:\n.*\/servers\/0 must have required property/,
        ],
        [['fleet', 'report', 'runs/new', '-f', 'pdf'], /"pdf" is no report format of a fleet/],
        [['fleet', 'report', 'runs/new', '-f', 'csv', '-f', 'chat'], /Only one format can go to stdout/],
        [['fleet', 'report', 'runs/new', '--since', 'nowhere'], /nowhere holds no run/],
        [['fleet', 'diff', 'runs/new', 'runs/new'], /Both names are those of the same run/],
        [['fleet', 'diff', 'runs/new', 'absent.json'], /absent\.json/],
      ],
      3,
      ([words]) => words.join(' '),
    ),
  )('%j is refused', async (args, why) => {
    space.write('spoiled.json', {
      ...(JSON.parse(space.read('runs/new/fleet.json')) as FleetReport),
      servers: [{ id: 'x' }],
    });
    const outcome = await space.call(args);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why.replace(/\n\s+/g, '\n')).toMatch(why);
  });
});

describe('fleet diff', () => {
  test('ends with 1 on regressions, and with 0 when enough are allowed or none are there', async () => {
    cpSync(space.path('runs/old'), space.path('same'), { recursive: true });
    const [worse, allowed, same] = await Promise.all([
      space.call(['fleet', 'diff', 'runs/old', 'runs/new']),
      space.call(['fleet', 'diff', 'runs/old', 'runs/new', '--max-regressions', '3']),
      space.call(['fleet', 'diff', 'runs/old', 'same/fleet.json']),
    ]);
    expect(worse.code).toBe(1);
    expect(worse.stdout).toContain('✗ tools/list-answered MUST');
    expect(allowed.code).toBe(0);
    expect(same.code).toBe(0);
    expect(same.stdout).toContain('Nothing got worse, and nothing was fixed.');
  });

  test('prints JSON and Markdown', async () => {
    const [json, markdown] = await Promise.all([
      space.call(['fleet', 'diff', 'runs/old', 'runs/new', '--json']),
      space.call(['factory', 'diff', 'runs/old', 'runs/new', '-f', 'markdown']),
    ]);
    expect(JSON.parse(json.stdout) as FleetDiff).toMatchObject({ worse: 3, ruleSetChanged: true });
    expect(markdown.stdout).toMatch(/^## Since 2026-11-21/);
    expect([json.code, markdown.code]).toEqual([1, 1]);
  });
});

test('real runs: a server that was sound breaks, and the dashboard says so', async () => {
  space.write('live/server.mjs', sound);
  space.write('live/other.mjs', sound);
  space.write(
    'live/fleet.yaml',
    `version: 1\ndefaults:\n  spec: 2025-11-25\nservers:\n  changing: { command: node, args: [server.mjs], tags: [prod], owner: us }\n  steady: { command: node, args: [other.mjs] }\n`,
  );
  const check = (out: string) =>
    space.call([
      'fleet',
      'check',
      'live/fleet.yaml',
      '--only-rules',
      'ping',
      '--jobs',
      '1',
      '--out',
      `live/runs/${out}`,
      '--max-regressions',
      '0',
    ]);
  const first = await check('a');
  expect(first.code, first.stderr).toBe(0);
  writeFileSync(space.path('live/server.mjs'), wrongPing);
  const second = await check('b');
  expect(second.code).toBe(1);
  expect(second.stdout).toContain('✗ ping/answer-empty-result MUST');
  for (const run of ['a', 'b']) validateFleetReport(JSON.parse(space.read(`live/runs/${run}/fleet.json`)), run);
  const diff = await space.call(['fleet', 'diff', 'live/runs/a', 'live/runs/b', '--json']);
  expect(JSON.parse(diff.stdout)).toMatchObject({
    worse: 1,
    ruleSetChanged: false,
    regressions: [{ id: 'changing', rule: 'ping/answer-empty-result', before: 'pass', now: 'violation' }],
  });
  const page = readFileSync(space.path('live/runs/b/index.html'), 'utf8');
  expect(page).toContain('href="servers/changing/index.html#v-ping-answer-empty-result"');
  expect(space.read('live/runs/b/servers/changing/index.html')).toContain('id="v-ping-answer-empty-result"');
});
