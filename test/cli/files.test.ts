/** What commands write where something stands already, with which permissions, and on a disk without room. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { smallDisk, type SmallDisk } from '../support/small-disk.ts';
import { root, Workspace } from './harness.ts';
import { sound } from './servers.ts';
import { reportFormats } from '../../src/report/parts/render.ts';
import { someOf } from '../support/run/some-of.ts';

const space = new Workspace();
const ping = ['--spec', '2025-11-25', '--only', 'ping'];
const server = ['--', 'node', 'server.mjs'];
const modeOf = (name: string): string => (statSync(space.path(name)).mode & 0o777).toString(8);
const foreign = 'what somebody else wrote\n';

const capture = [
  {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  },
  {
    jsonrpc: '2.0',
    id: 0,
    result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];

beforeAll(async () => {
  // Says that it was started.
  space.write('server.mjs', `import { writeFileSync } from 'node:fs';\nwriteFileSync('started', '');\n${sound}`);
  space.write('capture.jsonl', `${capture.map((line) => JSON.stringify(line)).join('\n')}\n`);
  const { code, stderr } = await space.call(['check', ...ping, '--trace', 'kept.jsonl', '-o', 'kept.json', ...server]);
  expect(code, stderr).toBe(0);
  space.write(
    'house.md',
    '# House requirements\n\nRevision: all\n\n- **MUST** server `house.tools-prefix` Names of tools begin with the name of the house. [-] {observe: server-passive}\n',
  );
});

/** Commands that write a file which its next run replaces. */
const replacing: [title: string, args: string[], file: string][] = [
  ['check, a report', ['check', ...ping, '-o', 'out.html', ...server], 'out.html'],
  ['check, a trace', ['check', ...ping, '--trace', 'out.trace', ...server], 'out.trace'],
  ['judge', ['judge', 'kept.jsonl', '--spec', '2025-11-25', '-o', 'judged.xml'], 'judged.xml'],
  ['report', ['report', 'kept.json', '-o', 'again.md'], 'again.md'],
  ['report, a badge', ['report', 'kept.json', '-f', 'badge-json', '-o', 'badge.json'], 'badge.json'],
  ['import, an episode', ['import', 'capture.jsonl', '--out-trace', 'episode.jsonl'], 'episode.jsonl'],
  ['import, a trace', ['import', 'capture.jsonl', '--out-mcpc-trace', 'wire.jsonl'], 'wire.jsonl'],
  ['trace convert', ['trace', 'convert', 'capture.jsonl', '--to', 'mcpc', '-o', 'converted.jsonl'], 'converted.jsonl'],
  ['trace redact', ['trace', 'redact', 'kept.jsonl', '-o', 'clean.jsonl'], 'clean.jsonl'],
  ['intercept', ['intercept', '--trace', 'between.jsonl', ...server], 'between.jsonl'],
];

test.each(someOf(replacing, 5, ([title]) => title))(
  '%s: replaces its own file, another one only with --overwrite',
  async (_title, args, file) => {
    space.write(file, foreign);
    rmSync(space.path('started'), { force: true });
    const refused = await space.call(args);
    expect(refused.code).toBe(2);
    expect(space.has('started')).toBe(false);
    expect(refused.stderr).toContain(`${file} is there already, and is no `);
    expect(refused.stderr).toContain('--overwrite');
    expect(space.read(file)).toBe(foreign);

    const [first, ...rest] = args;
    const at = first === 'trace' ? 2 : 1;
    const forced = await space.call([first!, ...rest.slice(0, at - 1), '--overwrite', ...rest.slice(at - 1)]);
    expect(forced.code, forced.stderr).toBeLessThan(2);
    const once = space.read(file);
    expect(once).not.toBe(foreign);
    // By a process that has not written it itself.
    const again = await space.run(args);
    expect(again.code, again.stderr).toBeLessThan(2);
    expect(readdirSync(space.folder).filter((name) => name.includes('.tmp'))).toEqual([]);
    // Badges hold nothing of the conversation.
    expect(modeOf(file)).toBe(file === 'badge.json' ? '644' : '600');
  },
);

/** Commands that write a file to be edited by hand. */
const starting: [title: string, args: string[], file: string][] = [
  ['hints init', ['hints', 'init', '-o', 'hints.yaml', ...server], 'hints.yaml'],
  [
    'rules new',
    ['rules', 'new', 'house/prefix', '--requirement', 'house.tools-prefix', '--requirements', 'house.md'],
    'house/prefix.json',
  ],
  ['fleet init', ['fleet', 'init', '-o', 'fleet.yaml'], 'fleet.yaml'],
  [
    'trace convert to the format of another tool',
    ['trace', 'convert', 'capture.jsonl', '--to', 'inspector', '-o', 'lines.json'],
    'lines.json',
  ],
];

test.each(someOf(starting, 4, ([title]) => title))(
  '%s: never replaces anything unasked, not even its own file',
  async (_title, args, file) => {
    const written = await space.call(args);
    expect(written.code, written.stderr).toBe(0);
    space.write(file, foreign);
    const refused = await space.run(args);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('is there already');
    expect(space.read(file)).toBe(foreign);
    const forced = await space.call([...args.slice(0, 2), '--overwrite', ...args.slice(2)]);
    expect(forced.code, forced.stderr).toBe(0);
    expect(space.read(file)).not.toBe(foreign);
  },
);

test('reports in all formats are for their owner alone, but badges; so are what a fleet run keeps of servers, but not its dashboard and tables', async () => {
  const outputs = reportFormats.map((format) => [format, `all/${format}`] as const);
  const { code, stderr } = await space.call([
    'report',
    'kept.json',
    ...outputs.flatMap(([format, file]) => ['-f', format, '-o', file]),
  ]);
  expect(code, stderr).toBe(0);
  expect(outputs.filter(([, file]) => modeOf(file) === '644').map(([format]) => format)).toEqual(
    reportFormats.filter((format) => format.startsWith('badge')),
  );
  expect(outputs.filter(([, file]) => modeOf(file) === '600')).toHaveLength(reportFormats.length - 2);
  space.write(
    'fleet.json',
    JSON.stringify({ version: 1, servers: { one: { command: 'node', args: ['server.mjs'] } } }),
  );
  const fleet = await space.call([
    'fleet',
    'check',
    'fleet.json',
    '--out',
    'run',
    '--spec',
    '2025-11-25',
    '--only-rules',
    'ping',
    '--output',
    'table.csv',
    '--output',
    'table.md',
  ]);
  expect(fleet.code, fleet.stderr).toBeLessThan(2);
  const below = (folder: string): string[] =>
    readdirSync(space.path(folder), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => relative(space.folder, join(one.parentPath, one.name)));
  const ofServers = below('run/servers').filter((file) => !file.includes('badge'));
  expect(ofServers.length).toBeGreaterThan(2);
  expect(ofServers.filter((file) => modeOf(file) !== '600')).toEqual([]);
  expect(['run/index.html', 'table.csv', 'table.md'].map(modeOf)).toEqual(['644', '644', '644']);
});

describe('check', () => {
  test.each([
    ['a report', ['-o', 'theirs.html']],
    ['a trace', ['--trace', 'theirs.html']],
  ])('refuses %s over a foreign file before the server is started', async (_title, flags) => {
    space.write('theirs.html', foreign);
    const here = new Set(readdirSync(space.folder));
    expect(here.delete('started')).toBe(true);
    writeFileSync(space.path('started'), 'before');
    const { code } = await space.call(['check', ...ping, ...flags, ...server]);
    expect(code).toBe(2);
    expect(space.read('started')).toBe('before');
  });

  test.each([
    ['a report below a file', ['-o', 'started/report.html'], 'started is no folder'],
    ['a report in a folder that takes none', ['-o', '/proc/report.html'], 'Cannot write the report to /proc/'],
    ['a trace below a file', ['--trace', 'started/new/run.jsonl'], 'started is no folder'],
    ['a baseline below a file', ['--baseline', 'started/b.json', '--update-baseline'], 'started is no folder'],
    ['a baseline of a part', ['--baseline', 'b.json', '--update-baseline', '--profile', 'quick'], 'the quick profile'],
  ])('refuses %s before the server is started, and leaves nothing', async (_title, flags, says) => {
    writeFileSync(space.path('started'), 'before');
    const here = readdirSync(space.folder);
    const { code, stderr } = await space.call(['check', ...ping, ...flags, ...server]);
    expect(code, stderr).toBe(2);
    expect(stderr).toContain(says);
    expect(space.read('started')).toBe('before');
    expect(readdirSync(space.folder)).toEqual(here);
  });

  test('prints the verdict and writes the other reports where one cannot be written, also with -q', async () => {
    // It takes the place of the report while it is checked.
    space.write('taker.mjs', `import { mkdirSync } from 'node:fs';\nmkdirSync('taken.json');\n${sound}`);
    const flags = ['-q', '-o', 'taken.json', '-o', 'other.md'];
    const { code, stdout, stderr } = await space.call(['check', ...ping, ...flags, '--', 'node', 'taker.mjs']);
    expect(code, stderr).toBe(2);
    expect(stderr).toContain('Cannot write the report to taken.json: it is a folder.');
    expect(stdout).toMatch(/^COMPLIANT /);
    expect(space.read('other.md')).toContain('ping');
  });

  test('a report never replaces a trace, and a baseline nothing but a baseline', async () => {
    const trace = space.read('kept.jsonl');
    expect((await space.call(['judge', 'kept.jsonl', '-f', 'json', '-o', 'kept.jsonl'])).code).toBe(2);
    expect(space.read('kept.jsonl')).toBe(trace);
    const report = space.read('kept.json');
    expect((await space.call(['check', ...ping, '--baseline', 'kept.json', '--update-baseline', ...server])).code).toBe(
      2,
    );
    expect(space.read('kept.json')).toBe(report);
  });

  test('a custom template that holds the mark makes files that are known', async () => {
    space.write('templates/markdown/report.hbs', 'Score {{score}}\n<!-- written by mcpc -->\n');
    space.write('plain/markdown/report.hbs', 'Score {{score}}\n');
    const report = (templates: string) => ['report', 'kept.json', '--templates', templates, '-o', `${templates}.md`];
    // The second time by a process that has not written the file itself.
    expect((await space.call(report('templates'))).code).toBe(0);
    expect((await space.run(report('templates'))).code).toBe(0);
    expect((await space.call(report('plain'))).code).toBe(0);
    const refused = await space.run(report('plain'));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--overwrite');
  });
});

describe('a disk without room', () => {
  /** One of the three in `npm test`; all with --mode all. */
  const due = someOf(['report', 'copy', 'trace'], 3, (one) => `disk ${one}`);
  let disk: SmallDisk;
  afterEach(() => disk.remove());
  const mcpc = [process.execPath, join(root, 'bin/mcpc.js')];

  test.runIf(due.includes('report'))('a report that does not fit leaves the one from before, whole', () => {
    disk = smallDisk(16);
    const path = join(disk.folder, 'report.html');
    const old = '<meta name="generator" content="mcpc 0.0.1"> from before';
    writeFileSync(path, old);
    const { status, stderr } = disk.run([...mcpc, 'report', 'kept.json', '-o', path], space.folder);
    expect(status).toBe(2);
    expect(stderr).toContain(`Cannot write the report to ${path}: `);
    expect(stderr).toContain(disk.says);
    expect(readFileSync(path, 'utf8')).toBe(old);
    expect(readdirSync(disk.folder)).toEqual(['report.html']);
  });

  test.runIf(due.includes('copy'))('a trace that does not fit is no half trace where it is made of another', () => {
    disk = smallDisk(8);
    const pings = Array.from(
      { length: 200 },
      (_, id) =>
        `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n`,
    );
    space.write('long.jsonl', pings.join(''));
    const path = join(disk.folder, 'trace.jsonl');
    const { status, stderr } = disk.run(
      [...mcpc, 'trace', 'convert', 'long.jsonl', '--to', 'mcpc', '-o', path],
      space.folder,
    );
    expect(status).toBe(2);
    expect(stderr).toContain(`Cannot write the trace to ${path}: `);
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(disk.folder)).toEqual([]);
  });

  test.runIf(due.includes('trace'))(
    'a trace that is written as things happen ends with its last whole line, and can be read',
    async () => {
      disk = smallDisk(4);
      const path = join(disk.folder, 'trace.jsonl');
      const { status, stderr } = disk.run(
        [...mcpc, 'check', '--spec', '2025-11-25', '--only', 'tools,prompts,resources', '--trace', path, ...server],
        space.folder,
      );
      expect(status).toBe(2);
      expect(stderr).toMatch(/no space left on device|file too large/i);
      const text = readFileSync(path, 'utf8');
      expect(text.endsWith('\n')).toBe(true);
      for (const line of text.trimEnd().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
      const judged = await space.call(['judge', path]);
      expect(judged.code).toBe(1);
      expect(judged.stdout).toContain('INCOMPLETE');
    },
  );
});
