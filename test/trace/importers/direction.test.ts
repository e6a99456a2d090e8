/** Who sent a message is told by methods, ids and tokens; what stays doubtful is left undecided. */
import { expect, test } from 'vitest';
import { createDirectionFinder, type Side } from '../../../src/core/trace/importers/direction.ts';
import { createPlacement } from '../../../src/core/trace/importers/subscription-ends.ts';

const senders: Record<string, Side | 'both'> = {
  initialize: 'client',
  'tools/call': 'client',
  'subscriptions/listen': 'client',
  'notifications/subscriptions/acknowledged': 'server',
  'roots/list': 'server',
  'sampling/createMessage': 'server',
  ping: 'both',
  'notifications/progress': 'both',
  'notifications/cancelled': 'both',
  'notifications/message': 'server',
};

type Step = [message: Record<string, unknown>, sender: Side | undefined];
const asks = (id: unknown, method: string, params?: unknown): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const replies = (id: unknown, result: unknown = {}): Record<string, unknown> => ({ jsonrpc: '2.0', id, result });
const tells = (method: string, params?: unknown): Record<string, unknown> => ({ jsonrpc: '2.0', method, params });

test.each<[string, Step[]]>([
  [
    'methods of one side',
    [
      [asks(1, 'initialize'), 'client'],
      [replies(1), 'server'],
      [tells('notifications/message'), 'server'],
      [asks('a', 'roots/list'), 'server'],
      [replies('a', { roots: [] }), 'client'],
    ],
  ],
  [
    'unknown methods',
    [
      [asks(1, 'vendor/thing'), undefined],
      [replies(1), undefined],
      [tells('vendor/told'), undefined],
    ],
  ],
  [
    'unknown methods by the numbers of each side',
    [
      [asks(0, 'initialize'), 'client'],
      [asks(5, 'tools/call'), 'client'],
      [asks(6, 'vendor/thing'), 'client'],
      [replies(6), 'server'],
      [asks(0, 'vendor/thing'), 'server'],
    ],
  ],
  [
    'an answer to nothing',
    [
      [replies(9), undefined],
      [asks(1, 'tools/call'), 'client'],
      [replies(1), 'server'],
      [replies(1), 'server'],
    ],
  ],
  [
    '1 and "1" differ',
    [
      [asks(1, 'tools/call'), 'client'],
      [replies('1'), undefined],
      [replies(1), 'server'],
    ],
  ],
  [
    'one id on both sides, told apart by the result',
    [
      [asks(1, 'tools/call'), 'client'],
      [asks(1, 'sampling/createMessage'), 'server'],
      [replies(1, { model: 'm' }), 'client'],
      [replies(1), 'server'],
    ],
  ],
  [
    'pings by the numbers of each side',
    [
      [asks(0, 'initialize'), 'client'],
      [replies(0), 'server'],
      [asks(5, 'tools/call'), 'client'],
      [asks(6, 'ping'), 'client'],
      [replies(6), 'server'],
      [asks(0, 'ping'), 'server'],
      [replies(0), 'client'],
      [asks(1, 'ping'), 'server'],
    ],
  ],
  [
    'pings that either may have sent',
    [
      [asks(0, 'initialize'), 'client'],
      [asks(1, 'ping'), undefined],
      [asks('uuid', 'ping'), undefined],
    ],
  ],
  [
    'progress by the token',
    [
      [asks(1, 'tools/call', { _meta: { progressToken: 't' } }), 'client'],
      [tells('notifications/progress', { progressToken: 't' }), 'server'],
      [tells('notifications/progress', { progressToken: 'other' }), undefined],
    ],
  ],
  [
    'cancellations by the request',
    [
      [asks(1, 'tools/call'), 'client'],
      [tells('notifications/cancelled', { requestId: 1 }), 'client'],
      [asks('s', 'roots/list'), 'server'],
      [tells('notifications/cancelled', { requestId: 's' }), 'server'],
      [tells('notifications/cancelled', { requestId: 77 }), undefined],
    ],
  ],
  [
    'what is no message',
    [
      [{ id: 1, method: 5 }, undefined],
      [{}, undefined],
    ],
  ],
])('%s', (_title, steps) => {
  const finder = createDirectionFinder((method) => senders[method]);
  expect(steps.map(([message]) => finder.senderOf(message))).toEqual(steps.map(([, sender]) => sender));
});

const meta = (id: unknown): object => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } });
const ends = (id: unknown, params = {}): Record<string, unknown> =>
  tells('notifications/cancelled', { requestId: id, ...params });
const opened: Step[] = [
  [asks(1, 'tools/call'), 'client'],
  [asks('l', 'subscriptions/listen'), 'client'],
  [tells('notifications/subscriptions/acknowledged', meta('l')), 'server'],
];
const logs: Step = [tells('notifications/message'), 'server'];

test.each<[string, Step[]]>([
  [
    'with the id of the subscription: the server',
    [...opened, [ends('l', meta('l')), 'server'], [asks(2, 'tools/call'), 'client']],
  ],
  [
    'with an id of a request that is not known, and that of the subscription: the server',
    [[ends('l', meta('l')), 'server']],
  ],
  [
    'the server goes on alone, with its result',
    [...opened, [ends('l'), 'server'], [replies('l'), 'server'], [asks(2, 'tools/call'), 'client']],
  ],
  ['the server goes on alone, to the end', [...opened, [ends('l'), 'server'], [replies(1), 'server'], logs]],
  [
    'the client goes on, and gets no answer',
    [...opened, [ends('l'), 'client'], logs, [asks(2, 'tools/call'), 'client'], [replies(2), 'server']],
  ],
  [
    'the client goes on, and gets an answer: either',
    [
      ...opened,
      [ends('l'), undefined],
      [asks(2, 'tools/call'), 'client'],
      [replies('l'), 'server'],
      [replies(2), 'server'],
    ],
  ],
  ['nobody goes on: either', [...opened, [ends('l'), undefined]]],
  ['twice, then the result', [...opened, [ends('l'), 'server'], [ends('l'), 'server'], [replies('l'), 'server']]],
  [
    'of two subscriptions',
    [
      ...opened,
      [asks('m', 'subscriptions/listen'), 'client'],
      [ends('l'), 'server'],
      [replies('l'), 'server'],
      [ends('m'), 'client'],
      [asks(2, 'tools/call'), 'client'],
    ],
  ],
  [
    'decided before the client comes back',
    [
      ...opened,
      [ends('l'), 'server'],
      ...Array.from({ length: 200 }, () => logs),
      [asks(2, 'tools/call'), 'client'],
      [replies('l'), 'server'],
    ],
  ],
  ['another request is cancelled by who sent it', [...opened, [ends(1), 'client'], [replies('l'), 'server']]],
])('the end of a subscription: %s', (_title, steps) => {
  const placement = createPlacement(createDirectionFinder((method) => senders[method]));
  const entries = steps.map(([message], at) => ({ at, place: `line ${at}`, kind: 'message' as const, message }));
  const placed = [...entries.flatMap((entry) => placement.take(entry)), ...placement.rest()];
  expect(placed.map(({ entry }) => entry)).toEqual(entries);
  expect(placed.map(({ from }) => from)).toEqual(steps.map(([, sender]) => sender));
});

test('no more than 200 entries are held back', () => {
  const placement = createPlacement(createDirectionFinder((method) => senders[method]));
  let held = 0;
  const all = [...opened.map(([message]) => message), ...Array.from({ length: 2000 }, () => ends('l'))];
  for (const [at, message] of all.entries()) {
    held += 1 - placement.take({ at, place: '', kind: 'message', message }).length;
    expect(held).toBeLessThanOrEqual(200);
  }
});
