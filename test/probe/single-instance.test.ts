/** A server that cannot run twice at a time is found out before anything depends on it, whatever the plan: nothing that is held against it happens while another one runs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGeneratedPlan } from '../../src/check/plan.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import { detect } from '../../src/client/reach/detect.ts';
import { planProbes, type PlanOptions } from '../../src/client/schedule/plan/planner.ts';
import { defaultTiming, type Timing } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { runPlan } from '../support/run-plan.ts';
import { thorough } from '../support/run/options.ts';

let folder = '';
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'mcpc-single-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** While another one has the lock, it ends at once or waits until that one has ended. */
const server = (lock: string, waits = false): string => `
  const { openSync, rmSync } = require('node:fs');
  for (;;) {
    try { openSync(${JSON.stringify(lock)}, 'wx'); break; } catch { if (${String(!waits)}) process.exit(1); }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  process.on('exit', () => rmSync(${JSON.stringify(lock)}, { force: true }));
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
  require('node:readline').createInterface({ input: process.stdin }).on('close', () => process.exit(0)).on('line', (line) => {
    let message;
    try { message = JSON.parse(line); } catch { return; }
    const { id, method, params } = message ?? {};
    if (id === undefined) return;
    const known = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
    const result = method === 'initialize' ? { protocolVersion: known.includes(params.protocolVersion) ? params.protocolVersion : known[3], capabilities: {}, serverInfo: { name: 'single', version: '1' } } : method === 'ping' ? {} : undefined;
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }) }) + '\\n');
  });`;

/** All that happens when the rules of an area, or all, are probed. */
async function eventsOf(
  code: string,
  area: string,
  how: PlanOptions,
  waits: Partial<Timing> = {},
): Promise<{ events: readonly TraceEvent[]; incomplete?: string }> {
  const target = { kind: 'stdio' as const, command: process.execPath, args: ['-e', code] };
  const timing = { ...defaultTiming, closeMs: 1_000, lateMs: 200, ...waits };
  const recorder = createRecorder({ keep: true });
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const found = await detect({
    target,
    spec: 'auto',
    fallback: false,
    open: (wanted, era, revision, more = {}) =>
      hub.open({ ...more, target: wanted, era, revision, timing, toolVersion: '0' }),
  });
  const rules = readGeneratedPlan().rules.filter((rule) => area === '' || rule.area === area);
  const { incomplete } = await runPlan({
    plan: planProbes(rules, 'stdio', found.revision, { ...how, asked: found.peer.revision }),
    first: found.peer,
    open: (more) => hub.open({ ...more, target, era: 'stateful', revision: found.revision, timing, toolVersion: '0' }),
    sink: recorder.sink,
    timing,
    jobs: 2,
  });
  return { events: recorder.events, ...(incomplete === undefined ? {} : { incomplete }) };
}

test.each([
  ['all rules', '', {}],
  ['nothing but versions', 'versioning', {}],
] satisfies [string, string, PlanOptions][])('%s', { timeout: 60_000 }, async (name, area, how) => {
  const { events, incomplete } = await eventsOf(server(join(folder, name.replaceAll(/\W/g, '-'))), area, how);
  expect(incomplete).toBeUndefined();
  const trials = new Set(
    events.flatMap(({ session, kind, trial }) => (kind === 'spawn' && trial === true ? [session] : [])),
  );
  const refused = events.filter(({ kind, exit }) => kind === 'exit' && exit?.code === 1).map(({ session }) => session);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.filter((session) => !trials.has(session))).toEqual([]);
  // What asks for an unknown version is answered all the same.
  const odd = events.find(
    ({ message }) =>
      (message as { params?: { protocolVersion?: unknown } } | undefined)?.params?.protocolVersion === '1999-01-01',
  );
  expect(refused).not.toContain(odd?.session);
});

test.runIf(thorough)(
  'one whose second process waits for the end of the first is failed for no silence',
  {
    timeout: 60_000,
  },
  async () => {
    const { events, incomplete } = await eventsOf(
      server(join(folder, 'waits'), true),
      'versioning',
      {},
      { startMs: 3_000, answerMs: 1_000 },
    );
    expect(incomplete).toBeUndefined();
    const unanswered = events.flatMap(({ kind, awaited }) =>
      kind === 'timeout' && awaited !== undefined ? [events.find(({ seq }) => seq === awaited)] : [],
    );
    // Nothing else is asked where the session does not begin.
    expect(unanswered.map((sent) => (sent?.message as { method: string } | undefined)?.method)).toEqual([
      'server/discover',
      'initialize',
    ]);
    expect(unanswered.filter((sent) => sent?.trial !== true)).toEqual([]);
  },
);
