/**
 * Faults made by machine before published servers, by `faults proxy`: on stdio, over HTTP and over HTTP+SSE a rule that
 * names the requirement of the fault reports it, and fails nothing of the same server without it. A few in a run, by
 * turns; all in the full run.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { everything as allRules, readGeneratedPlan } from '../../src/check/plan.ts';
import { startHttpFaultProxy } from '../../src/testkit/fault-proxy/http-fault-proxy.ts';
import { generatedFaults } from '../../src/testkit/generated-faults/list.ts';
import type { GeneratedFault } from '../../src/testkit/generated-faults/generated-fault.ts';
import { freePort } from '../support/free-port.ts';
import { someOf } from '../support/run/some-of.ts';
import { check, rulesWith, type Checked } from './run-check.ts';

interface Server {
  package: string;
  program: string;
  args?: string[];
  transport: 'stdio' | 'http' | 'sse';
  path?: string;
}

const everything: Omit<Server, 'transport'> = {
  package: '@modelcontextprotocol/server-everything',
  program: 'dist/index.js',
};
const servers: Record<string, Server> = {
  'everything on stdio': { ...everything, args: ['stdio'], transport: 'stdio' },
  'memory on stdio': { package: '@modelcontextprotocol/server-memory', program: 'dist/index.js', transport: 'stdio' },
  'everything over HTTP': { ...everything, args: ['streamableHttp'], transport: 'http', path: '/mcp' },
  'basic-vanillajs over HTTP': {
    package: '@modelcontextprotocol/server-basic-vanillajs',
    program: 'dist/index.js',
    transport: 'http',
    path: '/mcp',
  },
  'everything over HTTP+SSE': { ...everything, args: ['sse'], transport: 'sse', path: '/sse' },
};

const anywhere = [
  'ping.result.id:as-string',
  'tools/list.result.tools[].inputSchema:absent',
  'tools/list.result.tools[].name:number',
  'tools/call.result.content:absent',
];
const faults: Record<string, string[]> = {
  'everything on stdio': [
    ...anywhere,
    'prompts/get.result.messages[].role:other',
    'tools/list.result.stdio:log-line-before',
    'ping.result.stdio:pretty',
  ],
  'memory on stdio': [...anywhere, 'initialize.result.serverInfo.version:absent', 'tools/list.result.stdio:no-newline'],
  'everything over HTTP': [...anywhere, 'notification.reply.status:200', 'GET.reply.content-type:html'],
  'basic-vanillajs over HTTP': [
    ...anywhere,
    'initialize.result.serverInfo.version:absent',
    'notification.reply.status:204',
  ],
  'everything over HTTP+SSE': [...anywhere, 'prompts/get.result.messages[].role:other'],
};
const cases = Object.entries(faults).flatMap(([server, ids]) => ids.map((id) => ({ server, id })));

const require = createRequire(import.meta.url);
const mcpc = fileURLToPath(new URL('../../bin/mcpc.js', import.meta.url));
const revision = '2025-11-25';
const plan = readGeneratedPlan();
const made = new Map((await generatedFaults()).map((one) => [one.id, one]));

/** The rules of which one has to report it. */
function rulesOf({ at }: GeneratedFault): string[] {
  const wanted = at[revision];
  if (wanted === undefined || wanted === 'legal') return [];
  return plan.rules
    .filter(
      ({ role, requirements, feature }) =>
        role === 'server' && feature !== true && requirements.some((id) => wanted.includes(id)),
    )
    .map(({ id }) => id);
}

let folder = '';
const running: ChildProcess[] = [];
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mcpc-faulty-'));
});
afterAll(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

function programOf({ package: name, program }: Server): string {
  const manifest = (require.resolve.paths(name) ?? [])
    .map((place) => path.join(place, name, 'package.json'))
    .find((file) => readable(file));
  if (manifest === undefined) throw new Error(`${name} is not installed`);
  return path.join(path.dirname(manifest), program);
}

function readable(file: string): boolean {
  try {
    return readFileSync(file).length > 0;
  } catch {
    return false;
  }
}

/** The address of a served process, once it listens. */
async function served(server: Server): Promise<URL> {
  const port = await freePort();
  const child = spawn(process.execPath, [programOf(server), ...(server.args ?? [])], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  running.push(child);
  const listens = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
  await vi.waitUntil(listens, { timeout: 60_000, interval: 200 });
  return new URL(`http://127.0.0.1:${port}${server.path ?? ''}`);
}

/** @param id of a fault; the server alone when absent */
async function checked(name: string, only: string[], id?: string): Promise<Checked> {
  const server = servers[name]!;
  const common = {
    name,
    selection: { ...allRules, only },
    traceFile: path.join(folder, `${Math.random().toString(36).slice(2)}.jsonl`),
    spec: revision as 'auto',
  };
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') };
  if (server.transport === 'stdio') {
    const command = [programOf(server), ...(server.args ?? [])];
    const args = id === undefined ? command : [mcpc, 'faults', 'proxy', id, '--', process.execPath, ...command];
    return check({ ...common, target: { kind: 'stdio', command: process.execPath, args, env, cwd: folder } });
  }
  const upstream = await served(server);
  const proxy =
    id === undefined ? undefined : await startHttpFaultProxy({ fault: made.get(id)!.fault, upstream, port: 0 });
  try {
    return await check({
      ...common,
      target: { kind: server.transport, url: proxy?.url ?? upstream.href, headers: [] },
    });
  } finally {
    await proxy?.close();
  }
}

test('each of these faults violates a requirement that a rule looks at', () => {
  for (const { id } of cases) expect(rulesOf(made.get(id)!), id).not.toEqual([]);
});

describe.concurrent('a fault before a published server', { timeout: 300_000 }, () => {
  test.each(someOf(cases, 8, ({ server, id }) => `${server} ${id}`))('$server: $id', async ({ server, id }) => {
    const only = rulesOf(made.get(id)!);
    const faulty = await checked(server, only, id);
    const sound = await checked(server, only);
    const before = rulesWith(sound, 'fail');
    expect(
      rulesWith(faulty, 'fail').filter((rule) => !before.includes(rule)),
      `of ${only.join(', ')}`,
    ).not.toEqual([]);
  });
});
