/** By which revisions `mcpc client` judges, and that neither they nor parallel starts change a verdict. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import type { EventInput, TraceEvent } from '../../src/core/model/trace.ts';
import { everything } from '../../src/check/plan.ts';
import { commandDriver } from '../../src/stage/drive/command-driver.ts';
import { followSpeech } from '../../src/stage/run/spoken.ts';
import { createTurns } from '../../src/stage/run/turns.ts';
import type { ClientOptions } from '../../src/stage/run/client-options.ts';
import { runClient } from '../../src/stage/run-client.ts';
import { thorough } from '../support/run/options.ts';

const words = ['node', fileURLToPath(new URL('clients/raw-client.mjs', import.meta.url))];

async function run(more: Partial<ClientOptions>, env: Record<string, string> = {}) {
  const starts: { revision: string; starts: number }[] = [];
  const report = await runClient({
    name: 'test',
    words,
    driver: commandDriver(words),
    env: { ...process.env, ...env },
    secrets: [],
    transport: 'http',
    spec: 'auto',
    selection: everything,
    keepSecrets: false,
    toolVersion: 'test',
    startMs: 20_000,
    signal: new AbortController().signal,
    onStarts: (all) => starts.push(...all),
    ...more,
  });
  return { report, starts };
}

/** Rules that the first start decides. */
const plain = { ...everything, only: ['lifecycle', 'versioning/header-negotiated-value'] };

/** A client that begins a new session within 2 ms does not decide it. */
const hasty = 'session/end-client-restart';

function verdictsOf({ parts }: RunReport): string[] {
  return parts.flatMap(({ revision, verdicts }) =>
    verdicts
      .filter(({ rule }) => rule !== hasty)
      .map(({ rule, status, message }) => `${revision} ${rule} ${status} ${message}`),
  );
}

test('a client is judged by what it asks for, and by each older revision that it accepts', async () => {
  const { report, starts } = await run({ selection: plain });
  const all = ['2025-11-25', '2025-06-18', '2025-03-26'];
  expect(report.parts.map(({ revision }) => revision)).toEqual(all);
  expect(report.spoken!.map(({ revision }) => revision)).toEqual(all);
  expect(starts).toEqual(all.map((revision) => ({ revision, starts: 1 })));
  expect(report.compliant).toBe(true);
});

test('one that accepts nothing else is not held to it', async () => {
  const { report, starts } = await run({ selection: plain }, { VARIANT: 'one-version', VERSION: '2025-06-18' });
  expect(report.parts.map(({ revision }) => revision)).toEqual(['2025-06-18']);
  expect(report.unspoken!.map(({ revision, why }) => `${revision}: ${why}`)).toEqual([
    '2025-03-26: it asked for 2025-06-18, and went no further once 2025-03-26 was the answer',
  ]);
  expect(starts.map(({ starts: count }) => count)).toEqual([1, 1]);
  expect(report.compliant).toBe(true);
});

test.runIf(thorough)('starts at the same time give the verdicts of starts one after another', async () => {
  const selection = { ...everything, only: thorough ? [] : ['tools', 'session', 'http', 'versioning'] };
  const fault = { FAULT: 'any-version' };
  const one = await run({ selection, spec: 'newest', jobs: 1 }, fault);
  const several = await run({ selection, spec: 'newest', jobs: 4 }, fault);
  expect(several.starts).toEqual(one.starts);
  expect(verdictsOf(several.report)).toEqual(verdictsOf(one.report));
  expect(verdictsOf(one.report).join()).toContain('versioning/initialize-client-disconnection fail');
});

test('a quick look is one start', async () => {
  const { report, starts } = await run({ quick: true });
  expect(starts).toEqual([{ revision: '2025-11-25', starts: 1 }]);
  expect(report.ruleSet.profile).toBe('quick');
});

test('the time limit of the run makes it incomplete', async () => {
  const hanging = ['node', '-e', 'fetch(process.argv.at(-1)).then(() => setInterval(() => {}, 1000))'];
  const { report } = await run({ driver: commandDriver(hanging), words: hanging, checkMs: 1_500 });
  expect(report.incomplete).toContain('the time limit of 1500 ms was over');
});

test('events of overlapping starts are recorded one start after another', () => {
  let clock = 0;
  const recorded: EventInput[] = [];
  const turns = createTurns(
    (event) => recorded.push(event),
    () => clock,
  );
  const note = (session: string): EventInput => ({ session, from: 'client', kind: 'exit' });
  const at = (ms: number, act: () => unknown): void => {
    clock = ms;
    act();
  };
  const [one, two] = [turns.next(), turns.next()];
  at(10, () => one.sink(note('a1')));
  at(15, () => two.sink(note('b1')));
  at(30, () => one.sink(note('a2')));
  at(32, () => two.close());
  at(40, () => one.close());
  expect(recorded.map((event) => [event.session, (event as TraceEvent).t])).toEqual([
    ['a1', 10],
    ['a2', 30],
    ['b1', 45],
  ]);
});

const message = (seq: number, from: 'client' | 'server', body: object): TraceEvent => ({
  seq,
  t: seq,
  session: 's',
  from,
  kind: 'message',
  message: { jsonrpc: '2.0', ...body },
});
const stateless = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
const asks = message(1, 'client', { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
const answers = message(2, 'server', { id: 1, result: { protocolVersion: '2025-03-26' } });
const discovers = message(1, 'client', { id: 1, method: 'server/discover', params: stateless });

test.each([
  ['goes on', [asks, answers, message(3, 'client', { method: 'notifications/initialized' })], '2025-03-26'],
  ['goes away', [asks, answers], 'it asked for 2025-11-25, and went no further once 2025-03-26 was the answer'],
  [
    'answers a ping alone',
    [asks, answers, message(3, 'client', { id: 9, result: {} })],
    'it asked for 2025-11-25, and',
  ],
  ['speaks without handshake', [discovers, message(2, 'server', { id: 1, result: {} })], '2026-07-28'],
  [
    'falls back',
    [
      discovers,
      message(2, 'server', { id: 1, error: { code: -32601 } }),
      asks,
      answers,
      message(5, 'client', { id: 2, method: 'tools/list' }),
    ],
    '2025-03-26',
  ],
  [
    'does not fall back',
    [discovers, message(2, 'server', { id: 1, error: { code: -32601 } })],
    'it asked for 2026-07-28, and did not fall back to initialize after error -32601',
  ],
  ['says nothing', [], 'it did not ask for a revision'],
] as [string, TraceEvent[], string][])('a client that %s', (_what, events, expected) => {
  const speech = followSpeech();
  for (const event of events) speech.see(event);
  expect(speech.agreed() ?? speech.otherwise('2025-03-26')).toContain(expected);
});
