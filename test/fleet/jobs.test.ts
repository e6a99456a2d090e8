/** How many checks run at a time without --jobs: the controller on given measurements, the limit of a scheduler, and the flag. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createJobController, mostJobs, type Strain } from '../../src/fleet/jobs/job-controller.ts';
import { openCpuMeter } from '../../src/fleet/jobs/job-limit.ts';
import { everything } from '../../src/check/plan.ts';
import { openPool } from '../../src/fleet/run/pool.ts';
import type { FleetEntry } from '../../src/check/settings/fleet-entry.ts';
import { errorOf, Workspace } from '../cli/harness.ts';
import { sound, wrongPing } from '../cli/servers.ts';
import { fleetReportOf, processes, resultsOf, until } from './run-folder.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();
const calm: Strain = { cpu: 0.3, load: 0.5, freeMb: 8_000, lateMs: 2, heap: 0.4 };
const with_ = (change: Partial<Strain>): Strain => ({ ...calm, ...change });

/** The limits after each of so many looks. */
function looks(
  controller: ReturnType<typeof createJobController>,
  times: number,
  strain: Strain,
  full = true,
): number[] {
  return Array.from({ length: times }, () => {
    controller.take(strain, full);
    return controller.limit;
  });
}

describe('the controller', () => {
  test('begins with two checks for each processor, never one alone', () => {
    expect([1, 2, 8].map((cores) => createJobController(cores).limit)).toEqual([2, 4, 16]);
  });

  test('grows by a quarter while processors are idle, each step after the last one shows, up to four for each', () => {
    expect(looks(createJobController(2), 12, calm)).toEqual([5, 5, 6, 6, 7, 7, 8, 8, 8, 8, 8, 8]);
    expect(looks(createJobController(8), 8, calm)).toEqual([20, 20, 25, 25, 31, 31, 32, 32]);
    expect(mostJobs(8)).toBe(32);
  });

  test('says when more may run than before', () => {
    const controller = createJobController(2);
    expect([
      controller.take(calm, true),
      controller.take(calm, true),
      controller.take(with_({ lateMs: 500 }), true),
    ]).toEqual([true, false, false]);
  });

  test.each<Partial<Strain>>([{ cpu: 0.95 }, { cpu: 1 }, { load: 9 }, { freeMb: 500 }, { lateMs: 60 }, { heap: 0.8 }])(
    'does not grow with %j',
    (change) => {
      expect(looks(createJobController(2), 4, with_(change))).toEqual([4, 4, 4, 4]);
    },
  );

  test('does not grow while fewer run than may', () => {
    expect(looks(createJobController(2), 4, calm, false)).toEqual([4, 4, 4, 4]);
  });

  test.each<Partial<Strain>>([{ lateMs: 400 }, { freeMb: 100 }, { heap: 0.95 }])(
    'goes down to one for each processor with %j, no further',
    (change) => {
      expect(looks(createJobController(2), 8, with_(change))).toEqual([3, 3, 2, 2, 2, 2, 2, 2]);
      expect(looks(createJobController(8), 12, with_(change), false)).toEqual([12, 12, 9, 9, 8, 8, 8, 8, 8, 8, 8, 8]);
    },
  );

  test('comes back to where it began on a machine that others keep busy, and beyond only on an idle one', () => {
    const controller = createJobController(4);
    looks(controller, 20, with_({ lateMs: 400 }));
    expect(controller.limit).toBe(4);
    expect(looks(controller, 16, with_({ cpu: 1, load: 20 })).at(-1)).toBe(8);
    expect(looks(controller, 16, calm).at(-1)).toBe(16);
    // What is there stays while it is borne.
    expect(looks(controller, 8, with_({ cpu: 1, load: 20, lateMs: 60 })).at(-1)).toBe(16);
  });
});

describe('the share of the processors in use', () => {
  const times = (user: number, idle: number) => ({ user, nice: 0, sys: 0, idle, irq: 0 });

  test('is that since the last time', () => {
    const readings = [
      [times(1_000, 0), times(1_000, 0)],
      [times(1_100, 300), times(1_100, 300)],
      [times(1_500, 300), times(1_100, 700)],
    ];
    const meter = openCpuMeter(() => readings.shift()!);
    expect([meter.since(), meter.since()]).toEqual([0.25, 0.5]);
  });

  test('is all where the system tells nothing, so that nothing grows', () => {
    expect(openCpuMeter(() => []).since()).toBe(1);
    expect(openCpuMeter(() => [times(0, 0)]).since()).toBe(1);
  });
});

test('a worker stays for the next check, and says how it fares', async () => {
  const pool = openPool({ jobs: 1, workers: 1 });
  onTestFinished(() => pool.close());
  expect(pool.strain!()).toEqual({ lateMs: 0, heap: 0 });
  const workers = (): number[] =>
    processes()
      .filter(({ parent, command }) => parent === process.pid && command.includes('fleet-worker'))
      .map(({ pid }) => pid);
  const before = new Set(workers());
  const own = (): number[] => workers().filter((pid) => !before.has(pid));
  const entry: FleetEntry = {
    name: 'gone',
    id: 'gone',
    from: 'f',
    folder: '/',
    reach: { kind: 'url', url: 'http://127.0.0.1:9/mcp' },
    env: {},
    headers: {},
    spec: 'auto',
    timeouts: {},
    tags: [],
    allowDestructive: false,
  };
  const check = () =>
    pool.run(
      {
        entry,
        folder: space.path('pool'),
        attempt: 1,
        selection: everything,
        toolVersion: '0',
        connections: { few: 1, most: 1 },
      },
      { signal: new AbortController().signal },
    );
  expect(await check()).toMatchObject({ status: 'unreachable' });
  const first = own();
  expect(first).toHaveLength(1);
  await until(() => pool.strain!().heap > 0);
  expect(pool.strain!().heap).toBeLessThan(1);
  expect(await check()).toMatchObject({ status: 'unreachable' });
  expect(own()).toEqual(first);
});

describe('--jobs', () => {
  const check = (out: string, ...more: string[]): string[] => [
    'fleet',
    'check',
    'fleet.json',
    '--out',
    out,
    '--no-dashboard',
    '--only-rules',
    'ping',
    '--spec',
    '2025-11-25',
    ...more,
  ];

  beforeAll(() => {
    space.write('sound.mjs', sound);
    space.write('wrong.mjs', wrongPing);
    const script = (name: string): object => ({ command: process.execPath, args: [space.path(name)] });
    space.write('fleet.json', {
      version: 1,
      servers: {
        one: script('sound.mjs'),
        two: script('wrong.mjs'),
        three: script('sound.mjs'),
        four: script('wrong.mjs'),
        gone: { url: 'http://127.0.0.1:9/mcp' },
      },
    });
  });

  test.runIf(thorough)('is auto unless said, and changes no verdict', { timeout: 240_000 }, async () => {
    for (const [out, ...more] of [['unsaid'], ['auto', '--jobs', 'auto'], ['alone', '--jobs', '1']] as const) {
      const { code, stderr } = await space.call(check(out, ...more));
      expect(code, stderr).toBe(1);
      expect(fleetReportOf(space.path(out)).servers.map(({ compliant }) => compliant)).toEqual([
        true,
        false,
        true,
        false,
        null,
      ]);
      expect(resultsOf(space.path(out))).toEqual(resultsOf(space.path('unsaid')));
    }
  });

  test.each(['0', 'many', '1.5', ''])('refuses %j', async (value) => {
    expect(errorOf(await space.call(check('refused', '--jobs', value)))).toMatchObject({
      why: `--jobs takes auto or a whole number from 1 to 256, not "${value}".`,
    });
  });
});
