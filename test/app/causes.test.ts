/** Evidence by case, and failures of one cause: what a report says of a server that does one thing wrong in one place. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeTraceFile } from '../../src/check/judge.ts';
import { everything } from '../../src/check/plan.ts';
import type { PartReport } from '../../src/core/model/reports/run-parts.ts';
import { ofPart, runOf } from '../../src/core/model/reports/run-parts.ts';
import type { ReportVerdict } from '../../src/core/model/reports/run-report.ts';
import { renderReport } from '../../src/report/parts/render.ts';
import { scoreVerdicts } from '../../src/core/score/scorecard.ts';
import { defaultScoring } from '../../src/core/score/scoring.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-causes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const revision = '2025-11-25';
type Said = [from: 'client' | 'server', message: object];
const handshake = (serverInfo: object): Said[] => [
  [
    'client',
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    },
  ],
  [
    'server',
    {
      id: 1,
      result: { protocolVersion: revision, capabilities: { tools: {} }, serverInfo },
    },
  ],
  ['client', { method: 'notifications/initialized' }],
];

async function judged(
  name: string,
  said: readonly Said[],
  serverInfo: object = { name: 's', version: '1' },
): Promise<PartReport> {
  const file = path.join(folder, `${name}.jsonl`);
  const events = [...handshake(serverInfo), ...said].map(([from, message], at) => ({
    seq: at + 1,
    t: at * 10,
    session: 's1',
    from,
    kind: 'message',
    message: { jsonrpc: '2.0', ...message },
  }));
  const lines = [
    { format: 'mcpc-trace', version: 1, origin: 'live', transport: 'stdio', revision, era: 'stateful' },
    ...events,
    { footer: true, events: events.length, complete: true },
  ];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return ofPart(await judgeTraceFile(file, { selection: everything, toolVersion: '0.0.0' }));
}

const verdictIn = (report: PartReport, rule: string): ReportVerdict =>
  report.verdicts.find((one) => one.rule === rule)!;

describe('six pings with a string as their result', () => {
  const ping = 'ping/answer-empty-result';
  let report: PartReport;
  beforeAll(async () => {
    const pings = Array.from({ length: 6 }, (_, at): Said[] => [
      ['client', { id: 10 + at, method: 'ping' }],
      ['server', { id: 10 + at, result: `pong ${at}` }],
    ]).flat();
    report = await judged('pings', pings);
  });

  test('the first four cases with their own messages, request first, and a count', () => {
    const { evidence, moreCases, failed } = verdictIn(report, ping);
    expect({ failed, moreCases }).toEqual({ failed: 6, moreCases: 2 });
    expect(evidence.map(({ subject, events, event, member }) => ({ subject, events, event, member }))).toEqual(
      [4, 6, 8, 10].map((seq) => ({
        subject: 'exchange ping',
        events: [seq, seq + 1],
        event: seq + 1,
        member: 'result',
      })),
    );
    expect(evidence.map(({ seen }) => seen)).toEqual(
      [0, 1, 2, 3].map((n) => `The result of ping is not an object: result is "pong ${n}".`),
    );
    expect(verdictIn(report, ping)).toMatchObject({
      expected: 'result is of type object',
      actual: expect.stringContaining('result is "pong 0"'),
    });
    expect(report.wire.filter(({ seq }) => evidence[0]!.events.includes(seq)).map(({ label }) => label)).toEqual([
      'request 10 ping',
      'result 10',
    ]);
  });

  test('one cause is one finding, named by the rule for ping', () => {
    const failures = report.verdicts.filter(({ status }) => status === 'fail');
    expect(failures.filter(({ cause }) => cause === undefined).map(({ rule }) => rule)).toEqual([ping]);
    expect(verdictIn(report, ping).also).toEqual(
      failures
        .filter(({ cause }) => cause === ping)
        .map(({ rule }) => rule)
        .sort(),
    );
    expect(verdictIn(report, ping).also).toEqual(['jsonrpc/result-object-type']);
  });

  test('the score counts the cause once', () => {
    const apart = scoreVerdicts(
      report.verdicts.map(({ cause: _cause, ...one }) => one),
      defaultScoring,
    );
    expect(report.score!).toBeGreaterThan(apart.score!);
    // What counts against compliance is not changed by that.
    expect({ compliant: report.compliant, counts: report.counts }).toEqual({ compliant: false, counts: apart.counts });
  });

  test.each(['terminal', 'markdown', 'junit', 'sarif', 'github', 'html'] as const)(
    '%s tells it once, with the messages and the other rules',
    (format) => {
      const text = renderReport(runOf(report), format, { color: false, width: 100 });
      expect(text).toContain('jsonrpc/result-object-type');
      const shown =
        format === 'sarif'
          ? (JSON.parse(text) as { runs: { results: { message: { text: string } }[] }[] }).runs[0]!.results.map(
              ({ message }) => message.text,
            )
              .join('\n')
              .replaceAll('{{', '{')
              .replaceAll('}}', '}')
          : text;
      const told = shown.replaceAll('&quot;', '"').replaceAll('%22', '"');
      // The first case: its request before its response, and those of no other case beside it.
      expect(told).toMatch(/#4\b[^]*"method": ?"ping"[^]*#5\b[^]*"result": ?"pong 0"/);
      if (format === 'sarif')
        expect((JSON.parse(text) as { runs: { results: unknown[] }[] }).runs[0]!.results).toHaveLength(1);
      if (format === 'github') expect(text.match(/^::error/gm)).toHaveLength(1);
      if (format === 'junit') expect(text.match(/<failure/g)).toHaveLength(1);
      if (format === 'terminal') expect(text.match(/^✗/gm)).toHaveLength(1);
    },
  );
});

test('a fault that only one rule sees stays its own, beside one of the same message', async () => {
  const report = await judged('apart', [
    ['client', { id: 2, method: 'tools/list' }],
    [
      'server',
      {
        id: 2,
        result: {
          tools: [
            { name: 'a', inputSchema: { type: 'object' } },
            { name: 'a', inputSchema: 'no' },
          ],
        },
      },
    ],
  ]);
  const causes = new Map(
    report.verdicts.filter(({ status }) => status === 'fail').map(({ rule, cause }) => [rule, cause]),
  );
  expect(causes.get('tools/name-uniqueness')).toBeUndefined();
  expect([...causes.keys()]).toContain('tools/name-uniqueness');
  expect([...causes.values()].filter((cause) => cause === 'tools/name-uniqueness')).toEqual([]);
});

test('a finding about notifications/initialized shows it and what came of it, and none of the pings that followed', async () => {
  const report = await judged('answered', [
    ['server', { id: null, error: { code: -32601, message: 'Method not found' } }],
    ['client', { id: 2, method: 'ping' }],
    ['server', { id: 2, result: {} }],
    ['client', { id: 3, method: 'ping' }],
    ['server', { id: 3, result: {} }],
  ]);
  const verdict = verdictIn(report, 'jsonrpc/notification-response-absence');
  expect(verdict.status).toBe('fail');
  expect(verdict.evidence).toMatchObject([
    { subject: 'what followed notifications/initialized', events: [3, 4], event: 4 },
  ]);
});

test('a tool without inputSchema is one finding, and the entry to blame is named', async () => {
  const report = await judged('no-schema', [
    ['client', { id: 2, method: 'tools/list' }],
    ['server', { id: 2, result: { tools: [{ name: 'a', inputSchema: { type: 'object' } }, { name: 'b' }] } }],
  ]);
  const failures = report.verdicts.filter(({ status }) => status === 'fail');
  expect(failures.filter(({ cause }) => cause === undefined).map(({ rule }) => rule)).toEqual([
    'tools/input-schema-object-root',
  ]);
  expect(verdictIn(report, 'tools/input-schema-object-root')).toMatchObject({
    also: ['tools/list-item-schema'],
    evidence: [{ event: 5, member: 'result.tools[1].inputSchema' }],
  });
});

test('a server without a version is one finding, in the words of its revision', async () => {
  const report = await judged(
    'no-version',
    [
      ['client', { id: 2, method: 'ping' }],
      ['server', { id: 2, result: {} }],
    ],
    { name: 's' },
  );
  const failures = report.verdicts.filter(({ status }) => status === 'fail');
  expect(failures.filter(({ cause }) => cause === undefined).map(({ rule }) => rule)).toEqual([
    'lifecycle/initialization-server-result',
  ]);
  expect(verdictIn(report, 'meta/implementation-name-and-version').actual).not.toContain('io.modelcontextprotocol');
});

test('an error code that is a string is one finding, whatever code was wanted', async () => {
  const report = await judged('string-codes', [
    ['client', { id: 2, method: 'mcpc/undefined-method' }],
    ['server', { id: 2, error: { code: 'METHOD_NOT_FOUND', message: 'no' } }],
  ]);
  const failures = report.verdicts.filter(({ status }) => status === 'fail');
  expect(failures.filter(({ cause }) => cause === undefined).map(({ rule }) => rule)).toEqual([
    'jsonrpc/error-code-type',
  ]);
  expect(failures.map(({ rule }) => rule)).toContain('errors/code-method-not-found');
});

test.each(['terminal', 'markdown', 'html', 'github'] as const)('%s has one number of violations', async (format) => {
  const report = await judged('one-number', [
    ['client', { id: 2, method: 'tools/list' }],
    ['server', { id: 2, result: { tools: [{ name: 'b' }] } }],
  ]);
  expect(report.counts.fail).toBe(2);
  const text = renderReport(runOf(report), format, { color: false, width: 100 });
  expect(text).toContain('1 requirement of MCP 2025-11-25 violated');
  expect(text).not.toMatch(/\b2 (violated|requirements of|violations)/);
});
