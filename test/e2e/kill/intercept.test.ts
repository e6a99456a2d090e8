/**
 * `mcpc intercept`, ended at any moment: the server ends with it, and the trace can be read.
 * Each signal at one moment, with --mode all at twenty.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exampleServer, Workspace } from '../../cli/harness.ts';
import { killAt, momentsOf, readTraceLines, signals } from './moments.ts';

const space = new Workspace();
const stubborn = join(import.meta.dirname, 'stubborn.mjs');
const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
const input = [
  { id: 1, method: 'initialize', params: client },
  { method: 'notifications/initialized' },
  ...Array.from({ length: 40 }, (_, index) => ({ id: index + 2, method: index % 2 === 0 ? 'ping' : 'tools/list' })),
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

const cases = signals.flatMap((signal) =>
  momentsOf(`intercept ${signal}`, 3_000).map((afterMs) => ({ signal, afterMs })),
);

test.each(cases)(`intercept, $signal after $afterMs ms`, { timeout: 120_000 }, async ({ signal, afterMs }) => {
  const folder = space.path(`${signal}-${afterMs}`);
  mkdirSync(folder);
  const words = ['intercept', '--trace', 'trace.jsonl', '--', process.execPath, stubborn, exampleServer, 'stdio'];
  const { left, stderr } = await killAt(words, { folder, afterMs, signal, input });
  expect(left, stderr).toEqual([]);
  const [header, ...events] = readTraceLines(join(folder, 'trace.jsonl'));
  if (header !== undefined) expect(header).toMatchObject({ format: 'mcpc-trace', origin: 'intercept' });
  for (const event of events)
    expect(event).toSatisfy((one) => typeof one === 'object' && one !== null && ('seq' in one || 'footer' in one));
});
