/** SIGKILL at any moment loses at most what is being checked; resuming finishes the rest, and nothing twice. */
import { copyFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allGone, exampleServer, Workspace } from '../cli/harness.ts';
import { dies } from '../cli/servers.ts';
import type { RunningReference } from '../../src/testkit/example-server/start.ts';
import { startReferenceServer } from '../../src/testkit/example-server/start.ts';
import { everything, thorough } from '../support/run/options.ts';
import { drawn } from '../support/run/draw.ts';
import {
  descendants,
  fleetReportOf,
  journalOf,
  processesWith,
  randomFrom,
  repeated,
  resultsOf,
  until,
} from './run-folder.ts';
import { someOf } from '../support/run/some-of.ts';

const space = new Workspace();
const random = randomFrom(drawn('kill'));
const kills = everything ? 4 : 1;
let server = '';
const http: RunningReference[] = [];
const check = [
  'fleet',
  'check',
  'fleet.json',
  '--spec',
  '2025-11-25',
  '--only-rules',
  'ping,lifecycle',
  '--jobs',
  '3',
  '--no-dashboard',
];

beforeAll(async () => {
  server = space.path('killed-server.mjs');
  copyFileSync(exampleServer, server);
  space.write('dies.mjs', dies);
  for (const mutation of [undefined, 'ping/answer-empty-result'])
    http.push(await startReferenceServer({ transport: 'http', ...(mutation === undefined ? {} : { mutation }) }));
  const stdio = (...args: string[]): object => ({ command: process.execPath, args: [server, 'stdio', ...args] });
  space.write('fleet.json', {
    version: 1,
    servers: {
      ...Object.fromEntries([1, 2, 3].map((number) => [`on stdio ${number}`, stdio()])),
      ...Object.fromEntries(http.map(({ url }, index) => [`on http ${index}`, { url }])),
      'served over http': {
        command: process.execPath,
        args: [server, 'http', '--port', '{{port}}'],
        url: 'http://127.0.0.1:{{port}}/mcp',
      },
      dies: { command: process.execPath, args: [space.path('dies.mjs')] },
    },
  });
});
afterAll(() => Promise.all(http.map((one) => one.close())));

const isDue = thorough;
/** What is killed in `npm test`; both with --mode all. */
const kill = someOf(['the run', 'its worker'], 2, (what) => `kill ${what}`);

test.runIf(isDue)('as it is, nothing is left over', { timeout: 300_000 }, async () => {
  const whole = await space.call([...check, '--out', 'whole']);
  expect(whole.code, whole.stderr).toBe(1);
  expect(processesWith(server)).toEqual([]);
});

test.runIf(isDue && kill.includes('the run'))(
  `killed ${kills} times at random moments`,
  { timeout: 300_000 },
  async () => {
    const directory = space.path('killed');
    let killed = 0;
    for (; killed < kills; killed += 1) {
      const before = journalOf(directory).length;
      const run = space.start([...check, '--out', 'killed', ...(killed === 0 ? [] : ['--resume'])], {
        env: { TMPDIR: space.folder },
      });
      let ended = false;
      void run.ended.then(() => (ended = true));
      const events = Math.floor(random() * 5);
      await until(() => ended || journalOf(directory).length > before + events);
      await sleep(random() * 600);
      const left = descendants(run.pid);
      run.kill('SIGKILL');
      const { code, stderr } = await run.ended;
      await allGone(left);
      await until(() => processesWith(server).length === 0);
      // It was through before its time came.
      if (code !== null) {
        expect(code, stderr).toBe(1);
        break;
      }
    }
    const last = await space.call([...check, '--out', 'killed', '--resume']);
    expect(last.code, last.stderr).toBe(1);
    expect(resultsOf(directory)).toEqual(resultsOf(space.path('whole')));
    expect(fleetReportOf(directory).incomplete).toBeNull();
    expect(repeated(journalOf(directory))).toEqual([]);
    expect(processesWith(server)).toEqual([]);
  },
);

test.runIf(isDue && kill.includes('its worker'))(
  'a worker process that is killed costs its checks in flight one more attempt, and leaves no server',
  async () => {
    const run = space.start([...check, '--out', 'lost', '--verbose'], { env: { TMPDIR: space.folder } });
    const directory = space.path('lost');
    await until(() => journalOf(directory).length > 1 && processesWith(server).length > 0);
    const worker = descendants(run.pid).find((pid) => processesWith('fleet-worker.js').includes(pid))!;
    process.kill(worker, 'SIGKILL');
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(1);
    expect(resultsOf(directory)).toEqual(resultsOf(space.path('whole')));
    expect(Math.max(...fleetReportOf(directory).servers.map(({ attempts }) => attempts))).toBe(2);
    expect(processesWith(server)).toEqual([]);
  },
);
