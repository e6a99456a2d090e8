/** A request with a task is judged beside the same one without, of clients that declare the same: what a server offers may depend on it. */
import { expect, test } from 'vitest';
import { createPlainCalls } from '../../src/core/facts/tasks/plain-calls.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';

function call(clientCapabilities: object, reply: object, params: object = {}): RpcRecord {
  const outcome = 'error' in reply ? 'error' : 'result';
  return {
    method: 'tools/call',
    message: { method: 'tools/call', params: { name: 'list_roots', ...params } },
    reply,
    outcome,
    events: [],
    session: { clientCapabilities, serverCapabilities: { tools: {} } },
  } as unknown as RpcRecord;
}

test('what a client with other capabilities was answered says nothing', () => {
  const calls = createPlainCalls();
  const full = { roots: { listChanged: true }, sampling: {} };
  calls.observe(call(full, { result: { content: [] } }));
  calls.observe(call({}, { error: { code: -32602, message: 'Unknown tool' } }));
  expect(
    calls.besides(call({ sampling: {}, roots: { listChanged: true } }, { result: {} }, { task: { ttl: 1 } })),
  ).toEqual({ plainOutcomes: ['result'] });
  expect(calls.besides(call({}, { result: {} }, { task: { ttl: 1 } }))).toEqual({ plainOutcomes: ['error'] });
  expect(calls.besides(call({ elicitation: {} }, { result: {} }, { task: { ttl: 1 } }))).toEqual({ plainOutcomes: [] });
});
