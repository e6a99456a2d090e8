/**
 * Recordings of published servers, replayed: clients of both SDKs get what they got live, over each transport, and the
 * replayed conversation is judged like the live one. Needs the build.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  Client as SecondClient,
  ReadBuffer,
  serializeMessage,
  type Transport as SecondTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { root, Workspace } from '../cli/harness.ts';

const work = new Workspace();
const bin = join(root, 'bin/mcpc.js');
const require = createRequire(import.meta.url);
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Subject {
  server: string;
  args?: string[];
  calls: [name: string, args: Record<string, unknown>][];
}

const programOf = (server: string): string => {
  const manifest = require.resolve(`${server}/package.json`);
  const { bin: program } = require(manifest) as { bin: string | Record<string, string> };
  return join(dirname(manifest), typeof program === 'string' ? program : Object.values(program)[0]!);
};

const subjects: Subject[] = [
  {
    server: '@modelcontextprotocol/server-everything',
    args: ['stdio'],
    calls: [
      ['echo', { message: 'ünï ✓' }],
      ['get-sum', { a: 2, b: 3 }],
      ['get-sum', { a: 'two' }],
      ['get-tiny-image', {}],
      ['get-structured-content', { location: 'Chicago' }],
      ['no-such-tool', {}],
    ],
  },
  {
    server: '@modelcontextprotocol/server-memory',
    calls: [
      ['read_graph', {}],
      ['create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }] }],
      ['read_graph', {}],
      ['search_nodes', { query: 'Ada' }],
    ],
  },
  {
    server: '@modelcontextprotocol/server-filesystem',
    args: [work.folder],
    calls: [
      ['list_allowed_directories', {}],
      ['read_text_file', { path: '/nowhere/at/all' }],
    ],
  },
  {
    server: '@modelcontextprotocol/server-sequential-thinking',
    calls: [['sequentialthinking', { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }]],
  },
];

const named = (index: number): string => `recorded-${index}.trace.jsonl`;
const ownEnv = (index: number): Record<string, string> =>
  ({ ...process.env, MEMORY_FILE_PATH: work.path(`memory-${index}.json`) }) as Record<string, string>;

function started(args: string[], index = 0): Transport {
  return new StdioClientTransport({
    command: process.execPath,
    args,
    env: ownEnv(index),
    cwd: work.folder,
    stderr: 'ignore',
  });
}

/** All that a client gets to see. */
async function seen(transport: Transport, { calls }: Subject): Promise<unknown[]> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: {} });
  await client.connect(transport);
  const got: unknown[] = [client.getServerVersion(), client.getServerCapabilities(), client.getInstructions()];
  const note = async (asked: Promise<unknown>): Promise<void> => {
    got.push(await asked.catch((error: unknown) => String(error)));
  };
  await note(client.listTools());
  await note(client.listResources());
  await note(client.listPrompts());
  for (const [name, args] of calls) await note(client.callTool({ name, arguments: args }));
  await client.close();
  return got;
}

async function listening(...args: string[]): Promise<string> {
  const running = work.start(['replay', ...args]);
  cleanups.push(async () => {
    running.kill('SIGINT');
    await running.ended;
  });
  await running.shows('For a client:');
  return /Serving \S+ at (\S+);/.exec(running.text())![1]!;
}

/** The status of each rule that decided something. */
async function verdicts(file: string): Promise<Record<string, string>> {
  const { stdout } = await work.call(['judge', file, '--format', 'json']);
  const { parts } = JSON.parse(stdout) as RunReport;
  const decided = parts.flatMap((part) => part.verdicts).filter(({ status }) => status !== 'not-exercised');
  expect(decided.length).toBeGreaterThan(20);
  return Object.fromEntries(decided.map(({ rule, status }) => [rule, status]));
}

describe.each(subjects.map((subject, index) => ({ ...subject, index })))('$server', ({ index, ...subject }) => {
  test('clients get from the recording what they got live, over each transport', async () => {
    const command = [process.execPath, programOf(subject.server), ...(subject.args ?? [])];
    const live = await seen(started([bin, 'intercept', '--trace', named(index), '--', ...command], index), subject);
    expect(live).toHaveLength(6 + subject.calls.length);
    const again = `again-${index}.trace.jsonl`;
    const replayed = [process.execPath, bin, 'replay', named(index), '--strict'];
    expect(await seen(started([bin, 'intercept', '--trace', again, '--', ...replayed], index), subject)).toEqual(live);
    expect(
      await seen(
        new StreamableHTTPClientTransport(new URL(await listening(named(index), '--listen', '127.0.0.1:0'))),
        subject,
      ),
    ).toEqual(live);
    const sse = await listening(named(index), '--listen', '127.0.0.1:0', '--transport', 'sse');
    expect(await seen(new SSEClientTransport(new URL(sse)), subject)).toEqual(live);
    expect(await verdicts(again)).toEqual(await verdicts(named(index)));
  });
});

/** A process for a client of the second SDK. */
function secondTransport(args: string[]): SecondTransport {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], cwd: work.folder });
  cleanups.push(() => child.kill('SIGKILL'));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const received = new ReadBuffer();
  const transport: SecondTransport = {
    start: () => Promise.resolve(),
    send: (message) =>
      new Promise((resolve, reject) =>
        child.stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve())),
      ),
    async close() {
      child.stdin.end();
      await ended;
      transport.onclose?.();
    },
  };
  child.stdout.on('data', (chunk: Buffer) => {
    received.append(chunk);
    for (let message = received.readMessage(); message !== null; message = received.readMessage())
      transport.onmessage?.(message);
  });
  return transport;
}

test('the client of the second SDK gets from the recording what it got live', async () => {
  const converse = async (args: string[]): Promise<unknown[]> => {
    const client = new SecondClient({ name: 'test', version: '2' }, { capabilities: {} });
    await client.connect(secondTransport(args));
    const got: unknown[] = [client.getServerVersion(), await client.listTools(), await client.listPrompts()];
    got.push(await client.callTool({ name: 'echo', arguments: { message: 'twice' } }));
    await client.close();
    return got;
  };
  const server = [process.execPath, programOf('@modelcontextprotocol/server-everything'), 'stdio'];
  const live = await converse([bin, 'intercept', '--trace', 'second.trace.jsonl', '--', ...server]);
  expect(live).toHaveLength(4);
  expect(await converse([bin, 'replay', 'second.trace.jsonl', '--strict'])).toEqual(live);
});
