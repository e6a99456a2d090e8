/**
 * A server with ten violations, judged from a conversation that is written down here, in every format that people
 * read, compared with test/golden. UPDATE_GOLDEN=1 writes the files anew.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judgeTraceFile } from '../../src/check/judge.ts';
import { everything } from '../../src/check/plan.ts';
import { ofPart, runOf, type PartReport } from '../../src/core/model/reports/run-parts.ts';
import { renderReport, type RenderOptions, type ReportFormat } from '../../src/report/parts/render.ts';

const revision = '2025-11-25';

/** What each rule is broken by: request and answer, or what else was said. */
const violations: Record<string, [client: object | undefined, server: object | undefined]> = {
  'ping/answer-empty-result': [
    { id: 2, method: 'ping' },
    { id: 2, result: 'pong' },
  ],
  'jsonrpc/response-result-id': [
    { id: 3, method: 'ping' },
    { id: '3', result: {} },
  ],
  'tools/name-uniqueness': [
    { id: 4, method: 'tools/list' },
    {
      id: 4,
      result: {
        tools: [
          { name: 'echo', inputSchema: { type: 'object' } },
          { name: 'echo', inputSchema: { type: 'object' } },
        ],
      },
    },
  ],
  'tools/input-schema-object-root': [
    { id: 5, method: 'tools/list' },
    { id: 5, result: { tools: [{ name: 'count', inputSchema: { type: 'array' } }] } },
  ],
  'tools/call-result-schema': [
    { id: 6, method: 'tools/call', params: { name: 'echo', arguments: { text: 'hello' } } },
    { id: 6, result: { text: 'hello' } },
  ],
  'prompts/get-message-schema': [
    { id: 7, method: 'prompts/get', params: { name: 'greet' } },
    { id: 7, result: { messages: [{ role: 'system', content: { type: 'text', text: 'Say hello.' } }] } },
  ],
  'resources/read-result-schema': [
    { id: 8, method: 'resources/read', params: { uri: 'demo://greeting' } },
    { id: 8, result: { content: 'Hello.' } },
  ],
  'completion/result-schema': [
    {
      id: 9,
      method: 'completion/complete',
      params: { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'A' } },
    },
    { id: 9, result: { values: ['Ada'] } },
  ],
  'logging/capability-declaration': [
    undefined,
    { method: 'notifications/message', params: { level: 'info', data: 'Ready.' } },
  ],
  'tools/annotations-schema': [
    { id: 10, method: 'tools/list' },
    {
      id: 10,
      result: { tools: [{ name: 'remove', inputSchema: { type: 'object' }, annotations: { destructiveHint: 'yes' } }] },
    },
  ],
};
const rules = Object.keys(violations);

const formats: [file: string, format: ReportFormat, options: RenderOptions][] = [
  ['ten-violations.txt', 'terminal', { color: false, width: 100 }],
  ['ten-violations.html', 'html', {}],
  ['ten-violations.md', 'markdown', {}],
  ['ten-violations.junit.xml', 'junit', {}],
  ['ten-violations.sarif', 'sarif', {}],
  ['ten-violations.github.txt', 'github', {}],
];

const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-ten-'));
let report: PartReport;

beforeAll(async () => {
  const handshake = [
    [
      'client',
      {
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: revision,
          capabilities: { roots: { listChanged: true } },
          clientInfo: { name: 'client', version: '1' },
        },
      },
    ],
    [
      'server',
      {
        id: 1,
        result: {
          protocolVersion: revision,
          capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
          serverInfo: { name: 'ten-faults', version: '1.0.0' },
        },
      },
    ],
    ['client', { method: 'notifications/initialized' }],
  ] as const;
  const said = Object.values(violations).flatMap(([client, server]) => [
    ...(client ? [['client', client] as const] : []),
    ...(server ? [['server', server] as const] : []),
  ]);
  const events = [...handshake, ...said].map(([from, message], at) => ({
    seq: at + 1,
    t: at * 10,
    session: 's1',
    from,
    kind: 'message',
    message: { jsonrpc: '2.0', ...message },
  }));
  const header = {
    format: 'mcpc-trace',
    version: 1,
    origin: 'live',
    transport: 'stdio',
    revision,
    era: 'stateful',
    target: { name: 'ten-faults', serverInfo: { name: 'ten-faults', version: '1.0.0' } },
    startedAt: '2026-11-26T00:00:00.000Z',
  };
  const file = path.join(folder, 'ten.jsonl');
  writeFileSync(
    file,
    [header, ...events, { footer: true, events: events.length, complete: true }]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  const judged = await judgeTraceFile(file, { selection: { ...everything, only: rules }, toolVersion: '0.0.0' });
  report = ofPart(judged);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The report without what another run, or another set of rules, makes of it. */
function steady(): PartReport {
  return {
    ...report,
    durationMs: 20,
    trace: 'ten.jsonl',
    ruleSet: { digest: 'f'.repeat(report.ruleSet.digest.length), rules: 500 },
  };
}

test('each rule fails by its own messages, and no other', () => {
  const failed = report.verdicts.filter(({ status, cause }) => status === 'fail' && cause === undefined);
  expect(failed.map(({ rule }) => rule).sort()).toEqual([...rules].sort());
  const texts = new Map(report.wire.map(({ seq, body }) => [seq, JSON.stringify(JSON.parse(body))]));
  for (const { rule, evidence } of failed) {
    const shown = evidence
      .flatMap(({ events }) => events.map((seq) => texts.get(seq) ?? ''))
      .filter((text) => !text.includes('"protocolVersion"'));
    const [client, server] = violations[rule]!;
    expect(shown.length, rule).toBeGreaterThan(0);
    expect(
      [client, server]
        .filter((message) => message !== undefined)
        .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message })),
      rule,
    ).toEqual(expect.arrayContaining(shown));
  }
});

test.each(formats)('%s', (file, format, options) => {
  const text = renderReport(runOf(steady()), format, options);
  const golden = fileURLToPath(new URL(`../golden/${file}`, import.meta.url));
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, text);
  expect(text).toBe(readFileSync(golden, 'utf8'));
});

test('short in every format', () => {
  const of = (format: ReportFormat): string => renderReport(runOf(steady()), format, { color: false, width: 100 });
  expect(of('terminal').split('\n').length).toBeLessThan(130);
  expect(Buffer.byteLength(of('html'))).toBeLessThan(300_000);
  expect(Buffer.byteLength(of('markdown'))).toBeLessThan(20_000);
});
