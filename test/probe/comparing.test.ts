/** What compares lists of several connections over HTTP is over before a tool is called, which might change them. */
import { expect, test } from 'vitest';
import { readGeneratedPlan } from '../../src/check/plan.ts';
import { callsTools, comparesLists, startComparingFirst } from '../../src/client/schedule/plan/comparing.ts';
import { planProbes } from '../../src/client/schedule/plan/planner.ts';
import type { Probe } from '../../src/client/schedule/plan/probe.ts';

const { rules } = readGeneratedPlan();

test('the plan of 2026-07-28 over HTTP compares lists before it calls tools', () => {
  const { isolated } = planProbes(rules, 'http', '2026-07-28');
  const comparing = isolated.filter(comparesLists);
  expect(comparing.flatMap((probe) => probe.rules)).toEqual(
    expect.arrayContaining(['tools', 'prompts', 'resources'].map((list) => `${list}/list-connection-independence`)),
  );
  expect(isolated.some(callsTools)).toBe(true);
});

test('a call shows wherever it stands', () => {
  const probe = (...steps: Probe['steps']): Probe => ({ steps, rules: [] });
  expect(callsTools(probe('handshake', { ifDeclared: 'tools', then: [{ callTool: 'any' }] }))).toBe(true);
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
  for (const step of written) expect(callsTools(probe('handshake', step)), JSON.stringify(step)).toBe(true);
  expect(callsTools({ ...probe('handshake'), then: [probe('handshake', { roundTrip: 'faultless' })] })).toBe(true);
  expect(callsTools({ ...probe('handshake'), beside: [probe({ callTool: 'slow' })] })).toBe(true);
  expect(callsTools(probe('handshake', { newSession: ['handshake', { paginate: 'tools/list' }] }))).toBe(false);
  expect(comparesLists(probe('handshake', { newSession: ['handshake', { paginate: 'tools/list' }] }))).toBe(true);
  expect(
    comparesLists(probe('handshake', { callTool: 'any' }, { newSession: ['handshake', { paginate: 'tools/list' }] })),
  ).toBe(false);
});

test('calls wait for what compares, whatever becomes of it; the rest goes on beside', async () => {
  const [comparing, calling, harmless]: Probe[] = [
    { steps: [{ newSession: [{ paginate: 'tools/list' }] }], rules: ['comparing'] },
    { steps: [{ callTool: 'any' }], rules: ['calling'] },
    { steps: ['sentinel'], rules: ['harmless'] },
  ];
  const told: string[] = [];
  let fail = (): void => {};
  const start = async ({ rules: [name] }: Probe): Promise<void> => {
    told.push(name!);
    if (name === 'comparing') await new Promise((_resolve, reject) => (fail = () => reject(new Error('gone'))));
  };
  const started = startComparingFirst(
    [() => start({ steps: [], rules: ['shared'] })],
    [calling!, comparing!, harmless!],
    start,
  );
  expect(told).toEqual(['comparing', 'harmless']);
  fail();
  const outcomes = await Promise.allSettled(started);
  expect(told).toEqual(['comparing', 'harmless', 'shared', 'calling']);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

test('with nothing to compare all start at once, in order', async () => {
  const told: string[] = [];
  const start = async (name: string): Promise<void> => void told.push(name);
  await Promise.all(
    startComparingFirst([() => start('shared')], [{ steps: [{ callTool: 'any' }], rules: [] }], () => start('own')),
  );
  expect(told).toEqual(['shared', 'own']);
});
