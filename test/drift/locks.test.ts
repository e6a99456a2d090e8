/** Locks of real servers: mcpc's own is part of the repository, and the transport changes no byte. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startReferenceServer } from '../../src/testkit/example-server/start.ts';
import { exampleServer, root, Workspace } from '../cli/harness.ts';

test('mcpc mcp offers what mcpc.lock.json says; after a change on purpose: mcpc drift approve', async () => {
  const space = new Workspace();
  const own = join(root, 'mcpc.lock.json');
  const command = ['--', process.execPath, join(root, 'bin/mcpc.js'), 'mcp'];
  const found = await space.call(['drift', 'check', '--lock', own, '--fail-on', 'any', ...command]);
  expect(found.stdout).toContain(`mcpc offers what ${own} says.`);
  expect(found.code).toBe(0);
});

test('the lock of a server is the same bytes over stdio, Streamable HTTP and HTTP+SSE', async () => {
  const space = new Workspace();
  const lock = async (name: string, ...server: string[]): Promise<string> => {
    const made = await space.call(['drift', 'lock', '--lock', name, '--spec', '2024-11-05', ...server]);
    expect(made.code, made.stderr).toBe(0);
    return readFileSync(space.path(name), 'utf8');
  };
  const stdio = await lock('stdio.json', '--', process.execPath, exampleServer, 'stdio');
  for (const transport of ['http', 'sse'] as const) {
    const { url, close } = await startReferenceServer({ transport, port: 0 });
    onTestFinished(close);
    expect(await lock(`${transport}.json`, '--transport', transport, '--url', url), transport).toBe(stdio);
  }
});
