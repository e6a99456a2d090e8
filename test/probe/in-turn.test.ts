/** Probes that follow one another on one connection: which do, in which order, and what is done when it is out of order. */
import { expect, test } from 'vitest';
import { readGeneratedPlan } from '../../src/check/plan.ts';
import { noPermission } from '../../src/core/permission/decide.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import { withQuiet } from '../../src/client/schedule/plan/in-quiet.ts';
import { inTurn } from '../../src/client/schedule/plan/in-turn.ts';
import { splitOpenings } from '../../src/client/schedule/plan/openings.ts';
import { planProbes } from '../../src/client/schedule/plan/planner.ts';
import { everyProbe, type Probe, type ProbePlan } from '../../src/client/schedule/plan/probe.ts';
import type { ProbeRunResult } from '../../src/client/schedule/run-probes.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { traitsOfSteps } from '../../src/client/steps/table.ts';
import type { Hints } from '../../src/core/model/rules/hints.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { runPlan } from '../support/run-plan.ts';

const { rules } = readGeneratedPlan();
const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

test.each(revisions)(
  'the probes of %s over stdio: harmless before odd ones, and nothing after what spends a connection',
  (revision) => {
    const plan = planProbes(rules, 'stdio', revision);
    const chains = [plan.ending!, ...plan.isolated].map((probe) => [probe, ...(probe.then ?? [])]);
    // A long chain is two, and goes on on the connection of the shared probes.
    const [longest = 0, next = 0] = chains.map(({ length }) => length).sort((a, b) => b - a);
    expect(longest + next).toBeGreaterThan(7);
    for (const chain of chains) {
      // What leads a chain may begin otherwise.
      const usual =
        chain.length > 1 && /"version"|"initialized"/.test(JSON.stringify(chain[0]!.steps)) ? chain.slice(1) : chain;
      expect(new Set(usual.map(({ steps }) => JSON.stringify(steps[0]))).size).toBe(1);
      const odd = usual.map(
        ({ steps }) => traitsOfSteps(steps).deviates === true || traitsOfSteps(steps).spendsConnection === true,
      );
      expect(odd).toEqual(odd.toSorted((a, b) => Number(a) - Number(b)));
      expect(chain.slice(0, -1).filter(({ steps }) => traitsOfSteps(steps).spendsConnection === true)).toEqual([]);
    }
    // Over HTTP each has a session of its own; what is asked is the same wherever both transports can be asked.
    expect(planProbes(rules, 'http', revision).isolated.filter(({ then }) => then !== undefined)).toEqual([]);
    const asked = everyProbe(plan).flatMap((probe) => probe.rules);
    const due = rules
      .filter(
        ({ id, role, stimulus, transports }) =>
          role === 'server' && stimulus && transports.includes('stdio') && asked.includes(id),
      )
      .map(({ id }) => id);
    expect([...new Set(asked)].toSorted()).toEqual(due.toSorted());
  },
);

test('probes with other handshakes, or that begin without one, do not follow', () => {
  const probe = (...steps: Probe['steps']): Probe => ({ steps, rules: [JSON.stringify(steps)] });
  const odd = probe('handshake', { request: 'ping', deviation: 'is odd' });
  const raw = probe('handshake', { raw: '{' });
  const other = probe({ handshake: { clientCapabilities: {} } }, 'sentinel');
  const bare = probe('linger', 'sentinel');
  const harmless = probe('handshake', 'survey');
  const cancelling = probe('handshake', { callTool: 'slow', as: 'x', wait: false }, { cancel: 'x' });
  const closing = probe('handshake', 'closeStdin');
  expect(inTurn([raw, odd, other, bare, cancelling, closing, harmless]).isolated).toEqual([
    { ...harmless, then: [cancelling, odd, raw] },
    closing,
    other,
    bare,
  ]);
  // Who asks for a version that does not exist leads what else would be alone; who asks for a known one waits before that if anybody wants to wait.
  const known = probe({ handshake: { version: '2024-11-05' } });
  const unknown = probe({ handshake: { version: '1999-01-01', deviation: 'is no version' } });
  const waiting = probe('linger', 'handshake', 'sentinel');
  const waits = { steps: ['linger', ...known.steps], rules: [...known.rules, ...waiting.rules] };
  const waited = { ...waiting, steps: ['handshake', 'sentinel'] };
  expect(inTurn([raw, unknown, waiting, closing, known, harmless]).isolated).toEqual([
    { ...waited, then: [harmless, raw] },
    { ...unknown, then: [closing] },
    waits,
  ]);
  expect(inTurn([waiting, harmless]).isolated).toEqual([waiting, harmless]);
  // Who holds back the end of its handshake leads those with the same one.
  const held = probe({ handshake: { initialized: false, clientCapabilities: {} } }, 'sentinel');
  expect(inTurn([other, held]).isolated).toEqual([{ ...held, then: [other] }]);
});

test('a long chain becomes two, each in the same order, by how long its probes wait', () => {
  const marks = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const chainsOf = (probes: readonly Probe[]): string[] =>
    inTurn(probes).isolated.map((probe) => [probe, ...(probe.then ?? [])].map(({ rules: [mark] }) => mark).join(''));
  expect(chainsOf(marks.map(asks))).toEqual(['aceg', 'bdf']);
  expect(chainsOf(marks.slice(1).map(asks))).toEqual(['bcdefg']);
  // Each waits about as long as the other; the one that waits less comes first.
  const waits = (mark: string): Probe => ({ ...asks(mark), steps: [...asks(mark).steps, 'linger'] });
  expect(chainsOf(marks.map((mark) => ('ce'.includes(mark) ? waits(mark) : asks(mark))))).toEqual(['acdg', 'bef']);
  expect(chainsOf(marks.map((mark) => ('ceg'.includes(mark) ? waits(mark) : asks(mark))))).toEqual(['bdef', 'acg']);
  // Each ends with what leaves a connection for nothing else, and one is led by who asks for a version that does not exist.
  const ending = (mark: string): Probe => ({ steps: ['handshake', { raw: mark }], rules: [mark] });
  const unknown: Probe = {
    steps: [{ handshake: { version: '1999-01-01', deviation: 'is no version' } }],
    rules: ['0'],
  };
  expect(chainsOf([...marks.map(asks), ending('x'), ending('y'), ending('z'), unknown])).toEqual([
    'acegy',
    'bdfx',
    '0z',
  ]);
  expect(chainsOf([...marks.map(asks), ending('x'), ending('y'), unknown])).toEqual(['0acegy', 'bdfx']);
  expect(
    inTurn([...marks.map(asks), ending('x'), unknown], { fewStarts: true }).isolated.map(({ rules, then }) => [
      rules,
      then?.length,
    ]),
  ).toEqual([[['0'], 8]]);
});

test('where probes share a connection, a part of a long chain goes on there, which has less time', () => {
  const marks = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const waits = (mark: string): Probe => ({ ...asks(mark), steps: [...asks(mark).steps, 'linger'] });
  const parts = (probes: readonly Probe[]): unknown => {
    const { ending, isolated } = inTurn(probes, { sharing: true });
    return [ending, ...isolated].map(
      (probe) => probe && [probe, ...(probe.then ?? [])].map(({ rules: [mark] }) => mark).join(''),
    );
  };
  expect(parts(marks.map(asks))).toEqual([undefined, 'aceg', 'bdf']);
  expect(parts(marks.map((mark) => ('cdef'.includes(mark) ? waits(mark) : asks(mark))))).toEqual(['e', 'bdg', 'acf']);
  expect(parts(marks.slice(1).map(waits))).toEqual([undefined, 'bcdefg']);
  // What ends a connection ends that one, too.
  const ending = (mark: string): Probe => ({ steps: ['handshake', { raw: mark }], rules: [mark] });
  expect(
    parts([
      ...marks.map((mark) => ('cdef'.includes(mark) ? waits(mark) : asks(mark))),
      ending('x'),
      ending('y'),
      ending('z'),
    ]),
  ).toEqual(['ez', 'bdgx', 'acfy']);
});

test('a probe that needs quiet goes alone, wherever it is in the plan', () => {
  const quiet: Probe = { steps: ['handshake', 'cancelSeenWork'], rules: ['quiet'] };
  const noHints: Hints = {
    file: 'hints.yaml',
    tools: {},
    prompts: {},
    resources: { read: [], never: [] },
    templates: {},
    completions: [],
  };
  const hints: Hints = { ...noHints, tools: { work: { seenIn: 'index://state' } } };
  const plan = { shared: [], isolated: [asks('a')], ending: { ...quiet, then: [asks('b')] } };
  expect(withQuiet(plan, noHints)).toEqual(plan);
  expect(withQuiet(plan, hints)).toEqual({ shared: [], isolated: [asks('a')], ending: asks('b'), quiet: [quiet] });
  expect(withQuiet({ ...plan, ending: quiet }, hints)).toEqual({ shared: [], isolated: [asks('a')], quiet: [quiet] });
});

test.each(revisions)('a plan of few starts asks what any other does, with fewer connections: %s', (revision) => {
  const usual = planProbes(rules, 'stdio', revision);
  const few = planProbes(rules, 'stdio', revision, { fewStarts: true });
  const asked = (plan: typeof usual): string[] =>
    everyProbe(plan)
      .map(({ steps, rules: [first] }) => JSON.stringify([first, steps]))
      .toSorted();
  expect(asked(few)).toEqual(asked(usual));
  expect(few.isolated.length).toBeLessThanOrEqual(usual.isolated.length);
  expect(few.ending === undefined || few.ending.steps[0] === 'handshake').toBe(true);
});

test('connections that are opened for a handshake alone are probes by themselves, and the usual one is not opened again', () => {
  const opened = (version: string): Record<string, unknown> => ({ newSession: [{ handshake: { version } }] });
  const stimulus = [
    'handshake',
    'sentinel',
    opened('1999-01-01'),
    { parallel: [[opened('2024-11-05')], [opened('2025-06-18')]] },
  ];
  expect(splitOpenings(stimulus, '2025-06-18')).toEqual({
    steps: ['handshake', 'sentinel'],
    openings: [[{ handshake: { version: '1999-01-01' } }], [{ handshake: { version: '2024-11-05' } }]],
  });
  const more = [
    'handshake',
    { newSession: [{ handshake: { version: '2024-11-05' } }, 'sentinel'] },
    { newSession: [{ handshake: { clientCapabilities: {} } }] },
    { parallel: [['sentinel'], ['survey']] },
  ];
  expect(splitOpenings(more, '2024-11-05')).toEqual({ steps: more, openings: [] });
  // What was asked for when the server was found is not asked for again.
  expect(splitOpenings(stimulus, '2025-06-18', '2024-11-05').openings).toEqual([
    [{ handshake: { version: '1999-01-01' } }],
  ]);
  expect(splitOpenings(['linger', ...stimulus], '2024-11-05')).toEqual({
    steps: ['linger', ...stimulus],
    openings: [],
  });
});

/** Answers with the version of the line, or with what it is asked for, and tells how often a probe was met. */
const versioned = (fallback: string): string => `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const protocolVersion = params?.protocolVersion === '1999-01-01' ? '${fallback}' : params?.protocolVersion;
    const result = method === 'initialize' ? { protocolVersion, capabilities: {}, serverInfo: { name: 'versioned', version: '1' } } : {};
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  });`;

test.each([
  ['2025-11-25', true],
  ['2025-06-18', false],
] as const)(
  'after an unknown version that is answered with %s the next probe follows: %s',
  async (fallback, follows) => {
    const opening: Probe = {
      steps: [{ handshake: { version: '1999-01-01', deviation: 'is no version' } }],
      rules: [],
      then: [asks('one')],
    };
    const { events, result } = await runOn(versioned(fallback), [opening]);
    const mark = events.find((event) => markOf(event) === 'one');
    const unknown = events.find(
      ({ from, message }) =>
        from === 'client' &&
        (message as { params?: { protocolVersion?: unknown } } | undefined)?.params?.protocolVersion === '1999-01-01',
    );
    expect(mark?.session === unknown?.session).toBe(follows);
    expect(result.incomplete).toBeUndefined();
  },
);

/** Answers until it is told of the end of a request without being told of which; from then on it says nothing, or goes. */
const fragile = (how: 'silent' | 'gone'): string => `
  let silent = false;
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'notifications/cancelled' && params?.requestId === undefined) ${how === 'silent' ? 'silent = true' : 'process.exit(1)'};
    if (id === undefined || silent) return;
    const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'fragile', version: '1' } } : {};
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  });`;

test.each(['silent', 'gone'] as const)(
  'what is left when a server is %s after a probe comes on a new connection',
  async (how) => {
    const odd: Probe = {
      steps: ['handshake', { notify: 'notifications/cancelled', deviation: 'does not say which request it cancels' }],
      rules: ['odd'],
    };
    const { events, done, result } = await runOn(fragile(how), [
      { ...asks('one'), then: [asks('two'), odd, asks('three'), asks('four')] },
    ]);
    const sessionOf = (mark: string): string | undefined => events.find((event) => markOf(event) === mark)?.session;
    const answered = (mark: string): boolean => {
      const request = events.find((event) => markOf(event) === mark);
      return events.some(
        ({ session, from, message }) =>
          request !== undefined &&
          session === request.session &&
          from === 'server' &&
          (message as { id?: unknown }).id === (request.message as { id?: unknown }).id,
      );
    };
    expect(['one', 'two', 'three', 'four'].map(answered)).toEqual([true, true, true, true]);
    expect(sessionOf('two')).toBe(sessionOf('one'));
    expect(sessionOf('three')).not.toBe(sessionOf('one'));
    expect(sessionOf('four')).toBe(sessionOf('three'));
    expect(done).toEqual([1, 2, 3, 4, 5]);
    expect(result.incomplete).toBeUndefined();
  },
);

/** Ends on an odd request when it has heard more than so many messages, as if that were too much for it; else it answers. */
const tired = (most: number): string => `
  let heard = 0;
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    heard += 1;
    if (method === 'mcpc/odd' && heard > ${most}) process.exit(0);
    if (id === undefined) return;
    const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'tired', version: '1' } } : {};
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  });`;

test.each([
  [5, 2],
  [0, 2],
  [100, 1],
])(
  'what a process ended on is asked once more of a fresh one, and no more: it bears %i messages',
  async (most, times) => {
    const odd: Probe = {
      steps: ['handshake', { request: 'mcpc/odd', deviation: 'asks for a method that nobody defined' }],
      rules: ['odd'],
    };
    const { events, result } = await runOn(tired(most), [{ ...asks('one'), then: [asks('two'), odd, asks('three')] }]);
    const sessions = events.filter(isOdd).map(({ session }) => session);
    expect(new Set(sessions).size).toBe(times);
    expect(sessions.length).toBe(times);
    const last = events.findLast(isOdd)!;
    const isAnswered = events.some(
      ({ session, from, message }) =>
        session === last.session &&
        from === 'server' &&
        (message as { id?: unknown } | undefined)?.id === (last.message as { id: unknown }).id,
    );
    expect(isAnswered).toBe(most > 0);
    expect(events.some((event) => markOf(event) === 'three')).toBe(true);
    expect(result.incomplete).toBeUndefined();
  },
);

test('so is the first one on the connection of the shared probes', async () => {
  const odd: Probe = {
    steps: ['handshake', { request: 'mcpc/odd', deviation: 'asks for a method that nobody defined' }],
    rules: ['odd'],
    then: [asks('two')],
  };
  const { events } = await runOn(tired(5), [asks('one')], {
    shared: [{ ...asks('zero'), steps: Array.from({ length: 8 }, () => 'sentinel') }],
    ending: odd,
  });
  const sessions = events.filter(isOdd).map(({ session }) => session);
  expect(sessions.length).toBe(2);
  expect(sessions[0]).toBe(events[0]!.session);
  expect(events.find((event) => markOf(event) === 'two')?.session).toBe(sessions[1]);
});

function isOdd({ from, message }: TraceEvent): boolean {
  return from === 'client' && (message as { method?: unknown } | undefined)?.method === 'mcpc/odd';
}

function asks(mark: string): Probe {
  return { steps: ['handshake', { request: 'ping', params: { _meta: { mark } } }], rules: [mark] };
}

/** Runs isolated probes against a server whose source is given, and tells all that happened. */
async function runOn(
  source: string,
  isolated: Probe[],
  more: Partial<ProbePlan> = {},
): Promise<{ events: readonly TraceEvent[]; done: number[]; result: ProbeRunResult }> {
  const recorder = createRecorder({ keep: true });
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const timing = { ...defaultTiming, answerMs: 400 };
  const open = (): ReturnType<typeof hub.open> =>
    hub.open({
      target: { kind: 'stdio', command: process.execPath, args: ['-e', source] },
      timing,
      era: 'stateful',
      revision: '2025-11-25',
      permission: noPermission,
      toolVersion: '0.0.0',
    });
  const done: number[] = [];
  const first = await open();
  await first.handshake();
  const result = await runPlan({
    plan: { shared: [], isolated, ...more },
    first,
    open,
    sink: recorder.sink,
    timing,
    jobs: 2,
    onProgress: (count) => done.push(count),
  });
  await first.close();
  return { events: recorder.events, done, result };
}

function markOf({ from, message }: TraceEvent): unknown {
  return from === 'client'
    ? (message as { params?: { _meta?: { mark?: unknown } } } | undefined)?.params?._meta?.mark
    : undefined;
}
