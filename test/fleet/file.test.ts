/** The fleet file: what it says becomes entries, what is wrong is told, and schema and parser agree. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { entryIds } from '../../src/check/fleet-file/entry-ids.ts';
import { parseFleetFile, readFleetFile } from '../../src/check/fleet-file/read-file.ts';
import { selectEntries } from '../../src/check/fleet-file/select-entries.ts';
import type { McpcError } from '../../src/core/model/errors.ts';
import type { FleetEntry } from '../../src/check/settings/fleet-entry.ts';
import { defaultScoring } from '../../src/core/score/scoring.ts';
import { rulesFolder } from '../../src/files/package/package-root.ts';
import { revisions } from '../../src/core/spec/revisions.ts';
import { realFleetFile } from '../support/real-fleet.ts';
import { rightFiles, wrongBeyondSchema, wrongFiles } from './file-corpus.ts';

interface Schema {
  $defs: Record<string, { enum?: string[]; properties?: object }>;
  properties: { defaults: { properties: object } };
}
const schema = JSON.parse(readFileSync(join(rulesFolder(), 'language/fleet-file.schema.json'), 'utf8')) as Schema;
const fits = new Ajv2020({ strict: false }).compile(schema);
const folder = mkdtempSync(join(tmpdir(), 'mcpc-fleet-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | object): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return path;
}

const env = { HOME: join(folder, 'home'), USERPROFILE: join(folder, 'home') };
const entries = (text: string): Record<string, FleetEntry> =>
  Object.fromEntries(parseFleetFile(text, join(folder, 'f.yaml'), env).entries.map((entry) => [entry.name, entry]));

function told(text: string): string {
  try {
    parseFleetFile(text, 'f.yaml', env);
  } catch (error) {
    expect((error as McpcError).stage).toBe('usage');
    return (error as Error).message;
  }
  return 'nothing was wrong';
}

describe('schema and parser agree', () => {
  test.each(Object.entries(rightFiles))('right: %s', (_title, text) => {
    expect(fits(parse(text)), JSON.stringify(fits.errors)).toBe(true);
    expect(() => parseFleetFile(text, 'f.yaml', env)).not.toThrow();
  });

  test.each(Object.entries(wrongFiles))('wrong: %s', (_title, [text, message]) => {
    expect(fits(parse(text))).toBe(false);
    expect(
      told(text)
        .split('\n')
        .some((line) => message.test(line)),
      told(text),
    ).toBe(true);
  });

  test.each(Object.entries(wrongBeyondSchema))('wrong, which no schema can tell: %s', (_title, [text, message]) => {
    expect(told(text)).toMatch(message);
  });

  test('the schema lists the revisions and grades that there are', () => {
    expect(schema.$defs['revision']!.enum).toEqual(revisions);
    expect(schema.$defs['spec']).toMatchObject({ else: { enum: ['auto', 'each', ...revisions] } });
    expect(schema.$defs['grade']!.enum).toEqual(defaultScoring.bands.map(({ grade }) => grade));
  });

  test('defaults, includes and servers can say the same', () => {
    const common = Object.keys(schema.properties.defaults.properties).filter((name) => name !== 'maxPerHost');
    for (const name of ['server', 'include'])
      expect(Object.keys(schema.$defs[name]!.properties!)).toEqual(expect.arrayContaining(common));
  });
});

describe('what a file comes to', () => {
  test('defaults hold where they have a meaning, and servers go before them', () => {
    const { started, remote, both } = entries(`
version: 1
defaults: { env: { A: default, B: default }, headers: { X-One: default, x-two: default }, transport: sse, cwd: work, spec: 2025-06-18, timeouts: { request: 2s, check: 1m }, tags: [all], owner: us, grade: C, hints: "~/h.yaml", allowScripts: true }
servers:
  started: { command: node, args: [x, 1], env: { B: own }, tags: [mine, all], timeouts: { check: 90s }, owner: me }
  remote: { url: "http://x/mcp", transport: http, headers: { X-TWO: own }, spec: auto, grade: A, hints: mine.yaml }
  both: { npm: name@1.0.0, args: ["{{port}}"], url: "http://127.0.0.1:{{port}}/sse", cwd: "\${DIR}/x" }
`);
    expect(started).toEqual({
      name: 'started',
      id: 'started',
      from: `${join(folder, 'f.yaml')}:5`,
      folder,
      reach: { kind: 'command', command: 'node', args: ['x', '1'] },
      env: { A: 'default', B: 'own' },
      headers: {},
      cwd: join(folder, 'work'),
      spec: '2025-06-18',
      timeouts: { requestMs: 2000, checkMs: 90_000 },
      tags: ['all', 'mine'],
      owner: 'me',
      expectedGrade: 'C',
      hints: join(folder, 'home/h.yaml'),
      allowDestructive: false,
    });
    expect(remote).toMatchObject({
      env: {},
      headers: { 'X-One': 'default', 'X-TWO': 'own' },
      transport: 'http',
      spec: 'auto',
      expectedGrade: 'A',
      hints: join(folder, 'mine.yaml'),
    });
    expect(remote).not.toHaveProperty('cwd');
    expect(both).toMatchObject({
      reach: { kind: 'npm', spec: 'name@1.0.0', allowScripts: true },
      transport: 'sse',
      cwd: '${DIR}/x',
      headers: { 'x-two': 'default' },
    });
  });

  test('paths start at the file; a file for each server may be missing', () => {
    write('b/has.json', '{}');
    const { has, hasnt, local } = entries(
      'version: 1\ndefaults: { baseline: "b/{{id}}.json" }\nservers:\n  has: { command: x }\n  hasnt: { command: x }\n  local: { npm: ./x.tgz }\n',
    );
    expect(has).toMatchObject({ baseline: join(folder, 'b/has.json'), cwd: folder });
    expect(hasnt).not.toHaveProperty('baseline');
    expect(local!.reach).toMatchObject({ spec: `file:${join(folder, 'x.tgz')}` });
  });

  test('policies and limits of the whole', () => {
    expect(parseFleetFile(`${rightFiles['policies']}defaults: { maxPerHost: 3 }\n`, 'f.yaml')).toMatchObject({
      policies: [{ tag: 'prod', minGrade: 'A', minScore: 92.5, compliant: true }],
      gate: { minGrade: 'C', maxRegressions: 0 },
      maxPerHost: 3,
    });
  });

  test('the file of the documentation is right', () => {
    write('docs/.mcp.json', { mcpServers: { mine: { command: 'x' } } });
    write('docs/teams/red/.mcp.json', { mcpServers: { mine: { command: 'x' } } });
    const example = /```yaml\n([\s\S]*?)```/.exec(readFileSync(join(rulesFolder(), '../docs/fleet.md'), 'utf8'))![1]!;
    const fleet = parseFleetFile(example, join(folder, 'docs/fleet.yaml'), env);
    expect(fleet.entries.map(({ name }) => name)).toEqual([
      'files',
      'search',
      'everything',
      'tickets',
      'mine',
      'red/mine',
    ]);
    expect(fleet.policies).toEqual([{ tag: 'prod', minGrade: 'B', minScore: 90, compliant: true, minPassRate: 95 }]);
  });

  test('a list of real servers can be said', () => {
    const more = { framework: 'x@1', startMs: 3 };
    const list = write('list.json', [
      { name: 'a', transport: 'stdio', command: 'node', args: ['a.js', '7'], env: {}, ...more },
      {
        name: 'b',
        transport: 'streamable-http',
        command: 'node',
        args: [],
        env: { PORT: '4200' },
        url: 'http://127.0.0.1:4200/mcp',
        headers: { authorization: 'Bearer x' },
        ...more,
      },
      { name: 'c', transport: 'sse', command: 'node', args: [], env: {}, url: 'http://localhost:4201/sse', ...more },
    ]);
    expect(
      Object.values(entries(realFleetFile(list, folder))).map(({ reach, transport, env: own, headers, cwd }) => [
        reach.url,
        transport,
        own,
        headers,
        cwd,
      ]),
    ).toEqual([
      [undefined, undefined, {}, {}, folder],
      ['http://127.0.0.1:4200/mcp', 'http', { PORT: '4200' }, { authorization: 'Bearer x' }, folder],
      ['http://localhost:4201/sse', 'sse', {}, {}, folder],
    ]);
  });

  test('a file that is not there', () => {
    expect(() => readFleetFile(join(folder, 'none.yaml'))).toThrow(/^Cannot read the fleet file .*none\.yaml: ENOENT/);
  });
});

describe('ids', () => {
  test('are readable, unique, and safe in every file system', () => {
    const names = [
      'github',
      'GitHub',
      'io.github.x/y',
      'a b',
      'a-b',
      'a_b',
      'con',
      'AUX.txt',
      '..',
      '###',
      '日本',
      'ünï',
      'x'.repeat(200),
      `${'x'.repeat(199)}y`,
      'trailing.',
      '../../etc/passwd',
    ];
    const ids = entryIds(names);
    expect(new Set(ids).size).toBe(names.length);
    for (const id of ids) {
      expect(id).toMatch(/^[a-z0-9_][a-z0-9._-]*$/);
      expect(id).not.toMatch(/\.$|^(?:con|aux)(?:\.|$)/);
      expect(id.length).toBeLessThanOrEqual(80);
    }
    expect(ids.slice(0, 6)).toEqual([
      'github',
      expect.stringMatching(/^github-[0-9a-f]{8}$/),
      'io.github.x-y',
      expect.stringMatching(/^a-b-[0-9a-f]{8}$/),
      'a-b',
      'a_b',
    ]);
    expect(ids[11]).toBe('uni');
  });

  test('depend on other names only where two would be alike, and never on the order', () => {
    const names = ['One', 'two', 'a/b', 'A b'];
    const of = (list: string[]): Record<string, string> =>
      Object.fromEntries(entryIds(list).map((id, index) => [list[index], id]));
    expect(of([...names].reverse())).toEqual(of(names));
    expect(of(['One'])['One']).toBe(of(names)['One']);
  });
});

describe('selection', () => {
  const fleet = parseFleetFile(
    'version: 1\nservers:\n  a1: { command: x, tags: [prod, eu], owner: one }\n  a2: { command: x, tags: [prod] }\n  io.x/b: { command: x, tags: [beta] }\n  "c (npm)": { command: x }\n  d: { command: x, owner: two }\n',
    'f.yaml',
  );
  const names = (only: string[], skip: string[] = [], shard?: string): string[] =>
    selectEntries(fleet, { only, skip, ...(shard === undefined ? {} : { shard }) }).map(({ name }) => name);

  test.each<[string[], string[], string | undefined, string[]]>([
    [[], [], undefined, ['a1', 'a2', 'io.x/b', 'c (npm)', 'd']],
    [['tag:prod'], [], undefined, ['a1', 'a2']],
    [['tag:p*', 'd'], ['owner:one'], undefined, ['a2', 'd']],
    [['io*'], [], undefined, ['io.x/b']],
    [['c (npm)'], [], undefined, ['c (npm)']],
    [['{a1,d}'], [], undefined, ['a1', 'd']],
    [[], ['a?'], undefined, ['io.x/b', 'c (npm)', 'd']],
    [[], [], '1/2', ['a1', 'io.x/b', 'd']],
    [[], [], '2/2', ['a2', 'c (npm)']],
    [['tag:prod'], [], '3/3', []],
  ])('%j without %j, %s', (only, skip, shard, expected) => {
    expect(names(only, skip, shard)).toEqual(expected);
  });

  test.each<[string[], string[], string | undefined, RegExp]>([
    [['tag:prd'], [], undefined, /^--only tag:prd fits no server of f\.yaml\. Did you mean "prod"\?$/],
    [[], ['a3'], undefined, /^--skip a3 fits no server of f\.yaml\. Did you mean "a1"\?$/],
    [['a1'], ['a*'], undefined, /^No server is left\.$/],
    [[], [], '0/2', /^--shard takes i\/n/],
    [[], [], '3/2', /^--shard takes i\/n/],
    [[], [], 'x', /^--shard takes i\/n/],
  ])('%j without %j, %s is wrong', (only, skip, shard, message) => {
    expect(() => names(only, skip, shard)).toThrow(message);
  });
});
