/** Checks by workers on a queue, over a real Redis: whoever is killed, no result is lost and none is made twice. */
import { copyFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allGone, errorOf, exampleServer, Workspace, type Running } from '../cli/harness.ts';
import { dies } from '../cli/servers.ts';
import { startRedis, type RunningRedis } from '../support/redis.ts';
import { descendants, fleetReportOf, journalOf, processesWith, repeated, resultsOf, until } from './run-folder.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();
const server = space.path('queue-server.mjs');
let redis: RunningRedis;
const workers: Running[] = [];
const check = [
  'fleet',
  'check',
  'fleet.json',
  '--spec',
  '2025-11-25',
  '--only-rules',
  'ping,lifecycle',
  '--no-dashboard',
];

beforeAll(async () => {
  redis = await startRedis();
  copyFileSync(exampleServer, server);
  space.write('dies.mjs', dies);
  const stdio = (...args: string[]): object => ({
    command: process.execPath,
    args: [server, 'stdio', ...args],
    env: { TOKEN: '${MCPC_TEST_TOKEN}' },
  });
  space.write('fleet.json', {
    version: 1,
    servers: {
      ...Object.fromEntries([1, 2, 3, 4, 5].map((number) => [`server ${number}`, stdio()])),
      breaks: stdio('--mutation', 'ping/answer-empty-result'),
      dies: { command: process.execPath, args: [space.path('dies.mjs')] },
    },
  });
});

afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await Promise.all(workers.map(({ ended }) => ended));
  await redis.close();
});

const env = { MCPC_TEST_TOKEN: 'very-secret-value-42' };

function startWorker(...more: string[]): Running {
  const worker = space.start(
    ['fleet', 'worker', '--queue', redis.url, '--jobs', '2', '--takeover-after', '2s', ...more],
    { env },
  );
  workers.push(worker);
  return worker;
}

test.runIf(thorough)(
  'two workers, one of them killed in the middle, and the run itself killed and resumed',
  { timeout: 300_000 },
  async () => {
    const whole = await space.call([...check, '--out', 'whole'], { env });
    expect(whole.code, whole.stderr).toBe(1);

    // Without the variable: it is for the workers to have it.
    const first = space.start([...check, '--out', 'queued', '--queue', redis.url]);
    const directory = space.path('queued');
    await until(() => journalOf(directory).length >= 7);
    expect(
      redis
        .ask(
          '--raw',
          'eval',
          "local all = '' for _, key in ipairs(redis.call('keys', 'bull:mcpc-fleet:*')) do if redis.call('type', key).ok == 'hash' then all = all .. table.concat(redis.call('hgetall', key), ' ') end end return all",
          '0',
        )
        .join(''),
    ).toContain('${MCPC_TEST_TOKEN}');
    const [doomed, other] = [startWorker(), startWorker()];
    await doomed.shows('Checking ');
    const left = descendants(doomed.pid);
    doomed.kill('SIGKILL');
    await doomed.ended;
    await allGone(left);
    await until(() => journalOf(directory).some(({ event }) => event === 'settled'));
    first.kill('SIGKILL');
    await first.ended;

    const second = await space.run([...check, '--out', 'queued', '--queue', redis.url, '--resume']);
    expect(second.code, `${second.stderr}\n${other.text()}`).toBe(1);
    expect(resultsOf(directory)).toEqual(resultsOf(space.path('whole')));
    expect(fleetReportOf(directory).incomplete).toBeNull();
    expect(repeated(journalOf(directory))).toEqual([]);
    // Whoever took a check over did it once more; nothing that had its result was done again.
    const done = (doomed.text() + other.text()).match(/^Done .*$/gm) ?? [];
    expect(new Set(done).size).toBe(7);
    expect(done.length).toBe(7);
    // What was fetched is gone.
    expect(redis.ask('keys', 'mcpc-fleet:*')).toEqual([]);
    expect(redis.ask('keys', 'bull:mcpc-fleet:*').filter((key) => key.includes('server'))).toEqual([]);

    other.kill('SIGINT');
    expect((await other.ended).code).toBe(130);
    expect(processesWith(server)).toEqual([]);
  },
);

test.runIf(thorough)(
  'a worker that is told to stop gives back what it was at, and one that drains ends by itself',
  async () => {
    const run = space.start([...check, '--only', 'server *', '--out', 'given-back', '--queue', redis.url]);
    const leaving = startWorker();
    await leaving.shows('Checking ');
    leaving.kill('SIGTERM');
    expect((await leaving.ended).code).toBe(130);
    expect(processesWith(server)).toEqual([]);
    const drains = startWorker('--drain');
    expect((await drains.ended).code).toBe(0);
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(0);
    expect(fleetReportOf(space.path('given-back'))).toMatchObject({
      incomplete: null,
      servers: Array.from({ length: 5 }, () => ({ status: 'checked', compliant: true })),
    });
  },
);

test('a queue that is not there, is none, or whose packages are missing', async () => {
  expect(
    errorOf(
      await space.call([...check, '--out', 'nowhere', '--queue', 'redis://user:secret-word@127.0.0.1:9'], { env }),
    ).why,
  ).toMatch(/^The queue redis:\/\/127\.0\.0\.1:9 cannot be reached: /);
  expect(errorOf(await space.call(['fleet', 'worker', '--queue', 'http://127.0.0.1:9'])).why).toBe(
    '--queue takes the address of a Redis server.',
  );
  const hook =
    "export const resolve = (name, context, next) => { if (name === 'bullmq') throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' }); return next(name, context); };";
  const without = `--import data:text/javascript,${encodeURIComponent(`import{register}from'node:module';register('data:text/javascript,'+encodeURIComponent(${JSON.stringify(hook)}))`)}`;
  expect(
    errorOf(await space.run(['fleet', 'worker', '--queue', redis.url], { env: { NODE_OPTIONS: without } })),
  ).toMatchObject({
    why: 'A queue needs the packages bullmq and ioredis, which are not installed.',
    fix: expect.stringContaining('npm install bullmq ioredis'),
  });
});
