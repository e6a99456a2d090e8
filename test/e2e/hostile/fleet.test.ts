/** A fleet in which one server hangs mcpc for ever and another fills its memory: it ends, names them, and judges the sound one. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exampleServer, Workspace } from '../../cli/harness.ts';
import { fleetReportOf, processesWith } from '../../fleet/run-folder.ts';
import { thorough } from '../../support/run/options.ts';

const space = new Workspace();
const servers = join(import.meta.dirname, 'servers');

test.runIf(thorough)('hostile servers cost their own verdict', { timeout: 300_000 }, async () => {
  const stdio = (...args: string[]): object => ({ command: process.execPath, args });
  space.write('fleet.json', {
    version: 1,
    servers: {
      // It costs all the time that it gets, and eight seconds.
      hangs: { ...stdio(join(servers, 'deadlines.mjs'), 'hangs', space.folder), timeouts: { check: '4s' } },
      sound: stdio(exampleServer, 'stdio'),
      floods: stdio(join(servers, 'floods.mjs'), space.folder),
      // It is tried again alone, when the others are done.
      fills: stdio(join(servers, 'deadlines.mjs'), 'fills-memory', space.folder),
    },
  });
  const env = { NODE_OPTIONS: `--import ${join(servers, 'faulty-parser.mjs')}` };
  const { code, stderr } = await space.run(
    [
      'fleet',
      'check',
      'fleet.json',
      '--out',
      'run',
      '--spec',
      '2025-11-25',
      '--only-rules',
      'ping,lifecycle',
      '--jobs',
      '2',
      '--no-dashboard',
    ],
    { env },
  );
  expect(code, stderr).toBe(1);
  const report = fleetReportOf(space.path('run'));
  expect(report.incomplete).toBeNull();
  const outcome = new Map(report.servers.map((one) => [one.name, one]));
  expect(outcome.get('hangs')).toMatchObject({
    status: 'error',
    reason: expect.stringContaining('keeps mcpc busy') as string,
  });
  expect(outcome.get('fills')).toMatchObject({
    status: 'error',
    reason: expect.stringContaining('ran out of memory') as string,
  });
  // Its messages are over the limit on values, so that it costs little; the report says what was left out.
  const flooded = outcome.get('floods')!;
  const told =
    flooded.report === null
      ? flooded.reason
      : (JSON.parse(space.read(`run/${flooded.report}`)) as { skipped: unknown[] }).skipped;
  expect(JSON.stringify(told)).toMatch(/limit|values|longer/);
  expect(outcome.get('sound')).toMatchObject({ status: 'checked', compliant: true, reason: null });
  expect(processesWith(space.folder)).toEqual([]);
});
