/**
 * `mcpc fleet check`, ended at any moment: nothing runs on, traces can be read, and the run is whole once it is resumed.
 * One signal at one moment in every fourth run, by turns; with --mode all each at twenty.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { exampleServer, Workspace } from '../../cli/harness.ts';
import { fleetReportOf, journalOf, repeated, resultsOf } from '../../fleet/run-folder.ts';
import { thorough } from '../../support/run/options.ts';
import { someOf } from '../../support/run/some-of.ts';
import { killAt, momentsOf, readTraceLines, signals } from './moments.ts';

const space = new Workspace();
const stubborn = join(import.meta.dirname, 'stubborn.mjs');
const check = [
  'fleet',
  'check',
  'fleet.json',
  '--spec',
  '2025-11-25',
  '--only-rules',
  'ping,lifecycle',
  '--jobs',
  '2',
  '--no-dashboard',
];
const isDue = thorough;
const cases = someOf(signals, signals.length, (signal) => `fleet ${signal}`).flatMap((signal) =>
  momentsOf(`fleet ${signal}`, 6_000).map((afterMs) => ({ signal, afterMs })),
);

beforeAll(async () => {
  if (!isDue) return;
  const stdio = { command: process.execPath, args: [stubborn, exampleServer, 'stdio'] };
  const served = {
    command: process.execPath,
    args: [stubborn, exampleServer, 'http', '--port', '{{port}}'],
    url: 'http://127.0.0.1:{{port}}/mcp',
  };
  space.write('fleet.json', { version: 1, servers: { one: stdio, two: served, three: stdio } });
  const whole = await space.run([...check, '--out', 'whole']);
  expect([0, 1], whole.stderr).toContain(whole.code);
}, 300_000);

test.runIf(isDue).each(cases)(
  `fleet check, $signal after $afterMs ms`,
  { timeout: 300_000 },
  async ({ signal, afterMs }) => {
    const name = `run-${signal}-${afterMs}`;
    const directory = space.path(name);
    const { left, stderr } = await killAt([...check, '--out', name], { folder: space.folder, afterMs, signal });
    expect(left, stderr).toEqual([]);
    const servers = join(directory, 'servers');
    for (const id of existsSync(servers) ? readdirSync(servers) : []) {
      for (const file of ['trace.jsonl', 'trace.jsonl.part']) readTraceLines(join(servers, id, file));
    }
    const begun = existsSync(join(directory, 'run.json'));
    const last = await space.run([...check, '--out', name, ...(begun ? ['--resume'] : [])]);
    expect([0, 1], last.stderr).toContain(last.code);
    expect(resultsOf(directory)).toEqual(resultsOf(space.path('whole')));
    expect(fleetReportOf(directory).incomplete).toBeNull();
    expect(repeated(journalOf(directory))).toEqual([]);
  },
);
