/** `mcpc init`: a template that runs, or cases and snapshots of a live server; nothing is overwritten. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorOf, root, Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();
const changing = join(root, 'test/suite/servers/changing.mjs');
const filesystem = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');

test('a template, once; its case passes on the server that it names (A-135)', async () => {
  const { code, stderr } = await work.run(['init']);
  expect({ code, files: readdirSync(work.path('evals'), { recursive: true }).toSorted() }).toEqual({
    code: 0,
    files: ['fixtures', 'fixtures/hello.txt', 'read_file.yaml'],
  });
  expect(stderr).toContain('mcpc run evals --fixture evals/fixtures');
  const ran = await work.run([
    'run',
    'evals',
    '--fixture',
    'evals/fixtures',
    '--server',
    `node ${filesystem} {{fixture}}`,
  ]);
  expect(ran.stdout).toContain('1 assertions, 1 passed');
  work.write('evals/read_file.yaml', 'mine\n');
  const again = await work.call(['init', 'evals']);
  expect(again.code).toBe(2);
  expect(errorOf(again).why).toContain('evals/read_file.yaml is there already');
  expect(work.read('evals/read_file.yaml')).toBe('mine\n');
  expect((await work.call(['init', '--overwrite', '--quiet'])).code).toBe(0);
  expect(work.read('evals/read_file.yaml')).toContain('name: a file can be read');
});

test.runIf(thorough)(
  'from a server: cases and snapshots, without a call that may change something; both orders of words (A-007, A-136, A-137)',
  async () => {
    const env = { CALLS_FILE: work.path('calls.txt') };
    const { code, stderr } = await work.call(
      ['init', 'live', '--server', `node ${changing}`, '--env', 'NOTE_TOKEN=planted-secret-0815'],
      { env },
    );
    expect(code, stderr).toBe(0);
    expect(readdirSync(work.path('live')).toSorted()).toEqual([
      'lists.yaml',
      'lists.yaml.snap',
      'prompts.yaml',
      'prompts.yaml.snap',
      'resources.yaml',
      'resources.yaml.snap',
      'tools.yaml',
      'tools.yaml.snap',
    ]);
    const called = new Set(readFileSync(work.path('calls.txt'), 'utf8').trim().split('\n'));
    expect(called).toContain('greet');
    for (const never of ['delete_user', 'get_env']) expect(called).not.toContain(never);
    expect(stderr).toMatch(/\d+ answers are stored next to the suites\.[^]*mcpc snapshot live/);
    for (const name of readdirSync(work.path('live')))
      expect(work.read(`live/${name}`)).not.toContain('planted-secret-0815');
    expect(
      (await work.call(['snapshot', 'live', '--session', 'suite'], { env: { ...env, NOTE_TOKEN: 'x' } })).code,
    ).toBe(0);

    const other = await work.call(['init', '--server', `node ${changing}`, 'other', '--quiet'], { env });
    expect(other.code, other.stderr).toBe(0);
    expect(work.read('other/tools.yaml.snap')).toBe(work.read('live/tools.yaml.snap'));
    const refused = await work.call(['init', 'live', '--', 'node', changing], { env });
    expect(refused.code).toBe(2);
    expect(errorOf(refused).why).toContain('is there already');
  },
);

test('a server that lists nothing is an error, and so is one that is named twice', async () => {
  work.write(
    'empty.mjs',
    `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'initialize' ? { result: { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'e', version: '1' } } } : { error: { code: -32601, message: 'no' } }) }));
});`,
  );
  const empty = await work.call(['init', 'none', '--', 'node', 'empty.mjs']);
  expect(empty.code).toBe(2);
  expect(errorOf(empty).why).toContain('lists no tools, prompts or resources');
  expect(work.has('none')).toBe(false);
  expect((await work.call(['init', 'none', '--server', 'node empty.mjs', '--', 'node', 'empty.mjs'])).code).toBe(2);
});
