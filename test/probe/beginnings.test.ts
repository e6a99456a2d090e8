/** Shared probes that begin alike carry out their common beginning once, and go on from there; on a new connection they begin anew. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readGeneratedPlan } from '../../src/check/plan.ts';
import type { Step } from '../../src/core/model/rules/rule.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import {
  besideTheirLike,
  carriedOut,
  commonBeginning,
  groupsByBeginning,
} from '../../src/client/schedule/plan/beginnings.ts';
import { planProbes } from '../../src/client/schedule/plan/planner.ts';
import type { Probe } from '../../src/client/schedule/plan/probe.ts';
import { sharedQueue } from '../../src/client/schedule/run-shared.ts';
import { Workspace } from '../cli/harness.ts';

const probe = (name: string, ...steps: Step[]): Probe => ({ steps, rules: [name] });
const named = (probes: readonly Probe[]): string[] => probes.map(({ rules }) => rules.join());

test('what begins alike stands together, in the order of the first of each', () => {
  const probes = [
    probe('a', 'survey', { callTool: 'any' }, { request: 'ping' }),
    probe('b', { request: 'ping' }),
    probe('c', 'survey', { getPrompt: 'any' }),
    probe('d', 'survey', { callTool: 'any' }, { request: 'tools/list' }),
  ];
  const ordered = besideTheirLike(probes);
  expect(named(ordered)).toEqual(['a', 'd', 'c', 'b']);
  expect(groupsByBeginning(ordered).map(named)).toEqual([['a', 'd', 'c'], ['b']]);
  expect(commonBeginning(ordered[0]!.steps, ordered[1]!.steps)).toBe(2);
  expect(commonBeginning(ordered[1]!.steps, ordered[2]!.steps)).toBe(1);
});

test('a step that later ones go on with is carried out by each', () => {
  for (const step of [
    { request: 'tools/list', as: 'first' },
    { request: 'ping', wait: false },
    { openStream: 'listen' },
    { answers: 'loop' },
    { callTool: 'any', then: [{ request: 'ping' }] },
    { ifDeclared: 'tools', then: ['survey'] },
  ] satisfies Step[]) {
    expect(commonBeginning(['survey', step], ['survey', step]), JSON.stringify(step)).toBe(1);
  }
});

test('the plans make the tour of the server once', () => {
  const { rules } = readGeneratedPlan();
  for (const [transport, revision] of [
    ['stdio', '2025-11-25'],
    ['http', '2026-07-28'],
    ['sse', '2024-11-05'],
  ] as const) {
    const { shared } = planProbes(rules, transport, revision);
    const tours = (steps: readonly Step[]): number =>
      steps.filter((step) => typeof step === 'object' && step.request === 'mcpc/undefined-method').length;
    expect(tours(shared.flatMap(({ steps }) => steps)), revision).toBeGreaterThan(1);
    expect(tours(carriedOut(shared).flat()), revision).toBe(1);
  }
});

test('a server that goes away meanwhile is asked from the beginning again by what is left', async () => {
  const space = new Workspace();
  const server = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === 'mcpc-id' || id === undefined) return id && process.exit(1);
    const results = { initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }, 'tools/list': { tools: ['echo', 'always-fails'].map((name) => ({ name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } })) }, 'tools/call': { content: [] }, ping: {} };
    const result = results[method];
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'unknown' } }) }));
  });`;
  writeFileSync(space.path('server.cjs'), server);
  await space.run([
    'check',
    '--spec',
    '2025-11-25',
    '--only',
    'jsonrpc/response-result-id',
    '--only',
    'tools/errors-execution-failure',
    '--trace',
    'run.jsonl',
    '--',
    'node',
    'server.cjs',
  ]);
  const events = space
    .read('run.jsonl')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TraceEvent);
  const sent = events.flatMap((event) =>
    event.kind === 'message' && event.from === 'client'
      ? [{ session: event.session, ...(event.message as { method: string; id?: unknown; params?: { name?: string } }) }]
      : [],
  );
  const sessions = (fits: (one: (typeof sent)[number]) => boolean): (string | undefined)[] =>
    sent.filter(fits).map(({ session }) => session);
  const tours = sessions(({ method }) => method === 'mcpc/undefined-method');
  const [first, second] = tours;
  expect(tours).toEqual([first, second]);
  expect(second).not.toBe(first);
  expect(sessions(({ id }) => id === 'mcpc-id')).toEqual([first]);
  expect(sessions(({ params }) => params?.name === 'always-fails')).toContain(second);
});

test('of shared probes those come first that need not wait for another connection', () => {
  const queue = sharedQueue(['a', 'b', 'c'].map((name) => probe(name, { request: name })));
  const waits = (probes: readonly Probe[]): boolean => probes.some(({ rules: [name] }) => name !== 'b');
  const taken = Array.from({ length: 4 }, () => queue.take(waits)?.map(({ rules: [name] }) => name));
  expect(taken).toEqual([['b'], ['a'], ['c'], undefined]);
});
