/** Servers that are checked by several revisions: a line for each that they speak, from the file to the comparison of two runs. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { diffFleet } from '../../src/fleet/compare/diff.ts';
import { fleetReport } from '../../src/fleet/compare/fleet-report.ts';
import { respecified } from '../../src/check/fleet-file/entry-revisions.ts';
import { parseFleetFile } from '../../src/check/fleet-file/read-file.ts';
import { selectEntries } from '../../src/check/fleet-file/select-entries.ts';
import type { FleetReport, FleetRunHeader, FleetServer } from '../../src/core/model/reports/fleet.ts';
import { serverViews } from '../../src/report/fleet/server-view.ts';
import { trendsView } from '../../src/report/fleet/trends-view.ts';
import { exampleServer, Workspace } from '../cli/harness.ts';
import { sampleFleet } from '../support/sample-fleet.ts';
import { fleetReportOf, journalOf } from './run-folder.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();
const older = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

test('the file: an entry for each revision, named by it, with the files of the server', () => {
  const fleet = parseFleetFile(
    'version: 1\ndefaults: { spec: each, baseline: "b/{{id}}.json" }\nservers:\n  a: { command: x, tags: [prod] }\n  b: { url: "http://127.0.0.1:9/sse", transport: sse }\n  c: { command: x, spec: [2025-06-18, 2026-07-28] }\n  d: { command: x, spec: auto }\n',
    'f.yaml',
  );
  const of = (list: typeof fleet.entries): string[] => list.map(({ id }) => id);
  expect(of(fleet.entries)).toEqual([
    'a@2026-07-28',
    ...older.map((one) => `a@${one}`),
    ...older.map((one) => `b@${one}`),
    'c@2025-06-18',
    'c@2026-07-28',
    'd',
  ]);
  expect(fleet.entries[0]).toMatchObject({
    name: 'a@2026-07-28',
    spec: '2026-07-28',
    base: { id: 'a', name: 'a', revisions: 5 },
  });
  expect(new Set(fleet.entries.map(({ baseline }) => baseline)).size).toBe(1);
  const pick = (only: string[], shard?: string): string[] =>
    of(selectEntries(fleet, { only, skip: [], ...(shard === undefined ? {} : { shard }) }));
  expect(pick(['spec:2026-07-28'])).toEqual(['a@2026-07-28', 'c@2026-07-28']);
  expect(pick(['spec:auto', 'c'])).toEqual(['c@2025-06-18', 'c@2026-07-28', 'd']);
  expect(pick(['a@2025*'])).toEqual(['a@2025-11-25', 'a@2025-06-18', 'a@2025-03-26']);
  // The revisions of one server are in one share.
  expect([pick([], '1/2'), pick([], '2/2')].map((ids) => [...new Set(ids.map((id) => id.split('@')[0]))])).toEqual([
    ['a', 'c'],
    ['b', 'd'],
  ]);
  // --spec goes before the file.
  expect(of(respecified(fleet.entries, 'auto'))).toEqual(['a', 'b', 'c', 'd']);
  expect(of(respecified(fleet.entries, ['2025-11-25']))).toEqual([
    'a@2025-11-25',
    'b@2025-11-25',
    'c@2025-11-25',
    'd@2025-11-25',
  ]);
  expect(() =>
    parseFleetFile('version: 1\nservers:\n  a: { command: x, spec: each }\n  a@2025-11-25: { command: x }\n', 'f.yaml'),
  ).toThrow(/server "a" is checked as a@2025-11-25 too/);
});

test('a server that speaks none of its revisions could not be reached; one that speaks some is none the worse for the others', () => {
  const line = sampleFleet().report.servers.find(({ status }) => status === 'checked')!;
  const of = (id: string, revision: string, spoken: boolean): FleetServer => ({
    ...line,
    id: `${id}@${revision}`,
    name: `${id}@${revision}`,
    base: { id, name: id, revisions: 2 },
    revision,
    ...(spoken
      ? {}
      : { unspoken: true as const, reason: 'initialize is not answered', verdicts: null, compliant: null }),
  });
  const lines = [
    of('some', '2026-07-28', false),
    of('some', '2025-11-25', true),
    of('none', '2026-07-28', false),
    of('none', '2025-11-25', false),
  ];
  const report = fleetReport(
    { servers: lines } as unknown as FleetRunHeader,
    new Map(lines.map((one) => [one.id, one])),
    { durationMs: 1 },
  );
  expect(report.servers.map(({ id, status }) => [id, status])).toEqual([
    ['some@2025-11-25', 'checked'],
    ['none', 'unreachable'],
  ]);
  expect(report.servers[1]!.reason).toBe(
    'the server speaks none of the revisions that it was asked for: MCP 2026-07-28: initialize is not answered; MCP 2025-11-25: initialize is not answered',
  );
  expect(report.unspoken!.map(({ id, server }) => [id, server])).toEqual([
    ['some@2026-07-28', 'some'],
    ['none@2026-07-28', 'none'],
    ['none@2025-11-25', 'none'],
  ]);
  expect(report.incomplete).toBeNull();
  // Not all of them were asked for.
  expect(
    fleetReport({ servers: lines.slice(2, 3) } as unknown as FleetRunHeader, new Map([[lines[2]!.id, lines[2]!]]), {
      durationMs: 1,
    }).servers,
  ).toEqual([]);
});

test('only equal revisions are compared: in the difference of two runs, in trends and in ranks', () => {
  const { report } = sampleFleet();
  const broken = report.servers.find(({ failures }) => failures.length > 0)!;
  const sound = {
    ...broken,
    failures: [],
    verdicts: 'p'.repeat(report.rules.length),
    score: 100,
    revision: '2025-11-25',
  };
  const run = (...servers: FleetServer[]): FleetReport => ({ ...report, servers });
  const gained = diffFleet(run(sound), run({ ...broken, revision: '2026-07-28' }));
  expect(gained).toMatchObject({
    regressions: [],
    scores: [],
    worse: 0,
    revisionChanges: [{ id: broken.id, from: '2025-11-25', to: '2026-07-28' }],
    added: [],
    removed: [],
  });
  // The same two with equal revisions: the failures are regressions.
  const same = { ...broken, revision: '2025-11-25' };
  expect(diffFleet(run(sound), run(same)).regressions.length).toBe(broken.failures.length);
  // A line that became two goes on as that of its revision.
  const asTwo = (revision: string): FleetServer => ({
    ...broken,
    revision,
    id: `${broken.id}@${revision}`,
    name: `${broken.name}@${revision}`,
    base: { id: broken.id, name: broken.name, revisions: 2 },
  });
  const split = diffFleet(run(sound), run(asTwo('2026-07-28'), asTwo('2025-11-25')));
  expect(new Set(split.regressions.map(({ id }) => id))).toEqual(new Set([`${broken.id}@2025-11-25`]));
  expect([split.added.map(({ id }) => id), split.removed, split.renamed]).toEqual([
    [`${broken.id}@2026-07-28`],
    [],
    [],
  ]);

  const past = {
    name: 'before',
    startedAt: '',
    ruleSet: '',
    incomplete: false,
    servers: {
      [broken.id]: { status: 'checked' as const, score: 100, grade: 'A', compliant: true, revision: '2025-11-25' },
    },
  };
  const views = serverViews(
    [asTwo('2026-07-28'), { ...asTwo('2025-11-25'), score: 50 }, { ...sound, id: 'other' }],
    [past, past],
    false,
  );
  expect(views.map(({ spark }) => spark === null)).toEqual([true, false, true]);
  expect(views.map(({ rank }) => rank)).toEqual([1, 2, 1]);

  // The figures of whole runs count lines; where these are of other revisions than before, the trend says so.
  const changes = (now: FleetReport): boolean => trendsView(now, [past])!.runs[0]!.revisionsChanged;
  expect([
    changes(run(same)),
    changes(run(asTwo('2025-11-25'))),
    changes(run(asTwo('2026-07-28'))),
    changes(run(asTwo('2026-07-28'), asTwo('2025-11-25'))),
    changes(run({ ...same, id: 'other' })),
  ]).toEqual([false, false, true, true, false]);
});

test.runIf(thorough)('a run: scorecards by server and revision, resumed and joined by both', async () => {
  const server = space.path('run-server.mjs');
  copyFileSync(exampleServer, server);
  const speaks = (revisions: string, ...more: string[]): object => ({
    command: process.execPath,
    args: [server, 'stdio', '--revisions', revisions, ...more],
  });
  space.write('fleet.json', {
    version: 1,
    defaults: { spec: 'each' },
    servers: {
      both: speaks('2025-11-25,2026-07-28', '--mutation', 'ping/answer-empty-result'),
      old: speaks('2025-06-18'),
    },
  });
  const check = (out: string, ...more: string[]): string[] => [
    'fleet',
    'check',
    'fleet.json',
    '--out',
    out,
    '--only-rules',
    'ping,discover',
    '--jobs',
    '3',
    ...more,
  ];
  const first = await space.call(check('run', '--no-dashboard'));
  expect(first.code, first.stderr).toBe(1);
  expect(first.stderr).toMatch(/both@2025-06-18: not spoken; initialize is answered with "2025-11-25"/);
  const report = fleetReportOf(space.path('run'));
  expect(report.servers.map(({ id, revision, compliant }) => [id, revision, compliant])).toEqual([
    ['both@2026-07-28', '2026-07-28', true],
    ['both@2025-11-25', '2025-11-25', false],
    ['old@2025-06-18', '2025-06-18', true],
  ]);
  expect(report.unspoken!.map(({ id }) => id)).toEqual([
    'both@2025-06-18',
    'both@2025-03-26',
    'both@2024-11-05',
    'old@2026-07-28',
    'old@2025-11-25',
    'old@2025-03-26',
    'old@2024-11-05',
  ]);
  expect(first.stdout).toMatch(/Not spoken, and not checked\n {2}both: MCP 2025-06-18, 2025-03-26, 2024-11-05\n/);

  // Cut off before one revision of one server was settled: only that one is asked again.
  const journal = space.path('run/journal.jsonl');
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  writeFileSync(
    journal,
    `${lines.filter((line) => !line.includes('"event":"settled"') || !line.includes('"id":"both@2025-11-25"')).join('\n')}\n`,
  );
  const before = journalOf(space.path('run')).length;
  const again = await space.call(check('run', '--resume'));
  expect(again.code, again.stderr).toBe(1);
  expect(
    journalOf(space.path('run'))
      .slice(before)
      .map((event) => (event.event === 'begun' ? event.id : event.server.id)),
  ).toEqual(['both@2025-11-25', 'both@2025-11-25']);
  expect(fleetReportOf(space.path('run')).servers.map(({ id }) => id)).toEqual(report.servers.map(({ id }) => id));
  expect(space.read('run/index.html')).toContain('old: MCP 2026-07-28, 2025-11-25, 2025-03-26, 2024-11-05');
  expect(space.read('run/servers/both@2025-11-25/index.html')).toContain('ping/answer-empty-result');

  // One column of the fleet, and what it is joined to; what is not spoken there is no failure.
  const modern = await space.call(check('modern', '--no-dashboard', '--only', 'spec:2026-07-28'));
  expect(modern.code, modern.stderr).toBe(0);
  expect(fleetReportOf(space.path('modern'))).toMatchObject({
    servers: [{ id: 'both@2026-07-28' }],
    unspoken: [{ id: 'old@2026-07-28' }],
  });
  const merged = await space.call(['fleet', 'merge', 'run', 'modern', '--out', 'merged', '--no-dashboard']);
  expect(merged.code, merged.stderr).toBe(1);
  expect(fleetReportOf(space.path('merged')).servers.map(({ id }) => id)).toEqual(report.servers.map(({ id }) => id));
  expect(fleetReportOf(space.path('merged')).unspoken).toEqual(report.unspoken);
});
