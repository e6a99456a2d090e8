/** Trajectories of suites: the types beside those of mcp-assert, recordings as a source, kept runs; and reliability in all reports. */
import { expect, test } from 'vitest';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { Workspace } from '../cli/harness.ts';

const work = new Workspace();
const results = (name: string): string[] =>
  (JSON.parse(work.read(name)) as SuiteReport).cases.map(({ status, detail }) =>
    status === 'pass' ? status : `${status} ${detail}`,
  );

test('each type holds and does not hold, of a list and of a recording, and a kept run says the same', async () => {
  const calls = ['search', 'read', 'read', 'confirm', 'delete'];
  work.write(
    'session.jsonl',
    calls
      .flatMap((name, index) => [
        { jsonrpc: '2.0', id: index, method: 'tools/call', params: { name, arguments: { n: index } } },
        { jsonrpc: '2.0', id: index, result: { content: [] } },
      ])
      .map((line) => JSON.stringify(line))
      .join('\n'),
  );
  const cases: [string, unknown][] = [
    ['{ type: exactly, tools: [search, read, read, confirm, delete] }', 'pass'],
    ['{ type: exactly, tools: [search, read, confirm, delete] }', 'fail exactly: call 3: want "confirm", got "read"'],
    ['{ type: exactly, tools: [search, read, read, confirm, delete, x] }', 'fail exactly: call 6: want "x", got none'],
    ['{ type: at_most, tool: read, count: 2 }', 'pass'],
    ['{ type: at_most, tool: read, count: 1 }', 'fail at_most: "read" was called 2 times, want at most 1'],
    ['{ type: at_most, tool: read }', 'fail at_most: it needs a tool and a count'],
    ['{ type: adjacent, tools: [read, confirm] }', 'pass'],
    ['{ type: adjacent, tools: [search, confirm] }', expect.stringMatching(/^fail adjacent: \["search","confirm"\]/)],
    ['{ type: never_before, tools: [delete, confirm] }', 'pass'],
    ['{ type: never_before, tools: [read, confirm] }', 'fail never_before: "read" was called before "confirm"'],
    ['{ type: never_before, tools: [search, nothing] }', 'fail never_before: "search" was called before "nothing"'],
    ['{ type: never_before, tools: [read] }', expect.stringMatching(/^fail never_before: it needs two tools/)],
    ['{ type: args_contain, tool: read, args: { n: 2 } }', 'pass'],
    [
      '{ type: sequence, tools: [read] }',
      expect.stringMatching(/^fail unknown trajectory assertion type: "sequence"; use order, .*never_before$/),
    ],
  ];
  const text = (source: string): string =>
    cases.map(([assertion]) => `${source}\ntrajectory: [${assertion}]\n`).join('---\n');
  work.write(
    'list.yaml',
    text(`trace: [${calls.map((tool, n) => `{ tool: ${tool}, args: { n: ${n} } }`).join(', ')}]`),
  );
  work.write(
    'recorded.yaml',
    `${text('recording: session.jsonl')}---\nrecording: nowhere.jsonl\ntrajectory: [{ type: absence, tools: [x] }]\n`,
  );
  const due = cases.map(([, result]) => result);
  await work.call(['run', 'list.yaml', '--format', 'json', '--output', 'list.json']);
  expect(results('list.json')).toEqual(due);
  await work.call(['run', 'recorded.yaml', '--trace', 'kept.jsonl', '--format', 'json', '--output', 'recorded.json']);
  const lost = expect.stringMatching(/^fail cannot read recording nowhere\.jsonl: /) as unknown;
  expect(results('recorded.json')).toEqual([...due, lost]);
  await work.call(['run', 'recorded.yaml', '--recording', 'kept.jsonl', '--format', 'json', '--output', 'again.json']);
  expect(results('again.json')).toEqual(results('recorded.json'));
});

test('all reports tell of several trials how often they passed, what is flaky, and their times', async () => {
  const flaky = {
    id: 'a#1',
    name: 'now & then',
    file: 'a.yaml',
    line: 1,
    form: 'native',
    block: 'cases',
    about: null,
    tags: [],
    status: 'fail',
    durationMs: 60,
    detail: 'no',
    flaky: true,
    rerun: 'mcpc run a.yaml',
    times: { medianMs: 1200, p95Ms: 3400 },
  };
  const trial = (number: number, status: string): object => ({
    trial: number,
    status,
    durationMs: 20,
    detail: '',
    failures: [],
    stderr: [],
  });
  work.write('report.json', {
    format: 'mcpc-suite-report',
    version: 1,
    tool: { name: 'mcpc', version: '0' },
    suites: ['a.yaml'],
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 60,
    counts: { total: 1, passed: 0, failed: 1, skipped: 0, undecided: 0, flaky: 1 },
    reliability: {
      trials: 3,
      cases: 1,
      capable: 1,
      reliable: 0,
      flaky: ['now & then'],
      times: { medianMs: 1200, p95Ms: 3400 },
    },
    cases: [{ ...flaky, trials: [trial(1, 'pass'), trial(2, 'fail'), trial(3, 'pass')] }],
    baseline: null,
    notices: [],
    incomplete: null,
  });
  for (const format of ['terminal', 'html', 'markdown', 'junit', 'github', 'tap', 'ctrf']) {
    const { stdout, stderr } = await work.call(['report', 'report.json', '--format', format]);
    expect(stdout, stderr).toMatch(/1\/1[^]*0\/1/);
    expect(stdout, format).toMatch(/1200 ?ms/);
    expect(stdout, format).toMatch(/3400 ?ms/);
    expect(stdout, format).toMatch(/flaky/i);
    expect(stdout, format).toMatch(/now (?:&|&amp;|\\&amp;|\\&) then/);
  }
});

test('times of a run are the median and the 95th percentile of its trials', async () => {
  work.write('many.yaml', 'trace: []\ntrajectory: [{ type: absence, tools: [x] }]\n');
  await work.call(['run', 'many.yaml', '--trials', '20', '--format', 'json', '--output', 'many.json']);
  const { reliability, cases } = JSON.parse(work.read('many.json')) as SuiteReport;
  const times = cases[0]!.trials.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
  expect(cases[0]!.times!.medianMs).toBeCloseTo((times[9]! + times[10]!) / 2, 2);
  expect(cases[0]!.times!.p95Ms).toBeCloseTo(times[18]!, 2);
  expect(reliability).toMatchObject({ trials: 20, capable: 1, reliable: 1, flaky: [], times: cases[0]!.times });
});

test('a failure is told at the line of the assertion that does not hold', async () => {
  work.write(
    'lines.yaml',
    'trace: [{ tool: a }]\ntrajectory:\n  - { type: presence, tools: [a] }\n  - { type: absence, tools: [a] }\n  - { type: presence, tools: [b] }\n',
  );
  await work.call(['run', 'lines.yaml', '--all-expectations', '--format', 'json', '--output', 'lines.json']);
  const { cases } = JSON.parse(work.read('lines.json')) as SuiteReport;
  expect(cases[0]!.trials[0]!.failures.map(({ line, column, detail }) => `${line}:${column} ${detail}`)).toEqual([
    '4:5 absence: "a" appeared in trace',
    '5:5 presence: "b" not found in trace',
  ]);
});
