/** What is said of a target whose first answer is none: it names the request and what came. */
import { expect, test } from 'vitest';
import { notSpeaking } from '../../src/client/reach/not-speaking.ts';

const target = { kind: 'stdio', command: 'server', args: [] } as const;

test.each<[string, Record<string, unknown>, string]>([
  [
    'an error',
    { error: { code: -32603, message: 'no' } },
    'answered initialize with an error: {"code":-32603,"message":"no"}',
  ],
  [
    'neither a result nor an error',
    {},
    'answered initialize with neither a result nor an error: {"jsonrpc":"2.0","id":1}',
  ],
])('an answer with %s', (_title, members, expected) => {
  const error = notSpeaking(
    { ...target, args: [] },
    { kind: 'response', message: { jsonrpc: '2.0', id: 1, ...members } },
    'initialize',
    undefined,
  );
  expect(error.stage).toBe('target');
  expect(error.message).toContain(expected);
});
