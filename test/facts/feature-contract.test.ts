/**
 * The contract of facts: a feature from outside src is one folder and one line in the list, and rules may read its
 * facts. One that throws makes errors of the rules that read its facts, and of nothing else.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFold } from '../../src/core/facts/fold/fold.ts';
import { createHookRunner, inOrder } from '../../src/core/facts/core/hooks.ts';
import type { Feature } from '../../src/core/facts/core/plugin.ts';
import { factsFrom, settled } from '../../src/core/facts/core/reading.ts';
import { factTable, features } from '../../src/core/facts/registry/registry.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { linkedCopy } from '../support/linked-copy.ts';
import { thorough } from '../support/run/options.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const here = fileURLToPath(new URL('outside/', import.meta.url));

let folder = '';

const requirements = `# Weather

Revision: all

- **MUST** server \`house.weather.known\` The weather is a known one. [-] {observe: server-active}
- **MUST** server \`house.weather.quiet\` No message is loud. [-] {observe: server-active}
- **MUST** server \`house.weather.told\` The weather is told of. [-] {observe: server-active}
- **MUST** server \`house.weather.versioned\` Each message says that it is JSON-RPC. [-] {observe: server-active}
`;

/** Each rule file has to have a sound and a faulty conversation; these are judged nowhere. */
const examples = ['pass', 'fail'].map((verdict) => ({
  verdict,
  trace: ['< {"method":"notifications/message","params":{"level":"info","data":"sun"}}'],
}));
const base = {
  role: 'server',
  stimulus: ['handshake'],
  message: 'The weather is not as it should be.',
  fix: 'Tell of the weather as it should be.',
};
const rules: Record<string, object> = {
  known: {
    title: 'The weather is a known one',
    given: { message: { method: 'notifications/message' } },
    expect: { fact: 'subject.weather', operator: 'isOneOf', value: ['rain', 'sun'] },
  },
  quiet: {
    title: 'No message is loud',
    given: { message: { loud: true } },
    expect: { fact: 'subject.method', operator: 'is', value: 'weather/none' },
  },
  told: {
    title: 'The weather is told of',
    given: { session: {} },
    expect: { fact: 'subject.forecasts', operator: 'atLeast', value: 2 },
  },
  versioned: {
    title: 'Each message says that it is JSON-RPC',
    given: { message: { from: 'server' } },
    expect: { fact: 'subject.jsonrpc', operator: 'is', value: '2.0' },
  },
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mcpc-feature-'));
  linkedCopy(path.join(root, 'src'), path.join(folder, 'src'));
  for (const name of ['generated', 'rules', 'node_modules', 'package.json', 'templates'])
    await symlink(path.join(root, name), path.join(folder, name));
  // One folder, one line.
  await mkdir(path.join(folder, 'src/core/facts/weather'));
  const source = await readFile(path.join(here, 'weather.ts'), 'utf8');
  await writeFile(
    path.join(folder, 'src/core/facts/weather/weather.ts'),
    source.replace(/'(\.\.\/)+src\/core\/facts\/core\//g, "'../core/"),
  );
  const list = path.join(folder, 'src/core/facts/registry/feature-list.ts');
  const others = await readFile(list, 'utf8');
  // What stands there is a link to ours.
  await rm(list);
  await writeFile(list, `${others}export { weather } from '../weather/weather.ts';\n`);

  await writeFile(path.join(folder, 'weather.md'), requirements);
  await mkdir(path.join(folder, 'own/house'), { recursive: true });
  for (const [name, rule] of Object.entries(rules)) {
    await writeFile(
      path.join(folder, `own/house/weather-${name}.json`),
      JSON.stringify({ ...base, ...rule, requirement: [`house.weather.${name}`], examples }),
    );
  }
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

function messages(weathers: string[]): TraceEvent[] {
  const all: [from: 'client' | 'server', message: object][] = [
    [
      'client',
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
      },
    ],
    [
      'server',
      {
        id: 1,
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { logging: {} },
          serverInfo: { name: 'b', version: '1' },
        },
      },
    ],
    ['client', { method: 'notifications/initialized' }],
    ...weathers.map((data): ['server', object] => [
      'server',
      { method: 'notifications/message', params: { level: 'info', data } },
    ]),
    ['server', { method: 'weather/shout' }],
  ];
  return all.map(([from, message], index) => ({
    seq: index + 1,
    t: index,
    session: 's1',
    from,
    kind: 'message',
    message: { jsonrpc: '2.0', ...message },
  }));
}

/** What the copy of mcpc, with the feature in it, makes of a conversation by the four rules. */
async function judged(weathers: string[]): Promise<Record<string, { status: string; message: string }>> {
  const events = messages(weathers);
  const lines = [
    { format: 'mcpc-trace', version: 1, origin: 'live', transport: 'stdio', revision: '2025-06-18', era: 'stateful' },
    ...events,
    { footer: true, events: events.length, complete: true },
  ];
  const trace = path.join(folder, 'trace.jsonl');
  await writeFile(trace, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  const { stdout } = await run(
    process.execPath,
    [
      '--import',
      'tsx',
      path.join(here, 'judge.mjs'),
      folder,
      trace,
      path.join(folder, 'own/house/*.json'),
      path.join(folder, 'weather.md'),
    ],
    { cwd: folder },
  );
  const verdicts = JSON.parse(stdout) as { rule: string; status: string; message: string }[];
  return Object.fromEntries(verdicts.map(({ rule, ...rest }) => [rule, rest]));
}

test.runIf(thorough)(
  'a feature from outside src is one folder and one line: rules read its facts',
  { timeout: 120_000 },
  async () => {
    const fair = await judged(['sun', 'rain']);
    const statuses = Object.fromEntries(Object.entries(fair).map(([rule, { status }]) => [rule, status]));
    expect(statuses).toMatchObject({
      'house/weather-known': 'pass',
      'house/weather-quiet': 'fail',
      'house/weather-told': 'pass',
      'house/weather-versioned': 'pass',
    });
    expect(Object.values(statuses)).not.toContain('error');
    expect((await judged(['fog']))['house/weather-known']!.status).toBe('fail');
  },
);

test.runIf(thorough)(
  'a feature that throws makes one error of each rule that reads its facts, with feature and event; the others are judged',
  { timeout: 120_000 },
  async () => {
    const verdicts = await judged(['sun', 'storm', 'sun']);
    for (const name of ['known', 'quiet', 'told']) {
      expect(verdicts[`house/weather-${name}`]).toMatchObject({
        status: 'error',
        message: expect.stringMatching(/weather failed at event 5: no roof/) as string,
      });
    }
    expect(verdicts['house/weather-versioned']!.status).toBe('pass');
    expect(Object.values(verdicts).filter(({ status }) => status === 'error')).toHaveLength(3);
    expect(Object.values(verdicts).filter(({ status }) => status === 'pass').length).toBeGreaterThan(20);
  },
);

const surroundings = { methods: {}, knownRevisions: [] };

test('the order of hooks is declared', () => {
  const named = (name: string, ...after: string[]): Feature => ({ name, after });
  expect(inOrder([named('a', 'c'), named('b'), named('c', 'b')]).map(({ name }) => name)).toEqual(['b', 'c', 'a']);
  expect(() => createHookRunner([named('a', 'b'), named('b', 'a')], surroundings)).toThrow(
    'the order of the features is a circle: a after b after a',
  );
  expect(() => createHookRunner([named('a', 'x')], surroundings)).toThrow(
    'the feature a comes after x, which is no feature',
  );
});

test('a feature gives only the facts that it declares', () => {
  const thief: Feature = { name: 'thief', create: () => ({ message: () => ({ facts: { method: 'ping' } }) }) };
  const fold = createFold({ transport: 'stdio', methods: {}, knownRevisions: [], features: [...features, thief] });
  const methods = messages([]).flatMap((event) =>
    [...fold.push(event)].filter(({ kind }) => kind === 'message').map(({ facts }) => facts.method),
  );
  expect(methods).toEqual(['initialize', undefined, 'notifications/initialized', 'weather/shout']);
  expect(fold.faults).toEqual([
    {
      feature: 'thief',
      reason: 'the facts of thief failed at event 1: method is no fact that thief declares for message subjects',
    },
  ]);
});

test('a fact that cannot be read fails when it is asked for, and no other with it', () => {
  const read = factsFrom<{ n: number }>([
    [
      'odd',
      {
        fine: { says: 'It is.', read: ({ n }) => n },
        broken: {
          says: 'It is not.',
          read: () => {
            throw new Error('no luck');
          },
        },
      },
    ],
  ]);
  for (const facts of [read({ n: 3 }), settled(read({ n: 3 }))]) {
    expect(facts.fine).toBe(3);
    expect(() => facts.broken).toThrow('the facts of odd failed at broken: no luck');
  }
  expect(Object.keys(settled(read({ n: 3 })))).toEqual(['fine']);
});

test('facts are read when they are asked for, and stay what they were once they are settled', () => {
  const from = { n: 1 };
  const facts = factsFrom<{ n: number }>([['one', { n: { says: 'A number.', read: ({ n }) => n } }]])(from);
  const kept = settled(facts);
  from.n = 2;
  expect([facts.n, kept.n]).toEqual([2, 1]);
});

test('each kind says what it is, and each fact has its sentence', () => {
  const sentences = Object.values(factTable).flatMap(({ description, facts }) => [
    description,
    ...Object.values(facts),
  ]);
  expect(sentences.filter((one) => !/^\S.+\S$/.test(one))).toEqual([]);
});
