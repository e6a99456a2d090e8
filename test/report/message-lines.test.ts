/** A message over several lines with its wrong property marked: short for any message, and never a wrong mark. */
import { expect, test } from 'vitest';
import { messageLines } from '../../src/report/check/message-lines.ts';

const show = (message: unknown, member: string | null): string[] | undefined =>
  messageLines(JSON.stringify(message), member)?.map(({ text, fault }) => `${fault ? '!' : ' '}${text}`);

test('the path to the property is printed, its neighbours take a line each, and the rest is counted', () => {
  const tools = Array.from({ length: 9 }, (_, index) => ({ name: `t${index}`, inputSchema: { type: 'object' } }));
  const message = { jsonrpc: '2.0', id: 1, result: { tools, note: 'x'.repeat(200) } };
  expect(show(message, 'result.tools[4].name')).toEqual([
    ' {',
    '   "jsonrpc": "2.0",',
    '   "id": 1,',
    '   "result": {',
    '     "tools": [',
    '       … 2 more',
    '       {"name":"t2","inputSchema":{"type":"object"}},',
    '       {"name":"t3","inputSchema":{"type":"object"}},',
    '       {',
    '!        "name": "t4",',
    '         "inputSchema": {"type":"object"}',
    '       },',
    '       {"name":"t5","inputSchema":{"type":"object"}},',
    '       {"name":"t6","inputSchema":{"type":"object"}},',
    '       … 2 more',
    '     ],',
    `     "note": "${'x'.repeat(79)}…`,
    '   }',
    ' }',
  ]);
});

test('what is missing is marked where it belongs, and a large wrong value is cut', () => {
  expect(show({ id: 1, result: {} }, 'result.content')).toEqual([
    ' {',
    '   "id": 1,',
    '   "result": {',
    '!    (no "content")',
    '   }',
    ' }',
  ]);
  const lines = show({ result: { list: Array.from({ length: 5000 }, (_, index) => index) } }, 'result.list')!;
  expect(lines.length).toBeLessThan(20);
  expect(lines.filter((line) => line.startsWith('!')).at(-1)).toMatch(/ … \d+ more lines/);
});

test.each([
  ['a message without a member', { result: {} }, null],
  ['a member that is derived from messages', { result: {} }, 'replyState'],
  ['a message that is no object', [1], 'result'],
])('%s is not printed so', (_, message, member) => {
  expect(messageLines(JSON.stringify(message), member)).toBeNull();
});

test('hidden characters of a server are shown as escapes', () => {
  expect(show({ result: { 'a\u202e': 'b\u0007' } }, 'result.x')?.join('\n')).not.toMatch(/[\u202e\u0007]/);
});
