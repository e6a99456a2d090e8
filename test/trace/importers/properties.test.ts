/** Properties that hold for all captures: equal conversations mean the same, and garbage never does harm. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { importCapture } from '../../../src/check/capture/import-capture.ts';
import { openWire } from '../../../src/check/capture/open-capture.ts';
import { startJudging } from '../../../src/check/judge/judge-feed.ts';
import { everything, loadPlan } from '../../../src/check/plan.ts';
import { McpcError } from '../../../src/core/model/errors.ts';
import type { TraceEvent } from '../../../src/core/model/trace.ts';
import { captureFormats, type CaptureFormat } from '../../../src/core/trace/importers/captured.ts';
import { exported } from '../../support/captures.ts';
import { everything as inFull } from '../../support/run/options.ts';
import { conversation, writings, type Said } from './conversations.ts';
import { imported, type Line } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpc-properties-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'capture');
const { rules } = await loadPlan(everything);
const runs = { numRuns: Number(process.env['MCPC_RUNS'] ?? (inFull ? 40 : 15)) };

const timeless = (lines: Line[]): unknown[] => lines.map(({ timestamp: _time, ...rest }) => rest);

async function eventsOf(text: string | Buffer, format: CaptureFormat): Promise<TraceEvent[]> {
  writeFileSync(file, text);
  const events: TraceEvent[] = [];
  for await (const batch of (await openWire(file, { format, keepSecrets: true })).batches) events.push(...batch);
  return events;
}

const saidIn = (events: readonly TraceEvent[]): Said[] =>
  events
    .filter(({ kind }) => kind === 'message')
    .map(({ from, message }) => ({ from: from as Said['from'], message: message as Said['message'] }));

describe('conversations', () => {
  test('mean the same in every format', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, fc.nat(), async (said, choice) => {
        const all = writings(said, choice);
        const first = await imported(all[0]!.text, all[0]!.format, { keepSecrets: true });
        for (const { text, format } of all) {
          const { lines, result } = await imported(text, format, { keepSecrets: true });
          expect(timeless(lines), format).toEqual(timeless(first.lines));
          expect(result.messages).toBe(said.length);
        }
      }),
      runs,
    );
  });

  test('come back message for message, with their senders, from every format and every conversion', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, fc.nat(), async (said, choice) => {
        for (const { text, format } of writings(said, choice)) {
          const events = await eventsOf(text, format);
          expect(saidIn(events), format).toEqual(said);
          for (const again of exported(events))
            expect(saidIn(await eventsOf(again.text, again.format)), `${format} to ${again.format}`).toEqual(said);
        }
      }),
      runs,
    );
  });

  test('get verdicts that no two formats contradict, and never an error', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, fc.nat(), async (said, choice) => {
        const decided = new Map<string, string>();
        for (const { text, format } of writings(said, choice)) {
          writeFileSync(file, text);
          const wire = await openWire(file, { format });
          const feed = await startJudging(rules, wire.header);
          for await (const events of wire.batches) for (const event of events) feed.push(event);
          for (const { rule, status, reason } of (await feed.finish()).outcomes) {
            expect(status, `${rule.id}: ${reason}`).not.toBe('error');
            if (status !== 'pass' && status !== 'fail') continue;
            expect(`${rule.id} ${status}`).toBe(`${rule.id} ${decided.get(rule.id) ?? status}`);
            decided.set(rule.id, status);
          }
        }
        expect(decided.size).toBeGreaterThan(5);
      }),
      { numRuns: Math.ceil(runs.numRuns / 3) },
    );
  });
});

describe('garbage', () => {
  /** Imports; whatever happens, the outputs are whole or absent, and the fault is the user's. */
  async function survives(bytes: Buffer, format: CaptureFormat | undefined, strictIds: boolean): Promise<void> {
    const inner = mkdtempSync(join(folder, 'run-'));
    const input = join(inner, 'in');
    const [outTrace, outWire] = [join(inner, 'trace'), join(inner, 'wire')];
    writeFileSync(input, bytes);
    try {
      await importCapture({
        file: input,
        format,
        outTrace,
        outWire,
        episodeId: 'e',
        strictIds,
        keepSecrets: false,
        now: 1,
      });
      expect([existsSync(outTrace), existsSync(outWire)]).toEqual([true, true]);
    } catch (error) {
      expect(error).toBeInstanceOf(McpcError);
      expect((error as McpcError).stage).toBe('usage');
      expect((error as McpcError).message).toContain(input);
      expect(readdirSync(inner)).toEqual(['in']);
    }
    rmSync(inner, { recursive: true });
  }

  const format = fc.option(fc.constantFrom(...captureFormats), { nil: undefined });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some)),
    fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text)),
    fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text)),
    fc.array(fc.json({ maxDepth: 2 }), { maxLength: 5 }).map((lines) => Buffer.from(lines.join('\n'))),
    fc
      .record({
        transport: fc.constantFrom('streamable-http', 'http-sse', 5),
        entries: fc.array(
          fc.dictionary(fc.constantFrom('request', 'response', 'sse', 'timestamp_ms'), fc.jsonValue()),
          { maxLength: 4 },
        ),
      })
      .map((value) => Buffer.from(JSON.stringify(value))),
    fc
      .record({
        log: fc.record({
          entries: fc.array(
            fc.dictionary(fc.constantFrom('request', 'response', 'startedDateTime', 'time'), fc.jsonValue()),
            { maxLength: 4 },
          ),
        }),
      })
      .map((value) => Buffer.from(JSON.stringify(value))),
  );

  test('of any kind', async () => {
    await fc.assert(fc.asyncProperty(bytes, format, fc.boolean(), survives), { numRuns: runs.numRuns * 5 });
  });

  test('made of a conversation by cutting, joining, flipping bytes and packing', async () => {
    const harm = fc.record({
      cut: fc.double({ min: 0, max: 1, noNaN: true }),
      flip: fc.option(fc.nat()),
      twice: fc.boolean(),
      zip: fc.boolean(),
      utf16: fc.boolean(),
      mark: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        conversation,
        fc.nat(),
        fc.nat({ max: 3 }),
        harm,
        format,
        async (said, choice, which, how, named) => {
          let text = writings(said, choice)[which]!.text;
          if (how.twice) text += text;
          if (how.mark) text = `\uFEFF${text}`;
          let out = Buffer.from(text, how.utf16 ? 'utf16le' : 'utf8');
          if (how.zip) out = gzipSync(out);
          out = out.subarray(0, Math.ceil(out.length * how.cut));
          if (how.flip !== null && out.length > 0) out[how.flip % out.length]! ^= 1 << (how.flip % 8);
          await survives(out, named, false);
        },
      ),
      { numRuns: runs.numRuns * 3 },
    );
  });

  test('nested deeper than any message', async () => {
    for (const depth of [1500, 200_000]) {
      for (const one of [
        `${'['.repeat(depth)}${']'.repeat(depth)}`,
        `{"jsonrpc":"2.0","id":1,"result":${'{"a":'.repeat(depth)}1.10${'}'.repeat(depth)}}`,
      ]) {
        for (const named of captureFormats) await survives(Buffer.from(one), named, false);
      }
    }
  });
});
