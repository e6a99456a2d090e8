/** A server that cannot run twice at a time is found out before anything depends on it, whatever the plan: nothing that is held against it happens while another one runs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGeneratedPlan } from '../../src/app/plan.ts';
import { createPeerHub } from '../../src/probe/client/open-peer.ts';
import { detect } from '../../src/probe/detect.ts';
import { planProbes, type PlanOptions } from '../../src/probe/plan/planner.ts';
import { defaultTiming } from '../../src/probe/timing.ts';
import { createRecorder } from '../../src/trace/recorder.ts';
import { runPlan } from '../support/run-plan.ts';

let folder = '';
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'mcpc-single-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Ends at once while another one has the lock. */
const server = (lock: string): string => `
  const { openSync, rmSync } = require('node:fs');
  try { openSync(${JSON.stringify(lock)}, 'wx'); } catch { process.exit(1); }
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

test.each([
  ['all rules', '', {}],
  ['all rules, with few starts', '', { fewStarts: true }],
  ['nothing but versions', 'versioning', {}],
] satisfies [string, string, PlanOptions][])('%s', { timeout: 60_000 }, async (name, area, how) => {
  const target = { kind: 'stdio' as const, command: process.execPath, args: ['-e', server(join(folder, name.replaceAll(/\W/g, '-')))] };
  const timing = { ...defaultTiming, closeMs: 1_000, lateMs: 200 };
  const recorder = createRecorder({ keep: true });
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const found = await detect({ target, spec: 'auto', fallback: false, open: (wanted, era, revision, more = {}) => hub.open({ ...more, target: wanted, era, revision, timing, toolVersion: '0' }) });
  const rules = readGeneratedPlan().rules.filter((rule) => area === '' || rule.area === area);
  const { incomplete } = await runPlan({
    plan: planProbes(rules, 'stdio', found.revision, { ...how, asked: found.peer.revision }),
    first: found.peer,
    ...(found.spare === undefined ? {} : { spare: found.spare }),
    open: (more) => hub.open({ ...more, target, era: 'stateful', revision: found.revision, timing, toolVersion: '0' }),
    sink: recorder.sink,
    timing,
    jobs: 2,
  });
  expect(incomplete).toBeUndefined();
  const trials = new Set(recorder.events.flatMap(({ session, kind, trial }) => (kind === 'spawn' && trial === true ? [session] : [])));
  const refused = recorder.events.filter(({ kind, exit }) => kind === 'exit' && exit?.code === 1).map(({ session }) => session);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.filter((session) => !trials.has(session))).toEqual([]);
  // What asks for an unknown version is answered all the same.
  const odd = recorder.events.find(({ message }) => (message as { params?: { protocolVersion?: unknown } } | undefined)?.params?.protocolVersion === '1999-01-01');
  expect(refused).not.toContain(odd?.session);
});
