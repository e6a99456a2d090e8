/** Suites of the servers of a fleet: run after the check, in the run directory, the pages, the comparison and the policies. */
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { beforeAll, expect, test } from 'vitest';
import type { FleetReport } from '../../src/core/model/reports/fleet.ts';
import type { FleetDiff } from '../../src/core/model/reports/fleet-compare.ts';
import { root, Workspace } from '../cli/harness.ts';
import { fleetReportOf } from './run-folder.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();
const changing = join(root, 'test/suite/servers/changing.mjs');
const quick = ['--spec', '2025-11-25', '--only-rules', 'ping'];
const stdio = (more: object, change?: string): object => ({
  command: process.execPath,
  args: [changing, ...(change === undefined ? [] : [change])],
  ...more,
});

beforeAll(() => {
  space.write(
    'evals/own.yaml',
    `version: 1
servers: { nowhere: { command: no-such-program } }
cases:
  - { name: greets, steps: [{ call: greet, with: { name: Ada }, expect: { equals: "Hello, Ada" } }] }
  - { name: tells the weather, steps: [{ call: get_weather, with: { city: Oslo }, expect: { structured: { degrees: 11 } } }] }
  - { name: not today, skip: true, steps: [{ ping: true }] }
`,
  );
  space.write(
    'evals/files.yaml',
    `version: 1
servers: { nowhere: { command: no-such-program } }
cases: [{ name: has its files, steps: [{ ping: true }, { run: [node, -e, "require('node:fs').readFileSync(process.argv[1])", "{{fixture}}/note.txt"] }] }]
`,
  );
  space.write('files/note.txt', 'a note');
  space.write('broken/bad.yaml', 'version: 1\ncases: [{ steps: [{ cal: x }] }]\n');
});

const suiteOf = (report: FleetReport, name: string) => report.servers.find((one) => one.name === name)!.suite;

test.runIf(thorough)(
  'each server is held against its suites, and the run, its pages, policies and the comparison tell',
  async () => {
    const fleet = (change: string | undefined, minPassRate: number): void =>
      void space.write('fleet.json', {
        version: 1,
        defaults: { fixture: 'files' },
        servers: {
          sound: stdio({ suites: ['evals'], tags: ['prod'] }),
          other: stdio({ suites: ['evals/own.yaml'] }, change),
          plain: stdio({}),
          gone: { url: 'http://127.0.0.1:9/mcp', suites: ['evals/own.yaml'] },
          broken: stdio({ suites: ['broken'] }),
        },
        policies: { tags: { prod: { minPassRate } }, minPassRate: 50 },
      });
    fleet(undefined, 100);
    const first = await space.call(['fleet', 'check', 'fleet.json', '--out', 'runs/1', ...quick]);
    expect(first.code, first.stderr).toBe(1);
    const report = fleetReportOf(space.path('runs/1'));
    expect(suiteOf(report, 'sound')).toEqual({
      report: 'servers/sound/suite.json',
      total: 4,
      passed: 3,
      failed: 0,
      skipped: 1,
      undecided: 0,
      flaky: 0,
      passRate: 100,
      failures: [],
      incomplete: null,
    });
    expect([suiteOf(report, 'plain'), suiteOf(report, 'gone')]).toEqual([undefined, null]);
    expect(report.servers.find(({ name }) => name === 'broken')).toMatchObject({
      status: 'error',
      reason: expect.stringMatching(/bad\.yaml:2:\d+: .*"call"/),
      suite: null,
    });
    const validate = new Ajv({ strict: false }).compile(
      JSON.parse(readFileSync(join(root, 'rules/language/fleet-report.schema.json'), 'utf8')) as object,
    );
    expect(validate(JSON.parse(space.read('runs/1/fleet.json'))), JSON.stringify(validate.errors)).toBe(true);
    expect(
      (await space.call(['report', space.path('runs/1/servers/sound/suite.json'), '--no-color'])).stdout,
    ).toContain('4 assertions, 3 passed, 1 skipped');
    expect(first.stdout + first.stderr).toMatch(/Suites[^]*sound\s+3 of 3 passed \(100 %\)/);
    // Whose suites were not run breaks the demand; whose are all passed does not.
    expect(first.stdout + first.stderr).toMatch(/gone .*min-pass-rate .*Its suites were not run/);
    expect(first.stdout + first.stderr).not.toMatch(/sound .*min-pass-rate/);

    fleet('number changed', 100);
    const second = await space.call(['fleet', 'check', 'fleet.json', '--out', 'runs/2', ...quick]);
    expect(suiteOf(fleetReportOf(space.path('runs/2')), 'other')).toMatchObject({
      passed: 1,
      failed: 1,
      passRate: 50,
      failures: ['tells the weather'],
    });
    expect(second.stdout + second.stderr).toMatch(
      /1 case of suites fails now[^]*other\s+100 % → 50 %\s+fails now: tells the weather/,
    );
    expect(space.read('runs/2/index.html')).toMatch(/<h3>Suites<\/h3>[^]*tells the weather[^]*id="suites-title"/);
    const diff = await space.call(['fleet', 'diff', 'runs/1', 'runs/2', '--json']);
    expect(diff.code).toBe(1);
    expect((JSON.parse(diff.stdout) as FleetDiff).suites).toEqual([
      { id: 'other', name: 'other', failing: ['tells the weather'], mended: [], from: 100, to: 50 },
    ]);
    expect((await space.call(['fleet', 'diff', 'runs/2', 'runs/1', '--format', 'markdown'])).stdout).toMatch(
      /### Suites\n\n- \*\*other\*\*: 50 % → 100 %; passes now: tells the weather/,
    );

    // What nothing changed is taken over, its suites too; a suite that changed is run again.
    space.write('evals/files.yaml', space.read('evals/files.yaml').replace('has its files', 'has its own files'));
    const third = await space.call([
      'fleet',
      'check',
      'fleet.json',
      '--out',
      'runs/3',
      '--changed-since',
      'runs/2',
      ...quick,
    ]);
    expect([0, 1], third.stderr).toContain(third.code);
    const again = fleetReportOf(space.path('runs/3')).servers;
    expect(again.find(({ name }) => name === 'sound')!.carriedFrom).toBeUndefined();
    expect(again.find(({ name }) => name === 'other')).toMatchObject({ carriedFrom: '2', suite: { failed: 1 } });
    expect(space.has('runs/3/servers/other/suite.json')).toBe(true);
  },
  300_000,
);
