/** The order of checks: how many at a time, hosts, ports, budgets, ends. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFailure } from '../../src/fleet/compare/fleet-report.ts';
import { fixedJobs } from '../../src/fleet/jobs/job-limit.ts';
import { type Places, placesOf } from '../../src/fleet/queue/places.ts';
import { schedule, type ScheduleOptions } from '../../src/fleet/queue/scheduler.ts';
import { unsettled } from '../../src/fleet/run/summary.ts';
import type { FleetReach, FleetServer } from '../../src/core/model/reports/fleet.ts';
import type { FleetEntry } from '../../src/check/settings/fleet-entry.ts';

function entry(name: string, reach: FleetReach = { kind: 'command', command: 'x', args: [] }): FleetEntry {
  return {
    name,
    id: name,
    from: 'f',
    folder: '/',
    reach,
    env: {},
    headers: {},
    spec: 'auto',
    timeouts: {},
    tags: [],
    allowDestructive: false,
  };
}

const unreachable = (one: FleetEntry, reason = 'nothing there'): FleetServer =>
  unsettled(one, 'unreachable', reason, { attempts: 1, durationMs: 1 });
const sound = (one: FleetEntry): FleetServer => ({
  ...unreachable(one),
  status: 'checked',
  reason: null,
  compliant: true,
});

interface Lab {
  options: ScheduleOptions;
  begun: string[];
  settled: FleetServer[];
  most: number;
}

function lab(
  result: (one: FleetEntry, signal: AbortSignal) => FleetServer | Promise<FleetServer>,
  more: Partial<ScheduleOptions> = {},
): Lab {
  let running = 0;
  const made: Lab = {
    begun: [],
    settled: [],
    most: 0,
    options: {
      jobs: fixedJobs(4),
      maxPerHost: 4,
      hostErrors: 0,
      failFast: false,
      signal: new AbortController().signal,
      placesOf: (one) => placesOf(one, {}),
      async run(one, signal) {
        made.begun.push(one.name);
        running += 1;
        made.most = Math.max(made.most, running);
        try {
          await new Promise((resolve) => setImmediate(resolve));
          return await result(one, signal);
        } finally {
          running -= 1;
        }
      },
      giveUp: unreachable,
      settle: async (server) => void made.settled.push(server),
      failed: isFailure,
      ...more,
    },
  };
  return made;
}

test('whatever the limits, each server is settled once and no limit is passed', async () => {
  const place = fc.record({
    host: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
    port: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(place, { maxLength: 20 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 3 }),
      async (places, jobs, maxPerHost) => {
        const entries = places.map((_, index) => entry(String(index)));
        const busy = new Map<string, number>();
        const keys = (one: FleetEntry): [string, number][] => {
          const { host, port } = places[Number(one.name)]!;
          return [
            ...(host === undefined ? [] : [[`host ${host}`, maxPerHost] as [string, number]]),
            ...(port === undefined ? [] : [[`port ${port}`, 1] as [string, number]]),
          ];
        };
        const it = lab(
          async (one) => {
            for (const [key, most] of keys(one)) {
              busy.set(key, (busy.get(key) ?? 0) + 1);
              expect(busy.get(key)).toBeLessThanOrEqual(most);
            }
            await new Promise((resolve) => setImmediate(resolve));
            for (const [key] of keys(one)) busy.set(key, busy.get(key)! - 1);
            return sound(one);
          },
          {
            jobs: fixedJobs(jobs),
            maxPerHost,
            placesOf: (one) =>
              Object.fromEntries(
                Object.entries(places[Number(one.name)]!).filter(([, value]) => value !== undefined),
              ) as Places,
          },
        );
        expect(await schedule(entries, it.options)).toBeUndefined();
        expect(it.settled.map(({ id }) => id).sort()).toEqual(entries.map(({ id }) => id).sort());
        expect(it.most).toBeLessThanOrEqual(jobs);
      },
    ),
    { numRuns: 60 },
  );
});

describe('a host that does not answer', () => {
  const url = (name: string, host: string): FleetEntry => entry(name, { kind: 'url', url: `http://${host}/${name}` });

  test('is given up after so many failures in a row', async () => {
    const entries = ['1', '2', '3', '4', '5'].map((name) => url(name, 'dead:1'));
    const it = lab((one) => unreachable(one), { jobs: fixedJobs(1), hostErrors: 2 });
    await schedule([...entries, url('other', 'alive:1')], { ...it.options });
    expect(it.begun).toEqual(['1', '2', 'other']);
    expect(it.settled.find(({ name }) => name === '5')).toMatchObject({
      status: 'unreachable',
      reason: 'not tried: 2 servers in a row at dead:1 could not be reached',
    });
    expect(it.settled).toHaveLength(6);
  });

  test('a success in between begins the count anew', async () => {
    const it = lab((one) => (one.name === '2' ? sound(one) : unreachable(one)), { jobs: fixedJobs(1), hostErrors: 2 });
    await schedule(
      ['1', '2', '3', '4', '5'].map((name) => url(name, 'shaky:1')),
      it.options,
    );
    expect(it.begun).toEqual(['1', '2', '3', '4']);
  });
});

test('fail-fast begins nothing more, and what runs is settled', async () => {
  const it = lab((one) => (one.name === '1' ? unreachable(one) : sound(one)), { jobs: fixedJobs(2), failFast: true });
  const stopped = await schedule(
    ['0', '1', '2', '3', '4', '5'].map((name) => entry(name)),
    it.options,
  );
  expect(stopped).toBe('stopped after the failure of 1');
  expect(it.settled.map(({ name }) => name).sort()).toEqual([...it.begun].sort());
  expect(it.begun.length).toBeLessThan(6);
});

test('an interruption settles nothing half', async () => {
  const controller = new AbortController();
  const it = lab(
    (one, signal) =>
      one.name === '0'
        ? sound(one)
        : new Promise((_, reject) => {
            const end = (): void => reject(new Error('interrupted'));
            signal.addEventListener('abort', end);
            if (signal.aborted) end();
            controller.abort();
          }),
    { jobs: fixedJobs(2), signal: controller.signal },
  );
  expect(
    await schedule(
      ['0', '1', '2', '3'].map((name) => entry(name)),
      it.options,
    ),
  ).toBe('interrupted');
  expect(it.settled.every(({ name }) => name === '0')).toBe(true);
});

test('a result that cannot be kept ends the run and the other checks', async () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  let ended = false;
  const it = lab(
    (one, signal) =>
      one.name === '0'
        ? sound(one)
        : new Promise((_, reject) => {
            const end = (): void => {
              ended = true;
              reject(new Error('interrupted'));
            };
            signal.addEventListener('abort', end);
            if (signal.aborted) end();
          }),
    { jobs: fixedJobs(2), settle: () => Promise.reject(full) },
  );
  await expect(
    schedule(
      ['0', '1', '2'].map((name) => entry(name)),
      it.options,
    ),
  ).rejects.toBe(full);
  expect(ended).toBe(true);
  expect(it.begun).toEqual(['0', '1']);
});

test('places: the host of an address, the fixed port of a command', () => {
  const env = { HOST: 'Example.com' };
  expect(placesOf(entry('a', { kind: 'url', url: 'https://${HOST}:8443/mcp' }), env)).toEqual({
    host: 'example.com:8443',
  });
  expect(placesOf(entry('a', { kind: 'url', url: 'https://user:pw@${NOWHERE:-here}/mcp' }), env)).toEqual({
    host: 'here',
  });
  expect(
    placesOf(entry('a', { kind: 'command', command: 'x', args: [], url: 'http://127.0.0.1:4200/mcp' }), env),
  ).toEqual({ port: '4200' });
  expect(
    placesOf(entry('a', { kind: 'command', command: 'x', args: [], url: 'http://127.0.0.1:{{port}}/mcp' }), env),
  ).toEqual({});
  expect(placesOf(entry('a'), env)).toEqual({});
});

test('a limit that is raised begins more, one that is lowered ends nothing', async () => {
  let now = 1;
  let more: () => void = () => {};
  const ends: (() => void)[] = [];
  const it = lab((one) => new Promise((resolve) => ends.push(() => resolve(sound(one)))), {
    maxPerHost: 9,
    jobs: {
      get now() {
        return now;
      },
      onMore: (listener) => void (more = listener),
    },
  });
  const done = schedule(
    Array.from({ length: 5 }, (_, index) => entry(String(index))),
    it.options,
  );
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  await turns();
  expect(it.begun).toEqual(['0']);
  now = 3;
  more();
  await turns();
  expect(it.begun).toEqual(['0', '1', '2']);
  now = 1;
  ends.shift()!();
  await turns();
  // Two still run.
  expect(it.begun).toEqual(['0', '1', '2']);
  while (it.settled.length < 5) {
    ends.shift()?.();
    await turns();
  }
  expect(await done).toBeUndefined();
  expect(it.settled.map(({ name }) => name).sort()).toEqual(['0', '1', '2', '3', '4']);
});
