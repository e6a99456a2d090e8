/** Probes that follow one another on one connection: which do, in which order, and what is done when it is out of order. */
import { expect, test } from 'vitest';
import { readGeneratedPlan } from '../../src/check/plan.ts';
import { noPermission } from '../../src/core/permission/decide.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import { intoChains } from '../../src/client/schedule/plan/chains.ts';
import { isOpening, splitOpenings } from '../../src/client/schedule/plan/openings.ts';
import { planProbes } from '../../src/client/schedule/plan/planner.ts';
import { everyProbe, type Chain, type Probe, type ProbePlan } from '../../src/client/schedule/plan/probe.ts';
import type { ProbeRunResult } from '../../src/client/schedule/run-probes.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { traitsOfSteps } from '../../src/client/steps/table.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { runPlan } from '../support/run-plan.ts';

const { rules } = readGeneratedPlan();
const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

test.each(revisions)(
  'the chains of %s over stdio: from harmless to disruptive, and nothing after what makes a connection unusable',
  (revision) => {
    const plan = planProbes(rules, 'stdio', revision);
    const chains = [plan.ending!, ...plan.chains];
    expect(chains.length).toBeLessThanOrEqual(9);
    for (const chain of chains) {
      // The first probe may open the connection in another way.
      const [head, ...rest] = chain;
      expect(new Set(rest.map(({ steps }) => JSON.stringify(steps[0]))).size).toBeLessThanOrEqual(1);
      const odd = (rest.length > 0 && isOpening(head!.steps) ? rest : chain).map(
        ({ steps }) => traitsOfSteps(steps).deviates === true || traitsOfSteps(steps).spendsConnection === true,
      );
      expect(odd).toEqual(odd.toSorted((a, b) => Number(a) - Number(b)));
      expect(chain.slice(0, -1).filter(({ steps }) => traitsOfSteps(steps).spendsConnection === true)).toEqual([]);
    }
    // Over HTTP each probe has a session of its own.
    const http = planProbes(rules, 'http', revision);
    expect(http.chains.filter(({ length }) => length > 1)).toEqual([]);
    expect(http.ending).toBeUndefined();
    const asked = everyProbe(plan).flatMap((probe) => probe.rules);
    const expected = rules
      .filter(
        ({ id, role, stimulus, transports }) =>
          role === 'server' && stimulus && transports.includes('stdio') && asked.includes(id),
      )
      .map(({ id }) => id);
    expect([...new Set(asked)].toSorted()).toEqual(expected.toSorted());
  },
);

test('a chain has one handshake, at most one probe that has to begin it, and at most one that has to end it', () => {
  const probe = (...steps: Probe['steps']): Probe => ({ steps, rules: [JSON.stringify(steps)] });
  const odd = probe('handshake', { request: 'ping', deviation: 'is odd' });
  const raw = probe('handshake', { raw: '{' });
  const other = probe({ handshake: { clientCapabilities: {} } }, 'sentinel');
  const bare = probe('linger', 'sentinel');
  const harmless = probe('handshake', 'survey');
  const cancelling = probe('handshake', { callTool: 'slow', as: 'x', wait: false }, { cancel: 'x' });
  const closing = probe('handshake', 'closeStdin');
  const chainsOf = (probes: Probe[]): Chain[] => [...intoChains(probes, false).chains];
  const sorted = (chains: Chain[]): string[] => chains.map((chain) => JSON.stringify(chain)).toSorted();
  const chains = chainsOf([raw, odd, other, bare, cancelling, closing, harmless]);
  expect(chains).toContainEqual([other]);
  expect(chains).toContainEqual([bare]);
  const own = chains.filter(([head]) => head!.steps[0] === 'handshake');
  expect(own.map((chain) => chain.at(-1)!)).toEqual(expect.arrayContaining([raw, closing]));
  expect(own.flat()).toHaveLength(5);
  for (const chain of own) {
    const order = [harmless, cancelling, odd, raw, closing].filter((one) => chain.includes(one));
    expect(chain).toEqual(order);
  }
  // An opening with a version that does not exist, and a wait before the handshake, begin a chain each.
  const known = probe({ handshake: { version: '2024-11-05' } });
  const unknown = probe({ handshake: { version: '1999-01-01', deviation: 'is no version' } });
  const waiting = probe('linger', 'handshake', 'sentinel');
  expect(sorted(chainsOf([raw, unknown, waiting, closing, known, harmless]))).toEqual(
    sorted([[unknown, closing], [waiting, harmless, raw], [known]]).map((one) =>
      expect.stringContaining(one.slice(0, 20)),
    ),
  );
  expect(chainsOf([waiting, harmless])).toEqual([[waiting, harmless]]);
  // A probe that holds back the end of its handshake begins the chain with the same one.
  const held = probe({ handshake: { initialized: false, clientCapabilities: {} } }, 'sentinel');
  expect(chainsOf([other, held])).toEqual([[held, other]]);
});

test('a long chain is divided into parts that wait about as long as each other', () => {
  const marks = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
  const waits = (mark: string): Probe => ({ ...asks(mark), steps: [...asks(mark).steps, 'linger'] });
  const divided = (probes: Probe[], sharing: boolean): string[] => {
    const { chains, ending = [] } = intoChains(probes, sharing);
    return [ending, ...chains].map((chain) => chain.map(({ rules: [mark] }) => mark).join(''));
  };
  const some = (waiting: string): Probe[] => marks.map((mark) => (waiting.includes(mark) ? waits(mark) : asks(mark)));
  const waitsPerPart = (probes: Probe[], waiting: RegExp, sharing: boolean): number[] =>
    divided(probes, sharing).map((part) => part.match(waiting)?.length ?? 0);
  expect(waitsPerPart(some('abc'), /[abc]/g, false)).toEqual([0, 1, 1, 1]);
  expect(divided(some('abc'), false).map(({ length }) => length)).toEqual([0, 3, 3, 3]);
  // The ending goes on where the shared probes ran, which takes as long as two waits.
  expect(waitsPerPart(some('abcdef'), /[a-f]/g, true)).toEqual([1, 3, 2]);
  expect(divided(some('abcdef'), true).join('')).toHaveLength(9);
  expect(divided(marks.slice(0, 6).map(asks), false)).toEqual(['', 'abcdef']);
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
    };
    const { events, result } = await runOn(versioned(fallback), [[opening, asks('one')]]);
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
      [asks('one'), asks('two'), odd, asks('three'), asks('four')],
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
    const { events, result } = await runOn(tired(most), [[asks('one'), asks('two'), odd, asks('three')]]);
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
  };
  const { events } = await runOn(tired(5), [[asks('one')]], {
    shared: [{ ...asks('zero'), steps: Array.from({ length: 8 }, () => 'sentinel') }],
    ending: [odd, asks('two')],
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

/** Runs chains against a server whose source is given. */
async function runOn(
  source: string,
  chains: Chain[],
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
    plan: { shared: [], chains, ...more },
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
