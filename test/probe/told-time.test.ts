/** Tools that are told how long to work: a fraction of a second where that shows how they do, and a second where it does not. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everything } from '../../src/check/plan.ts';
import type { ServeInMemory } from '../../src/client/transport/process/memory-server.ts';
import { check, verdictOf } from '../e2e/run-check.ts';

type Json = Record<string, unknown>;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mcpc-told-time-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Work {
  /** What the tool makes of the seconds that it was told; a text: it refuses them. */
  understands(seconds: number): number | string;
  /** Milliseconds between two reports of so many seconds of work. */
  everyMs(seconds: number): number;
  /** What is wrong with it. */
  fault?: 'progress falls' | 'answers what was cancelled';
}

function server({ understands, everyMs, fault }: Work, told: unknown[]): ServeInMemory {
  return ({ stdin, stdout, exit }) => {
    const cancelled = new Set<unknown>();
    const say = (message: Json): void => void stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const answer = (id: unknown, result: Json): void => say({ id, result });
    const text = (words: string): Json => ({ content: [{ type: 'text', text: words }] });
    const work = (id: unknown, seconds: number, token: unknown): void => {
      let done = 0;
      const reports = setInterval(() => {
        done += 1;
        if (cancelled.has(id) && fault !== 'answers what was cancelled') return clearInterval(reports);
        if (token !== undefined)
          say({
            method: 'notifications/progress',
            params: { progressToken: token, progress: fault === 'progress falls' ? 100 - done : done },
          });
      }, everyMs(seconds));
      setTimeout(() => {
        clearInterval(reports);
        if (!cancelled.has(id) || fault === 'answers what was cancelled') answer(id, text('done'));
      }, seconds * 1000);
    };
    const lines = createInterface({ input: stdin });
    lines.on('line', (line) => {
      const { id, method, params = {} } = JSON.parse(line) as { id?: unknown; method: string; params?: Json };
      if (method === 'notifications/cancelled') cancelled.add(params['requestId']);
      if (id === undefined) return;
      if (method === 'initialize')
        return answer(id, {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'worker', version: '1' },
        });
      if (method === 'ping') return answer(id, {});
      if (method === 'tools/list')
        return answer(id, {
          tools: [
            {
              name: 'long-work',
              inputSchema: { type: 'object', properties: { duration: { type: 'number' } }, required: ['duration'] },
              annotations: { readOnlyHint: true },
            },
          ],
        });
      if (method !== 'tools/call') return say({ id, error: { code: -32601, message: 'Method not found' } });
      const { duration } = params['arguments'] as { duration: number };
      told.push(duration);
      const seconds = understands(duration);
      if (typeof seconds === 'string') return answer(id, { ...text(seconds), isError: true });
      work(id, seconds, (params['_meta'] as Json | undefined)?.['progressToken']);
    });
    lines.on('close', () => exit(0));
  };
}

const whole = (seconds: number): number | string => (Number.isInteger(seconds) ? seconds : 'seconds are whole numbers');
const tenth = (seconds: number): number => seconds * 100;
const rules = ['progress/value-increase', 'cancellation/receiver-response-suppression'];

test.each<{ name: string; work: Work; told: number[]; verdicts: string[] }>([
  {
    name: 'works as it is told',
    work: { understands: (seconds) => seconds, everyMs: tenth },
    told: [0.2, 0.8, 1],
    verdicts: ['pass', 'pass'],
  },
  {
    name: 'works as it is told, wrongly',
    work: { understands: (seconds) => seconds, everyMs: tenth, fault: 'progress falls' },
    told: [0.2, 0.8, 1],
    verdicts: ['fail', 'pass'],
  },
  {
    name: 'refuses fractions',
    work: { understands: whole, everyMs: tenth, fault: 'progress falls' },
    told: [0.2, 1],
    verdicts: ['fail', 'pass'],
  },
  {
    name: 'refuses fractions, and answers what was cancelled',
    work: { understands: whole, everyMs: tenth, fault: 'answers what was cancelled' },
    told: [0.2, 1],
    verdicts: ['pass', 'fail'],
  },
  {
    name: 'rounds down',
    work: { understands: Math.floor, everyMs: tenth, fault: 'answers what was cancelled' },
    told: [0.2, 1],
    verdicts: ['pass', 'fail'],
  },
  {
    name: 'reports seldom',
    work: { understands: (seconds) => seconds, everyMs: () => 300, fault: 'progress falls' },
    told: [0.2, 0.8, 1],
    verdicts: ['fail', 'pass'],
  },
])('a tool that $name', async ({ name, work, told, verdicts }) => {
  const heard: unknown[] = [];
  const target = { kind: 'stdio' as const, command: 'worker', args: [], serve: server(work, heard) };
  const checked = await check({
    target,
    name,
    spec: '2025-11-25',
    selection: { ...everything, only: rules },
    traceFile: path.join(folder, `${name}.jsonl`),
  });
  expect(rules.map((rule) => verdictOf(checked, rule).status)).toEqual(verdicts);
  // A call that is cancelled before it is known what the tool understands is one of a second.
  const known = [...new Set(heard)].sort();
  expect(told).toEqual(expect.arrayContaining(known));
  expect(known).toContain(told[0]);
  if (work.understands(0.2) !== 0.2) expect(known).toContain(1);
});
