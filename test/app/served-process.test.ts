/** A server that the checker started and that takes no connections any more is waited for to end, and started again. */
import { afterEach, expect, test } from 'vitest';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { startServed, type ServedProcess } from '../../src/check/target/serve.ts';
import { freePort } from '../support/free-port.ts';

let served: ServedProcess | undefined;
afterEach(async () => {
  await served?.stop();
  served = undefined;
});

/** Stops listening at its first request, and ends a while later. */
const goingAway = (port: number): string => `
  const server = require('node:http').createServer((request, reply) => {
    reply.end('bye', () => setTimeout(() => process.exit(1), 300));
    server.close();
    server.closeIdleConnections();
  });
  server.listen(${port}, '127.0.0.1');`;

test('whoever was refused has the server started again, also before its process has ended', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  served = await startServed(
    { command: process.execPath, args: ['-e', goingAway(port)], port },
    { kind: 'http', url, headers: [] },
    () => 1,
    defaultTiming,
  );
  const { pid } = served;
  expect(await served.revive()).toBe(false);
  expect(await (await fetch(url, { headers: { connection: 'close' } })).text()).toBe('bye');
  await expect(fetch(url)).rejects.toThrow();
  // Its process is still there.
  expect(await served.revive()).toBe(false);
  expect(served.pid).toBe(pid);
  expect(await served.revive(true)).toBe(true);
  expect(served.pid).not.toBe(pid);
  expect(await (await fetch(url, { headers: { connection: 'close' } })).text()).toBe('bye');
});

test('a port for a server is none that outgoing connections get, so that nobody takes it before the server does', async () => {
  const ports = await Promise.all(Array.from({ length: 40 }, freePort));
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
  }
  expect(new Set(ports).size).toBeGreaterThan(35);
});
