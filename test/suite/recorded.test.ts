/** `mcpc generate --recording`: the suite asks again what was recorded, and passes on the server that was. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listCases } from '../../src/suites/authoring/starter-suite/lists.ts';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { errorOf, root, Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();
const modules = join(root, 'node_modules/@modelcontextprotocol');
const memory = ['node', join(modules, 'server-memory/dist/index.js')];
const everything = ['node', join(modules, 'server-everything/dist/index.js'), 'stdio'];
type Json = Record<string, unknown>;

/** What a client and a server say through `mcpc intercept`, which keeps it. */
async function record(
  trace: string,
  command: readonly string[],
  requests: readonly [method: string, params: Json | ((last: Json) => Json)][],
  env: Record<string, string> = {},
  capabilities: Json = {},
): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'bin/mcpc.js'), 'intercept', '--trace', trace, '--', ...command], {
    cwd: work.folder,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, (answer: Json) => void>();
  const say = (message: Json): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let askedForRoots = (): void => {};
  const rootsAsked = new Promise<void>((resolve) => (askedForRoots = resolve));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Json;
    if (message['method'] === undefined) waiting.get(Number(message['id']))?.(message);
    else if (message['method'] === 'roots/list') {
      say({ id: message['id'], result: { roots: [] } });
      askedForRoots();
    }
  });
  const ask = (id: number, method: string, params: Json): Promise<Json> =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      say({ id, method, params });
    });
  await ask(0, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'recorder', version: '1' },
  });
  say({ method: 'notifications/initialized' });
  let last: Json = {};
  for (const [index, [method, params]] of requests.entries())
    last = await ask(index + 1, method, typeof params === 'function' ? params(last) : params);
  // server-everything asks a while after the handshake; left without an answer it would live on for a minute.
  if (capabilities['roots'] !== undefined) await rootsAsked;
  const ended = once(child, 'close');
  child.stdin.end();
  await ended;
}

const call = (name: string, given: Json): [string, Json] => ['tools/call', { name, arguments: given }];

let runs = 0;
async function run(
  suite: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Record<string, string>> {
  const output = `r${(runs += 1)}.json`;
  const { stderr } = await work.run(['run', suite, '--format', 'json', '--output', output, ...args], { env });
  if (!work.has(output)) throw new Error(stderr);
  return Object.fromEntries(
    (JSON.parse(work.read(output)) as SuiteReport).cases.map(({ name, status, detail }) => [
      name,
      status === 'pass' ? status : `${status} ${detail}`,
    ]),
  );
}

/** A server with ids and tokens of its own for each note. */
const notes = work.write(
  'notes.mjs',
  `import { createInterface } from 'node:readline';
import { randomBytes } from 'node:crypto';
const kept = new Map();
const text = (one) => ({ content: [{ type: 'text', text: one }] });
const calls = {
  login: ({ password }) => (password === process.env.RIGHT ? text('welcome') : { ...text('no'), isError: true }),
  add: ({ text: note }) => { const id = 'n' + randomBytes(6).toString('hex'); const number = 10_000_000 + randomBytes(3).readUIntBE(0, 3); kept.set(id, note); kept.set(number, note); return { ...text('added'), structuredContent: { id, number, size: note.length, open: true } }; },
  order: ({ item }) => { const code = 'ORD-' + randomBytes(4).toString('hex'); const number = 10_000_000 + randomBytes(3).readUIntBE(0, 3); kept.set(code, item); kept.set(number, item); return text('Thank you, this is order ' + code + ' of ' + item + '.\\nYour ticket has the number ' + number + '.'); },
  get: ({ id }) => text('Note ' + id + ': ' + kept.get(id)),
  clock: () => text('tick ' + process.hrtime.bigint()),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {}, resources: {} }, serverInfo: { name: 'notes', version: '1' } }
    : method === 'tools/call' && params.name === 'wait' ? undefined
    : method === 'resources/read' ? { contents: [{ uri: params.uri, text: kept.get(params.uri.slice(8)) ?? 'nothing' }] }
    : method === 'tools/call' ? calls[params.name](params.arguments) : {};
  if (result !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
}).on('close', () => process.exit(0));
`,
);

describe('a conversation', () => {
  test.runIf(thorough)('of a server that keeps things is had again, and passes on a fresh one', async () => {
    await record(
      'memory.jsonl',
      memory,
      [
        ['tools/list', {}],
        call('create_entities', {
          entities: [
            { name: 'Alice Smith', entityType: 'person', observations: ['likes tea'] },
            { name: 'Bob Jones', entityType: 'person', observations: [] },
          ],
        }),
        call('create_relations', { relations: [{ from: 'Alice Smith', to: 'Bob Jones', relationType: 'knows' }] }),
        call('read_graph', {}),
        call('delete_entities', { entityNames: ['Bob Jones'] }),
        call('read_graph', {}),
        call('no_such_tool', {}),
      ],
      { MEMORY_FILE_PATH: work.path('memory.json') },
    );
    const { code, stderr } = await work.call([
      'generate',
      '--recording',
      'memory.jsonl',
      '--output',
      'memory',
      '--',
      ...memory,
    ]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('memory/recorded.yaml: 2 cases')]);
    // What the client said itself is no value of an answer.
    expect(work.read('memory/recorded.yaml')).not.toContain('{{');
    expect(await run('memory', ['--session', 'suite'], { MEMORY_FILE_PATH: work.path('again.json') })).toEqual({
      'tools are listed': 'pass',
      's1: create_entities, create_relations, read_graph, delete_entities and 1 more': 'pass',
    });
    // The graph is not empty any more, so that the same conversation goes otherwise.
    expect(await run('memory', ['--filter', 's1*'], { MEMORY_FILE_PATH: work.path('again.json') })).toEqual({
      [`s1: create_entities, create_relations, read_graph, delete_entities and 1 more`]:
        expect.stringMatching(/^fail /),
    });
  });

  test.runIf(thorough)(
    'uses the values that answers gave, reads secrets from the environment, and writes nothing down that changes',
    async () => {
      const password = 'correct horse battery 77';
      await record(
        'notes.jsonl',
        ['node', notes],
        [
          call('login', { password }),
          call('add', { text: 'first note' }),
          [
            'tools/call',
            (last) => ({
              name: 'get',
              arguments: { id: ((last['result'] as Json)['structuredContent'] as Json)['id'] },
            }),
          ],
          // Digits of their own, not some of the id.
          ['resources/read', (last) => ({ uri: `notes://${/n[0-9a-f]{12}/.exec(JSON.stringify(last))![0]}` })],
          call('clock', {}),
          call('clock', {}),
          call('add', { text: 'second note' }),
          [
            'tools/call',
            (last) => ({
              name: 'get',
              arguments: { id: ((last['result'] as Json)['structuredContent'] as Json)['number'] },
            }),
          ],
        ],
        { RIGHT: password },
      );
      const { code, stderr } = await work.call(['generate', '--recording', 'notes.jsonl', '--output', 'notes']);
      expect([code, stderr]).toEqual([0, expect.stringContaining('Nothing is left to fill in')]);
      const text = work.read('notes/recorded.yaml');
      expect(text).not.toContain(password);
      expect(text).not.toMatch(/n[0-9a-f]{12}/);
      for (const told of [
        '# Set these in the environment; the recording does not contain them: PASSWORD.',
        'read: notes://{{id}}',
        'password: "{{env_password}}"',
        'id: $.structuredContent.id',
        'number: $.structuredContent.number',
        'id: "{{number}}"',
        'size: 10',
        'PASSWORD: ${PASSWORD}',
      ])
        expect(text).toContain(told);
      const name = 's1: login, add, get, notes://{{id}} and 1 more';
      expect(await run('notes', ['--trace', 'again.jsonl'], { RIGHT: password, PASSWORD: password })).toEqual({
        [name]: 'pass',
      });
      expect(work.read('again.jsonl')).not.toContain(password);
      expect(await run('notes', [], { RIGHT: password })).toEqual({
        [name]: expect.stringMatching(/^fail expected non-empty result/),
      });
    },
  );

  test.runIf(thorough)(
    'takes short numbers out of addresses, where an answer has called them ids, and nowhere else',
    async () => {
      const numbered = work.write(
        'numbered.mjs',
        `import { createInterface } from 'node:readline';
let next = Number(process.env.FIRST);
const kept = new Map();
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const made = () => { const given = { id: next, size: 7, room: 12 }; kept.set(String(next), params.arguments.text); next += 1; return { content: [{ type: 'text', text: JSON.stringify(given) }], structuredContent: given }; };
  const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {}, resources: {} }, serverInfo: { name: 'numbered', version: '1' } }
    : method === 'resources/read' ? { contents: [{ uri: params.uri, text: kept.get(new URL(params.uri).pathname.slice(1)) ?? 'nothing' }] }
    : params.name === 'add' ? made() : { content: [{ type: 'text', text: 'size ' + params.arguments.size }] };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
}).on('close', () => process.exit(0));
`,
      );
      const read = (number: number): [string, Json] => ['resources/read', { uri: `notes://room/${number}?size=12` }];
      await record(
        'numbered.jsonl',
        ['node', numbered],
        [
          call('add', { text: 'first' }),
          read(41),
          call('add', { text: 'second' }),
          read(42),
          call('resize', { size: 41 }),
        ],
        { FIRST: '41' },
      );
      const { code, stderr } = await work.call(['generate', '--recording', 'numbered.jsonl', '--output', 'numbered']);
      expect(code, stderr).toBe(0);
      const text = work.read('numbered/recorded.yaml');
      for (const told of [
        'read: notes://room/{{id}}?size=12',
        'read: notes://room/{{id2}}?size=12',
        'size: 7',
        'room: 12',
        'size: 41',
      ])
        expect(text).toContain(told);
      // Whatever the numbers are in another run.
      expect(Object.values(await run('numbered', ['--', 'node', numbered], { FIRST: '300' }))).toEqual(['pass']);
    },
  );

  test('takes values out of the middle of a text for people', async () => {
    const answered = (last: Json): string => String(((last['result'] as Json)['content'] as Json[])[0]!['text']);
    let number = 0;
    await record(
      'orders.jsonl',
      ['node', notes],
      [
        call('order', { item: 'tea' }),
        [
          'tools/call',
          (last) => {
            number = Number(/number (\d+)/.exec(answered(last))![1]);
            return { name: 'get', arguments: { id: /ORD-\w+/.exec(answered(last))![0] } };
          },
        ],
        ['tools/call', () => ({ name: 'get', arguments: { id: number } })],
        ['resources/read', (last) => ({ uri: `notes://${/(?<![\w-])\d{5,}(?!\w)/.exec(answered(last))![0]}` })],
      ],
    );
    expect((await work.call(['generate', '--recording', 'orders.jsonl', '--output', 'orders'])).code).toBe(0);
    const text = work.read('orders/recorded.yaml');
    expect(text).not.toMatch(/ORD-[0-9a-f]{8}|\d{6}/);
    for (const told of [
      'order ([\\\\w-]+)',
      'number (-?\\\\d+)',
      'as: number',
      'id: "{{order}}"',
      'id: "{{number}}"',
      'read: notes://{{',
    ])
      expect(text.replaceAll('\\\\', '\\').replaceAll('\\', '\\\\')).toContain(told);
    expect(Object.values(await run('orders'))).toEqual(['pass']);
  });

  test.runIf(thorough)(
    'declares what the client did, and takes other servers and other captures',
    async () => {
      await record(
        'everything.jsonl',
        everything,
        [
          ['tools/list', {}],
          ['prompts/list', {}],
          call('echo', { message: 'hello' }),
          call('get-env', {}),
          ['prompts/get', { name: 'simple-prompt' }],
        ],
        {},
        { roots: {}, sampling: {}, elicitation: {} },
      );
      expect(
        (
          await work.call([
            'generate',
            '--recording',
            'everything.jsonl',
            '--output',
            'every',
            '--quiet',
            '--',
            ...everything,
          ])
        ).code,
      ).toBe(0);
      expect(work.read('every/recorded.yaml')).toContain('client_capabilities:');
      const results = await run('every', ['--session', 'suite', '--spec', '2025-11-25', '--timeout', '120s']);
      expect(Object.keys(results).length).toBe(3);
      expect(new Set(Object.values(results))).toEqual(new Set(['pass']));
      const lines = [
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { message: 'from a log' } } },
        { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'Echo: from a log' }] } },
        { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'wait', arguments: {} } },
      ];
      work.write('log.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
      const log = await work.call([
        'generate',
        '--recording',
        'log.jsonl',
        '--from',
        'jsonrpc',
        '--transport',
        'stdio',
        '--spec',
        '2025-11-25',
        '--output',
        'log',
      ]);
      expect([log.code, log.stderr]).toEqual([0, expect.stringMatching(/1 request was left out[^]*1 place says TODO/)]);
      expect(
        Object.values(await run('log', ['--spec', '2025-11-25', '--timeout', '120s', '--', ...everything])),
      ).toEqual(['pass']);
    },
    600_000,
  );
});

test('what cannot be done is told', async () => {
  work.write(
    'empty.jsonl',
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n${JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} })}\n`,
  );
  work.write('there/recorded.yaml', 'mine');
  for (const [args, told] of [
    [['--recording', 'none.jsonl'], /none\.jsonl/],
    [
      ['--recording', 'empty.jsonl', '--from', 'jsonrpc', '--transport', 'stdio', '--output', 'e'],
      /empty\.jsonl: there is nothing in it that a suite could ask again/,
    ],
    [['--recording', 'empty.jsonl', '--form', 'assert'], /form of mcp-assert/],
    [['--recording', 'empty.jsonl', '--allow-tool', 'x'], /--allow-tool has no meaning with --recording/],
    [['--from', 'jsonrpc', '--', 'node', 'x.mjs'], /--from has no meaning without --recording/],
    [['--recording', 'empty.jsonl', '--output', 'there'], /there\/recorded\.yaml/],
  ] as const) {
    const outcome = await work.call(['generate', ...args]);
    expect([outcome.code, errorOf(outcome).why ?? outcome.stderr], args.join(' ')).toEqual([
      2,
      expect.stringMatching(told),
    ]);
  }
  expect(work.read('there/recorded.yaml')).toBe('mine');
});

test('of lists that differ from connection to connection their least length is expected', () => {
  const empty = { tools: [], prompts: [], resources: [], templates: [] };
  const [one] = listCases(
    [
      { ...empty, tools: [{ name: 'a' }, { name: 'b' }] },
      { ...empty, tools: [{ name: 'a' }] },
    ],
    (text) => text,
  );
  expect(one!.members).toEqual({
    expect: {
      result_schema: { type: 'object', required: ['tools'], properties: { tools: { type: 'array', minItems: 1 } } },
    },
  });
});
