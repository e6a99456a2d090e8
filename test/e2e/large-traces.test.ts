/**
 * Memory of `judge` and `import` over traces and captures that are large in one respect, as peaks of the real process.
 * One of them in `npm test`, at a fifth of the size and with the same bounds; all of the whole size with
 * `--mode all`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { writeLarge, type LargeKind } from '../support/large-traces.ts';
import { everything } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';

const cli = fileURLToPath(new URL('../../bin/mcpc.js', import.meta.url));
const meter = new URL('hostile/meter.mjs', import.meta.url).href;
const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-large-'));
const part = everything ? 1 : 0.2;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function mcpc(...words: string[]): Promise<{ code: unknown; text: string; peakMb: number }> {
  const peak = path.join(folder, 'peak');
  const child = spawn(process.execPath, ['--import', meter, cli, ...words], {
    cwd: folder,
    env: { ...process.env, MCPC_TEST_PEAK: peak },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const [code] = (await once(child, 'close')) as unknown[];
  return { code, text, peakMb: Number(readFileSync(peak, 'utf8')) };
}

function large(kind: LargeKind, count: number): string {
  const file = path.join(folder, `${kind}.jsonl`);
  writeLarge(kind, count, file);
  return file;
}

const mostMb = 300;
const due = new Set<LargeKind>(
  someOf(['sessions', 'open-requests', 'keys', 'lines', 'large-lines'], 5, (kind) => `large ${kind}`),
);

test.runIf(due.has('sessions'))(
  'connections that are open at the same time: a thousand are followed, nothing is held against the others',
  { timeout: 600_000 },
  async () => {
    const count = 100_000 * part;
    const { code, text, peakMb } = await mcpc('judge', large('sessions', count));
    expect(text).toContain(`${count - 1000} connections followed to no end`);
    expect(code).toBe(0);
    expect(peakMb).toBeLessThan(mostMb);
  },
);

test.runIf(due.has('open-requests'))(
  'requests that wait at the same time: twenty thousand are followed, nothing is held against the others',
  { timeout: 600_000 },
  async () => {
    const count = 200_000 * part;
    const { code, text, peakMb } = await mcpc('judge', large('open-requests', count));
    expect(text).toContain(`${count - 20_000} requests followed to no end`);
    expect(code).toBe(0);
    expect(peakMb).toBeLessThan(mostMb);
  },
);

test.runIf(due.has('keys'))(
  'notifications under keys that are all different: groups are let go, and nothing is held against them for that',
  { timeout: 600_000 },
  async () => {
    const house = fileURLToPath(new URL('../../examples/house', import.meta.url));
    const given = [
      '--rules',
      path.join(house, 'rules/house/job-order.json'),
      '--requirements',
      path.join(house, 'house.md'),
      '--facts',
      path.join(house, 'facts.json'),
    ];
    const { code, text, peakMb } = await mcpc(
      'judge',
      large('keys', 1_000_000 * part),
      ...given,
      '--only',
      'house/job-order',
      '--json',
    );
    const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
    const [verdict] = (JSON.parse(json) as RunReport).parts[0]!.verdicts;
    expect(verdict).toMatchObject({
      rule: 'house/job-order',
      status: 'pass',
      message: 'Passed in all 10000 observed cases.',
    });
    expect(code).toBe(0);
    expect(peakMb).toBeLessThan(300);
  },
);

test.runIf(due.has('lines'))('a capture is imported by streaming', { timeout: 600_000 }, async () => {
  const count = 1_000_000 * part;
  const { code, text, peakMb } = await mcpc('import', large('lines', count), '--out-trace', 'episode.jsonl');
  expect(text).toContain(`Wrote ${count + 2} trace events`);
  expect(code).toBe(0);
  expect(peakMb).toBeLessThan(mostMb);
});

test.runIf(due.has('large-lines'))(
  'a capture of large messages: what verdicts cite is read again rather than kept',
  { timeout: 600_000 },
  async () => {
    const { code, text, peakMb } = await mcpc('judge', large('large-lines', 1000 * part));
    expect(text).toContain('COMPLIANT');
    expect(code).toBe(0);
    expect(peakMb).toBeLessThan(400);
  },
);
