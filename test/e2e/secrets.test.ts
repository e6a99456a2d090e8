/**
 * Forty secrets, planted where users have them and told back by servers in every form: none stands in any file, on
 * stdout or stderr, of any command. Needs `npm run build`.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { root, Workspace } from '../cli/harness.ts';
import { someOf } from '../support/run/some-of.ts';
import { filesBelow, holdsTight, leaked, planted, secret } from './planted.ts';
import { thorough } from '../support/run/options.ts';

const workspace = new Workspace();
const teller = path.resolve(import.meta.dirname, 'hostile/servers/secrets.mjs');

/** What is planted shows in every exchange; the lists and calls of tools carry most of it. */
const few = ['--only', 'tools/*', '--only', 'ping/*', '--only', 'versioning/*'];
const reports = ['json', 'html', 'md', 'junit.xml', 'sarif', 'badge.svg', 'badge.json', 'txt'].flatMap((ending) => [
  '--output',
  `OUT/report.${ending}`,
]);
const inEnvironment = (where: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => [
    '--env',
    `PLANTED_${index}=${secret(`${where} environment ${index}`)}`,
  ]).flat();
const inWords = (where: string): string[] => [
  '--api-key',
  secret(`${where} flag`),
  `--token=${secret(`${where} pair`)}`,
  `API_KEY=${secret(`${where} name`)}`,
  '--openaiApiKey',
  secret(`${where} camel`),
];
const address = (where: string, host: string): string =>
  `http://${secret(`${where} user`)}:${secret(`${where} password`)}@${host}/s/${secret(`${where} path`)}/mcp?tavilyApiKey=${secret(`${where} query 1`)}&api-key=${secret(`${where} query 2`)}&jwt=${secret(`${where} query 3`)}&pass=${secret(`${where} query 4`)}`;

test('check: a server on stdio that is given secrets by environment and command line', async () => {
  for (const id of someOf(['all', 'fault', 'split'], 3, (one) => `secrets ${one}`)) {
    await holdsTight(
      workspace,
      `stdio-${id}`,
      [
        'check',
        ...few,
        '--verbose',
        '--trace',
        'OUT/trace.jsonl',
        ...reports,
        ...inEnvironment('stdio', 4),
        '--',
        process.execPath,
        teller,
        id,
        ...inWords('stdio'),
      ],
      { codes: [0, 1], files: 9 },
    );
  }
}, 240_000);

test.runIf(thorough)(
  'check: a server over HTTP whose address, headers and command line hold secrets',
  async () => {
    const words = [process.execPath, teller, 'all', '{{port}}', ...inWords('serve')].join(' ');
    const headers = [
      '--header',
      `X-Api-Key: ${secret('header key')}`,
      '--header',
      `X-Custom: ${secret('header custom')}`,
      '--header',
      `Cookie: sid=${secret('cookie')}; more=${secret('cookie 2')}`,
    ];
    await holdsTight(
      workspace,
      'http',
      [
        'check',
        ...few,
        '--verbose',
        '--trace',
        'OUT/trace.jsonl',
        ...reports,
        ...inEnvironment('serve', 3),
        ...headers,
        '--serve',
        words,
        '--url',
        address('http', '127.0.0.1:{{port}}'),
      ],
      { codes: [0, 1], files: 9 },
    );
    await holdsTight(
      workspace,
      'http-json',
      [
        'check',
        ...few,
        '--json',
        ...inEnvironment('serve', 3),
        '--token',
        secret('token'),
        '--serve',
        words,
        '--url',
        'http://127.0.0.1:{{port}}/mcp',
      ],
      { codes: [0, 1], files: 0 },
    );
  },
  240_000,
);

test.runIf(thorough)(
  'check: what goes wrong is told without them',
  async () => {
    await holdsTight(
      workspace,
      'crash',
      [
        'check',
        '--verbose',
        ...inEnvironment('crash', 2),
        '--',
        process.execPath,
        teller,
        'crash',
        ...inWords('crash'),
      ],
      { codes: [3], files: 0 },
    );
    await holdsTight(workspace, 'nowhere', ['check', '--url', address('nowhere', '127.0.0.1:9')], {
      codes: [3],
      files: 0,
    });
    await holdsTight(
      workspace,
      'no-scheme',
      ['check', '--url', address('scheme', 'h.example').replace('http:', 'ftp:')],
      { codes: [2], files: 0 },
    );
    await holdsTight(
      workspace,
      'wrong-transport',
      ['check', '--transport', 'http', '--', 'node', 'server.js', ...inWords('wrong')],
      { codes: [2], files: 0 },
    );
  },
  120_000,
);

/** A client that asks one thing after another, each when the last is answered. */
async function converse(args: readonly string[], cwd: string): Promise<number | null> {
  const child = spawn(process.execPath, [path.join(root, 'bin/mcpc.js'), ...args], {
    cwd,
    env: { ...process.env, TMPDIR: cwd },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const asked = [
    {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    },
    { id: 1, method: 'tools/list' },
    { id: 2, method: 'tools/call', params: { name: 'echo', arguments: {} } },
  ];
  const say = (message: object | undefined): void =>
    void (message === undefined
      ? child.stdin.end()
      : child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`));
  createInterface({ input: child.stdout }).on('line', () => {
    if (asked.length === 2) say({ method: 'notifications/initialized' });
    say(asked.shift());
  });
  say(asked.shift());
  return new Promise((resolve) => child.once('exit', resolve));
}

test('intercept: trace and reports of a server that is given secrets', async () => {
  const folder = workspace.path('intercept');
  mkdirSync(folder, { recursive: true });
  const written = ['json', 'html', 'md', 'sarif'].flatMap((ending) => [
    '--report',
    path.join(folder, `report.${ending}`),
  ]);
  const code = await converse(
    [
      'intercept',
      '--live',
      '--trace',
      path.join(folder, 'trace.jsonl'),
      ...written,
      ...inEnvironment('intercept', 3),
      '--',
      process.execPath,
      teller,
      'all',
      ...inWords('intercept'),
    ],
    folder,
  );
  expect(code).toBe(0);
  const files = filesBelow(folder);
  expect(files.length, files.join(', ')).toBe(5);
  for (const file of files) expect(leaked(readFileSync(file, 'utf8')), file).toEqual([]);
}, 120_000);

test('judge, import and trace: captures that hold credentials', async () => {
  const bearer = secret('capture bearer');
  const key = secret('capture key');
  const entry = (request: object, response: object): object => ({
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 5,
    request: {
      method: 'POST',
      url: `https://h.example/mcp?access_token=${secret('capture query')}`,
      headers: [
        { name: 'Authorization', value: `Bearer ${bearer}` },
        { name: 'X-Api-Key', value: key },
        { name: 'Cookie', value: `sid=${secret('capture cookie')}` },
        { name: 'content-type', value: 'application/json' },
      ],
      postData: { mimeType: 'application/json', text: JSON.stringify(request) },
    },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { mimeType: 'application/json', text: JSON.stringify(response) },
    },
  });
  const echo = [
    bearer,
    Buffer.from(`a${bearer}b`).toString('base64'),
    Buffer.from(key).toString('hex'),
    key.toUpperCase(),
  ];
  const har = {
    log: {
      version: '1.2',
      creator: { name: 't', version: '1' },
      entries: [
        entry(
          {
            jsonrpc: '2.0',
            id: 0,
            method: 'initialize',
            params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
          },
          {
            jsonrpc: '2.0',
            id: 0,
            result: {
              protocolVersion: '2025-06-18',
              capabilities: { tools: {} },
              serverInfo: { name: 's', version: '1' },
              instructions: echo.join(' '),
            },
          },
        ),
        entry(
          {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'login', arguments: { password: secret('capture password'), note: bearer } },
          },
          {
            jsonrpc: '2.0',
            id: 1,
            result: {
              content: [{ type: 'text', text: echo.join(' ') }],
              structuredContent: { [bearer]: key, api_key: secret('capture member') },
            },
          },
        ),
      ],
    },
  };
  const file = workspace.write('inputs/session.har', har);
  await holdsTight(workspace, 'judge', ['judge', '--verbose', file, ...reports], { codes: [0, 1], files: 8 });
  await holdsTight(
    workspace,
    'import',
    ['import', file, '--out-trace', 'OUT/episode.jsonl', '--out-wire', 'OUT/wire.jsonl'],
    { codes: [0], files: 2 },
  );
  await holdsTight(workspace, 'show', ['trace', 'show', file], { codes: [0], files: 0 });
}, 120_000);

test.runIf(thorough)(
  'fleet: run directory, journal, dashboard and badges',
  async () => {
    const env = { FLEET_KEY: secret('fleet variable'), FLEET_QUERY: secret('fleet query variable') };
    workspace.write('inputs/fleet.yaml', {
      version: 1,
      servers: {
        stdio: {
          command: process.execPath,
          args: [teller, 'all', '--api-key', '${FLEET_KEY}', `--token=${secret('fleet word')}`],
          env: { PLANTED_1: secret('fleet environment') },
        },
        http: {
          command: process.execPath,
          args: [teller, 'all', '{{port}}', '--api-key', secret('fleet serve word')],
          url: `${address('fleet', '127.0.0.1:{{port}}')}&more=\${FLEET_QUERY}`,
          headers: { 'X-Api-Key': secret('fleet header') },
        },
        broken: {
          command: process.execPath,
          args: [teller, 'crash', '--api-key', secret('fleet broken word')],
          env: { PLANTED_2: secret('fleet broken environment') },
        },
      },
    });
    const fleet = workspace.path('inputs/fleet.yaml');
    await holdsTight(
      workspace,
      'fleet',
      [
        'fleet',
        'check',
        fleet,
        '--only-rules',
        'tools/*,ping/*',
        '--out',
        'OUT/run',
        '--output',
        'OUT/page.html',
        '--output',
        'OUT/all.json',
        '--output',
        'OUT/all.md',
        '--output',
        'OUT/all.csv',
      ],
      { codes: [0, 1, 3], files: 6, env },
    );
    await holdsTight(workspace, 'fleet-list', ['fleet', 'list', fleet], { codes: [0], files: 0, env });
  },
  240_000,
);

test('credentials of an address are sent as Basic authorization, once, and stand nowhere in it', async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { id, method } = JSON.parse(text === '' ? '{}' : text) as { id?: number; method?: string };
      if (id === undefined) return response.writeHead(202).end();
      const result =
        method === 'initialize'
          ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } }
          : {};
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const password = secret('basic password');
  await holdsTight(
    workspace,
    'basic',
    ['check', '--only', 'ping/*', '--trace', 'OUT/trace.jsonl', '--url', `http://mona:${password}@${host}/mcp`],
    { codes: [0, 1], files: 1 },
  );
  expect(new Set(seen)).toContain(`Basic ${Buffer.from(`mona:${password}`).toString('base64')}`);
  const twice = await workspace.start(['check', '--token', 'abc', '--url', `http://mona:${password}@${host}/mcp`])
    .ended;
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('Authorization is given twice')]);
  server.closeAllConnections();
  server.close();
}, 60_000);

test.runIf(thorough)('at least forty secrets were planted', () => {
  expect(planted().length).toBeGreaterThanOrEqual(40);
});
