/** Recordings of published servers on stdio, replayed over each transport: a client gets what it got live. Needs the build. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, describe, expect, test } from 'vitest';
import { root, Workspace } from '../cli/harness.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';

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

describe.each(
  someOf(
    subjects.map((subject, index) => ({ ...subject, index })),
    4,
    ({ server }) => server,
  ),
)('$server', ({ index, ...subject }) => {
  test.runIf(thorough)('clients get from the recording what they got live, over each transport', async () => {
    const command = [process.execPath, programOf(subject.server), ...(subject.args ?? [])];
    const live = await seen(started([bin, 'intercept', '--trace', named(index), '--', ...command], index), subject);
    expect(live).toHaveLength(6 + subject.calls.length);
    expect(await seen(started([bin, 'replay', named(index), '--strict'], index), subject)).toEqual(live);
    expect(
      await seen(
        new StreamableHTTPClientTransport(new URL(await listening(named(index), '--listen', '127.0.0.1:0'))),
        subject,
      ),
    ).toEqual(live);
    const sse = await listening(named(index), '--listen', '127.0.0.1:0', '--transport', 'sse');
    expect(await seen(new SSEClientTransport(new URL(sse)), subject)).toEqual(live);
  });
});
