/** An undecided outcome holds how the target answered what was looked at. */
import { expect, test } from 'vitest';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import { judgeAny, loadProject } from '../support/rules.ts';

const project = await loadProject();

async function answersOf(id: string, trace: string[]): Promise<[status: string | undefined, answers: unknown]> {
  const example = { verdict: 'not-exercised', transport: 'stdio', trace } as const;
  const made = exampleTrace(example, { transport: 'stdio', revision: '2025-11-25', era: 'stateful' });
  const outcome = await judgeAny(project.rule(id), made);
  return [outcome?.status, outcome && 'answers' in outcome ? outcome.answers : undefined];
}

const ping = ['> {"id":1,"method":"ping"}', '< {"id":1,"result":{}}'];
const later = ['> {"id":2,"method":"ping"}', '< {"id":2,"result":{}}'];

test('an error under the id of another request', async () => {
  const answered = '< {"id":1,"error":{"code":-32603,"message":"Internal error"}}';
  expect(await answersOf('errors/code-parse-error', [...ping, '>> {not json', answered, ...later])).toEqual([
    'not-exercised',
    ['input that is not JSON was answered with an error under the id 1 of another request'],
  ]);
});

test('no response', async () => {
  expect(await answersOf('errors/code-parse-error', [...ping, '>> {not json', ...later])).toEqual([
    'not-exercised',
    ['input that is not JSON got no response'],
  ]);
});

test('an error that does not decide it; nothing is said where a result is among them', async () => {
  const subscribe = [
    '> {"id":3,"method":"resources/subscribe","params":{"uri":"a:b"}}',
    '< {"id":3,"error":{"code":-32602,"message":"No updates for this one"}}',
  ];
  expect(await answersOf('resources/subscribe-result', [...ping, ...subscribe])).toEqual([
    'not-exercised',
    ['resources/subscribe was answered with error -32602'],
  ]);
  const served = ['> {"id":4,"method":"resources/unsubscribe","params":{"uri":"a:b"}}', '< {"id":4,"result":{}}'];
  expect(await answersOf('resources/subscribe-result', [...subscribe, ...served])).toEqual(['not-exercised', []]);
});
