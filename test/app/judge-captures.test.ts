/**
 * What a capture did not record never makes a rule fail: each connection of a check of the compliant reference
 * server, written down as other tools would, is judged without a fault, and never contradicts the live verdict.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openWire } from '../../src/app/capture.ts';
import { startJudging } from '../../src/app/judge-feed.ts';
import { everything, loadPlan } from '../../src/app/plan.ts';
import type { RuleOutcome } from '../../src/evaluate/rule-judge.ts';
import type { TraceEvent, TransportKind } from '../../src/model/trace.ts';
import type { CaptureFormat } from '../../src/trace/importers/captured.ts';
import { readTrace } from '../../src/trace/jsonl-reader.ts';
import { capturesOf, sessionsOf, type MadeCapture } from '../support/captures.ts';
import { openReferenceLab } from '../support/reference-server.ts';

const lab = await openReferenceLab();
const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-captures-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await lab.close();
});
const { rules } = loadPlan(everything);

async function judged(capture: MadeCapture, choice: { revision?: string; transport?: TransportKind }): Promise<RuleOutcome[]> {
  const file = path.join(folder, 'capture');
  writeFileSync(file, capture.text);
  const wire = await openWire(file, { format: capture.format, ...choice });
  const feed = await startJudging(rules, wire.header);
  for await (const event of wire.events) feed.push(event);
  return (await feed.finish()).outcomes;
}

async function eventsOf(file: string): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  for await (const event of (await readTrace(file)).events) events.push(event);
  return events;
}

/** The conversation without its handshake. */
function midway(events: readonly TraceEvent[]): TraceEvent[] {
  const at = events.findIndex(({ message }) => (message as { method?: unknown } | undefined)?.method === 'notifications/initialized');
  const exchange = events[at]?.exchange;
  return at === -1 ? [] : events.slice(at + 1).filter((event) => exchange === undefined || event.exchange !== exchange);
}

const settings: [TransportKind, '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28'][] = [
  ['stdio', '2025-11-25'],
  ['stdio', '2025-03-26'],
  ['stdio', '2026-07-28'],
  ['http', '2025-11-25'],
  ['http', '2025-06-18'],
  ['http', '2026-07-28'],
  ['sse', '2024-11-05'],
];

describe.each(settings)('the reference server over %s at %s', (transport, revision) => {
  const passed: Record<string, number> = {};
  const faults: string[] = [];

  test('gives captures without a fault', { timeout: 300_000 }, async () => {
    const { report, trace } = await lab.check({ transport, revision });
    const live = new Map(report.verdicts.map(({ rule, status }) => [rule, status]));
    const note = (title: string, format: CaptureFormat, outcomes: readonly RuleOutcome[]): void => {
      for (const { rule, status, reason, actual } of outcomes) {
        if (status === 'fail' || status === 'error') faults.push(`${title} as ${format}: ${rule.id} ${status} ${reason ?? actual ?? ''}`);
        if (status === 'pass') passed[format] = (passed[format] ?? 0) + 1;
        if (status === 'pass' && live.get(rule.id) === 'fail') faults.push(`${title} as ${format}: ${rule.id} passes, but failed live`);
      }
    };
    for (const [index, events] of sessionsOf(await eventsOf(trace)).entries()) {
      const title = `connection ${index + 1} (${events[0]!.session})`;
      for (const capture of capturesOf(events, transport !== 'stdio')) {
        note(title, capture.format, await judged(capture, { revision }));
        if (transport === 'stdio') note(`${title}, told to be stdio`, capture.format, await judged(capture, { revision, transport }));
      }
      const rest = midway(events);
      if (rest.length > 0) for (const capture of capturesOf(rest, transport !== 'stdio')) note(`${title} after its handshake`, capture.format, await judged(capture, { revision }));
    }
    expect([...new Set(faults)]).toEqual([]);
    for (const format of ['jsonrpc', 'inspector', 'streamable-http', 'http-sse']) expect(passed[format], format).toBeGreaterThan(100);
    if (transport !== 'stdio') expect(passed['har']).toBeGreaterThan(100);
  });
});
