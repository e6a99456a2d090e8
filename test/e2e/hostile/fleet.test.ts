/** A fleet in which a server keeps mcpc busy for ever, or fills its memory: it ends, names them, and judges the sound one. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exampleServer, Workspace } from '../../cli/harness.ts';
import { fleetReportOf, processesWith } from '../../fleet/run-folder.ts';
import { someOf } from '../../support/run/some-of.ts';

const space = new Workspace();
const servers = join(import.meta.dirname, 'servers');
const checkMs = 20_000;
/** One of the two in a run, by turns; both with --mode all. */
const due = someOf(['keeps mcpc busy', 'fills the memory'], 2, String);

test('hostile servers cost their own verdict', { timeout: 300_000 }, async () => {
  const stdio = (...args: string[]): object => ({ command: process.execPath, args });
  // It costs all the time that it gets.
  const brief = { timeouts: { check: '5s' } };
  space.write('fleet.json', {
    version: 1,
    servers: {
      ...Object.fromEntries(due.map((name) => [name, name === 'keeps mcpc busy' ? { ...stdio(join(servers, 'deadlines.mjs'), 'keeps-busy', space.folder), ...brief } : stdio(join(servers, 'deadlines.mjs'), 'fills-memory', space.folder)])),
      floods: stdio(join(servers, 'floods.mjs'), space.folder),
      sound: stdio(exampleServer, 'stdio'),
    },
  });
  const env = { NODE_OPTIONS: `--import ${join(servers, 'faulty-parser.mjs')}` };
  const { code, stderr } = await space.run(
    ['fleet', 'check', 'fleet.json', '--out', 'run', '--spec', '2025-11-25', '--only-rules', 'ping,lifecycle', '--check-timeout', `${checkMs}ms`, '--jobs', '4', '--no-dashboard'],
    { env },
  );
  expect(code, stderr).toBe(1);
  const report = fleetReportOf(space.path('run'));
  expect(report.incomplete).toBeNull();
  const outcome = new Map(report.servers.map((one) => [one.name, one]));
  for (const name of due) expect(outcome.get(name)).toMatchObject({ status: 'error', reason: expect.stringContaining(name === 'keeps mcpc busy' ? name : 'ran out of memory') as string });
  // Its messages are over the limit on values, so that it costs little; the report says what was left out.
  const flooded = outcome.get('floods')!;
  const told = flooded.report === null ? flooded.reason : (JSON.parse(space.read(`run/${flooded.report}`)) as { skipped: unknown[] }).skipped;
  expect(JSON.stringify(told)).toMatch(/limit|values|longer/);
  expect(outcome.get('sound')).toMatchObject({ status: 'checked', compliant: true, reason: null });
  expect(processesWith(space.folder)).toEqual([]);
});
