/** What a narrow terminal shows of a message: the fault first. */
import { expect, test } from 'vitest';
import { excerptOf } from '../../src/report/check/message-excerpt.ts';

const tools = JSON.stringify({
  jsonrpc: '2.0',
  id: 2,
  result: {
    tools: [
      { name: 'a', inputSchema: { type: 'object' } },
      { name: 'b', 'x.y': 1, inputSchema: [] },
    ],
  },
});

test.each<[member: string | null, before: string, fault: string, after: string]>([
  ['result.tools[1].inputSchema', 'result.tools[1]: { ', '"inputSchema": []', ', "name": "b", "x.y": 1 }'],
  ['result.tools[1].title', 'result.tools[1]: { ', 'no "title"', ', "name": "b", "x.y": 1, "inputSchema": [] }'],
  ["result.tools[1]['x.y']", 'result.tools[1]: { ', '"x.y": 1', ', "name": "b", "inputSchema": [] }'],
  ['result.tools[2]', 'result.tools: ', 'no [2]', ''],
  // The first step that is not there is what is missing.
  [
    'result.tools[0].outputSchema.type',
    'result.tools[0]: { ',
    'no "outputSchema"',
    ', "name": "a", "inputSchema": { "type": "object" } }',
  ],
  [
    'error',
    '{ ',
    'no "error"',
    ', "result": { "tools": [ { "name": "a", "inputSchema": { "type": "object" } }, { "name": "b", "x.y": 1, "inputSchema": [] } ] } }',
  ],
  [
    'id',
    '{ ',
    '"id": 2',
    ', "result": { "tools": [ { "name": "a", "inputSchema": { "type": "object" } }, { "name": "b", "x.y": 1, "inputSchema": [] } ] } }',
  ],
  [
    null,
    '',
    '',
    '{ "result": { "tools": [ { "name": "a", "inputSchema": { "type": "object" } }, { "name": "b", "x.y": 1, "inputSchema": [] } ] } }',
  ],
])('%s', (member, before, fault, after) => {
  expect(excerptOf(tools, member)).toEqual({ before, fault, after });
});

test('a fault that is alone, and what is no object', () => {
  expect(excerptOf('{"jsonrpc":"1.0"}', 'jsonrpc')).toEqual({ before: '{ ', fault: '"jsonrpc": "1.0"', after: ' }' });
  expect(excerptOf('{"jsonrpc":"2.0","id":1,"result":"pong"}', 'result')).toEqual({
    before: '{ ',
    fault: '"result": "pong"',
    after: ' }',
  });
  expect(excerptOf('[1]', null)).toBeUndefined();
  expect(excerptOf('noise', 'result')).toBeUndefined();
});
