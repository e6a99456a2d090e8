/** How long a target took to start. */
import { expect, test } from 'vitest';
import { startUpOf } from '../../src/check/reporting/start-up.ts';
import type { EventInput, TraceEvent } from '../../src/core/model/trace.ts';

function events(...list: (Partial<EventInput> & { t: number })[]): TraceEvent[] {
  return list.map((one, index) => ({ seq: index + 1, session: 's1', from: 'client', kind: 'message', ...one }));
}

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize' };
const answer = { jsonrpc: '2.0', id: 1, result: {} };

test('from the start of the process to the answer, on the connection that answered first', () => {
  expect(
    startUpOf(
      events(
        { t: 0, kind: 'spawn', from: 'harness' },
        { t: 2, message: initialize },
        { t: 100, session: 's2', kind: 'spawn', from: 'harness' },
        { t: 101, session: 's2', message: { ...initialize, method: 'server/discover' } },
        { t: 340.6, session: 's2', from: 'server', message: { ...answer, result: undefined, error: {} } },
        { t: 400, from: 'server', message: answer },
      ),
    ),
  ).toBe(241);
});

test('from the first request to a server that runs already, from the start of one that mcpc starts', () => {
  const http = [
    { t: 500, kind: 'http-request' as const },
    { t: 501, message: initialize },
    { t: 530, from: 'server' as const, message: { jsonrpc: '2.0', id: 1, method: 'ping' } },
    { t: 540, from: 'server' as const, message: answer },
  ];
  expect(startUpOf(events(...http))).toBe(40);
  expect(startUpOf(events({ t: 10, session: 'serve', kind: 'spawn', from: 'harness' }, ...http))).toBe(530);
});

test('nothing without an answer', () => {
  expect(startUpOf([])).toBeUndefined();
  expect(
    startUpOf(
      events(
        { t: 0, kind: 'spawn', from: 'harness' },
        { t: 1, message: initialize },
        { t: 5, from: 'server', message: { ...answer, id: '1' } },
      ),
    ),
  ).toBeUndefined();
});
