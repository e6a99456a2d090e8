/** A list that did not come is not an empty one: no command takes a server that does not answer tools/list for one without tools. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Workspace } from '../cli/harness.ts';

const space = new Workspace();

/** Sound but for tools/list, which it answers as the word says. */
const server = `
import { createInterface } from 'node:readline';
const how = process.argv[2];
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const say = (rest) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...rest }) + '\\n');
  if (method === 'initialize') return say({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } });
  if (method !== 'tools/list') return say(method === 'ping' ? { result: {} } : { error: { code: -32601, message: 'Method not found' } });
  if (how === 'error') return say({ error: { code: -32603, message: 'broken' } });
  if (how === 'no-list') return say({ result: { tools: null } });
  if (how === 'ends') process.exit(3);
}).on('close', () => process.exit(0));
`;
const said = {
  silent: /tools\/list was not answered in time/,
  error: /tools\/list was answered with error -32603/,
  'no-list': /tools\/list was answered without a list/,
  ends: /tools\/list was not answered: the connection was lost/,
};

beforeAll(() => {
  space.write('server.mjs', server);
  space.write(
    'suite.yaml',
    'version: 1\nservers:\n  server: { command: node, args: [server.mjs] }\ncases:\n  - name: ping\n    steps:\n      - request: ping\n',
  );
});

describe.each(Object.entries(said))('tools/list: %s', (how, words) => {
  test.each([
    ['audit', 1, ['audit', '--timeout', '1s']],
    ['fuzz', 1, ['fuzz', '--timeout', '1s']],
    ['generate', 3, ['generate', '--timeout', '1s']],
    ['hints init', 3, ['hints', 'init', '--timeout', '1s']],
    ['check --plan', 3, ['check', '--plan', '--timeout', '1s']],
  ] as const)('%s ends with %i', async (_name, code, args) => {
    const {
      stdout,
      stderr,
      code: seen,
    } = await space.call([...args, '--spec', '2025-11-25', '--', 'node', 'server.mjs', how]);
    expect(`${stdout}${stderr}`).toMatch(words);
    expect(seen).toBe(code);
  });
});

test('coverage names what is not known', async () => {
  const { stdout, stderr, code } = await space.call([
    'coverage',
    'suite.yaml',
    '--spec',
    '2025-11-25',
    '--',
    'node',
    'server.mjs',
    'error',
  ]);
  expect(`${stdout}${stderr}`).toMatch(said.error);
  expect(code).toBe(3);
});
