/** Lists that a server declares and never gives are told of; others are not. */
import { expect, test } from 'vitest';
import { createListLog, type FailedList } from '../../src/check/reporting/said/failed-lists.ts';
import { saidBy } from '../../src/check/reporting/said/said.ts';

type Answer = object | { code: number; message: string };

/** What is told of the first pages of lists, in order. */
function failed(answers: readonly (readonly [method: string, answer: Answer, params?: object])[]): FailedList[] {
  const log = createListLog();
  answers.forEach(([method, answer, params = {}], id) => {
    log.see(saidBy({ from: 'client', session: 's1', seq: id }, { id, method, params }));
    const reply = 'code' in answer ? { id, error: answer } : { id, result: answer };
    log.see(saidBy({ from: 'server', session: 's1', seq: id }, reply));
  });
  return log.result(new Set(['tools', 'prompts']));
}

const away = { code: -32603, message: 'fetch failed' };

test('one that never came is', () => {
  expect(
    failed([
      ['tools/list', away],
      ['tools/list', away],
      ['prompts/list', { prompts: [] }],
    ]),
  ).toEqual([{ method: 'tools/list', count: 2, code: -32603, message: 'fetch failed' }]);
});

test.each<[string, [string, Answer, object?][]]>([
  [
    'one that came once',
    [
      ['tools/list', away],
      ['tools/list', { tools: [] }],
      ['tools/list', away],
    ],
  ],
  ['one that was asked for once', [['tools/list', away]]],
  [
    'one that is not declared',
    [
      ['resources/list', away],
      ['resources/list', away],
    ],
  ],
  [
    'a page that there is not',
    [
      ['tools/list', away, { cursor: 'x' }],
      ['tools/list', away, { cursor: 'x' }],
    ],
  ],
  [
    'a method that is unknown',
    [
      ['tools/list', { code: -32601, message: 'no' }],
      ['tools/list', { code: -32601, message: 'no' }],
    ],
  ],
])('%s is not', (_title, answers) => {
  expect(failed(answers)).toEqual([]);
});
