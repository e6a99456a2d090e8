/** `check --timings`: where the time went, beside a report that is the same without it. */
import { expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { exampleServer, Workspace } from './harness.ts';

const space = new Workspace();
const server = ['--', process.execPath, exampleServer, 'stdio'];

test('counts the processes and connections of the trace, and its stages are the whole', {
  timeout: 120_000,
}, async () => {
  const { code, stdout, stderr } = await space.call([
    'check',
    '--timings',
    '--only',
    'ping',
    '--only',
    'errors',
    '--trace',
    'run.jsonl',
    '--json',
    ...server,
  ]);
  expect(code, stderr).toBe(0);
  const { timings } = JSON.parse(stdout) as RunReport;
  const { wallMs, cpuMs, starts, stages, connections, steps } = timings!;
  const events = space
    .read('run.jsonl')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as TraceEvent);
  expect(starts).toBe(events.filter(({ kind }) => kind === 'spawn').length);
  expect(starts).toBeGreaterThan(1);
  const sessions = new Set(events.flatMap(({ session }) => (session === undefined ? [] : [session])));
  expect(connections.map(({ session }) => session).toSorted()).toEqual([...sessions].toSorted());
  for (const { session, messages } of connections)
    expect(messages, session).toBe(
      events.filter((event) => event.kind === 'message' && event.session === session).length,
    );
  // Each connection is explained: by rules, by steps, or as one on which the server was got to know.
  expect(connections.filter(({ rules }) => rules.length > 0).length).toBeGreaterThan(0);
  expect(stages.map(({ name }) => name)).toEqual([
    'loading',
    'detecting',
    'probing',
    'closing',
    'judging',
    'reporting',
  ]);
  expect(stages.reduce((sum, stage) => sum + stage.wallMs, 0)).toBeCloseTo(wallMs, 0);
  expect(stages.reduce((sum, stage) => sum + stage.cpuMs, 0)).toBeCloseTo(cpuMs, 0);
  expect(steps.map((step) => step.wallMs)).toEqual(steps.map((step) => step.wallMs).toSorted((a, b) => b - a));

  // Said on stderr, so that the report on stdout stays what it is.
  expect(stderr).toContain('Timings');
  expect(stderr).toContain(`${starts} processes started`);
  for (const { session, rules } of connections) expect(stderr).toContain(rules[0] ?? session);

  space.write('run.json', stdout);
  expect((await space.call(['report', 'run.json'])).code).toBe(0);
  const judged = JSON.parse(
    (await space.call(['judge', '--only', 'ping', '--only', 'errors', '--json', 'run.jsonl'])).stdout,
  ) as RunReport;
  expect(judged.timings).toBeUndefined();
  expect(judged.parts[0]!.verdicts.map(({ rule, status }) => [rule, status])).toEqual(
    (JSON.parse(stdout) as RunReport).parts[0]!.verdicts.map(({ rule, status }) => [rule, status]),
  );
});

test('several revisions are not measured together', async () => {
  const { code, stderr } = await space.call(['check', '--timings', '--spec', 'each', ...server]);
  expect(code).toBe(2);
  expect(stderr).toContain('--timings measures one revision.');
});
