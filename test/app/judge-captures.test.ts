/**
 * What a capture did not record never makes a rule fail: each connection of a check of the compliant reference
 * server, written down as other tools would, is judged without a fault, and never contradicts the live verdict.
 * One transport in `npm test`, and the first connection and an eighth of the others; all of them, and more revisions, with
 * --mode all.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openWire } from '../../src/check/capture/open-capture.ts';
import { startJudging } from '../../src/check/judge/judge-feed.ts';
import { everything, loadPlan } from '../../src/check/plan.ts';
import type { RuleOutcome } from '../../src/core/evaluate/rule-tally.ts';
import type { TraceEvent, TransportKind } from '../../src/core/model/trace.ts';
import type { CaptureFormat } from '../../src/core/trace/importers/captured.ts';
import { readTrace } from '../../src/files/traces/jsonl-reader.ts';
import { mutations } from '../../src/testkit/example-server/mutations/catalogue.ts';
import { capturesOf, formatsOf, sessionsOf, type MadeCapture } from '../support/captures.ts';
import { withGaps } from '../support/foreign-captures.ts';
import { openReferenceLab } from '../support/reference-server.ts';
import { everything as everySetting, thorough } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';

const lab = await openReferenceLab();
const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-captures-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await lab.close();
});
const { rules } = await loadPlan(everything);

interface Choice {
  revision?: string;
  transport?: TransportKind;
}

async function judged(
  capture: MadeCapture,
  choice: Choice,
  role: 'server' | 'both' = 'server',
): Promise<RuleOutcome[]> {
  const file = path.join(folder, 'capture');
  writeFileSync(file, capture.text);
  const wire = await openWire(file, { format: capture.format, ...choice });
  const feed = await startJudging(rules, wire.header, { role });
  for await (const events of wire.batches) for (const event of events) feed.push(event);
  return (await feed.finish()).outcomes;
}

async function eventsOf(file: string): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  for await (const event of (await readTrace(file)).events) events.push(event);
  return events;
}

/** The conversation without its handshake. */
function midway(events: readonly TraceEvent[]): TraceEvent[] {
  const at = events.findIndex(
    ({ message }) => (message as { method?: unknown } | undefined)?.method === 'notifications/initialized',
  );
  const exchange = events[at]?.exchange;
  if (at === -1) return [];
  const rest = events.slice(at + 1).filter((event) => exchange === undefined || event.exchange !== exchange);
  const begun = new Set(rest.filter(({ kind }) => kind === 'http-request').map((event) => event.exchange));
  return rest.filter((event) => event.exchange === undefined || begun.has(event.exchange));
}

type Setting = [TransportKind, '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28'];

const settings: Setting[] = [
  ['stdio', '2025-11-25'],
  ['http', '2025-11-25'],
  ['sse', '2024-11-05'],
];
const more: Setting[] = [
  ['stdio', '2025-03-26'],
  ['stdio', '2026-07-28'],
  ['http', '2025-06-18'],
  ['http', '2026-07-28'],
];

describe.each(everySetting ? [...settings, ...more] : someOf(settings, 3, String))(
  'the reference server over %s at %s',
  (transport, revision) => {
    const passed: Record<string, number> = {};
    const faults: string[] = [];

    test('gives captures without a fault', { timeout: 300_000 }, async () => {
      const { report, trace } = await lab.checkSound({ transport, revision });
      const live = new Map(report.parts[0]!.verdicts.map(({ rule, status }) => [rule, status]));
      const note = (title: string, format: CaptureFormat, outcomes: readonly RuleOutcome[]): void => {
        for (const { rule, status, reason, actual } of outcomes) {
          if (status === 'fail' || status === 'error')
            faults.push(`${title} as ${format}: ${rule.id} ${status} ${reason ?? actual ?? ''}`);
          if (status === 'pass') passed[format] = (passed[format] ?? 0) + 1;
          if (status === 'pass' && live.get(rule.id) === 'fail')
            faults.push(`${title} as ${format}: ${rule.id} passes, but failed live`);
        }
      };
      const connections = [...sessionsOf(await eventsOf(trace)).entries()];
      for (const [index, events] of [
        ...connections.slice(0, 1),
        ...someOf(connections.slice(1), 8, ([at]) => `connection ${at}`),
      ]) {
        const title = `connection ${index + 1} (${events[0]!.session})`;
        // What the checker does wrong on purpose is no longer marked in a capture.
        const role = events.some(({ deviation }) => deviation !== undefined) ? 'server' : 'both';
        for (const capture of capturesOf(events, transport)) {
          note(title, capture.format, await judged(capture, { revision }, role));
          if (transport === 'stdio')
            note(`${title}, told to be stdio`, capture.format, await judged(capture, { revision, transport }));
        }
        const rest = midway(events);
        if (rest.length > 0)
          for (const capture of capturesOf(rest, transport))
            note(`${title} after its handshake`, capture.format, await judged(capture, { revision }));
      }
      expect([...new Set(faults)]).toEqual([]);
      for (const format of formatsOf(transport)) expect(passed[format], format).toBeGreaterThan(100);
    });
  },
);

test.runIf(thorough)('a message that the capture lacks accuses nobody', { timeout: 300_000 }, async () => {
  const { trace } = await lab.checkSound({ transport: 'stdio', revision: '2025-11-25' });
  const faults: string[] = [];
  const connections = sessionsOf(await eventsOf(trace));
  const of = (format: CaptureFormat, events: readonly TraceEvent[]): MadeCapture =>
    capturesOf(events, 'stdio').find((one) => one.format === format)!;
  for (const [index, events] of [
    ...connections.slice(0, 1).entries(),
    ...someOf([...connections.slice(1).entries()], 12, ([at]) => `gaps ${at}`),
  ]) {
    for (const format of someOf(['jsonrpc', 'rows', 'vscode-log'] as const, 3, String)) {
      const whole = of(format, events);
      const cuts = [
        ...[0, 1, 2, 3].map((only) => (number: number) => number === only),
        ...[0, 1, 2, 3, 4].map((rest) => (number: number) => number % 5 === rest),
      ];
      for (const [at, isCut] of cuts.entries())
        for (const { rule, status, actual } of await judged(withGaps(whole, isCut), {
          revision: '2025-11-25',
          transport: 'stdio',
        }))
          if (status === 'fail' || status === 'error')
            faults.push(`connection ${index + 1} as ${format}, cut ${at}: ${rule.id} ${status} ${actual ?? ''}`);
    }
  }
  expect([...new Set(faults)]).toEqual([]);
});

describe.runIf(thorough)('a fault that the messages show is found in every format', () => {
  test.each(someOf(['ping/answer-empty-result', 'tools/name-uniqueness', 'errors/code-method-not-found'], 3, String))(
    '%s',
    { timeout: 120_000 },
    async (id) => {
      const mutation = mutations.find((one) => one.rule === id)!;
      const { trace } = await lab.check({
        transport: 'stdio',
        revision: '2025-11-25',
        mutation: mutation.id,
        focus: [id],
      });
      const found = new Set<string>();
      for (const events of sessionsOf(await eventsOf(trace))) {
        // The others are alike.
        if (found.size >= formatsOf('stdio').length) break;
        for (const capture of capturesOf(events, 'stdio')) {
          const outcomes = await judged(capture, { revision: '2025-11-25' });
          if (outcomes.some(({ rule, status }) => rule.id === id && status === 'fail')) found.add(capture.format);
        }
      }
      // Of a cassette the order is not known, and some rules ask for it.
      const expected = formatsOf('stdio').filter((format) => format !== 'cassette');
      expect([...found].filter((format) => format !== 'cassette').toSorted()).toEqual(expected.toSorted());
    },
  );
});
