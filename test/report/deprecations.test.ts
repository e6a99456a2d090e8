/** Deprecated features in use: which of them a conversation shows, whose they are, from which revision on, and that it is advice. */
import { describe, expect, test } from 'vitest';
import { createDeprecationLog, deprecationsOf } from '../../src/check/reporting/said/deprecations.ts';
import { eachSaid } from '../../src/check/reporting/said/said.ts';
import { joinRuns } from '../../src/core/model/reports/run-parts.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { Workspace } from '../cli/harness.ts';

type Part = Partial<TraceEvent>;
const server = (message: object): Part => ({ kind: 'message', from: 'server', message });
const client = (message: object): Part => ({ kind: 'message', from: 'client', message });
const metadata = (more: object): Part => ({
  kind: 'http-response',
  from: 'server',
  http: {
    status: 200,
    body: JSON.stringify({ issuer: 'https://a.example', registration_endpoint: 'https://a.example/register', ...more }),
  },
});
const question = (method: string, params = {}): Part =>
  server({ id: 1, result: { resultType: 'input_required', inputRequests: { a: { method, params } } } });
const meta = (more: object): object => ({ id: 1, method: 'tools/list', params: { _meta: more } });

function found(
  parts: Part[],
  how: { revision?: string; transport?: 'http' | 'sse'; role?: 'client' | 'both' } = {},
): string[] {
  const log = createDeprecationLog();
  for (const [at, part] of parts.entries()) {
    const event = { seq: at + 1, t: 0, session: 's1', from: 'server', kind: 'message', ...part } as const;
    eachSaid(event, log.see);
    if (event.kind === 'http-response') log.seeReply(event);
  }
  return deprecationsOf(log.result(), { revision: '2026-07-28', transport: 'http', ...how }).map(
    ({ role, feature, events }) => `${role} ${feature} ${events.join()}`,
  );
}

describe('what shows a use', () => {
  test.each<[string, Part[], string[]]>([
    ['a capability for logs', [server({ id: 1, result: { capabilities: { logging: {} } } })], ['server logging 1']],
    [
      'log messages',
      Array.from({ length: 9 }, () => server({ method: 'notifications/message', params: {} })),
      ['server logging 1,2,3,4,5,6'],
    ],
    ['questions to the model', [question('sampling/createMessage')], ['server sampling 1']],
    ['the same as a request', [server({ id: 1, method: 'sampling/createMessage', params: {} })], ['server sampling 1']],
    [
      'its context',
      [question('sampling/createMessage', { includeContext: 'thisServer' })],
      ['server sampling 1', 'server include-context 1'],
    ],
    ['no context', [question('sampling/createMessage', { includeContext: 'none' })], ['server sampling 1']],
    ['questions about roots', [question('roots/list'), question('roots/list')], ['server roots 1,2']],
    ['registration alone', [metadata({})], ['server dynamic-client-registration 1']],
    ['registration beside documents', [metadata({ client_id_metadata_document_supported: true })], []],
    [
      'other bodies',
      [
        { kind: 'http-response', http: { body: '{"registration_endpoint": 1}' } },
        { kind: 'http-response', http: { body: '"registration_endpoint"{' } },
      ],
      [],
    ],
    ['elicitation, which stays', [question('elicitation/create'), server({ method: 'notifications/progress' })], []],
    [
      'what the client declares, of a server',
      [client(meta({ 'io.modelcontextprotocol/clientCapabilities': { roots: {}, sampling: {} } }))],
      [],
    ],
  ])('%s', (_title, parts, uses) => {
    expect(found(parts)).toEqual(uses);
  });

  test('of clients: what they declare, and the level of logs', () => {
    const parts = [
      client(
        meta({
          'io.modelcontextprotocol/clientCapabilities': { roots: {}, sampling: {} },
          'io.modelcontextprotocol/logLevel': 'info',
        }),
      ),
      question('roots/list'),
    ];
    expect(found(parts, { role: 'client' })).toEqual(['client roots 1', 'client sampling 1', 'client logging 1']);
    expect(found(parts, { role: 'both' })).toContain('server roots 2');
  });

  test('each from the revision on that deprecated it', () => {
    const parts = [question('sampling/createMessage', { includeContext: 'allServers' })];
    expect(found(parts, { revision: '2025-11-25', transport: 'sse' })).toEqual([
      'server include-context 1',
      'server http-sse ',
    ]);
    expect(found(parts, { revision: '2025-06-18', transport: 'sse' })).toEqual(['server http-sse ']);
    expect(found(parts, { revision: '2024-11-05', transport: 'sse' })).toEqual([]);
  });
});

describe('in reports', () => {
  const space = new Workspace();
  const versions = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  };
  /** The same server with one capability more, which breaks nothing. */
  const capture = (name: string, capabilities: object): string => {
    const lines = [
      { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: versions } },
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities,
          ttlMs: 0,
          cacheScope: 'private',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } },
        },
      },
    ];
    return space.write(name, lines.map((line) => JSON.stringify(line)).join('\n'));
  };

  test('terminal, HTML, Markdown and JSON show it; verdicts, score and exit code are the same', async () => {
    const files = ['a.html', 'a.md', 'a.json'].map((name) => space.path(name));
    const { stdout, code } = await space.call([
      'judge',
      '--no-color',
      '--verbose',
      ...files.flatMap((file) => ['--output', file]),
      capture('logs.jsonl', { logging: {} }),
    ]);
    const plain = await space.call(['judge', '--json', capture('plain.jsonl', {})]);
    const [html, markdown, json] = ['a.html', 'a.md', 'a.json'].map((name) => space.read(name)) as [
      string,
      string,
      string,
    ];
    for (const text of [stdout, html, markdown]) {
      expect(text).toContain('stderr on stdio, and use OpenTelemetry');
      expect(text.replace(/\s+/g, ' ')).toContain('the first revision released on or after 2027-07-28');
    }
    expect(html).toContain('Deprecated features');
    const { parts } = JSON.parse(json) as RunReport;
    const { parts: others } = JSON.parse(plain.stdout) as RunReport;
    expect(parts[0]!.deprecations).toMatchObject([
      { feature: 'logging', role: 'server', since: '2026-07-28', events: [2] },
    ]);
    expect(others[0]!.deprecations).toBe(undefined);
    const failed = ({ verdicts }: RunReport['parts'][number]): string[] =>
      verdicts.filter(({ status }) => status === 'fail').map(({ rule }) => rule);
    expect(failed(parts[0]!)).toEqual(failed(others[0]!));
    expect([parts[0]!.compliant, parts[0]!.score, code]).toEqual([others[0]!.compliant, others[0]!.score, plain.code]);
    // Of several parts the numbers of the second go on behind the first.
    const run = JSON.parse(json) as RunReport;
    const { parts: both } = joinRuns([run, run]);
    expect(both[1]!.deprecations![0]!.events[0]).toBeGreaterThan(2);
  });
});
