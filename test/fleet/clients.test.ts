/** Clients in a fleet, beside servers: from the file to the reports, a resumed run and a comparison. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { FleetReport } from '../../src/core/model/reports/fleet.ts';
import { exampleServer, root, Workspace } from '../cli/harness.ts';
import { startRedis } from '../support/redis.ts';
import { thorough } from '../support/run/options.ts';

const rawClient = fileURLToPath(new URL('../stage/clients/raw-client.mjs', import.meta.url));
const sdkClient = `${root}/examples/clients/sdk-client.mjs`;

function fleetOf(fault: string): object {
  return {
    version: 1,
    defaults: { maxRate: 1000 },
    servers: {
      example: { command: 'node', args: [exampleServer, 'stdio'] },
      sdk: { client: { command: 'node', args: [sdkClient] }, tags: ['prod'] },
      raw: { client: { command: 'node', args: [rawClient, '{{url}}'] }, env: { FAULT: fault } },
    },
  };
}

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

function mcpc(cwd: string, ...words: string[]): { pid: number; ended: Promise<Ended> } {
  const child = spawn('node', [`${root}/bin/mcpc.js`, ...words], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  return {
    pid: child.pid!,
    ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err }))),
  };
}

function reportOf(space: Workspace, run: string): FleetReport {
  return JSON.parse(readFileSync(space.path(`${run}/fleet.json`), 'utf8')) as FleetReport;
}

const ping = ['--only-rules', 'ping', '--no-dashboard'];

test.runIf(thorough)('clients are checked, listed and told apart from servers', async () => {
  const space = new Workspace();
  space.write('fleet.json', fleetOf('ping-text'));
  const cwd = space.path('.');
  const listed = JSON.parse((await mcpc(cwd, 'fleet', 'list', 'fleet.json', '--json').ended).out) as {
    servers: { name: string; kind?: string; starts?: number; transport: string }[];
  };
  expect(listed.servers.map(({ name, kind, transport }) => `${name} ${kind} ${transport}`)).toEqual([
    'example undefined stdio',
    'sdk client http',
    'raw client http',
  ]);
  expect(listed.servers[1]!.starts).toBeGreaterThan(3);
  const { code } = await mcpc(
    cwd,
    'fleet',
    'check',
    'fleet.json',
    '--out',
    'run',
    ...ping,
    '-f',
    'markdown',
    '-o',
    'r.md',
  ).ended;
  expect(code).toBe(1);
  const { servers } = reportOf(space, 'run');
  expect(servers.map(({ name, kind, status, compliant }) => [name, kind, status, compliant])).toEqual([
    ['example', undefined, 'checked', true],
    ['sdk', 'client', 'checked', true],
    ['raw', 'client', 'checked', false],
  ]);
  expect(servers[2]!.failures.map(({ rule }) => rule)).toEqual(['ping/client-answer-empty-result']);
  const markdown = readFileSync(space.path('r.md'), 'utf8');
  expect(markdown).toContain('of 3 servers and clients compliant');
  expect(markdown).toContain('### Clients, MCP 2025-11-25');
});

test.runIf(thorough)('shares of clients and servers are merged', async () => {
  const space = new Workspace();
  const cwd = space.path('.');
  space.write('fleet.json', fleetOf('ping-text'));
  const share = (part: string): Promise<Ended> =>
    mcpc(cwd, 'fleet', 'check', 'fleet.json', ...ping, '--shard', `${part}/2`, '--out', part).ended;
  const ends = [await share('1'), await share('2')];
  expect(ends.map(({ code }) => code).sort()).toEqual([0, 1]);
  const merged = await mcpc(cwd, 'fleet', 'merge', '1', '2', '--out', 'whole').ended;
  expect(merged.code, merged.err).toBe(1);
  expect(merged.err).toContain('Exit 1: 1 client violates requirements (raw).');
  expect(reportOf(space, 'whole').servers.map(({ name, kind }) => [name, kind])).toEqual([
    ['example', undefined],
    ['sdk', 'client'],
    ['raw', 'client'],
  ]);
});

test.runIf(thorough)('a worker takes clients from the queue', async () => {
  const space = new Workspace();
  const cwd = space.path('.');
  space.write('fleet.json', fleetOf('ping-text'));
  const redis = await startRedis();
  const worker = mcpc(cwd, 'fleet', 'worker', '--queue', redis.url, '--jobs', '1');
  try {
    const queued = await mcpc(cwd, 'fleet', 'check', 'fleet.json', ...ping, '--queue', redis.url, '--out', 'run').ended;
    expect(queued.code, queued.err).toBe(1);
    expect(reportOf(space, 'run').servers.map(({ kind, compliant }) => [kind, compliant])).toEqual([
      [undefined, true],
      ['client', true],
      ['client', false],
    ]);
  } finally {
    process.kill(worker.pid, 'SIGTERM');
    const { out, err } = await worker.ended;
    expect(`${out}${err}`).toContain('Done raw');
    await redis.close();
  }
});

test.runIf(thorough)('a killed run is resumed, and two runs are compared', async () => {
  const space = new Workspace();
  const cwd = space.path('.');
  space.write('fleet.json', fleetOf('ping-text'));
  const check = ['fleet', 'check', 'fleet.json', '--jobs', '1', ...ping];
  const killed = mcpc(cwd, ...check, '--out', 'old');
  const journal = space.path('old/journal.jsonl');
  while (!existsSync(journal) || !readFileSync(journal, 'utf8').includes('"settled"')) await wait(20);
  process.kill(killed.pid, 'SIGKILL');
  await killed.ended;
  expect((await mcpc(cwd, 'fleet', 'check', 'fleet.json', '--out', 'old', '--resume', ...ping).ended).code).toBe(1);
  expect(reportOf(space, 'old').servers.map(({ status }) => status)).toEqual(['checked', 'checked', 'checked']);
  space.write('fleet.json', fleetOf(''));
  expect((await mcpc(cwd, ...check, '--out', 'new').ended).code).toBe(0);
  const { code, out } = await mcpc(cwd, 'fleet', 'diff', 'old', 'new').ended;
  expect(code).toBe(0);
  expect(out).toContain('ping/client-answer-empty-result');
});

test.each([
  [{ client: { command: 'node' }, url: 'http://127.0.0.1/mcp' }, 'is a client and a server'],
  [{ client: { command: 'node' }, hints: 'hints.yaml' }, 'is a client, for which "hints"'],
])('an entry %j is refused', async (server, why) => {
  const space = new Workspace();
  space.write('fleet.json', { version: 1, servers: { one: server } });
  const { code, err } = await mcpc(space.path('.'), 'fleet', 'list', 'fleet.json').ended;
  expect(code).toBe(2);
  expect(err).toContain(why);
});
