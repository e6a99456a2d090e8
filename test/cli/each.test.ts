/** `--spec each` and `--spec A,B`: every revision that the server speaks in turn, one report with a part for each; what it does not speak is named. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { ofPart } from '../../src/core/model/reports/run-parts.ts';
import { exampleServer, Workspace } from './harness.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();
const json = (name: string): RunReport => JSON.parse(space.read(name)) as RunReport;
/** Breaks a rule of the stateful era alone, in each of its revisions. */
const server = (revisions: string): string[] => [
  '--',
  process.execPath,
  exampleServer,
  'stdio',
  '--revisions',
  revisions,
  '--mutation',
  'ping/answer-empty-result',
];
const few = ['--only', 'discover', '--only', 'ping'];
const revisionsOf = (report: RunReport): string[] => report.parts.map(({ revision }) => revision);

test('each revision that a server of both eras speaks is a part, in every format, and again from the traces', async () => {
  const formats = ['json', 'html', 'junit', 'sarif', 'markdown', 'github', 'badge-json'];
  const outputs = formats.flatMap((format) => ['-f', format, '-o', `out.${format}`]);
  const { code, stdout, stderr } = await space.call([
    'check',
    '--spec',
    'each',
    ...few,
    '--trace',
    'run.jsonl',
    ...outputs,
    '-f',
    'terminal',
    ...server('2025-11-25,2026-07-28'),
  ]);
  expect(code, stderr).toBe(1);
  expect(stderr).toContain('Exit 1: 1 requirement violated: ping/answer-empty-result (2025-11-25).');
  expect(stdout).toMatch(/^ {2}MCP 2026-07-28 {2}COMPLIANT/m);
  expect(stdout).toMatch(/^ {2}MCP 2025-11-25 {2}NOT COMPLIANT/m);

  const report = json('out.json');
  expect(revisionsOf(report)).toEqual(['2026-07-28', '2025-11-25']);
  expect(report.parts.map(({ compliant }) => compliant)).toEqual([true, false]);
  expect(report).toMatchObject({ compliant: false, incomplete: null, trace: null });
  expect(report.spoken!.map(({ revision }) => revision)).toEqual(['2026-07-28', '2025-11-25']);
  expect(report.unspoken!.map(({ revision }) => revision)).toEqual(['2025-06-18', '2025-03-26', '2024-11-05']);
  // Each has the question and the answer that shows it, behind the events of the parts.
  const shown = new Map(report.wire.map(({ seq, label }) => [seq, label]));
  expect(report.unspoken!.map(({ events }) => events.map((seq) => shown.get(seq)))).toEqual(
    Array.from({ length: 3 }, () => ['request 1 initialize', 'result 1']),
  );
  expect(Math.min(...report.unspoken!.flatMap(({ events }) => events))).toBeGreaterThan(report.parts[1]!.events!.last);
  // A revision that is not spoken leaves no trace.
  expect(
    ['run.2025-11-25.jsonl', 'run.2025-06-18.jsonl', 'run.2024-11-05.jsonl'].map((name) =>
      existsSync(space.path(name)),
    ),
  ).toEqual([true, false, false]);

  // One wire log: each part cites its own events in it, and by itself those of its trace.
  const wire = new Map(report.wire.map((entry) => [entry.seq, entry]));
  expect(wire.size).toBe(report.wire.length);
  for (const part of report.parts) {
    const lines = space.read(part.trace!).trim().split('\n');
    for (const { evidence } of part.verdicts)
      for (const seq of evidence.flatMap(({ events }) => events))
        expect(seq >= part.events!.first && seq <= part.events!.last && wire.has(seq), `${part.revision} ${seq}`).toBe(
          true,
        );
    for (const { seq, label } of ofPart(report, part).wire) {
      const event = JSON.parse(lines[seq]!) as { seq: number; message?: { method?: string } };
      expect(event.seq).toBe(seq);
      if (event.message?.method !== undefined) expect(label).toContain(event.message.method);
    }
  }

  expect(space.read('out.junit')).toMatch(
    /<testcase classname="2025-11-25 ping" name="ping\/answer-empty-result">\s*<failure/,
  );
  expect(space.read('out.junit')).toContain('classname="2026-07-28 discover"');
  const sarif = JSON.parse(space.read('out.sarif')) as {
    runs: { automationDetails: { id: string }; results: unknown[] }[];
  };
  expect(sarif.runs.map(({ automationDetails, results }) => [automationDetails.id, results.length])).toEqual([
    ['mcpc/2026-07-28/', 0],
    ['mcpc/2025-11-25/', 1],
  ]);
  expect(space.read('out.markdown')).toMatch(
    /\| MCP 2026-07-28 \| Compliant \|[^]*\| MCP 2025-11-25 \| Not compliant \|/,
  );
  expect(space.read('out.github')).toContain('::error title=MCP 2025-11-25%3A MUST ping/answer-empty-result::');
  expect(JSON.parse(space.read('out.badge-json'))).toMatchObject({
    label: 'MCP 2026-07-28, 2025-11-25',
    isError: true,
  });
  const page = space.read('out.html');
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(ids).toEqual(
    expect.arrayContaining(['v-2025-11-25-ping-answer-empty-result', 'part-2026-07-28', 'part-2025-11-25']),
  );

  const judged = await space.call([
    'judge',
    'run.jsonl',
    'run.2025-11-25.jsonl',
    ...few,
    '-q',
    '-f',
    'json',
    '-o',
    '{{file}}.again.json',
  ]);
  expect(judged.code, judged.stderr).toBe(1);
  const again = json('run.again.json');
  // What it does not speak was asked in connections of which no trace is kept, but for the first question.
  const traced = report.wire.filter(({ seq }) => seq <= report.parts[1]!.events!.last);
  expect({ ...again, unspoken: null }).toEqual({ ...report, unspoken: null, wire: traced });
  const rendered = await space.call(['report', 'out.json', '-q']);
  expect(rendered.stdout).toMatch(/^COMPLIANT.* MCP 2026-07-28 [^]*^NOT COMPLIANT.* MCP 2025-11-25 /m);
});

test.runIf(thorough)(
  'a list takes its own order; a baseline knows each revision by itself; what is not spoken is named',
  async () => {
    const list = [
      'check',
      '--spec',
      '2025-11-25,2026-07-28,2025-06-18',
      ...few,
      '-q',
      '--json',
      '--baseline',
      'base.json',
    ];
    const first = await space.call([...list, '--update-baseline', ...server('2025-11-25,2025-06-18')]);
    expect(first.code, first.stderr).toBe(0);
    const report = JSON.parse(first.stdout) as RunReport;
    expect(revisionsOf(report)).toEqual(['2025-11-25', '2025-06-18']);
    expect(report.unspoken).toMatchObject([{ revision: '2026-07-28', era: 'stateless' }]);
    const entry = [{ rule: 'ping/answer-empty-result' }];
    expect(json('base.json')).toMatchObject({
      revision: '2025-11-25',
      failures: entry,
      more: [{ revision: '2025-06-18', failures: entry }],
    });
    // Without what is known of one revision, its failure is new, though it is known of the other.
    space.write('base.json', { format: 'mcpc-baseline', version: 1, revision: '2025-06-18', failures: entry });
    const second = await space.call([...list, ...server('2025-11-25,2025-06-18')]);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(
      '1 requirement violated and not in the baseline: ping/answer-empty-result (2025-11-25).',
    );
  },
);

test.runIf(thorough)('over HTTP; and of a server that speaks none of the list, what it speaks is told', async () => {
  const started = [
    '--serve',
    `node "${exampleServer}" http --port {{port}} --revisions 2025-11-25,2026-07-28`,
    '--url',
    'http://127.0.0.1:{{port}}/mcp',
  ];
  const { code, stdout, stderr } = await space.call(['check', '--spec', 'each', ...few, '--json', ...started]);
  expect(code, stderr).toBe(0);
  expect(revisionsOf(JSON.parse(stdout) as RunReport)).toEqual(['2026-07-28', '2025-11-25']);
  const none = await space.call(['check', '--spec', '2024-11-05,2025-03-26', ...few, '--json', ...started]);
  expect(none.code).toBe(1);
  expect(JSON.parse(none.stdout)).toMatchObject({
    target: { speaks: '2025-11-25' },
    unspoken: [{ revision: '2025-03-26' }, { revision: '2024-11-05' }],
  });
});

test('Ctrl-C keeps the revisions that were decided', async () => {
  // Plays the stateless era and 2025-11-25, and hangs at the ping of the latter.
  const hangs = space.write(
    'hangs.mjs',
    `
    import { createInterface } from 'node:readline';
    const say = (id, body) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
    createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      if (method === 'server/discover') return say(id, { result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private', _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'hangs', version: '1' } } } });
      if (method === 'initialize') return say(id, { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'hangs', version: '1' } } });
      if (method === 'ping' && !params?._meta) return process.stderr.write('hangs now\\n');
      say(id, { error: { code: -32601, message: 'no' } });
    });`,
  );
  const run = space.start([
    'check',
    '--spec',
    'each',
    ...few,
    '--verbose',
    '--timeout',
    '60s',
    '-f',
    'json',
    '-o',
    'cut.json',
    '--',
    process.execPath,
    hangs,
  ]);
  await run.shows('hangs now');
  run.kill('SIGINT');
  const { code, stderr } = await run.ended;
  expect(code, stderr).toBe(130);
  const report = JSON.parse(readFileSync(space.path('cut.json'), 'utf8')) as RunReport;
  expect(report.compliant).toBe(false);
  expect(report.incomplete).not.toBeNull();
  expect(report.parts[0]).toMatchObject({ revision: '2026-07-28' });
  expect(report.parts[0]!.decided).toBeGreaterThan(0);
});

test('wrong values are told with what was meant', async () => {
  const of = async (value: string): Promise<string> =>
    (await space.call(['check', '--spec', value, '--', 'node', 'server.js'])).stderr;
  expect(await of('2025-11-52')).toMatch(/There is no revision "2025-11-52"\. Did you mean "2025-11-25"\?/);
  expect(await of('eech')).toContain('Did you mean "each"?');
  expect(await of('2025-11-25,each')).toContain('--spec each cannot be combined with other revisions');
});

test.runIf(thorough)('the quick profile asks for the same revisions, with the same answer', async () => {
  const check = ['check', '--spec', 'each', ...few, '-q', '--json'];
  const target = server('2025-11-25,2026-07-28');
  const reports = [[], ['--profile', 'quick']].map(
    async (more) => JSON.parse((await space.call([...check, ...more, ...target])).stdout) as RunReport,
  );
  const [whole, quick] = await Promise.all(reports);
  expect(revisionsOf(quick!)).toEqual(['2026-07-28', '2025-11-25']);
  expect(revisionsOf(quick!)).toEqual(revisionsOf(whole!));
  const asked = ({ unspoken = [] }: RunReport): unknown[] => unspoken.map(({ revision, why }) => ({ revision, why }));
  expect(asked(quick!)).toEqual(asked(whole!));
});
