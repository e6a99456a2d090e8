/** The table of settings: what follows from its rows, and where each row arrives. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import Check from '../../src/check/commands/check.ts';
import { entrySettings, mergeSettings, placeInFile, readSettings } from '../../src/check/settings/layers.ts';
import { lineFlags, listed, optionsIn, secretsIn, withSettings } from '../../src/check/settings/of-entry.ts';
import { projectRows, readSections, sectionFlags } from '../../src/check/settings/project-rows.ts';
import { rows } from '../../src/check/settings/table.ts';
import type { EntrySettings, FileSettings } from '../../src/check/settings/types.ts';
import Ci from '../../src/suites/commands/ci.ts';
import FleetCheck from '../../src/fleet/commands/fleet/check.ts';
import { rulesFolder } from '../../src/files/package/package-root.ts';

const reading = [
  (path: string): string => `/at/${path}`,
  (member: string, what: string): never => {
    throw new Error(`${member}: ${what}`);
  },
] as const;
const layersOf = (...written: FileSettings[]): ReturnType<typeof mergeSettings> =>
  mergeSettings(written.map((one) => readSettings(one, ...reading)));
const entryOf = (...written: FileSettings[]): EntrySettings =>
  entrySettings(layersOf(...written), { started: true, addressed: true, own: (path) => path });

describe('the schema of fleet files', () => {
  interface Block {
    properties: Record<string, object>;
  }
  const schema = JSON.parse(readFileSync(join(rulesFolder(), 'language/fleet-file.schema.json'), 'utf8')) as {
    properties: { defaults: Block };
    $defs: { server: Block; include: Block; timeouts: Block };
  };

  test('defaults, servers and includes have the settings of the table in common, and nothing else', () => {
    const [first, ...others] = [schema.properties.defaults, schema.$defs.server, schema.$defs.include].map(
      ({ properties }) => Object.keys(properties),
    );
    const common = first!.filter((name) => others.every((names) => names.includes(name)));
    expect(common).toEqual([...new Set(rows.map(([name, row]) => placeInFile(name, row)[0]))]);
  });

  test('time-outs are those of the table', () => {
    const nested = rows.map(([name, row]) => placeInFile(name, row)).filter(([group]) => group === 'timeouts');
    expect(Object.keys(schema.$defs.timeouts.properties)).toEqual(nested.map(([, name]) => name));
  });
});

test('check and fleet check have the flags of the table', () => {
  for (const [name, { flags }] of rows) {
    if (flags === undefined) continue;
    const { fleet, target, network, tools, gate, check } = flags;
    const ofCheck = [check, target, network, tools, gate].find((one) => one !== undefined);
    if (ofCheck !== undefined)
      expect(Check.flags, name).toHaveProperty([flags.name], expect.objectContaining({ summary: ofCheck.summary }));
    if (fleet !== undefined)
      expect(FleetCheck.flags, name).toHaveProperty([flags.name], expect.objectContaining({ summary: fleet.summary }));
  }
});

test('check and ci have the flags of the sections of a project file', () => {
  const commands = { check: Check.flags, ci: Ci.flags };
  for (const [section, rowsOfSection] of Object.entries(projectRows))
    for (const { flag } of Object.values(rowsOfSection))
      expect(commands[section as keyof typeof commands], section).toHaveProperty([flag]);
});

test('a section becomes the flags of its command, with absolute paths, and of no other', () => {
  const written = { check: { rules: ['a.json', 'b.json'], minScore: 90 }, ci: { failOnRegression: true, lock: 'l' } };
  const project = readSections(written, (path) => `/at/${path}`);
  const near = (path: string): string => path.slice('/at/'.length);
  expect(project.check.rules).toEqual(['/at/a.json', '/at/b.json']);
  expect(sectionFlags(project, 'check', near).flatMap(({ words }) => words)).toEqual([
    '--rules=a.json',
    '--rules=b.json',
    '--min-score=90',
  ]);
  expect(sectionFlags(project, 'ci', near).flatMap(({ words }) => words)).toEqual(['--fail-on-regression', '--lock=l']);
  expect(sectionFlags(project, 'run', near)).toEqual([]);
});

describe('layers', () => {
  test('a certificate drops the key of the layers before, and nothing else of the way to the server', () => {
    const { network } = entryOf({ ca: 'a', cert: 'b', key: 'c', keyPassphrase: 'd', insecure: true }, { cert: 'e' });
    expect(network).toEqual({ ca: '/at/a', cert: '/at/e', insecure: true });
    expect(entryOf({ cert: 'b', key: 'c' }, { noProxy: true }).network).toEqual({
      cert: '/at/b',
      key: '/at/c',
      noProxy: true,
    });
  });

  test('names of headers are compared without case; lists add up, also where the later one is empty', () => {
    const { headers, allowTools, denyTools } = entryOf(
      { headers: { 'X-One': 1, 'x-two': true }, allowTools: ['a'], denyTools: [] },
      { headers: { 'X-TWO': 'own' }, allowTools: [] },
    );
    expect(headers).toEqual({ 'X-One': '1', 'X-TWO': 'own' });
    expect([allowTools, denyTools]).toEqual([['a'], []]);
  });

  test('a server has what has a meaning for it; another one keeps no value of it', () => {
    const layers = layersOf({ env: { A: 1 }, headers: { B: 2 }, cwd: 'w', ca: 'c', maxRate: 3 });
    const own = (path: string): string => path;
    expect(entrySettings(layers, { started: true, addressed: false, own })).toEqual({
      env: { A: '1' },
      headers: {},
      cwd: '/at/w',
      timeouts: {},
      tags: [],
      allowDestructive: false,
      maxRate: 3,
    });
    expect(entrySettings(layers, { started: false, addressed: true, own })).toMatchObject({
      env: {},
      headers: { B: '2' },
      network: { ca: '/at/c' },
    });
  });

  test('values of one entry are not those of another', () => {
    entryOf({}).tags.push('mine');
    expect(entryOf({}).tags).toEqual([]);
  });
});

describe('an entry', () => {
  const entry = entryOf({
    env: { KEY: 'secret-1', PORT: '{{port}}' },
    headers: { Authorization: 'secret-2' },
    oauth: { clientId: 'me', clientSecret: 'secret-3' },
    timeouts: { request: '2s', check: 7 },
    hints: 'h.yaml',
    allowTools: ['a', 'b'],
    allowDestructive: true,
    maxRate: 2.5,
    grade: 'B',
  });

  test('its secrets are redacted, but not the placeholder of a port', () => {
    expect(secretsIn(entry)).toEqual(['secret-1', 'secret-2', 'secret-3']);
  });

  test('a list shows names of variables and headers, and no value', () => {
    expect(JSON.stringify(listed(entry))).not.toMatch(/secret|port/);
    expect(listed(entry)).toMatchObject({ env: ['KEY', 'PORT'], headers: ['Authorization'], expectedGrade: 'B' });
  });

  test('a check takes the options; flags replace settings and leave the entry as it was', () => {
    expect(optionsIn(entry)).toEqual({ allowDestructive: true, allowTools: ['a', 'b'], maxRate: 2.5 });
    const changed = withSettings(entry, { maxRate: 1, startTimeout: 9 });
    expect([changed.maxRate, changed.timeouts]).toEqual([1, { requestMs: 2000, startMs: 9, checkMs: 7 }]);
    expect([entry.maxRate, entry.timeouts]).toEqual([2.5, { requestMs: 2000, checkMs: 7 }]);
  });

  test('a command line says the same', () => {
    expect(lineFlags(entry, (path) => `near ${path}`).flatMap(({ words }) => words)).toEqual([
      '--timeout=2000ms',
      '--check-timeout=7ms',
      '--hints=near /at/h.yaml',
      '--allow-destructive',
      '--allow-tool=a',
      '--allow-tool=b',
      '--max-rate=2.5',
    ]);
  });
});
