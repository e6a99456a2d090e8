/** `fleet check --profile`: the quick look before a run, what its reports say, how it is resumed, and that it is compared with no whole run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usualHistory, previousRun, readFleetHistory } from '../../src/fleet/run/history.ts';
import type { FleetReport } from '../../src/core/model/reports/fleet.ts';
import { decodeVerdict } from '../../src/core/model/reports/verdict-codes.ts';
import { fleetFormats } from '../../src/report/fleet/render.ts';
import { validateFleetReport } from '../../src/report/fleet/validate-fleet.ts';
import { errorOf, exampleServer, root, Workspace } from '../cli/harness.ts';
import { silent, sound } from '../cli/servers.ts';
import { launchBrowser } from '../support/browser.ts';
import { olderFleet, sampleFleet, writeSampleRun } from '../support/sample-fleet.ts';
import { watchPages } from '../support/watched-pages.ts';
import { fleetReportOf, journalOf, processesWith, repeated, until } from './run-folder.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();
const rules = ['--spec', '2025-11-25', '--only-rules', 'ping,errors,tools'];
const npm = (name: string): string => path.join(root, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');
const dead = (name: string): object => ({ url: `http://127.0.0.1:9/${name}` });

function fleet(name: string, servers: Record<string, object>): string {
  space.write(name, { version: 1, servers });
  return name;
}

function verdictOf(report: FleetReport, id: string, rule: string): string {
  const place = report.rules.findIndex((one) => one.id === rule);
  return decodeVerdict(report.servers.find((server) => server.id === id)?.verdicts?.[place]).state;
}

describe.runIf(thorough)('a quick look before the whole run', { timeout: 400_000 }, () => {
  let told = '';

  beforeAll(async () => {
    fleet('small.json', {
      memory: {
        command: process.execPath,
        args: [npm('server-memory')],
        env: { MEMORY_FILE_PATH: space.path('memory.jsonl') },
      },
      thinking: { command: process.execPath, args: [npm('server-sequential-thinking')] },
      reference: {
        command: process.execPath,
        args: [exampleServer, 'http', '--port', '{{port}}'],
        url: 'http://127.0.0.1:{{port}}/mcp',
      },
    });
    const { code, stdout, stderr } = await space.run([
      'fleet',
      'check',
      'small.json',
      '--out',
      'small',
      '--profile',
      'quick,full',
      ...rules,
    ]);
    expect(code, stderr).toBe(
      fleetReportOf(space.path('small')).servers.every(({ compliant }) => compliant === true) ? 0 : 1,
    );
    told = stderr + stdout;
  });

  test('goes over all servers before the first is asked for more', () => {
    expect(told.match(/Checking 3 servers/g)).toHaveLength(2);
    const look = told.indexOf('Quick look: 3 of 3 servers checked');
    expect(told.indexOf('[3/3]')).toBeLessThan(look);
    expect(look).toBeLessThan(told.lastIndexOf('Checking 3 servers'));
    expect(told).toContain(path.join('small', 'quick', 'index.html'));
    const [quick, whole] = ['small/quick', 'small'].map((run) => journalOf(space.path(run)));
    expect(quick!.at(-1)!.t <= whole![0]!.t).toBe(true);
    expect(repeated(whole!)).toEqual([]);
  });

  test('has reports and a digest of its own, and decides less', () => {
    const [quick, whole] = ['small/quick', 'small'].map((run) =>
      validateFleetReport(fleetReportOf(space.path(run)), run),
    ) as [FleetReport, FleetReport];
    expect(quick.ruleSet).toEqual({ ...whole.ruleSet, digest: `${whole.ruleSet.digest}-quick`, profile: 'quick' });
    expect(whole.ruleSet).not.toHaveProperty('profile');
    for (const id of ['memory', 'thinking', 'reference']) {
      expect(quick.servers.find((server) => server.id === id)).toMatchObject({ status: 'checked', reason: null });
      expect(verdictOf(quick, id, 'errors/code-parse-error')).toBe('not-exercised');
    }
    expect(verdictOf(whole, 'reference', 'errors/code-parse-error')).toBe('pass');
    expect(verdictOf(quick, 'reference', 'ping/answer-empty-result')).toBe('pass');
  });

  test.each(fleetFormats.filter((format) => !['junit', 'badge-svg'].includes(format)))(
    'is named in %s, the whole run is not',
    async (format) => {
      const [quick, whole] = await Promise.all(
        ['small/quick', 'small'].map((run) => space.call(['fleet', 'report', run, '-f', format])),
      );
      const words =
        format === 'json' || format === 'sarif'
          ? /"profile":\s*"quick"/
          : format === 'csv'
            ? /,quick,\d+\r\n/
            : format === 'badge-json'
              ? /MCP fleet, quick/
              : /quick profile/;
      expect(quick!.stdout).toMatch(words);
      expect(whole!.stdout).not.toMatch(words);
    },
  );

  test('has badges of its own', () => {
    expect(JSON.parse(space.read('small/quick/servers/memory/badge.json'))).toMatchObject({
      label: 'MCP 2025-11-25, quick',
    });
    expect(JSON.parse(space.read('small/quick/badge.json'))).toMatchObject({ label: 'MCP fleet, quick' });
    expect(JSON.parse(space.read('small/servers/memory/badge.json'))).toMatchObject({ label: 'MCP 2025-11-25' });
  });

  test('is compared with no whole run', async () => {
    expect(errorOf(await space.call(['fleet', 'diff', 'small/quick', 'small']))).toMatchObject({
      why: 'Runs of different profiles do not compare: the older one asked for quick, the newer one for full.',
    });
    expect(errorOf(await space.call(['fleet', 'report', 'small', '--since', 'small/quick']))).toMatchObject({
      why: expect.stringContaining('different profiles'),
    });
    expect(
      errorOf(
        await space.call(['fleet', 'check', 'small.json', '--out', 'later', '--profile', 'quick', '--since', 'small']),
      ),
    ).toMatchObject({ why: expect.stringContaining('asked for full, the newer one for quick') });
    expect(errorOf(await space.call(['fleet', 'merge', 'small', 'small/quick', '--out', 'merged']))).toMatchObject({
      why: expect.stringContaining('the profile (full and quick)'),
    });
    expect(space.has('later')).toBe(false);
  });

  test('its results stand for the next quick look, those of the whole run for the next whole run', async () => {
    const { code, stderr } = await space.call([
      'fleet',
      'check',
      'small.json',
      '--out',
      'next',
      '--profile',
      'quick,full',
      '--changed-since',
      'small',
      '--no-dashboard',
      ...rules,
    ]);
    expect(code, stderr).toBeLessThan(2);
    for (const run of ['next/quick', 'next'])
      expect(fleetReportOf(space.path(run)).servers.map(({ carriedFrom }) => carriedFrom)).toEqual(
        Array(3).fill(run === 'next' ? 'small' : 'quick'),
      );
    const other = await space.call([
      'fleet',
      'check',
      'small.json',
      '--only',
      'memory',
      '--out',
      'other',
      '--profile',
      'quick',
      '--changed-since',
      'small',
      '--no-dashboard',
      ...rules,
    ]);
    expect(other.stderr).toContain(
      'Every server is checked: the run in small was judged by other rules (the profile (full and quick)).',
    );
  });

  describe('in a browser', () => {
    let browser: Browser;
    const watched = watchPages(() => browser, { width: 1400, height: 900 }, 60_000);
    beforeAll(async () => {
      browser = await launchBrowser();
    });
    afterAll(async () => {
      await watched.closeAll();
      await browser?.close();
    });

    test('the dashboard says how little was asked, and leads to pages that say so too', async () => {
      const page = await watched.open(pathToFileURL(space.path('small/quick/index.html')).href);
      expect(await page.locator('#profile').textContent()).toContain('Of the quick profile');
      expect(await page.locator('#rows .server').allTextContents()).toHaveLength(3);
      await page.locator('#rows').getByRole('link', { name: 'reference' }).first().click();
      await page.getByText('quick profile').first().waitFor();
      const whole = await watched.open(pathToFileURL(space.path('small/index.html')).href);
      expect(await whole.locator('#profile').count()).toBe(0);
      expect(watched.heard().filter((line) => !line.startsWith('request file:'))).toEqual([]);
    });
  });
});

test.runIf(thorough)(
  'what was interrupted in the quick look is resumed there, without naming the run',
  { timeout: 240_000 },
  async () => {
    const own = new Workspace();
    own.write('sound.mjs', sound);
    own.write('silent.mjs', silent);
    const servers = (timeouts?: object): object => ({
      version: 1,
      servers: {
        one: { command: process.execPath, args: [own.path('sound.mjs')] },
        stuck: {
          command: process.execPath,
          args: [own.path('silent.mjs')],
          ...(timeouts === undefined ? {} : { timeouts }),
        },
      },
    });
    const line = [
      'fleet',
      'check',
      'fleet.json',
      '--profile',
      'quick,full',
      '--spec',
      '2025-11-25',
      '--only-rules',
      'ping,errors',
    ];
    own.write('fleet.json', servers());
    const run = own.start(line);
    await run.shows('[1/2] one: ');
    await until(() => processesWith(own.path('silent.mjs')).length > 0);
    run.kill('SIGINT');
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(130);
    expect(stderr).toMatch(/Interrupted; what was settled is in mcpc-fleet\/\S+\. Go on with --resume\.\n/);
    expect(stderr).not.toContain('Quick look');
    const directory = own.path(/is in (mcpc-fleet\/\S+)\. Go on/.exec(stderr)![1]!);
    expect(fleetReportOf(path.join(directory, 'quick'))).toMatchObject({
      incomplete: '1 of 2 servers was not checked: interrupted',
      servers: [{ name: 'one' }],
    });
    expect(journalOf(directory)).toEqual([]);

    // With other entries it is refused before anything is asked.
    own.write('fleet.json', servers({ check: '1s' }));
    expect(errorOf(await own.call([...line, '--resume']))).toMatchObject({
      why: expect.stringContaining('was begun with other entries of stuck'),
    });
    const again = await own.run([...line, '--resume', '--recheck-changed']);
    expect(again.code, again.stderr).toBe(1);
    expect(again.stderr).toContain('Quick look: 1 of 2 servers checked');
    for (const [place, profile] of [
      [path.join(directory, 'quick'), 'quick'],
      [directory, undefined],
    ] as const) {
      const report = fleetReportOf(place);
      expect(report).toMatchObject({
        incomplete: null,
        servers: [
          { name: 'one', status: 'checked' },
          { name: 'stuck', status: 'timeout' },
        ],
      });
      expect(report.ruleSet.profile).toBe(profile);
      expect(repeated(journalOf(place))).toEqual([]);
    }
  },
);

describe('resuming', () => {
  const check = (out: string, ...more: string[]): string[] => [
    'fleet',
    'check',
    'dead.json',
    '--out',
    out,
    '--no-dashboard',
    '--only-rules',
    'ping',
    ...more,
  ];

  beforeAll(() => void fleet('dead.json', { one: dead('one') }));

  test('with another profile is refused', async () => {
    for (const [out, profile] of [
      ['whole', 'full'],
      ['looked', 'quick'],
    ] as const)
      expect((await space.call(check(out, '--profile', profile))).code).toBe(3);
    expect(errorOf(await space.call(check('whole', '--resume', '--profile', 'quick')))).toMatchObject({
      why: 'The run in whole was begun differently: the profile (full and quick).',
      fix: expect.stringContaining('begin a new run'),
    });
    for (const profile of ['full', 'quick,full']) {
      expect(errorOf(await space.call(check('looked', '--resume', '--profile', profile)))).toMatchObject({
        why: 'The run in looked was begun differently: the profile (quick and full).',
      });
    }
    expect((await space.call(check('looked', '--resume', '--profile', 'quick'))).code).toBe(3);
  });

  test('a run that was begun without a quick look goes on without one, and one with it may go on without it', async () => {
    expect((await space.call(check('plain'))).code).toBe(3);
    expect((await space.call(check('plain', '--resume', '--profile', 'quick,full'))).code).toBe(3);
    expect(space.has('plain/quick')).toBe(false);
    expect((await space.call(check('both', '--profile', 'quick,full'))).code).toBe(3);
    const looked = space.read('both/quick/fleet.json');
    expect((await space.call(check('both', '--resume'))).code).toBe(3);
    expect((await space.call(check('both', '--resume', '--profile', 'quick,full'))).code).toBe(3);
    expect(space.read('both/quick/fleet.json')).toBe(looked);
  });

  test('a folder that holds a run is refused before anything is asked', async () => {
    expect((await space.call(check('taken'))).code).toBe(3);
    expect(errorOf(await space.call(check('taken', '--profile', 'quick,full')))).toMatchObject({
      why: 'taken holds a run already.',
    });
    expect(space.has('taken/quick')).toBe(false);
  });
});

test('trends and comparisons with the run before pass over other profiles', () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'mcpc-profiles-'));
  try {
    const run = (name: string, startedAt: string, profile?: 'quick'): string => {
      const { report, reports } = name === 'now' ? sampleFleet() : olderFleet();
      writeSampleRun(path.join(parent, name), {
        reports,
        report: { ...report, startedAt, ruleSet: { ...report.ruleSet, ...(profile === undefined ? {} : { profile }) } },
      });
      return path.join(parent, name);
    };
    run('whole', '2026-11-19T05:15:00.000Z');
    run('looked', '2026-11-20T05:15:00.000Z', 'quick');
    const look = run('look', '2026-11-21T05:15:00.000Z', 'quick');
    const now = run('now', '2026-11-22T05:15:00.000Z');
    expect(readFleetHistory(now, usualHistory).map(({ name }) => name)).toEqual(['whole']);
    expect(previousRun(now)?.dir).toBe(path.join(parent, 'whole'));
    expect(readFleetHistory(look, usualHistory).map(({ name }) => name)).toEqual(['looked']);
    expect(previousRun(look)?.dir).toBe(path.join(parent, 'looked'));
  } finally {
    rmSync(parent, { recursive: true });
  }
});
