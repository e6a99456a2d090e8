/** What is known of requests when thousands of others lie between them and what concerns them. */
import { expect, test } from 'vitest';
import { createFold } from '../../src/core/facts/fold/fold.ts';
import { settled } from '../../src/core/facts/core/reading.ts';
import type { Subject } from '../../src/core/facts/state/subject.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { thorough } from '../support/run/options.ts';

/** The subjects of a conversation over stdio; a message with a result or of the server is marked by its sender. */
function subjectsOf(messages: readonly (readonly ['client' | 'server', object])[]): Subject[] {
  const subjects: Subject[] = [];
  const fold = createFold({ transport: 'stdio', methods: {}, knownRevisions: ['2025-11-25'] });
  const keep = (next: Iterable<Subject>): void => {
    for (const one of next) subjects.push({ ...one, facts: settled(one.facts) });
  };
  messages.forEach(([from, message], index) => {
    const event: TraceEvent = {
      seq: index + 1,
      t: index,
      session: 's1',
      from,
      kind: 'message',
      message: { jsonrpc: '2.0', ...message },
    };
    keep(fold.push(event));
  });
  keep(fold.end());
  return subjects;
}

const call = (id: number) =>
  ['client', { id, method: 'tools/call', params: { name: 't', _meta: { progressToken: `p${id}` } } }] as const;
const answer = (id: number) => ['server', { id, result: {} }] as const;
const progress = (id: number) =>
  ['server', { method: 'notifications/progress', params: { progressToken: `p${id}`, progress: 1 } }] as const;

const many = Array.from({ length: 3000 }, (_, index) => index + 2);
const tokenStates = (subjects: readonly Subject[]): unknown[] =>
  subjects.flatMap(({ kind, facts }) =>
    kind === 'message' && facts.method === 'notifications/progress' ? [facts.tokenState] : [],
  );

test.runIf(thorough)('a request that waits is known by id and token, however many came after it', () => {
  const subjects = subjectsOf([call(1), ...many.flatMap((id) => [call(id), answer(id)]), progress(1), answer(1)]);
  expect(tokenStates(subjects)).toEqual(['active']);
  const exchange = subjects.find(({ kind, facts }) => kind === 'exchange' && facts.id === 1);
  expect(exchange?.facts).toMatchObject({ outcome: 'result', progressValues: [expect.anything()] });
});

test('of a request that was answered long ago nothing is claimed but that its id was used', () => {
  const subjects = subjectsOf([
    call(1),
    answer(1),
    ...many.flatMap((id) => [call(id), answer(id)]),
    progress(1),
    answer(1),
    call(1),
  ]);
  expect(tokenStates(subjects)).toEqual([undefined]);
  const messages = subjects.filter(({ kind, facts }) => kind === 'message' && facts.id === 1).map(({ facts }) => facts);
  expect(messages.map(({ shape, replyState, idReused }) => [shape, replyState, idReused])).toEqual([
    ['request', undefined, false],
    ['result', 'matched', false],
    ['result', 'duplicate', false],
    ['request', undefined, true],
  ]);
});

test('a token that another request in flight has is shared, one of an answered request is not', () => {
  const again = ['client', { id: 9001, method: 'tools/call', params: { _meta: { progressToken: 'p1' } } }] as const;
  const shared = (subjects: readonly Subject[]): unknown =>
    subjects.find(({ kind, facts }) => kind === 'message' && facts.id === 9001)?.facts.progressTokenInUse;
  expect(shared(subjectsOf([call(1), again]))).toBe(true);
  expect(shared(subjectsOf([call(1), answer(1), again]))).toBe(false);
});

/** The outcome of request 1, after events of other kinds. */
function outcomeAfter(...events: Partial<TraceEvent>[]): unknown {
  return outcomeOver('stdio', {}, events);
}

function outcomeOver(
  transport: 'stdio' | 'http',
  sent: Partial<TraceEvent>,
  events: readonly Partial<TraceEvent>[],
): unknown {
  return exchangeOver(transport, sent, events)?.facts.outcome;
}

function exchangeOver(
  transport: 'stdio' | 'http',
  sent: Partial<TraceEvent>,
  events: readonly Partial<TraceEvent>[],
): Subject | undefined {
  const subjects: Subject[] = [];
  const fold = createFold({ transport, methods: {}, knownRevisions: ['2025-11-25'] });
  const keep = (next: Iterable<Subject>): void => {
    for (const one of next) subjects.push({ ...one, facts: settled(one.facts) });
  };
  const ask = {
    from: 'client',
    kind: 'message',
    message: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    ...sent,
  } as const;
  [
    ...(transport === 'http'
      ? [
          {
            from: 'client',
            kind: 'http-request',
            exchange: 'x1',
            http: { method: 'POST', path: '/mcp', headers: {} },
          } as const,
        ]
      : []),
    ask,
    ...events,
  ].forEach((event, index) =>
    keep(
      fold.push({ seq: index + 1, t: index, session: 's1', from: 'server', kind: 'message', ...event } as TraceEvent),
    ),
  );
  keep(fold.end());
  return subjects.find(({ kind }) => kind === 'exchange');
}

test('a request is undecided where a message that was too large may have answered it, or the checker answers no more', () => {
  const timeout = { kind: 'timeout', from: 'harness', awaited: 1 } as const;
  expect(outcomeAfter(timeout)).toBe('timeout');
  expect(outcomeAfter({ kind: 'limit', raw: '{"id":1', reason: 'too long' }, timeout)).toBe('unanswered');
  expect(outcomeAfter({ kind: 'limit', from: 'harness', reason: 'no further answers' }, timeout)).toBe('unanswered');
  // A server that bears one connection at a time need not answer what comes on a second one.
  expect(outcomeOver('stdio', { trial: true }, [timeout])).toBe('unanswered');
  // Log output that was too long holds no answers.
  expect(outcomeAfter({ kind: 'limit', reason: 'too much log output' }, timeout)).toBe('timeout');
  expect(
    outcomeAfter(
      { kind: 'limit', raw: '{"id":1', reason: 'too long' },
      { kind: 'exit', exit: { code: 1, signal: null } },
    ),
  ).toBe('unanswered');
});

test('a request is undecided where the body of its reply broke off, and unanswered where the body is whole and holds no response', () => {
  const reply = (http: object): Partial<TraceEvent> => ({
    kind: 'http-response',
    exchange: 'x1',
    http: { status: 200, headers: { 'content-type': 'application/json' }, ...http },
  });
  const over = (...events: Partial<TraceEvent>[]): unknown => outcomeOver('http', { exchange: 'x1' }, events);
  expect(
    over(reply({ body: '{"jsonrpc":"2.0","id":1,"res' }), {
      kind: 'closed',
      what: 'connection',
      exchange: 'x1',
      reason: 'aborted',
    }),
  ).toBe('unanswered');
  expect(over(reply({ bodyBytes: 0 }))).toBe('missing');
  expect(over(reply({ bodyBytes: 2, body: 'ok' }))).toBe('missing');
  expect(over(reply({ status: 101 }))).toBe('missing');
});

test('a request is undecided where the event stream of its reply broke off, and unanswered where the server ended it in order', () => {
  const open = (headers: Record<string, string> = { 'transfer-encoding': 'chunked' }): Partial<TraceEvent>[] => [
    {
      kind: 'http-response',
      exchange: 'x1',
      http: { status: 200, headers: { 'content-type': 'text/event-stream', ...headers } },
    },
    { kind: 'sse-open', exchange: 'x1' },
  ];
  const close = (reason?: string, from: 'server' | 'harness' = 'server'): Partial<TraceEvent> => ({
    kind: 'sse-close',
    exchange: 'x1',
    what: 'stream',
    from,
    ...(reason === undefined ? {} : { reason }),
  });
  const withId: Partial<TraceEvent> = { kind: 'sse-event', exchange: 'x1', sse: { id: '7', data: '' } };
  const over = (...events: Partial<TraceEvent>[]): unknown => outcomeOver('http', { exchange: 'x1' }, events);
  expect(over(...open(), close())).toBe('missing');
  expect(over(...open(), close('ended by the server'))).toBe('missing');
  expect(over(...open({}), close('ended by the server'))).toBe('missing');
  // The body is whole, as its head told; without that its end is that of the connection.
  expect(over(...open(), close('ended by the server, within an event'))).toBe('missing');
  expect(over(...open({ 'content-length': '40' }), close('ended by the server, within an event'))).toBe('missing');
  expect(over(...open({}), close('ended by the server, within an event'))).toBe('unanswered');
  expect(over(...open(), close('ECONNRESET: aborted'))).toBe('unanswered');
  expect(over(...open(), close('ECONNRESET: aborted, within an event'))).toBe('unanswered');
  expect(over(...open(), close('ECONNRESET: aborted', 'harness'))).toBe('unanswered');
  // It could still be had by its id.
  expect(over(...open(), withId, close('ended by the server'))).toBe('unanswered');
});

test('who ended an event stream ahead of the response: the server, or nobody where it broke off', () => {
  const endedBy = (reason: string): unknown => {
    const events: Partial<TraceEvent>[] = [
      {
        kind: 'http-response',
        exchange: 'x1',
        http: { status: 200, headers: { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' } },
      },
      { kind: 'sse-open', exchange: 'x1' },
      { kind: 'sse-close', exchange: 'x1', what: 'stream', reason },
    ];
    return exchangeOver('http', { exchange: 'x1' }, events)?.facts.streamClosedBy;
  };
  expect(endedBy('ended by the server')).toBe('server');
  expect(endedBy('ECONNRESET: aborted')).toBe('lost');
});

test.each([
  ['a rate limit', 'ping', { code: -32000, message: 'Rate limit exceeded' }, 'unanswered'],
  ['too many requests, by the number of HTTP', 'ping', { code: 429, message: 'Slow down' }, 'unanswered'],
  [
    'a rate limit of the server for calls',
    'tools/call',
    { code: -32000, message: 'Too many requests', data: { retryAfter: 2 } },
    'unanswered',
  ],
  ['what a tool found elsewhere', 'tools/call', { code: -32603, message: 'API rate limit exceeded' }, 'error'],
  ['a parameter by that name', 'ping', { code: -32602, message: 'rate_limit must be a number' }, 'error'],
  ['something else', 'ping', { code: -32000, message: 'The bitrate limits nothing' }, 'error'],
  ['no text', 'ping', { code: -32000, message: 7 }, 'error'],
])('an error that tells of %s', (_, method, error, outcome) => {
  const subjects = subjectsOf([
    ['client', { id: 1, method, params: {} }],
    ['server', { id: 1, error }],
  ]);
  expect(subjects.find(({ kind }) => kind === 'exchange')?.facts).toMatchObject({ outcome, error });
});

const replies = (subjects: readonly Subject[]): unknown[] =>
  subjects.flatMap(({ kind, facts }) =>
    kind === 'message' && facts.shape === 'result' ? [[facts.replyState, facts.meant]] : [],
  );

test('a response whose id differs in its type alone is meant for the request that waits, also where the id was used before', () => {
  const ping = (id: unknown) => ['client', { id, method: 'ping' }] as const;
  const pong = (id: unknown) => ['server', { id, result: {} }] as const;
  expect(replies(subjectsOf([ping(7), pong(7), ping('7'), pong(7)]))).toEqual([
    ['matched', undefined],
    ['type-changed', { asked: '"7"', came: '7', method: 'ping' }],
  ]);
  expect(replies(subjectsOf([ping(7), pong(7), ping('8'), pong(7)]))).toEqual([
    ['matched', undefined],
    ['duplicate', undefined],
  ]);
});

test('over HTTP a response is meant for the request of the POST that it answers', () => {
  const subjects: Subject[] = [];
  const fold = createFold({ transport: 'http', methods: {}, knownRevisions: ['2025-11-25'] });
  const keep = (given: Iterable<Subject>): void => {
    for (const one of given) subjects.push({ ...one, facts: settled(one.facts) });
  };
  let seq = 0;
  const push = (event: Partial<TraceEvent>): void => {
    seq += 1;
    keep(fold.push({ seq, t: seq, session: 's1', ...event } as TraceEvent));
  };
  const post = (exchange: string, id: unknown, answered: unknown): void => {
    push({ from: 'client', kind: 'http-request', exchange, http: { method: 'POST', path: '/mcp', headers: {} } });
    push({ from: 'client', kind: 'message', exchange, message: { jsonrpc: '2.0', id, method: 'ping' } });
    push({ from: 'server', kind: 'http-response', exchange, http: { status: 200, headers: {}, bodyBytes: 9 } });
    push({ from: 'server', kind: 'message', exchange, message: { jsonrpc: '2.0', id: answered, result: {} } });
  };
  post('a', 1, 1);
  post('b', 2, 1);
  post('c', 3, 99);
  keep(fold.end());
  expect(replies(subjects)).toEqual([
    ['matched', undefined],
    ['duplicate', { asked: '2', came: '1', method: 'ping' }],
    ['unknown', { asked: '3', came: '99', method: 'ping' }],
  ]);
});
