/** Which revisions a report says that a server speaks, by which of its answers; the same of a live check and of its trace. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runCheck } from '../../src/check/check.ts';
import { judgeTraceFile } from '../../src/check/judge.ts';
import { createSpokenLog } from '../../src/check/judge/spoken-log.ts';
import { eachSaid } from '../../src/check/reporting/said/said.ts';
import { everything } from '../../src/check/plan.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import type { Target } from '../../src/client/target/target.ts';
import { renderReport } from '../../src/report/parts/render.ts';
import { serveInMemory } from '../../src/testkit/example-server/start.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-spoken-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const modern = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

/** What is seen in a conversation of these messages. */
function seen(...messages: [from: 'client' | 'server', message: object, session?: string][]) {
  const log = createSpokenLog();
  messages.forEach(([from, message, session = 's1'], at) =>
    eachSaid(
      { seq: at + 1, t: at, session, from, kind: 'message', message: { jsonrpc: '2.0', ...message } } as TraceEvent,
      log.see,
    ),
  );
  return log.result();
}

describe('what answers show', () => {
  test('the result of initialize names one revision, and refuses the one that was asked for', () => {
    expect(
      seen(
        ['client', { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }],
        ['server', { id: 1, result: { protocolVersion: '2025-06-18' } }],
      ),
    ).toEqual({
      spoken: [{ revision: '2025-06-18', era: 'stateful', evidence: [{ by: 'initialize', events: [1, 2] }] }],
      unspoken: [
        { revision: '2025-11-25', era: 'stateful', why: 'initialize is answered with 2025-06-18', events: [1, 2] },
      ],
    });
  });

  test('server/discover and an error list several; what is spoken on another connection is not refused', () => {
    const found = seen(
      ['client', { id: 'a', method: 'initialize', params: { protocolVersion: '2025-11-25' } }],
      ['server', { id: 'a', result: { protocolVersion: '2025-03-26' } }],
      ['client', { id: 'a', method: 'server/discover', params: { _meta: modern } }, 's2'],
      ['server', { id: 'a', result: { supportedVersions: ['2026-07-28', '2025-11-25', '2027-01-01', 7] } }, 's2'],
      ['client', { id: 'b', method: 'tools/list', params: { _meta: modern } }, 's2'],
      ['server', { id: 'b', error: { code: -32022, message: 'no', data: { supported: ['2025-06-18'] } } }, 's2'],
    );
    expect(found.spoken.map(({ revision, evidence }) => [revision, evidence.map(({ by }) => by)])).toEqual([
      ['2026-07-28', ['server/discover']],
      ['2025-11-25', ['server/discover']],
      ['2025-06-18', ['error']],
      ['2025-03-26', ['initialize']],
    ]);
    expect(found.unspoken).toEqual([]);
  });

  test('a method that is unknown refuses the era as the first message of a connection only', () => {
    const refusal: ['server', object] = ['server', { id: 1, error: { code: -32601, message: 'no' } }];
    const discover: ['client', object] = ['client', { id: 1, method: 'server/discover', params: { _meta: modern } }];
    expect(seen(discover, refusal).unspoken).toEqual([
      { revision: '2026-07-28', era: 'stateless', why: 'server/discover is no method of the server', events: [1, 2] },
    ]);
    expect(
      seen(['client', { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } }], discover, refusal)
        .unspoken,
    ).toEqual([]);
  });

  test('an error to initialize refuses its version where another one is spoken, and may name others', () => {
    const asked: ['client', object] = [
      'client',
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
    ];
    const refusal = (data?: object): ['server', object] => [
      'server',
      { id: 1, error: { code: -32602, message: 'Unsupported protocol version', data } },
    ];
    const why = 'initialize is answered with error -32602';
    expect(seen(asked, refusal())).toEqual({ spoken: [], unspoken: [] });
    expect(
      seen(
        asked,
        refusal(),
        ['client', { id: 1, method: 'initialize', params: { protocolVersion: '2025-03-26' } }, 's2'],
        ['server', { id: 1, result: { protocolVersion: '2025-03-26' } }, 's2'],
      ).unspoken,
    ).toEqual([{ revision: '2025-11-25', era: 'stateful', why, events: [1, 2] }]);
    expect(seen(asked, refusal({ supported: ['2024-11-05'] }))).toEqual({
      spoken: [{ revision: '2024-11-05', era: 'stateful', evidence: [{ by: 'error', events: [1, 2] }] }],
      unspoken: [{ revision: '2025-11-25', era: 'stateful', why, events: [1, 2] }],
    });
  });

  test('a check judges by an older revision where the newest is refused by an error, and keeps the refusal', async () => {
    const code = `
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        if (id === undefined) return;
        const supported = ['2024-11-05'];
        const answer = method === 'ping' ? { result: {} }
          : method !== 'initialize' ? { error: { code: -32601, message: 'Method not found' } }
          : supported.includes(params.protocolVersion)
            ? { result: { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'old', version: '1' } } }
            : { error: { code: -32602, message: 'Unsupported protocol version', data: { supported } } };
        process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
      });`;
    const report = await runCheck({
      fallback: false,
      spec: 'auto',
      jobs: 3,
      name: 'old',
      allowDestructive: false,
      secrets: [],
      toolVersion: '0',
      timing: {},
      selection: { ...everything, only: ['versioning/initialize-server-alternative', 'ping/*'] },
      target: { kind: 'stdio', command: process.execPath, args: ['-e', code] },
    });
    expect(report.incomplete).toBe(null);
    expect(report.parts.map(({ revision, compliant }) => [revision, compliant])).toEqual([['2024-11-05', true]]);
    expect(report.unspoken).toContainEqual({
      revision: '2025-11-25',
      era: 'stateful',
      why: 'initialize is answered with error -32602',
      events: expect.any(Array) as number[],
    });
  });

  test('nothing is concluded from unknown names, wrong types, or a handshake that names a revision without one', () => {
    const found = seen(
      ['client', { id: 1, method: 'initialize', params: { protocolVersion: '1999-01-01' } }],
      ['server', { id: 1, result: { protocolVersion: '2026-07-28' } }],
      ['client', { id: 2, method: 'initialize' }],
      ['server', { id: 2, result: { protocolVersion: 3 } }],
      ['server', { id: 3, result: { protocolVersion: '2025-06-18', supportedVersions: ['2026-07-28'] } }],
    );
    expect(found).toEqual({ spoken: [], unspoken: [] });
  });
});

test('a check of a server of both eras tells both and which was judged, in every format and of the saved trace', async () => {
  const target: Target = {
    kind: 'stdio',
    command: 'reference',
    args: [],
    serve: serveInMemory({ revisions: ['2025-06-18', '2026-07-28'] }),
  };
  const traceFile = path.join(folder, 'both.jsonl');
  const selection = { ...everything, only: ['versioning', 'discover'] };
  const live = await runCheck({
    target,
    name: 'both',
    fallback: false,
    spec: 'auto',
    selection,
    timing: {},
    jobs: 2,
    allowDestructive: false,
    secrets: [],
    toolVersion: '0',
    traceFile,
  });
  expect(live.parts.map(({ revision }) => revision)).toEqual(['2026-07-28']);
  expect(
    live.spoken!.map(({ revision, era, evidence }) => [
      revision,
      era,
      evidence.map(({ by }) => by).includes(era === 'stateful' ? 'initialize' : 'server/discover'),
    ]),
  ).toEqual([
    ['2026-07-28', 'stateless', true],
    ['2025-06-18', 'stateful', true],
  ]);
  expect(live.unspoken!.map(({ revision }) => revision)).toContain('2025-11-25');
  // The answers that show it are in the wire log.
  const wire = new Set(live.wire.map(({ seq }) => seq));
  expect(
    live.spoken!.flatMap(({ evidence }) => evidence.flatMap(({ events }) => events)).filter((seq) => !wire.has(seq)),
  ).toEqual([]);
  const again = await judgeTraceFile(traceFile, { selection, toolVersion: '0' });
  expect([again.spoken, again.unspoken]).toEqual([live.spoken, live.unspoken]);
  for (const format of ['terminal', 'markdown', 'html', 'junit', 'sarif', 'github'] as const) {
    const text = renderReport(live, format, { color: false, width: 120, verbose: true }).replace(/\s+/g, ' ');
    expect(text, format).toContain('Speaks MCP 2026-07-28, stateless, by server/discover');
    expect(text, format).toContain('checked by MCP 2026-07-28.');
  }
});
