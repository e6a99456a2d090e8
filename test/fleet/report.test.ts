/** Each machine format of a fleet is read by a parser that did not write it; names of servers break out of none. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { Log } from 'sarif';
import { describe, expect, it } from 'vitest';
import schema from '../../rules/language/fleet-report.schema.json' with { type: 'json' };
import { summarise } from '../../src/fleet/run/summary.ts';
import type { FleetReport, FleetServer } from '../../src/core/model/reports/fleet.ts';
import { renderBadge, serverBadge } from '../../src/report/fleet/badges.ts';
import { csvCell } from '../../src/report/fleet/csv.ts';
import {
  fleetFormat,
  fleetFormats,
  renderFleet,
  type FleetFormat,
  type FleetMaterial,
  type FleetRenderOptions,
} from '../../src/report/fleet/render.ts';
import { sparkOf } from '../../src/report/fleet/spark.ts';
import { standInReport } from '../../src/report/fleet/stand-in.ts';
import { validateFleetReport } from '../../src/report/fleet/validate-fleet.ts';
import { renderReport } from '../../src/report/parts/render.ts';
import { largeFleet, sampleFleet, sampleMaterial } from '../support/sample-fleet.ts';
import { hostile } from '../support/sample-report.ts';

const text = (
  format: FleetFormat,
  material: FleetMaterial = sampleMaterial(),
  options: FleetRenderOptions = { color: false },
): string => [...renderFleet(material, format, options)].join('');
const withServers = (change: (servers: FleetServer[]) => FleetServer[]): FleetMaterial => {
  const material = sampleMaterial();
  return { ...material, report: { ...material.report, servers: change(material.report.servers) } };
};
const empty = (): FleetMaterial => ({
  ...sampleMaterial(),
  report: { ...sampleFleet().report, servers: [] },
  diff: null,
  history: [],
  policies: null,
});

describe('csv', () => {
  /** RFC 4180, by hand: no reader of ours is used to write. */
  const parse = (csv: string): string[][] =>
    csv
      .trimEnd()
      .split('\r\n')
      .map((line) =>
        [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, bare]) =>
          quoted === undefined ? bare! : quoted.replaceAll('""', '"'),
        ),
      );

  it('is one line for each server, as wide as its head', () => {
    const lines = parse(text('csv'));
    expect(lines).toHaveLength(10);
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
    const column = lines[0]!.indexOf('score');
    expect(lines.slice(1).map((line) => line[column])).toEqual(
      sampleFleet().report.servers.map(({ score }) => (score === null ? '' : String(score))),
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '"=1', '|calc', '%0A=1', '＝1+1', "'=1"])(
    'takes %j for no formula',
    (cell) => {
      expect(parse(`${csvCell(cell)}\r\n`)).toEqual([[`'${cell.trim()}`]]);
    },
  );

  it('leaves numbers numbers, and words words', () => {
    expect([csvCell(-1.5), csvCell(0), csvCell(null), csvCell('a-b'), csvCell('a,b'), csvCell('a\nb')]).toEqual([
      '-1.5',
      '0',
      '',
      'a-b',
      '"a,b"',
      'a b',
    ]);
  });
});

describe('junit', () => {
  interface Case {
    name: string;
    classname: string;
    failure?: { message: string };
    error?: { message: string };
    skipped?: { message: string };
  }
  interface Suite {
    name: string;
    tests: string;
    failures: string;
    errors: string;
    skipped: string;
    testcase: Case[];
  }
  const xml = text('junit');
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseAttributeValue: false,
    htmlEntities: true,
    isArray: (name) => name === 'testsuite' || name === 'testcase',
  });
  const suites = (parser.parse(xml) as { testsuites: { testsuite: Suite[] } }).testsuites.testsuite;
  const suite = (name: string): Suite => suites.find((one) => one.name === name)!;

  it('is a well-formed suite for each server, whose sums add up', () => {
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(suites).toHaveLength(9);
    for (const one of suites) {
      expect(Number(one.tests)).toBe(one.testcase.length);
      expect(Number(one.failures)).toBe(one.testcase.filter((item) => item.failure !== undefined).length);
      expect(Number(one.errors)).toBe(one.testcase.filter((item) => item.error !== undefined).length);
      expect(Number(one.skipped)).toBe(one.testcase.filter((item) => item.skipped !== undefined).length);
    }
  });

  it('is red for violations and for servers without a verdict', () => {
    expect(suite('search')).toMatchObject({ failures: '2', errors: '0' });
    expect(suite('legacy')).toMatchObject({ failures: '0', errors: '0' });
    expect(suite('gone').testcase).toMatchObject([
      {
        name: 'check',
        error: {
          message: expect.stringContaining('Could not be reached: The server did not answer within 10 s. <script>'),
        },
      },
    ]);
    expect(suite('mail').testcase.find(({ name }) => name === 'tools/unknown-name-refused')?.skipped?.message).toMatch(
      /^Warning/,
    );
  });

  it('tells what is known when a report was taken away', () => {
    const bare = text('junit', { ...sampleMaterial(), reportOf: () => null });
    expect(XMLValidator.validate(bare)).toBe(true);
    expect(bare).toContain('The report of the server is not in the run directory.');
    const own = parser.parse(bare) as { testsuites: { testsuite: Suite[] } };
    expect(own.testsuites.testsuite.map(({ failures }) => failures)).toEqual(suites.map(({ failures }) => failures));
  });
});

describe('sarif', () => {
  const run = (JSON.parse(text('sarif')) as Log).runs[0]!;

  it('is one run with the failures of all servers', () => {
    const failures = sampleFleet().report.servers.flatMap(({ id, failures: own }) =>
      own.map(({ rule }) => `${id}:${rule}`),
    );
    expect(run.results!.map((result) => result.partialFingerprints!['mcpcServerRule/v1']).sort()).toEqual(
      failures.sort(),
    );
    for (const result of run.results!) {
      expect(run.tool.driver.rules![result.ruleIndex!]!.id).toBe(result.ruleId);
      expect(result.locations![0]!.physicalLocation!.artifactLocation!.uri).toMatch(
        /^(?:dist\/server\.js|servers\/[\w-]+\/trace\.jsonl)$/,
      );
      expect(result.message.text!.replaceAll('{{', '').replaceAll('}}', '')).not.toMatch(/[{}]/);
    }
    expect(new Set(run.tool.driver.rules!.map(({ id }) => id)).size).toBe(run.tool.driver.rules!.length);
    expect(run.results!.filter((result) => result.suppressions).map((result) => result.ruleId)).toEqual([
      'stdio/stdout-messages-only',
      'stdio/stdout-messages-only',
      'stdio/stdout-messages-only',
    ]);
  });

  it('notes servers without a verdict, and what mcpc could not judge', () => {
    const notes = run.invocations![0]!.toolExecutionNotifications!;
    expect(run.invocations![0]!.executionSuccessful).toBe(false);
    expect(
      notes.filter((note) => note.associatedRule === undefined).map((note) => note.message.text!.split(':')[0]),
    ).toEqual(['gone', 'slow', 'uninstalled']);
    expect(notes.filter((note) => note.associatedRule !== undefined).map((note) => note.associatedRule!.id)).toEqual([
      'errors/code-is-integer',
    ]);
  });

  it('is valid without any server', () => {
    const none = (JSON.parse(text('sarif', empty())) as Log).runs[0]!;
    expect(none).toMatchObject({
      results: [],
      tool: { driver: { rules: [] } },
      invocations: [{ executionSuccessful: true }],
    });
  });
});

describe('json', () => {
  it('reads back as the same report, and fits the schema', () => {
    const report = JSON.parse(text('json')) as FleetReport;
    expect(validateFleetReport(report, 'x')).toEqual(JSON.parse(JSON.stringify(sampleFleet().report)));
    expect(validateFleetReport(largeFleet(20, 30), 'x').servers).toHaveLength(20);
  });

  it.each(schema.definitions.server.required)('needs %s of a server', (name) => {
    const report = JSON.parse(text('json')) as { servers: Record<string, unknown>[] };
    delete report.servers[1]![name];
    expect(() => validateFleetReport(report, 'x.json')).toThrow(
      new RegExp(`x\\.json is no report of a fleet.*/servers/1 .*'${name}'`, 's'),
    );
  });

  it.each<[string, Partial<FleetServer>]>([
    ['an id that leaves its folder', { id: '../x' }],
    ['a report elsewhere', { report: '../../etc/passwd' }],
    ['an unknown status', { status: 'gone' as never }],
    ['letters that are none', { verdicts: 'pppqpppppppppp' }],
    ['too few letters', { verdicts: 'p' }],
  ])('may not have %s', (_what, more) => {
    const report = JSON.parse(text('json')) as FleetReport;
    Object.assign(report.servers[0]!, more);
    expect(() => validateFleetReport(report, 'x.json')).toThrow(/x\.json is no report of a fleet/);
  });
});

describe('chat', () => {
  it('is one line that mentions nobody and links nowhere', () => {
    const material = sampleMaterial();
    const names = ['<!channel> @here', '[x](http://evil.example)', '*bold*\n/command', 'x'.repeat(500)];
    const diff = {
      ...material.diff!,
      lost: names.map((name, index) => ({
        id: `s${index}`,
        name,
        from: 'checked' as const,
        to: 'error' as const,
        reason: null,
      })),
      regressions: [],
      worse: 4,
    };
    const line = text('chat', { ...material, diff });
    expect(line.trimEnd().split('\n')).toHaveLength(1);
    expect(line).toMatch(
      /^MCP fleet 2026-11-22: 2 of 9 servers compliant · mean score [\d.]+ · 4 regressions \(.* and 1 more\)/,
    );
    expect(line).not.toMatch(/[<>@*`[\]]|:\/\/|\n./);
    expect(line.length).toBeLessThan(400);
  });
});

describe('any format', () => {
  it.each(fleetFormats)('%s shows no control, no reordering and no lone surrogate of a server', (format) => {
    const shown = text(format);
    // eslint-disable-next-line no-control-regex -- looking for them is the test
    expect(shown).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    expect(shown).not.toMatch(/\p{Cs}/u);
  });

  it.each(['html', 'markdown', 'issue', 'badge-svg'] as const)('%s holds no element of a server', (format) => {
    expect(text(format).toLowerCase()).not.toMatch(/<script>alert|<b>tag/);
  });

  it.each(fleetFormats)('%s is made of a fleet without servers', (format) => {
    expect(text(format, empty()).endsWith('\n')).toBe(true);
  });

  it('cuts very long names where people read them', () => {
    const long = withServers((servers) =>
      servers.map((server, index) =>
        index === 0
          ? {
              ...server,
              name: 'n'.repeat(50_000),
              owner: 'o'.repeat(50_000),
              reason: 'r'.repeat(50_000),
              tags: ['t'.repeat(50_000)],
            }
          : server,
      ),
    );
    for (const format of ['html', 'markdown', 'issue', 'chat', 'terminal'] as const)
      expect(text(format, long), format).not.toMatch(/([nort])\1{600}/);
  });

  it('stays within what GitHub takes for an issue', () => {
    const large = largeFleet(300, 100);
    const material: FleetMaterial = {
      report: {
        ...large,
        servers: large.servers.map((server) => ({
          ...server,
          name: `${server.name} ${hostile.repeat(3)}`,
          status: 'error',
          reason: hostile.repeat(10),
        })),
      },
      diff: null,
      history: [],
      policies: null,
      reportOf: () => null,
    };
    expect(text('issue', material).length).toBeLessThan(65_536);
  });

  it('is known by its name', () => {
    expect(fleetFormat('csv')).toBe('csv');
    expect(() => fleetFormat('pdf')).toThrow(/"pdf" is no report format of a fleet; use one of terminal, json, html/);
  });
});

describe('badge', () => {
  it('is green only when all are compliant', () => {
    expect(JSON.parse(text('badge-json'))).toEqual({
      schemaVersion: 1,
      label: 'MCP fleet',
      message: '2 of 9 compliant · 1 disabled',
      color: 'red',
      isError: true,
    });
    expect(
      JSON.parse(
        text(
          'badge-json',
          withServers((servers) => servers.slice(0, 1)),
        ),
      ),
    ).toMatchObject({ message: '1 of 1 compliant', color: 'brightgreen', isError: false });
    expect(XMLValidator.validate(text('badge-svg'))).toBe(true);
  });

  it('of a server is that of its report', () => {
    const { report, reports } = sampleFleet();
    for (const server of report.servers.filter(({ status }) => status === 'checked')) {
      for (const format of ['badge-json', 'badge-svg'] as const)
        expect(renderBadge(serverBadge(server), format)).toBe(renderReport(reports.get(server.id)!, format));
    }
  });
});

describe('trends', () => {
  it('need two values, and leave gaps where there are none', () => {
    expect(sparkOf([50])).toBeNull();
    expect(sparkOf([null, 50, null])).toBeNull();
    const spark = sparkOf([50, 60, null, 80, 90])!;
    expect(spark.lines).toHaveLength(2);
    expect(spark.label).toBe('From 50.0 to 90.0 in 5 runs');
  });

  it('do not make a tenth look like a fall', () => {
    const [line] = sparkOf([99.9, 99.8])!.lines;
    const heights = line!.split(' ').map((point) => Number(point.split(',')[1]));
    expect(Math.abs(heights[1]! - heights[0]!)).toBeLessThan(1);
  });
});

it('takes of what a server says of itself only texts, and not all of long ones', () => {
  const { report, reports } = sampleFleet();
  const run = reports.get('billing')!;
  const entry = {
    name: 'billing',
    id: 'billing',
    from: 'x',
    folder: '.',
    reach: { kind: 'url' as const, url: 'https://x.example' },
    env: {},
    headers: {},
    spec: 'auto' as const,
    timeouts: {},
    tags: [],
    allowDestructive: false,
  };
  const odd = { name: 5, title: 't'.repeat(1_000_000), version: '1', icons: ['i'.repeat(1_000_000)] } as never;
  const server = summarise({ ...run, target: { ...run.target, serverInfo: odd } }, entry, report.rules, 1);
  expect(server.serverInfo).toEqual({ title: 't'.repeat(200), version: '1' });
  expect(validateFleetReport({ ...report, servers: [server] }, 'x').servers).toHaveLength(1);
});

it('makes a report of what the fleet knows of a server', () => {
  const { report, reports } = sampleFleet();
  for (const server of report.servers.filter(({ verdicts }) => verdicts !== null)) {
    const made = standInReport(report, server);
    const statuses = (verdicts: readonly { rule: string; status: string }[]): string[] =>
      verdicts.map(({ rule, status }) => `${rule} ${status}`).sort();
    expect(statuses(made.parts[0]!.verdicts)).toEqual(statuses(reports.get(server.id)!.parts[0]!.verdicts));
    expect(made.parts[0]!.verdicts.filter(({ known }) => known).map(({ rule }) => rule)).toEqual(
      reports
        .get(server.id)!
        .parts[0]!.verdicts.filter(({ known }) => known)
        .map(({ rule }) => rule),
    );
  }
});
