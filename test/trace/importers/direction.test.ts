/** Who sent a message is told by methods, ids and tokens; what stays doubtful is left undecided. */
import { expect, test } from 'vitest';
import { createDirectionFinder, type Side } from '../../../src/trace/importers/direction.ts';

const senders: Record<string, Side | 'both'> = {
  initialize: 'client', 'tools/call': 'client', 'roots/list': 'server', 'sampling/createMessage': 'server', ping: 'both',
  'notifications/progress': 'both', 'notifications/cancelled': 'both', 'notifications/message': 'server',
};

type Step = [message: Record<string, unknown>, sender: Side | undefined];
const asks = (id: unknown, method: string, params?: unknown): Record<string, unknown> => ({ jsonrpc: '2.0', id, method, params });
const replies = (id: unknown, result: unknown = {}): Record<string, unknown> => ({ jsonrpc: '2.0', id, result });
const tells = (method: string, params?: unknown): Record<string, unknown> => ({ jsonrpc: '2.0', method, params });

test.each<[string, Step[]]>([
  ['methods of one side', [[asks(1, 'initialize'), 'client'], [replies(1), 'server'], [tells('notifications/message'), 'server'], [asks('a', 'roots/list'), 'server'], [replies('a', { roots: [] }), 'client']]],
  ['unknown methods', [[asks(1, 'vendor/thing'), undefined], [replies(1), undefined], [tells('vendor/told'), undefined]]],
  ['unknown methods by the numbers of each side', [[asks(0, 'initialize'), 'client'], [asks(5, 'tools/call'), 'client'], [asks(6, 'vendor/thing'), 'client'], [replies(6), 'server'], [asks(0, 'vendor/thing'), 'server']]],
  ['an answer to nothing', [[replies(9), undefined], [asks(1, 'tools/call'), 'client'], [replies(1), 'server'], [replies(1), 'server']]],
  ['1 and "1" differ', [[asks(1, 'tools/call'), 'client'], [replies('1'), undefined], [replies(1), 'server']]],
  ['one id on both sides, told apart by the result', [[asks(1, 'tools/call'), 'client'], [asks(1, 'sampling/createMessage'), 'server'], [replies(1, { model: 'm' }), 'client'], [replies(1), 'server']]],
  ['pings by the numbers of each side', [
    [asks(0, 'initialize'), 'client'], [replies(0), 'server'], [asks(5, 'tools/call'), 'client'], [asks(6, 'ping'), 'client'], [replies(6), 'server'],
    [asks(0, 'ping'), 'server'], [replies(0), 'client'], [asks(1, 'ping'), 'server'],
  ]],
  ['pings that either may have sent', [[asks(0, 'initialize'), 'client'], [asks(1, 'ping'), undefined], [asks('uuid', 'ping'), undefined]]],
  ['progress by the token', [
    [asks(1, 'tools/call', { _meta: { progressToken: 't' } }), 'client'], [tells('notifications/progress', { progressToken: 't' }), 'server'],
    [tells('notifications/progress', { progressToken: 'other' }), undefined],
  ]],
  ['cancellations by the request', [
    [asks(1, 'tools/call'), 'client'], [tells('notifications/cancelled', { requestId: 1 }), 'client'],
    [asks('s', 'roots/list'), 'server'], [tells('notifications/cancelled', { requestId: 's' }), 'server'], [tells('notifications/cancelled', { requestId: 77 }), undefined],
  ]],
  ['what is no message', [[{ id: 1, method: 5 }, undefined], [{}, undefined]]],
])('%s', (_title, steps) => {
  const finder = createDirectionFinder((method) => senders[method]);
  expect(steps.map(([message]) => finder.senderOf(message))).toEqual(steps.map(([, sender]) => sender));
});
