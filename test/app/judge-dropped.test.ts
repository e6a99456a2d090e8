/** A capture does not tell all: where a case may have broken a rule for all that is recorded, others that passed are no pass. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { judgeFile } from '../../src/check/judge.ts';
import { everything } from '../../src/check/plan.ts';
import type { ReportVerdict } from '../../src/core/model/reports/run-report.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-dropped-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const handshake = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  },
  {
    id: 1,
    result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  },
  { method: 'notifications/initialized' },
];
const call = (id: number, ...between: object[]): object[] => [
  { id, method: 'tools/call', params: { name: 'work', _meta: { progressToken: `t${id}` } } },
  ...between,
  { id, result: { content: [] } },
];
const progress = (progressToken: string): object => ({
  method: 'notifications/progress',
  params: { progressToken, progress: 1 },
});

const isOfClient = (message: object): boolean => 'method' in message && message.method !== 'notifications/progress';

async function verdictOf(
  rule: string,
  messages: readonly object[],
  evaluator: 'fast' | 'engine',
): Promise<ReportVerdict> {
  const file = path.join(folder, 'capture.jsonl');
  const recorded = {
    transport: true,
    exchanges: true,
    streams: true,
    timing: false,
    bytes: false,
    start: true,
    order: false,
    direction: true,
  };
  const header = { format: 'mcpc-trace', version: 1, origin: 'import:test', transport: 'stdio', recorded };
  const events = messages.map((one, index) => ({
    seq: index + 1,
    t: index,
    session: 's1',
    from: isOfClient(one) ? 'client' : 'server',
    kind: 'message',
    message: { jsonrpc: '2.0', ...one },
  }));
  writeFileSync(
    file,
    [header, ...events, { footer: true, events: events.length, complete: true }]
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
  );
  const report = await judgeFile(file, {
    selection: everything,
    toolVersion: '0',
    capture: {},
    evaluator,
    note: () => {},
  });
  return report.parts[0]!.verdicts.find((one) => one.rule === rule)!;
}

test.each(['fast', 'engine'] as const)('by the %s evaluator', async (evaluator) => {
  const rule = 'progress/token-active-reference';
  expect(
    await verdictOf(rule, [...handshake, ...call(2, progress('t2')), ...call(3, progress('t3'))], evaluator),
  ).toMatchObject({ status: 'pass', judged: 2 });
  // Whether the capture lacks a request, or the server made up a token, nobody can tell.
  const stray = await verdictOf(
    rule,
    [...handshake, ...call(2, progress('t2'), progress('made-up')), ...call(3, progress('t3'))],
    evaluator,
  );
  expect(stray).toMatchObject({
    status: 'not-exercised',
    message: 'Not exercised: 2 cases passed; another may have failed, for all that is recorded.',
    evidence: [],
  });
});
