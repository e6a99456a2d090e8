/** `mcpc verify`: what a changed server answers otherwise is found, an unchanged one differs in nothing. Needs the build. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { createEarlierValues } from '../../src/replay/earlier-values.ts';
import { Workspace } from '../cli/harness.ts';

const work = new Workspace();
/** Its notes have an id of the process, which later requests name; CHANGE says what it does otherwise. */
work.write(
  'notes.mjs',
  `import { createInterface } from 'node:readline';
const change = process.env.CHANGE;
const id = 'note-' + process.pid + '-' + Date.now();
const annotations = { readOnlyHint: true };
const tools = [
  { name: 'get_first', description: change === 'description' ? 'Other' : 'The first note', inputSchema: { type: 'object' }, annotations },
  { name: 'get_note', description: 'A note', inputSchema: { type: 'object' }, annotations },
  { name: 'delete_note', description: 'Deletes', inputSchema: { type: 'object' } },
];
const answers = {
  initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'notes', version: change === 'version' ? '2' : '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: given }) => {
    if (name === 'get_first') return { content: [{ type: 'text', text: JSON.stringify({ id, at: new Date().toISOString() }) }] };
    if (name === 'get_note') return given.id === id && change !== 'lost' ? { content: [{ type: 'text', text: change === 'text' ? 'milk' : 'bread' }] } : { content: [], isError: true };
    return { content: [] };
  },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = change === method ? undefined : answers[method];
  const outcome = answer ? { result: answer(params) } : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }) + '\\n');
});
`,
);
const server = ['--', process.execPath, 'notes.mjs'];

beforeAll(async () => {
  const { createInterface } = await import('node:readline');
  const { spawn } = await import('node:child_process');
  const { join } = await import('node:path');
  const { root } = await import('../cli/harness.ts');
  const child = spawn(process.execPath, [join(root, 'bin/mcpc.js'), 'intercept', '--trace', 'notes.jsonl', ...server], {
    cwd: work.folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const ask = async (method: string, params: object): Promise<{ result: { content?: { text: string }[] } }> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params })}\n`);
    return JSON.parse((await replies.next()).value as string) as { result: { content?: { text: string }[] } };
  };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await ask('tools/list', {});
  const first = await ask('tools/call', { name: 'get_first', arguments: {} });
  const { id: note } = JSON.parse(first.result.content![0]!.text) as { id: string };
  await ask('tools/call', { name: 'get_note', arguments: { id: note } });
  await ask('tools/call', { name: 'delete_note', arguments: { id: note } });
  child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
});

async function verified(change: string, ...flags: string[]): Promise<{ code: number | null; report: SuiteReport }> {
  const env = { CHANGE: change };
  const { code, stdout } = await work.call(['verify', 'notes.jsonl', ...flags, '--format', 'json', ...server], { env });
  return { code, report: JSON.parse(stdout) as SuiteReport };
}

describe('verify', () => {
  test('finds nothing in an unchanged server: ids of now are put in, times do not count, writing tools are left out', async () => {
    const { code, report } = await verified('');
    expect(report.cases.map(({ name, status }) => `${name.split(' ')[0]} ${status}`)).toEqual([
      'initialize pass',
      'tools/list pass',
      'tools/call pass',
      'tools/call pass',
      'tools/call skip',
    ]);
    expect(code).toBe(0);
    expect((await verified('', '--allow-tool', 'delete_note')).report.counts).toMatchObject({ passed: 5, skipped: 0 });
  });

  test.each([
    ['version', 'initialize', '"1" was recorded, now "2"'],
    ['description', 'tools/list', '"The first note" was recorded, now "Other"'],
    ['text', 'tools/call', '"bread" was recorded, now "milk"'],
    ['lost', 'tools/call', 'isError'],
    ['tools/list', 'tools/list', ''],
  ])('finds what a change of %s does', async (change, method, words) => {
    const { code, report } = await verified(change);
    const failed = report.cases.filter(({ status }) => status === 'fail');
    expect(failed.map(({ name }) => name.split(' ')[0])).toEqual([method]);
    expect(failed[0]!.detail).toContain(words);
    expect(code).toBe(1);
  });

  test('ignores what it is told to, and writes each format', async () => {
    const flags = ['--ignore', 'initialize/**', '-o', 'v.xml', '-o', 'v.html', '-o', 'v.sarif'];
    expect((await verified('version', ...flags)).code).toBe(0);
    expect(['v.xml', 'v.html', 'v.sarif'].map((name) => work.has(name))).toEqual([true, true, true]);
    // A case of a recording has no command of its own.
    const env = { CHANGE: 'version' };
    for (const format of ['terminal', 'tap', 'junit']) {
      const { stdout } = await work.call(['verify', 'notes.jsonl', '--format', format, ...server], { env });
      expect(stdout, format).toContain('initialize');
      expect(stdout.toLowerCase(), format).not.toContain('alone:');
    }
  });
});

test('a difference after a call that was left out says so', async () => {
  const space = new Workspace();
  const say = (id: number, text: string): object => ({
    jsonrpc: '2.0',
    id,
    result: { content: [{ type: 'text', text }] },
  });
  const call = (id: number, name: string): object => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: {} },
  });
  const tool = (name: string, readOnlyHint: boolean): object => ({
    name,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint },
  });
  const lines = [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    },
    {
      jsonrpc: '2.0',
      id: 1,
      result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    { jsonrpc: '2.0', id: 2, result: { tools: [tool('add', false), tool('count', true)] } },
    ...[call(3, 'add'), say(3, 'added'), call(4, 'count'), say(4, 'one')],
  ];
  space.write('lines.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
  space.write(
    'counter.mjs',
    `import { createInterface } from 'node:readline';
let count = 'none';
const results = {
  initialize: () => (${JSON.stringify((lines[1] as { result: object }).result)}),
  'tools/list': () => (${JSON.stringify((lines[4] as { result: object }).result)}),
  'tools/call': ({ name }) => {
    if (name === 'add') count = 'one';
    return { content: [{ type: 'text', text: name === 'add' ? 'added' : count }] };
  },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: results[method](params) }) + '\\n');
});
`,
  );
  const verify = async (...flags: string[]): Promise<SuiteReport> => {
    const { stdout } = await space.call([
      'verify',
      'lines.jsonl',
      ...flags,
      '--format',
      'json',
      '--',
      process.execPath,
      'counter.mjs',
    ]);
    return JSON.parse(stdout) as SuiteReport;
  };
  const { counts, notices } = await verify();
  expect(counts).toMatchObject({ failed: 1, skipped: 1 });
  expect(notices).toContain('Responses differ after a tool call that was not sent; --allow-tool NAME sends it.');
  const allowed = await verify('--allow-tool', 'add');
  expect(allowed.counts).toMatchObject({ failed: 0, skipped: 0 });
  expect(allowed.notices.join()).not.toContain('--allow-tool');
});

test('only whole texts of some length are taken from earlier answers', () => {
  const values = createEarlierValues();
  values.answered(
    { id: 'abcdefgh', short: 'abc', list: ['{"key":"12345678"}'] },
    { id: 'hgfedcba', short: 'xyz', list: ['{"key":"87654321"}'] },
  );
  expect(values.put({ a: 'abcdefgh', b: 'abc', c: ['12345678'], d: 'abcdefgh and more' })).toEqual({
    a: 'hgfedcba',
    b: 'abc',
    c: ['87654321'],
    d: 'abcdefgh and more',
  });
});
