/** `check --profile quick`: one start, no waits, and a report that says how little was asked. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readGeneratedPlan } from '../../src/check/plan.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { exampleServer, Workspace } from './harness.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();

test.runIf(thorough)(
  'asks on one connection, says what it left out, and is not compared with a whole check',
  { timeout: 240_000 },
  async () => {
    const server = ['--', process.execPath, exampleServer, 'stdio'];
    const quick = await space.call(['check', '--profile', 'quick', '--trace', 'quick.jsonl', '--json', ...server]);
    expect(quick.code, quick.stderr).toBe(0);
    const report = JSON.parse(quick.stdout) as RunReport;
    const events = space
      .read('quick.jsonl')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line) as TraceEvent);
    // One start for each era that it is asked for, and one to go on in the newer one.
    expect(events.filter(({ kind }) => kind === 'spawn')).toHaveLength(3);
    expect(report.parts[0]!.revision).toBe('2026-07-28');

    const { digest } = readGeneratedPlan();
    expect(report.ruleSet).toMatchObject({ digest: `${digest}-quick`, profile: 'quick' });
    const verdicts = report.parts[0]!.verdicts;
    expect(verdicts.filter(({ status }) => status === 'fail')).toEqual([]);
    expect(report.parts[0]!.decided).toBeGreaterThan(90);
    const left = verdicts.find(({ rule }) => rule === 'errors/code-parse-error')!;
    expect(left.status).toBe('not-exercised');
    expect(left).toMatchObject({ open: 'not-reached', remedy: 'check without --profile quick' });

    // What a saved trace tells is the same, and says so too.
    const judged = JSON.parse((await space.call(['judge', '--json', 'quick.jsonl'])).stdout) as RunReport;
    expect(judged.ruleSet).toEqual(report.ruleSet);
    expect(judged.parts[0]!.verdicts.map(({ rule, status, message }) => ({ rule, status, message }))).toEqual(
      verdicts.map(({ rule, status, message }) => ({ rule, status, message })),
    );

    space.write('quick.json', report);
    for (const [format, words] of [
      ['markdown', '· quick profile'],
      ['html', 'quick profile'],
      ['badge-json', ', quick'],
      ['terminal', 'quick profile'],
    ] as const) {
      const shown = await space.call(['report', 'quick.json', '--format', format]);
      expect(shown.stdout, format).toContain(words);
    }

    const kept = await space.call([
      'judge',
      '--only',
      'ping',
      '--baseline',
      'base.json',
      '--update-baseline',
      'quick.jsonl',
    ]);
    expect(kept.code).toBe(2);
    expect(kept.stderr).toContain('without --profile quick');
    expect(() => readFileSync(space.path('base.json'))).toThrow('ENOENT');
  },
);

/** Has one tool that takes half a second, and counts how often it was called. */
const slow = `
  let calls = 0;
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const say = (body) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
    if (method === 'initialize') say({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'slow', version: '1' } } });
    else if (method === 'tools/list') say({ result: { tools: [{ name: 'get_report', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] } });
    else if (method === 'tools/call' && params.name === 'get_report') setTimeout(() => say({ result: { content: [{ type: 'text', text: String(calls += 1) }] } }), 500);
    else if (method === 'ping') say({ result: {} });
    else say({ error: { code: method === 'tools/call' ? -32602 : -32601, message: 'no' } });
  });`;

test('calls a tool that takes its time once, and says so', { timeout: 120_000 }, async () => {
  const { stdout, stderr } = await space.call([
    'check',
    '--profile',
    'quick',
    '--json',
    '--',
    process.execPath,
    '-e',
    slow,
  ]);
  const report = JSON.parse(stdout) as RunReport;
  expect(report.calls?.called, stderr).toContainEqual(expect.objectContaining({ tool: 'get_report', times: 1 }));
  expect(report.skipped).toEqual([
    {
      what: 'tool get_report',
      why: expect.stringMatching(/^it took \d\.\d s: the quick profile calls it no more$/) as string,
    },
  ]);
});

test('has three seconds for tools that take their time', { timeout: 120_000 }, async () => {
  const tools = Array.from({ length: 12 }, (_, index) => ({
    name: `get_report_${index}`,
    inputSchema:
      index % 2 === 0
        ? { type: 'object' }
        : { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
    annotations: { readOnlyHint: true },
  }));
  const server = slow
    .replace(
      "[{ name: 'get_report', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }]",
      JSON.stringify(tools),
    )
    .replace("params.name === 'get_report'", "String(params.name).startsWith('get_report')")
    .replace(', 500);', ', 1100);');
  const { stdout, stderr } = await space.call([
    'check',
    '--profile',
    'quick',
    '--json',
    '--',
    process.execPath,
    '-e',
    server,
  ]);
  const report = JSON.parse(stdout) as RunReport;
  const times = report.calls!.called.filter(({ tool }) => tool.startsWith('get_report_')).map((one) => one.times);
  expect(times, stderr).toEqual([1, 1, 1]);
  expect(report.parts[0]!.verdicts.filter(({ status }) => status === 'fail')).toEqual([]);
});

test.runIf(thorough)(
  'waits less where a server leaves requests unanswered, and takes nothing for proven that it did not wait for',
  {
    timeout: 120_000,
  },
  async () => {
    // It answers no unknown method; each other one is answered.
    const server = slow
      .replace(
        "else say({ error: { code: method === 'tools/call' ? -32602 : -32601, message: 'no' } });",
        "else if (method === 'tools/call') say({ error: { code: -32602, message: 'no' } });",
      )
      .replace(', 500);', ', 0);');
    const { stderr } = await space.call([
      'check',
      '--profile',
      'quick',
      '--timeout',
      '4s',
      '--json',
      '--trace',
      'hurried.jsonl',
      '--',
      process.execPath,
      '-e',
      server,
    ]);
    const events = space
      .read('hurried.jsonl')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line) as TraceEvent);
    const unanswered = events.filter(
      ({ from, message }) =>
        from === 'client' &&
        /completion\/complete|mcpc\/undefined-method|prompts\/list|resources\/list|setLevel/.test(
          String((message as { method?: string } | undefined)?.method),
        ),
    );
    const waits = events.filter(({ kind }) => kind === 'timeout');
    expect(unanswered.length, stderr).toBeGreaterThan(3);
    // The question for the stateless era has a wait of its own, by how long the first answer took. Of the others the first
    // is waited for as long as always; none is recorded that was waited for less long.
    const asked = new Map(
      events.map(({ seq, message }) => [seq, (message as { method?: string } | undefined)?.method]),
    );
    const [discovery, ...others] = waits.map(({ awaited, waitedMs }) => ({ method: asked.get(awaited!), waitedMs }));
    expect(discovery!.method).toBe('server/discover');
    expect(others.map(({ waitedMs }) => Math.round(waitedMs! / 100))).toEqual([40]);
    const [last] = events.filter(({ t }) => t !== undefined).slice(-1);
    expect(last!.t).toBeLessThan(4_000 + 3_000 * unanswered.length);
  },
);
