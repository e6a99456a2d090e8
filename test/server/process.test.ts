/** The command line: starting, announcing the address, and ending, from sources and as one bundle. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { mutations } from '../../src/testkit/example-server/mutations/catalogue.ts';

const children: ChildProcessWithoutNullStreams[] = [];
let folder = '';
let bundle = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'reference-'));
  bundle = path.join(folder, 'example-server.mjs');
  const entry = fileURLToPath(new URL('../../src/testkit/example-server/main.ts', import.meta.url));
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: bundle,
    logLevel: 'error',
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(...args: string[]): {
  child: ChildProcessWithoutNullStreams;
  output: { stdout: string; stderr: string };
} {
  const child = spawn(process.execPath, [bundle, ...args]);
  children.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  return { child, output };
}

const initialize = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } } })}\n`;

it('answers what was asked and exits when stdin closes', async () => {
  const { child, output } = start('stdio');
  child.stdin.end(initialize);
  expect((await once(child, 'close'))[0]).toBe(0);
  expect(JSON.parse(output.stdout)).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
  expect(output.stderr).toBe('');
});

it('ends on SIGTERM, also while stdin is open', async () => {
  const { child } = start('stdio');
  child.stdin.write(initialize);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect((await once(child, 'close'))[0]).toBe(0);
});

it('stays when stdin closes under the mutation that is about that', async () => {
  const { child } = start('stdio', '--mutation', 'stdio/shutdown-server-exit-on-eof');
  child.stdin.end(initialize);
  await once(child.stdout, 'data');
  const outcome = await Promise.race([
    once(child, 'close').then(() => 'ended'),
    new Promise((resolve) => setTimeout(() => resolve('stays'), 300)),
  ]);
  expect(outcome).toBe('stays');
});

it.each([
  ['http', 'mcp'],
  ['sse', 'sse'],
])('%s prints its address and ends on SIGINT', async (transport, endpoint) => {
  const { child, output } = start(transport, '--port', '0');
  await once(child.stderr, 'data');
  expect(output.stderr).toMatch(new RegExp(`^listening on http://127\\.0\\.0\\.1:\\d+/${endpoint}\n$`));
  child.kill('SIGINT');
  expect((await once(child, 'close'))[0]).toBe(0);
});

it('lists its mutations and refuses what it does not know', async () => {
  const listing = start('--list-mutations');
  expect((await once(listing.child, 'close'))[0]).toBe(0);
  expect(listing.output.stdout.trim().split('\n')).toHaveLength(mutations.length);
  for (const args of [
    ['stdio', '--mutation', 'no/such'],
    ['http', '--port', 'x'],
    ['stdio', '--revisions', '1999-01-01'],
    [],
  ]) {
    const wrong = start(...args);
    expect((await once(wrong.child, 'close'))[0]).toBe(2);
    expect(wrong.output.stderr.trim().split('\n')).toHaveLength(1);
  }
});
