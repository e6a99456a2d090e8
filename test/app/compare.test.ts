/** What counts as a difference in behaviour between two conversations, and what does not. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compareFiles, type Difference } from '../../src/check/capture/compare.ts';
import { differenceLines } from '../../src/check/commands/support/difference-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpc-compare-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Message = Record<string, unknown>;
const ask = (id: unknown, method: string, params?: Message): Message => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params ? { params } : {}),
});
const reply = (id: unknown, result: unknown): Message => ({ jsonrpc: '2.0', id, result });
const tell = (method: string, params?: Message): Message => ({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });
const hello = (first: unknown): Message[] => [
  ask(first, 'initialize', { protocolVersion: '2025-06-18' }),
  reply(first, { protocolVersion: '2025-06-18' }),
];
const log = (data: string): Message => tell('notifications/message', { level: 'info', data });

async function differences(left: Message[], right: Message[], ignore: string[] = []): Promise<Difference[]> {
  const [one, two] = [join(folder, 'left'), join(folder, 'right')];
  writeFileSync(one, left.map((message) => JSON.stringify(message)).join('\n'));
  writeFileSync(two, right.map((message) => JSON.stringify(message)).join('\n'));
  return compareFiles(one, two, { left: { format: 'jsonrpc' }, right: { format: 'jsonrpc' }, ignore });
}

const told = (found: Difference[]): string[] => found.map(({ what, path }) => `${what} ${path}`);

describe('no difference', () => {
  test.each<[string, Message[], Message[]]>([
    [
      'ids',
      [...hello(0), ask(1, 'tools/list'), reply(1, { tools: [] })],
      [...hello('a'), ask('b', 'tools/list'), reply('b', { tools: [] })],
    ],
    [
      'order of members',
      [...hello(0), ask(1, 'tools/list'), reply(1, { a: 1, b: 2 })],
      [...hello(0), ask(1, 'tools/list'), reply(1, { b: 2, a: 1 })],
    ],
    [
      'cursors',
      [...hello(0), ask(1, 'tools/list', { cursor: 'x' }), reply(1, { nextCursor: 'y' })],
      [...hello(0), ask(1, 'tools/list', { cursor: 'p' }), reply(1, { nextCursor: 'q' })],
    ],
    [
      'progress tokens and how often progress was told',
      [
        ...hello(0),
        ask(1, 'tools/call', { name: 'x', _meta: { progressToken: 1 } }),
        tell('notifications/progress', { progressToken: 1, progress: 1 }),
        reply(1, {}),
      ],
      [
        ...hello(0),
        ask(1, 'tools/call', { name: 'x', _meta: { progressToken: 'q' } }),
        tell('notifications/progress', { progressToken: 'q', progress: 1 }),
        tell('notifications/progress', { progressToken: 'q', progress: 2 }),
        reply(1, {}),
      ],
    ],
    [
      'where a notification stands',
      [...hello(0), log('a'), ask(1, 'tools/list'), reply(1, {})],
      [...hello(0), ask(1, 'tools/list'), reply(1, {}), log('a')],
    ],
    [
      'answers that overtake each other',
      [...hello(0), ask(1, 'tools/list'), ask(2, 'prompts/list'), reply(1, {}), reply(2, { p: 1 })],
      [...hello(0), ask(1, 'tools/list'), ask(2, 'prompts/list'), reply(2, { p: 1 }), reply(1, {})],
    ],
  ])('%s', async (_title, left, right) => {
    expect(await differences(left, right)).toEqual([]);
  });
});

describe('a difference', () => {
  test.each<[string, Message[], Message[], string[]]>([
    [
      'another value',
      [...hello(0), ask(1, 'tools/list'), reply(1, { tools: [{ name: 'a' }] })],
      [...hello(0), ask(1, 'tools/list'), reply(1, { tools: [{ name: 'b' }] })],
      ['changed tools/list/result/tools/0/name'],
    ],
    [
      'a member that is gone',
      [...hello(0), ask(1, 'ping', {}), ask(2, 'tools/list'), reply(2, { a: null })],
      [...hello(0), ask(1, 'ping', {}), ask(2, 'tools/list'), reply(2, {})],
      ['changed tools/list/result/a'],
    ],
    [
      'an error in place of a result',
      [...hello(0), ask(1, 'tools/list'), reply(1, {})],
      [...hello(0), ask(1, 'tools/list'), { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'x' } }],
      ['changed tools/list/outcome'],
    ],
    [
      'no answer any more',
      [...hello(0), ask(1, 'tools/list'), reply(1, {})],
      [...hello(0), ask(1, 'tools/list')],
      ['changed tools/list/outcome'],
    ],
    ['a request more', hello(0), [...hello(0), ask(1, 'tools/list')], ['added tools/list']],
    [
      'a request less, in the middle',
      [...hello(0), ask(1, 'tools/list'), ask(2, 'prompts/list')],
      [...hello(0), ask(2, 'prompts/list')],
      ['missing tools/list'],
    ],
    [
      'another number of notifications',
      [...hello(0), log('a'), log('b')],
      [...hello(0), log('a')],
      ['changed notifications/message/count'],
    ],
    [
      'another notification',
      [...hello(0), log('a')],
      [...hello(0), log('b')],
      ['changed notifications/message/params/data'],
    ],
    [
      'no progress any more',
      [
        ...hello(0),
        ask(1, 'tools/call', { name: 'x', _meta: { progressToken: 1 } }),
        tell('notifications/progress', { progressToken: 1, progress: 1 }),
      ],
      [...hello(0), ask(1, 'tools/call', { name: 'x', _meta: { progressToken: 1 } })],
      ['changed tools/call/progress'],
    ],
    ['a further connection', hello(0), [...hello(0), ...hello(0)], ['added connection']],
    [
      'a second answer',
      [...hello(0), ask(1, 'tools/list'), reply(1, {})],
      [...hello(0), ask(1, 'tools/list'), reply(1, {}), { ...reply(1, {}) }],
      ['changed odd'],
    ],
  ])('%s', async (_title, left, right, expected) => {
    expect(told(await differences(left, right))).toEqual(expected);
  });

  test('is left out where its path is ignored', async () => {
    const [left, right] = [
      [...hello(0), ask(1, 'tools/call', { name: 'now' }), reply(1, { content: [{ text: '1' }] })],
      [...hello(0), ask(1, 'tools/call', { name: 'now' }), reply(1, { content: [{ text: '2' }], more: 1 })],
    ];
    expect(told(await differences(left, right, ['tools/call/result/content/**']))).toEqual([
      'changed tools/call/result/more',
    ]);
  });

  test('is told in words', async () => {
    const found = await differences(
      [...hello(0), ask(1, 'tools/call', { name: 'echo' }), reply(1, { n: 1 })],
      [...hello(0), ask(1, 'tools/call', { name: 'echo' }), reply(1, { n: '\u001b[2J' })],
    );
    expect(differenceLines(found, 'good', 'new', false)).toEqual([
      '1 difference in behaviour: - good, + new',
      'connection 1, tools/call "echo"',
      '  tools/call/result/n',
      '    - 1 (event 4)',
      '    + "\\u001b[2J" (event 4)',
    ]);
    expect(differenceLines([], 'good', 'new', false)).toEqual(['No difference in behaviour between good and new.']);
  });
});
