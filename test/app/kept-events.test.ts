import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createKeptEvents, type KeptEvents } from '../../src/check/capture/kept-events.ts';
import { judgeFile } from '../../src/check/judge.ts';
import { everything } from '../../src/check/plan.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';

const event = (seq: number): TraceEvent => ({
  seq,
  t: seq,
  session: 's1',
  from: 'server',
  kind: 'message',
  message: seq,
});

/** Shows the events up to a seq; `cite` is asked what each of them makes a verdict cite. */
function seen(upTo: number, cite: (seq: number) => number[] = () => []): KeptEvents {
  const kept = createKeptEvents();
  for (let seq = 1; seq <= upTo; seq += 1) {
    kept.saw(event(seq));
    for (const one of cite(seq)) kept.cite(one);
  }
  return kept;
}

test('what was cited when it was new, the beginning and the end are kept', () => {
  const kept = seen(50_000, (seq) => (seq === 20_000 ? [19_990, 20_000, 1] : []));
  const found = kept.find(new Set([50_000, 2, 1, 20_000, 19_990, 49_000]));
  expect(found?.map(({ seq }) => seq)).toEqual([1, 2, 19_990, 20_000, 49_000, 50_000]);
  expect(found?.map(({ message }) => message)).toEqual([1, 2, 19_990, 20_000, 49_000, 50_000]);
});

test('it says so when something is missing', () => {
  expect(seen(50_000).find(new Set([1, 20_000]))).toBeUndefined();
  expect(seen(50_000, (seq) => (seq === 30_000 ? [20_000] : [])).find(new Set([20_000]))).toBeUndefined();
  expect(seen(60_000, (seq) => [seq]).find(new Set([30_000]))).toBeUndefined();
});

test('a long capture is read again for what was not kept', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-kept-'));
  try {
    const messages: unknown[] = [
      {
        id: 'first',
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
      },
      {
        id: 'first',
        result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
      },
      { method: 'notifications/initialized' },
    ];
    const ping = (id: number): void => void messages.push({ id, method: 'ping' }, { id, result: {} });
    for (let id = 1; id <= 750; id += 1) ping(id);
    const slow = messages.push({ id: 'slow', method: 'tools/call', params: { name: 'slow', arguments: {} } });
    for (let id = 751; id <= 3500; id += 1) ping(id);
    messages.push({ id: 'slow', result: { content: [{ type: 'text', text: 'at last' }] } });
    const file = path.join(folder, 'long.jsonl');
    writeFileSync(file, messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...(one as object) })}\n`).join(''));
    const report = await judgeFile(file, { selection: everything, toolVersion: '0.0.0', capture: {}, note: () => {} });
    const cited = new Set(
      report.parts[0]!.verdicts.flatMap(({ evidence }) => evidence.flatMap(({ events }) => events)),
    );
    expect([...cited]).toContain(slow);
    expect(report.wire?.map(({ seq }) => seq)).toEqual([...cited].sort((a, b) => a - b));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
