/** The order of a run: what a tool call elsewhere would spoil comes first, what ends the server last, and the pool keeps busy. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readGeneratedPlan } from '../../src/check/plan.ts';
import { createCapacity } from '../../src/client/schedule/capacity.ts';
import { comparesListsOnly, phasesOf, type Phase } from '../../src/client/schedule/plan/phases.ts';
import { planProbes } from '../../src/client/schedule/plan/planner.ts';
import { everyProbe, type Chain, type Probe } from '../../src/client/schedule/plan/probe.ts';
import { runPhases } from '../../src/client/schedule/run-phases.ts';
import { createSessionRoom } from '../../src/client/load/session-room.ts';
import { defaultBusyWaits } from '../../src/client/target/timing.ts';
import { traitsOfSteps } from '../../src/client/steps/table.ts';
import { drawn } from '../support/run/draw.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const { rules } = readGeneratedPlan();
const everything = { watchesWork: true, comparesLists: true, mayEndServer: true };
const probe = (name: string, ...steps: Probe['steps']): Probe => ({ steps, rules: [name] });
const quiet = probe('quiet', 'handshake', 'cancelSeenWork');
const comparing = probe('comparing', 'handshake', { newSession: ['handshake', { paginate: 'tools/list' }] });
const calling = probe('calling', 'handshake', { callTool: 'any' });
const namesIn = (phases: readonly Phase[]): string[] =>
  phases.map(({ shared, chains }) =>
    [...(shared ? [[...shared.shared, ...(shared.ending ?? [])]] : []), ...chains]
      .map((chain) => chain.map(({ rules: [name] }) => name).join('+'))
      .join(' '),
  );

test('quiet probes come one by one, then what compares lists, then everything else', () => {
  const plan = {
    shared: [probe('shared', 'sentinel')],
    ending: [quiet, probe('end', 'handshake')],
    chains: [[calling], [comparing], [probe('first', 'handshake'), quiet]],
  };
  expect(namesIn(phasesOf(plan, everything))).toEqual(['quiet quiet', 'comparing', 'shared+end calling first']);
  expect(namesIn(phasesOf(plan, { ...everything, watchesWork: false, comparesLists: false }))).toEqual([
    'shared+quiet+end calling comparing first+quiet',
  ]);
});

test.each(['stdio', 'http'] as const)(
  'over %s what ends the server comes last, if mcpc can start it again',
  (transport) => {
    const plan = planProbes(rules, transport, '2025-11-25');
    const has = (trait: 'endsServer' | 'comesLast', chains: readonly Chain[]): boolean[] =>
      chains.map((chain) => chain.some(({ steps }) => traitsOfSteps(steps)[trait] === true));
    const phases = phasesOf(plan, { watchesWork: false, comparesLists: false, mayEndServer: true });
    for (const { chains } of phases.slice(0, -1))
      expect([...has('endsServer', chains), ...has('comesLast', chains)]).not.toContain(true);
    const asked = phases.flatMap(({ chains, shared }) => [...everyProbe({ shared: [], ...shared, chains })]);
    expect(asked).toHaveLength(everyProbe(plan).length);
    const others = phasesOf(plan, { watchesWork: false, comparesLists: false, mayEndServer: false });
    expect(
      has(
        'endsServer',
        others.flatMap(({ chains }) => chains),
      ),
    ).not.toContain(true);
  },
);

test('the plan of 2026-07-28 over HTTP compares lists before it calls tools', () => {
  const { chains } = planProbes(rules, 'http', '2026-07-28');
  const found = chains.filter(comparesListsOnly).flat();
  expect(found.flatMap((one) => one.rules)).toEqual(
    expect.arrayContaining(['tools', 'prompts', 'resources'].map((list) => `${list}/list-connection-independence`)),
  );
});

test('a tool call is recognised wherever it is written', () => {
  const calls = (...steps: Probe['steps']): boolean => traitsOfSteps(steps).callsTools === true;
  expect(calls('handshake', { ifDeclared: 'tools', then: [{ callTool: 'any' }] })).toBe(true);
  const call = { method: 'tools/call', params: { name: 'x' } };
  const asStep = { request: 'tools/call', params: { name: 'x' } };
  const written: Probe['steps'] = [
    asStep,
    { message: { jsonrpc: '2.0', id: 1, ...call } },
    { raw: JSON.stringify(call) },
    { batch: [{ request: 'ping' }, asStep] },
    { joined: [{ request: 'ping' }, asStep] },
    { split: asStep },
    { http: { method: 'POST', message: call } },
    { http: { method: 'POST', body: JSON.stringify(call) } },
  ];
  for (const step of written) expect(calls('handshake', step), JSON.stringify(step)).toBe(true);
  expect(comparesListsOnly([comparing])).toBe(true);
  expect(comparesListsOnly([comparing, calling])).toBe(false);
});

/** Runs phases of chains that take a random time on a simulated clock, and records when each was at work. */
async function simulate(seed: string) {
  let draws = 0;
  const draw = (): number => drawn(seed, String((draws += 1))) / 2 ** 32;
  const jobs = 1 + Math.floor(draw() * 5);
  const room = createSessionRoom({ busyWaits: defaultBusyWaits });
  const capacity = createCapacity({ transport: 'http', jobs, mostJobs: 12, room });
  capacity.observe({ openedMs: 10, replyMs: draw() < 0.5 ? 10 : 300, besideMs: 300 });
  const phases = Array.from(
    { length: 1 + Math.floor(draw() * 4) },
    (_, index): Phase => ({
      chains: Array.from({ length: Math.floor(draw() * 12) }, (_one, at) => [probe(`${index}.${at}`)]),
      ...(draw() < 0.2 ? { alone: true as const } : {}),
    }),
  );
  const running = new Set<string>();
  const runs: { name: string; phase: number; from: number; to: number; beside: number }[] = [];
  let settled = 0;
  const all = runPhases(phases, {
    capacity,
    shared: async () => {},
    async chain([one]) {
      const [name] = one!.rules as [string];
      running.add(name);
      const run = { name, phase: settled, from: Date.now(), to: 0, beside: running.size };
      runs.push(run);
      await new Promise((resolve) => setTimeout(resolve, 1 + Math.floor(draw() * 1000)));
      run.to = Date.now();
      running.delete(name);
      if (draw() < 0.2) throw new Error('connection lost');
    },
    waits: () => false,
    settle: async () => void (settled += 1),
  });
  await vi.runAllTimersAsync();
  return { results: await all, runs, phases, jobs };
}

test.each(Array.from({ length: 40 }, (_, index) => `run ${index}`))(
  'on a simulated clock every chain runs once, in its phase, within the capacity, and nothing waits for nothing: %s',
  async (seed) => {
    const { results, runs, phases, jobs } = await simulate(seed);
    const names = phases.flatMap(({ chains }) => chains.flat().map(({ rules: [name] }) => name!));
    expect(runs.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(results).toHaveLength(names.length);
    for (const [index, { chains, alone }] of phases.entries()) {
      const own = runs.filter(({ name }) => name.startsWith(`${index}.`));
      expect(own.every(({ phase }) => phase === index)).toBe(true);
      const most = Math.max(0, ...own.map(({ beside }) => beside));
      expect(most).toBeLessThanOrEqual(alone ? 1 : Math.max(12, jobs + 5));
      if (alone || own.length === 0) continue;
      // As many as may run begin at once, and each later one when another ends.
      const began = Math.min(...own.map(({ from }) => from));
      const ends = new Set(own.map(({ to }) => to));
      expect(most).toBeGreaterThanOrEqual(Math.min(chains.length, jobs));
      expect(own.filter(({ from }) => from === began)).toHaveLength(most);
      for (const { from } of own.filter((one) => one.from !== began)) expect(ends).toContain(from);
    }
  },
);

test('where the server has room for no more sessions, no more connections are used from then on', async () => {
  const room = createSessionRoom({ busyWaits: defaultBusyWaits });
  const capacity = createCapacity({ transport: 'http', jobs: 4, mostJobs: 12, room });
  let running = 0;
  const most: number[] = [];
  const all = Array.from({ length: 12 }, (_, index) =>
    capacity.take(async () => {
      running += 1;
      most.push(running);
      if (index === 0) room.onFull?.(2);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running -= 1;
    }),
  );
  await vi.runAllTimersAsync();
  await Promise.all(all);
  expect(Math.max(...most.slice(5))).toBe(2);
});

test('while chains wait for their turn others run, and those that would wait come last', async () => {
  const capacity = createCapacity({ transport: 'http', jobs: 2, mostJobs: 3, room: undefined });
  const begun: string[] = [];
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const names = ['watcher', 'caller', 'another caller', 'a third caller', 'free', 'also free'];
  const watched = pause(100);
  let quiet = false;
  const all = runPhases([{ chains: names.map((name) => [probe(name)]) }], {
    capacity,
    shared: async () => {},
    async chain([one]) {
      const [name] = one!.rules as [string];
      begun.push(name);
      quiet = true;
      if (name.endsWith('caller')) capacity.lend(watched);
      await (name.endsWith('free') ? pause(10) : watched);
      if (name === 'watcher') quiet = false;
    },
    waits: ([one]) => quiet && one!.rules[0]!.endsWith('caller'),
    settle: async () => {},
  });
  await vi.advanceTimersByTimeAsync(50);
  // Two at a time, and one more while callers wait: never above the most that is allowed.
  expect(begun).toEqual(['watcher', 'free', 'also free', 'caller', 'another caller']);
  await vi.runAllTimersAsync();
  expect(begun).toHaveLength(names.length);
  expect(await all).toHaveLength(names.length);
});
