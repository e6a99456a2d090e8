/** Whole runs over a fleet: hostile servers, ends of every kind, resuming, shards, results taken over. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FleetRunHeader } from '../../src/core/model/reports/fleet.ts';
import { allGone, errorOf, exampleServer, Workspace } from '../cli/harness.ts';
import { dies, floods, silent } from '../cli/servers.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';
import { descendants, fleetReportOf, journalOf, processesWith, repeated, resultsOf, until } from './run-folder.ts';

const space = new Workspace();
const server = space.path('run-server.mjs');
const quick = ['--spec', '2025-11-25', '--only-rules', 'ping', '--no-dashboard'];
const stdio = (more: object = {}): object => ({ command: process.execPath, args: [server, 'stdio'], ...more });
/** Settled at once, as unreachable: for what is not about verdicts. */
const dead = (path: string): object => ({ url: `http://127.0.0.1:9/${path}` });
const script = (name: string, more: object = {}): object => ({
  command: process.execPath,
  args: [space.path(name)],
  ...more,
});

function fleet(name: string, servers: Record<string, object>): string {
  space.write(name, { version: 1, servers });
  return name;
}

function check(file: string, out: string, ...more: string[]): string[] {
  return ['fleet', 'check', file, '--out', out, ...quick, ...more];
}

beforeAll(() => {
  copyFileSync(exampleServer, server);
  space.write('dies.mjs', dies);
  space.write('floods.mjs', floods);
  space.write('silent.mjs', silent);
  fleet('dead.json', { one: dead('one'), two: dead('two'), three: dead('three') });
  fleet('three.json', { one: stdio({ tags: ['prod'] }), two: stdio(), three: stdio({ tags: ['prod'] }) });
});

test.runIf(thorough)(
  'hostile servers cost their own slot: each gets a plain reason, the others their verdict',
  async () => {
    fleet('hostile.json', {
      floods: script('floods.mjs', { timeouts: { check: '2s' } }),
      silent: script('silent.mjs', { timeouts: { check: '1s' } }),
      dies: script('dies.mjs'),
      'not there': { command: 'no-such-program-of-mcpc' },
      'nothing listens': { url: 'http://127.0.0.1:9/mcp' },
      'variable not set': { command: process.execPath, args: ['${MCPC_NO_SUCH_VARIABLE}'] },
      'of another revision': stdio({ args: [server, 'stdio', '--revisions', '2024-11-05'], spec: '2025-11-25' }),
      sound: stdio(),
    });
    const { code, stderr, stdout } = await space.run(check('hostile.json', 'hostile', '--jobs', '4'));
    expect(code, stderr).toBe(1);
    const servers = Object.fromEntries(fleetReportOf(space.path('hostile')).servers.map((one) => [one.name, one]));
    expect(Object.keys(servers)).toEqual([
      'floods',
      'silent',
      'dies',
      'not there',
      'nothing listens',
      'variable not set',
      'of another revision',
      'sound',
    ]);
    // By its deadline, or by the limit of what is kept, whichever it meets first.
    expect(servers['floods']).toMatchObject({
      status: expect.stringMatching(/^(timeout|checked)$/),
      reason: expect.stringMatching(/^the check took longer than 2000 ms$|lines that are no messages/),
      trace: 'servers/floods/trace.jsonl',
    });
    expect(servers['silent']).toMatchObject({ status: 'timeout', reason: 'the check took longer than 1000 ms' });
    expect(servers['dies']).toMatchObject({
      status: 'unreachable',
      reason: expect.stringContaining('ended before it answered initialize'),
    });
    expect(servers['not there']).toMatchObject({
      status: 'unreachable',
      reason: expect.stringContaining('was not found'),
    });
    expect(servers['nothing listens']).toMatchObject({
      status: 'unreachable',
      reason: expect.stringContaining('Nothing listens'),
    });
    expect(servers['variable not set']).toMatchObject({
      status: 'error',
      reason: expect.stringContaining('MCPC_NO_SUCH_VARIABLE'),
    });
    expect(servers['of another revision']).toMatchObject({
      status: 'checked',
      compliant: null,
      speaks: '2024-11-05',
      reason: expect.stringContaining('speaks 2024-11-05, not 2025-11-25'),
    });
    expect(stderr + stdout).toContain('Speaks 2024-11-05');
    expect(servers['sound']).toMatchObject({
      status: 'checked',
      compliant: true,
      reason: null,
      attempts: 1,
      startUpMs: expect.any(Number),
    });
    expect(processesWith(space.folder).length).toBe(0);
  },
);

test.runIf(thorough)('no server reached at all is code 3', async () => {
  expect((await space.call(check('dead.json', 'dead'))).code).toBe(3);
});

test.runIf(thorough)('shares that are joined equal the whole run', async () => {
  const feature = 'progress/receiver-permission';
  const profiled = ['--only-rules', feature];
  const whole = await space.call(check('three.json', 'whole', ...profiled));
  expect(whole.code, whole.stderr).toBe(0);
  await Promise.all(
    ['1/2', '2/2'].map((shard) => space.call(check('three.json', `shard-${shard[0]}`, '--shard', shard, ...profiled))),
  );
  expect(fleetReportOf(space.path('shard-1')).servers.map(({ name }) => name)).toEqual(['one', 'three']);
  const joined = await space.run([
    'fleet',
    'merge',
    'shard-2',
    'shard-1',
    '--out',
    'joined',
    '--no-dashboard',
    '--json',
  ]);
  expect(joined.code, joined.stderr).toBe(0);
  expect(resultsOf(space.path('joined'))).toEqual(resultsOf(space.path('whole')));
  expect(fleetReportOf(space.path('joined'))).toMatchObject({ incomplete: null, shards: ['2/2', '1/2'] });
  // The profile of each server goes with it, and is no verdict.
  for (const run of ['whole', 'joined']) {
    const { features, rules, servers } = fleetReportOf(space.path(run));
    expect([
      features!.map(({ id }) => id),
      rules.some(({ id }) => id === feature),
      servers.map((one) => one.features),
    ]).toEqual([[feature], false, [[feature], [feature], [feature]]]);
  }
  expect(JSON.parse(joined.stdout)).toEqual(fleetReportOf(space.path('joined')));
  // It can be built upon like any run.
  const later = await space.call(check('three.json', 'later', '--changed-since', 'joined', ...profiled));
  expect(later.code, later.stderr).toBe(0);
  expect(fleetReportOf(space.path('later')).servers.map(({ carriedFrom }) => carriedFrom)).toEqual([
    'joined',
    'joined',
    'joined',
  ]);
  expect(journalOf(space.path('later')).filter(({ event }) => event === 'begun')).toEqual([]);
});

describe('runs that do not go together', () => {
  test('are not joined', async () => {
    fleet('other-entry.json', { one: dead('elsewhere') });
    const begun = await Promise.all([
      space.call([
        'fleet',
        'check',
        'dead.json',
        '--only',
        'one',
        '--out',
        'other-rules',
        '--only-rules',
        'lifecycle',
        '--no-dashboard',
      ]),
      space.call(check('other-entry.json', 'other-entry')),
      space.call(check('dead.json', 'one', '--only', 'one')),
    ]);
    expect(begun.map(({ code }) => code)).toEqual([3, 3, 3]);
    const merge = (...from: string[]): string[] => [
      'fleet',
      'merge',
      ...from,
      '--out',
      `mixed-${from[0]}`,
      '--no-dashboard',
    ];
    expect(errorOf(await space.call(merge('other-rules', 'one')))).toMatchObject({
      why: expect.stringMatching(/judged by different rules: the rules that are taken \(lifecycle and ping\)/),
    });
    expect(errorOf(await space.call(merge('other-entry', 'one')))).toMatchObject({
      why: 'The server one is another one in other-entry than in one.',
    });
    expect((await space.call([...merge('other-entry', 'one'), '--mixed'])).code).toBe(3);
    expect(fleetReportOf(space.path('mixed-other-entry')).servers).toHaveLength(1);
    expect(errorOf(await space.call(merge('nowhere', 'one')))).toMatchObject({
      why: expect.stringContaining('nowhere holds no run of a fleet'),
    });
  });

  test('are not resumed, and a folder with a run is not begun anew', async () => {
    expect((await space.call(check('dead.json', 'begun', '--only', 'one'))).code).toBe(3);
    expect(errorOf(await space.call(check('dead.json', 'begun', '--only', 'one')))).toMatchObject({
      why: 'begun holds a run already.',
    });
    expect(errorOf(await space.call(check('dead.json', 'begun', '--resume')))).toMatchObject({
      why: expect.stringContaining('servers that it did not have (two, three)'),
    });
    expect(
      errorOf(
        await space.call([
          'fleet',
          'check',
          'dead.json',
          '--only',
          'one',
          '--out',
          'begun',
          '--resume',
          '--only-rules',
          'lifecycle',
        ]),
      ),
    ).toMatchObject({ why: expect.stringContaining('the rules that are taken (ping and lifecycle)') });
    expect(errorOf(await space.call(check('dead.json', 'nowhere', '--resume')))).toMatchObject({
      why: expect.stringContaining('nowhere holds no run of a fleet'),
    });
    fleet('changed.json', { one: dead('elsewhere') });
    const changed = check('changed.json', 'begun', '--resume');
    expect(errorOf(await space.call(changed))).toMatchObject({
      why: 'The run in begun was begun with other entries of one.',
      fix: expect.stringContaining('--recheck-changed'),
    });
    expect((await space.call([...changed, '--recheck-changed'])).code).toBe(3);
    expect(journalOf(space.path('begun')).filter(({ event }) => event === 'settled')).toHaveLength(2);
    // What was checked anew has its result now.
    expect((await space.call([...changed, '--recheck-changed'])).code).toBe(3);
    expect(journalOf(space.path('begun')).filter(({ event }) => event === 'settled')).toHaveLength(2);
  });

  test.runIf(thorough)('only what changed is checked since a run', async () => {
    fleet('old.json', { one: stdio({ tags: ['prod'] }), two: dead('two'), three: stdio() });
    expect((await space.call(check('old.json', 'old'))).code).toBe(1);
    fleet('one-changed.json', { one: stdio({ tags: ['prod', 'new'] }), two: dead('two'), four: dead('four') });
    const { code, stderr } = await space.call(check('one-changed.json', 'new', '--changed-since', 'old'));
    expect(code, stderr).toBe(1);
    expect(
      fleetReportOf(space.path('new')).servers.map(({ name, carriedFrom, tags }) => [name, carriedFrom, tags]),
    ).toEqual([
      ['one', 'old', ['prod', 'new']],
      ['two', undefined, []],
      ['four', undefined, []],
    ]);
    expect(JSON.parse(space.read('new/servers/one/report.json'))).toEqual(
      JSON.parse(space.read('old/servers/one/report.json')),
    );
  });
});

test.runIf(thorough)('fail-fast leaves the rest for --resume', async () => {
  fleet('fails.json', {
    first: stdio({ args: [server, 'stdio', '--mutation', 'ping/answer-empty-result'] }),
    second: dead('2'),
    third: dead('3'),
    fourth: dead('4'),
  });
  const { code } = await space.call(check('fails.json', 'fails', '--jobs', '1', '--fail-fast'));
  expect(code).toBe(1);
  expect(fleetReportOf(space.path('fails')).incomplete).toBe(
    '3 of 4 servers were not checked: stopped after the failure of first',
  );
  await space.call(check('fails.json', 'fails', '--resume'));
  expect(fleetReportOf(space.path('fails'))).toMatchObject({
    incomplete: null,
    servers: [{ name: 'first' }, { name: 'second' }, { name: 'third' }, { name: 'fourth' }],
  });
  expect(repeated(journalOf(space.path('fails')))).toEqual([]);
});

test.runIf(thorough).each(someOf(['SIGINT', 'SIGTERM'] as const, 2, (signal) => `fleet run ${signal}`))(
  '%s settles nothing half, writes the report, and leaves nothing running',
  async (signal) => {
    const out = `stopped-${signal}`;
    fleet('slow.json', { one: stdio(), slow: script('silent.mjs'), two: stdio() });
    const run = space.start(check('slow.json', out, '--jobs', '2'));
    const settled = (): number => journalOf(space.path(out)).filter(({ event }) => event === 'settled').length;
    await until(() => settled() > 0 && processesWith(space.path('silent.mjs')).length > 0);
    const left = descendants(run.pid);
    run.kill(signal);
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(130);
    await allGone(left);
    expect(processesWith(space.folder)).toEqual([]);
    const report = fleetReportOf(space.path(out));
    expect(report.incomplete).toMatch(/ servers? (?:was|were) not checked: interrupted$/);
    expect(report.servers.map(({ name }) => name)).not.toContain('slow');
    fleet('slow.json', { one: stdio(), slow: script('silent.mjs', { timeouts: { check: '1s' } }), two: stdio() });
    const again = await space.run(check('slow.json', out, '--resume', '--recheck-changed'));
    expect(again.code, again.stderr).toBe(1);
    expect(fleetReportOf(space.path(out))).toMatchObject({
      incomplete: null,
      servers: [{ name: 'one' }, { name: 'slow', status: 'timeout' }, { name: 'two' }],
    });
  },
);

test.runIf(process.platform === 'linux')(
  'a full disk stops the run with a clear error; what was settled stays, and resuming finishes',
  async () => {
    // The trace of the second server is written to a device that is always full; reports meet full disks in test/files.
    mkdirSync(space.path('full/servers/two'), { recursive: true });
    symlinkSync('/dev/full', space.path('full/servers/two/trace.jsonl.part'));
    const outcome = await space.call(check('three.json', 'full', '--jobs', '1'));
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain('The disk that holds full is full.');
    expect(outcome.stderr).toContain('continue with --resume');
    expect(journalOf(space.path('full')).filter(({ event }) => event === 'settled')).toHaveLength(1);
    rmSync(space.path('full/servers/two/trace.jsonl.part'), { force: true });
    expect((await space.call(check('three.json', 'full', '--resume'))).code).toBe(0);
    expect(fleetReportOf(space.path('full'))).toMatchObject({
      incomplete: null,
      servers: [{ name: 'one' }, { name: 'two' }, { name: 'three' }],
    });
    expect(repeated(journalOf(space.path('full')))).toEqual([]);
  },
);

test('a journal whose last line is torn is taken up where it was whole', async () => {
  expect((await space.call(check('dead.json', 'torn'))).code).toBe(3);
  const text = readFileSync(space.path('torn/journal.jsonl'), 'utf8');
  writeFileSync(space.path('torn/journal.jsonl'), text.slice(0, -40));
  rmSync(space.path('torn/fleet.json'));
  expect((await space.call(check('dead.json', 'torn', '--resume'))).code).toBe(3);
  const events = journalOf(space.path('torn'));
  expect(events.filter(({ event }) => event === 'settled')).toHaveLength(3);
  expect(repeated(events)).toEqual([]);
});

test('the header of a run is never changed, and holds no value of a variable', async () => {
  fleet('secret.json', { one: stdio({ env: { API_KEY: '${MCPC_TEST_SECRET}' } }) });
  const { code } = await space.call(check('secret.json', 'secret'), {
    env: { MCPC_TEST_SECRET: 'very-secret-value-42' },
  });
  expect(code).toBe(0);
  const before = space.read('secret/run.json');
  expect((JSON.parse(before) as FleetRunHeader).servers).toHaveLength(1);
  expect(
    (await space.call(check('secret.json', 'secret', '--resume'), { env: { MCPC_TEST_SECRET: 'another' } })).code,
  ).toBe(0);
  expect(space.read('secret/run.json')).toBe(before);
  for (const file of ['run.json', 'journal.jsonl', 'fleet.json', 'servers/one/report.json', 'servers/one/trace.jsonl'])
    expect(space.read(`secret/${file}`)).not.toContain('very-secret-value-42');
});
