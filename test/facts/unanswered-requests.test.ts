/** Which requests count as not answered because the server broke down, and which legal servers are left alone. */
import { describe, expect, it } from 'vitest';
import { createUnansweredRequests } from '../../src/core/facts/http/unanswered-requests.ts';
import type { RequestTally } from '../../src/core/model/reports/run-report.ts';
import type { EventInput, TraceEvent, TransportKind } from '../../src/core/model/trace.ts';

type Input = Partial<EventInput> & Pick<EventInput, 'from' | 'kind'>;

function tally(events: Input[], how: { transport?: TransportKind; own?: boolean } = {}): RequestTally {
  const count = createUnansweredRequests({ transport: how.transport ?? 'http', own: how.own ?? true });
  events.forEach((event, at) => count.push({ seq: at + 1, t: at, session: 's1', ...event } as TraceEvent));
  return count.finish();
}

const post = (exchange: string, message: object, more: Partial<EventInput> = {}): Input[] => [
  { from: 'client', kind: 'http-request', exchange, http: { method: 'POST', path: '/mcp', headers: {} }, ...more },
  { from: 'client', kind: 'message', exchange, message, ...more },
];
const status = (exchange: string, code: number, more: object = {}): Input => ({
  from: 'server',
  kind: 'http-response',
  exchange,
  http: { status: code, headers: {}, bodyBytes: 0, ...more },
});
const reply = (exchange: string, message: object): Input[] => [
  status(exchange, 200, { bodyBytes: 9 }),
  { from: 'server', kind: 'message', exchange, message },
];
const ask = (id: number | string, method = 'ping', params?: object): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params ? { params } : {}),
});
const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
const bare = (exchange: string, method: string, more: Partial<EventInput> = {}): Input[] => [
  {
    from: 'client',
    kind: 'http-request',
    exchange,
    http: {
      method,
      path: '/mcp',
      headers: method === 'GET' ? { accept: 'text/event-stream' } : { 'mcp-session-id': 'a' },
    },
    ...more,
  },
];
const answer = (id: number | string): object => ({ jsonrpc: '2.0', id, result: {} });

describe('over HTTP+SSE', () => {
  const open: Input[] = [
    { from: 'client', kind: 'http-request', exchange: 'x0', http: { method: 'GET', path: '/sse', headers: {} } },
    { from: 'server', kind: 'http-response', exchange: 'x0', http: { status: 200, headers: {} } },
    { from: 'server', kind: 'sse-open', exchange: 'x0' },
  ];
  const overLimit: Input = {
    from: 'server',
    kind: 'limit',
    exchange: 'x0',
    raw: '{',
    reason: 'JSON of more than 250000 values',
  };

  it('an event over the limit costs what was asked, unless its answer comes all the same', () => {
    const asked: Input[] = [...open, ...post('x1', ask(1)), status('x1', 202), overLimit];
    expect(tally(asked, { transport: 'sse' })).toMatchObject({
      sent: 1,
      unanswered: 1,
      causes: [{ cause: 'a reply over the limit', count: 1 }],
    });
    expect(
      tally([...asked, { from: 'server', kind: 'message', exchange: 'x0', message: answer(1) }], { transport: 'sse' })
        .unanswered,
    ).toBe(0);
  });
});

describe('over HTTP', () => {
  it.each([500, 501, 502, 503, 504, 429, 520])('%i is counted', (code) => {
    expect(
      tally([...post('x1', ask(1)), ...reply('x1', answer(1)), ...post('x2', ask(2)), status('x2', code)]),
    ).toEqual({
      sent: 2,
      unanswered: 1,
      causes: [{ cause: String(code), count: 1 }],
      ended: 0,
      events: [6],
    });
  });

  it.each([400, 401, 403, 404, 405, 410])('%i is a refusal, not a breakdown', (code) => {
    expect(tally([...post('x1', ask(1)), status('x1', code)])).toMatchObject({ sent: 1, unanswered: 0 });
  });

  it('so is a rate limit, which an error tells, until the request is sent once more', () => {
    const limited = { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'Rate limit exceeded' } };
    const asked = [...post('x1', ask(1)), ...reply('x1', limited)];
    expect(tally(asked)).toMatchObject({
      sent: 1,
      unanswered: 1,
      causes: [{ cause: 'a rate limit', count: 1 }],
      events: [2],
    });
    expect(tally([...asked, ...post('x2', ask(2), { repeats: 2 }), ...reply('x2', answer(2))])).toMatchObject({
      sent: 1,
      unanswered: 0,
      causes: [],
    });
    expect(
      tally([...asked, ...post('x2', ask(2)), ...reply('x2', answer(2))], { own: false }),
      'in a capture',
    ).toMatchObject({ sent: 1, unanswered: 0 });
    const stdio: Input[] = [
      { from: 'client', kind: 'message', message: ask(1) },
      { from: 'server', kind: 'message', message: limited },
    ];
    expect(tally(stdio, { transport: 'stdio' })).toMatchObject({ sent: 1, unanswered: 1 });
    const framed = stdio.map((one) => (one.from === 'client' ? { ...one, framing: 'split' as const } : one));
    expect(tally(framed, { transport: 'stdio' }), 'written in pieces, which is not done again').toMatchObject({
      sent: 1,
      unanswered: 0,
    });
  });

  it('an answer under status 500 is an answer; under 502 it is not that of the server', () => {
    const under = (code: number): RequestTally =>
      tally([
        ...post('x1', ask(1)),
        status('x1', code, { bodyBytes: 9 }),
        { from: 'server', kind: 'message', exchange: 'x1', message: answer(1) },
      ]);
    expect(under(500).unanswered).toBe(0);
    expect(under(502).unanswered).toBe(1);
  });

  it('whatever answers a deliberate deviation or a trial is not counted', () => {
    expect(
      tally([
        ...post('x1', ask(1), { deviation: 'no such method' }),
        status('x1', 500),
        ...post('x2', note, { deviation: 'unknown' }),
        status('x2', 502),
        ...bare('x3', 'GET', { deviation: 'removed' }),
        status('x3', 502),
        ...post('x4', ask(2), { trial: true }),
        { from: 'server', kind: 'closed', exchange: 'x4', what: 'connection', reason: 'ECONNRESET' },
      ]),
    ).toEqual({ sent: 0, unanswered: 0, causes: [], ended: 0, events: [] });
  });

  it.each<[string, Input[]]>([
    ['a notification', post('x1', note)],
    ['a response', post('x1', answer(7))],
    ['GET', bare('x1', 'GET')],
    ['DELETE', bare('x1', 'DELETE')],
  ])('a breakdown in place of the reply to %s counts, though no message answers it', (what, sent) => {
    for (const code of [429, 500, 502, 503, 504, 520])
      expect(tally([...sent, status('x1', code)]), String(code)).toMatchObject({
        sent: 1,
        unanswered: 1,
        causes: [{ cause: `${code} to ${what}`, count: 1 }],
      });
    for (const code of [200, 202, 400, 404, 405, 501])
      expect(tally([...sent, status('x1', code)]), String(code)).toMatchObject({ sent: 0, unanswered: 0, causes: [] });
    // It says itself why it refused.
    const refusal: Input = {
      from: 'server',
      kind: 'message',
      exchange: 'x1',
      message: { jsonrpc: '2.0', id: null, error: { code: -32603, message: 'no' } },
    };
    expect(tally([...sent, status('x1', 500, { bodyBytes: 9 }), refusal]).unanswered).toBe(0);
    expect(tally([...sent, status('x1', 502, { bodyBytes: 9 }), refusal]).unanswered).toBe(1);
    const again = sent.map((one) => ({ ...one, exchange: 'x2' }));
    const marked = again.map((one) => ({ ...one, repeats: sent.length }));
    expect(tally([...sent, status('x1', 503), ...marked, status('x2', 202)])).toMatchObject({ sent: 0, unanswered: 0 });
    expect(tally([...sent, status('x1', 503), ...again, status('x2', 202)], { own: false })).toMatchObject({
      sent: 0,
      unanswered: 0,
    });
  });

  it('a notification whose connection is lost counts; a stream to listen on may end whenever the server likes', () => {
    const lost: Input = { from: 'server', kind: 'closed', exchange: 'x1', what: 'connection', reason: 'ECONNRESET' };
    expect(tally([...post('x1', note), lost])).toMatchObject({
      sent: 1,
      unanswered: 1,
      causes: [{ cause: 'the connection was lost', count: 1 }],
    });
    expect(tally([...bare('x1', 'GET'), lost])).toMatchObject({ sent: 0, unanswered: 0 });
    expect(
      tally([
        ...bare('x1', 'GET'),
        { from: 'server', kind: 'http-response', exchange: 'x1', http: { status: 200, headers: {} } },
        { from: 'server', kind: 'sse-open', exchange: 'x1' },
        { from: 'server', kind: 'sse-close', exchange: 'x1', reason: 'ECONNRESET: aborted' },
      ]),
    ).toMatchObject({ sent: 0, unanswered: 0 });
    // It is asked for something else than a stream of this protocol.
    // A server without a stream to listen on may know no GET at all, also right after the handshake.
    const inSession = {
      http: { method: 'GET', path: '/mcp', headers: { accept: 'text/event-stream', 'mcp-session-id': 'a' } },
    };
    expect(tally([...bare('x1', 'GET', inSession), status('x1', 404)])).toMatchObject({ sent: 0, unanswered: 0 });
    const streaming: Input[] = [
      ...bare('x1', 'GET'),
      { from: 'server', kind: 'http-response', exchange: 'x1', http: { status: 200, headers: {} } },
      { from: 'server', kind: 'sse-open', exchange: 'x1' },
    ];
    expect(tally([...streaming, ...bare('x2', 'GET'), status('x2', 500)]).unanswered).toBe(0);
    expect(
      tally([
        ...streaming,
        { from: 'server', kind: 'sse-close', exchange: 'x1', reason: 'ended by the server' },
        ...bare('x2', 'GET'),
        status('x2', 500),
      ]).unanswered,
    ).toBe(1);
    expect(
      tally([
        {
          from: 'client',
          kind: 'http-request',
          exchange: 'x1',
          http: { method: 'GET', path: '/favicon.ico', headers: {} },
        },
        status('x1', 502),
      ]),
    ).toMatchObject({ sent: 0, unanswered: 0 });
  });

  it('lost connections, cut bodies and replies over the limit are counted, each by its cause', () => {
    const { unanswered, causes } = tally([
      ...post('x1', ask(1)),
      { from: 'server', kind: 'closed', exchange: 'x1', what: 'connection', reason: 'ECONNRESET' },
      ...post('x2', ask(2)),
      status('x2', 200, { bodyBytes: undefined, body: '{"jsonrpc"' }),
      { from: 'server', kind: 'closed', exchange: 'x2', what: 'connection', reason: 'aborted' },
      ...post('x3', ask(3)),
      { from: 'server', kind: 'http-response', exchange: 'x3', http: { status: 200, headers: {} } },
      { from: 'server', kind: 'closed', exchange: 'x3', what: 'connection', reason: 'aborted' },
      ...post('x4', ask(4)),
      { from: 'server', kind: 'http-response', exchange: 'x4', http: { status: 200, headers: {} } },
      { from: 'server', kind: 'limit', exchange: 'x4', reason: 'too long' },
      ...post('x5', ask(5)),
      { from: 'server', kind: 'http-response', exchange: 'x5', http: { status: 200, headers: {} } },
      { from: 'server', kind: 'sse-open', exchange: 'x5' },
      { from: 'server', kind: 'sse-close', exchange: 'x5', reason: 'ended by the server, within an event' },
    ]);
    expect(unanswered).toBe(5);
    expect(causes).toEqual([
      { cause: 'a reply that was cut off', count: 3 },
      { cause: 'a reply over the limit', count: 1 },
      { cause: 'the connection was lost', count: 1 },
    ]);
  });

  it('404 ends a session, as it may; in a session in which nothing was ever answered it is a breakdown', () => {
    const named = (exchange: string, id: number): Input[] => [
      {
        from: 'client',
        kind: 'http-request',
        exchange,
        http: { method: 'POST', path: '/mcp', headers: { 'mcp-session-id': 'a' } },
      },
      { from: 'client', kind: 'message', exchange, message: ask(id) },
    ];
    const begun = [...post('x1', ask(1, 'initialize')), ...reply('x1', answer(1))];
    expect(
      tally([...begun, ...named('x2', 2), ...reply('x2', answer(2)), ...named('x3', 3), status('x3', 404)]),
    ).toMatchObject({ sent: 3, unanswered: 0 });
    expect(tally([...begun, ...named('x2', 2), status('x2', 404)]).causes).toEqual([
      { cause: '404 in a session that had just begun', count: 1 },
    ]);
  });

  it.each<[string, (exchange: string) => Input[]]>([
    [
      'a stream that ends',
      (exchange) => [
        { from: 'server', kind: 'http-response', exchange, http: { status: 200, headers: {} } },
        { from: 'server', kind: 'sse-open', exchange },
        { from: 'server', kind: 'sse-close', exchange, reason: 'ended by the server' },
      ],
    ],
    ['an empty reply', (exchange) => [status(exchange, 202)]],
  ])('%s with its session counts where no request of the method was answered in any', (_, ends) => {
    const inSession = (exchange: string, id: number, method: string): Input[] => [
      {
        from: 'client',
        kind: 'http-request',
        exchange,
        http: { method: 'POST', path: '/mcp', headers: { 'mcp-session-id': 'a' } },
      },
      { from: 'client', kind: 'message', exchange, message: ask(id, method) },
    ];
    const called = [
      ...inSession('x1', 1, 'ping'),
      ...reply('x1', answer(1)),
      ...inSession('x2', 2, 'tools/call'),
      ...ends('x2'),
    ];
    const gone = [...called, ...inSession('x3', 3, 'ping'), status('x3', 404)];
    expect(tally(gone)).toMatchObject({
      sent: 3,
      unanswered: 1,
      causes: [{ cause: 'a reply that ended with its session', count: 1 }],
      events: [6],
    });
    expect(tally([...called, ...bare('x3', 'DELETE'), status('x3', 404)]).unanswered).toBe(1);
    const elsewhere = [...inSession('y1', 9, 'tools/call'), ...reply('y1', answer(9))].map((event) => ({
      ...event,
      session: 's2',
    }));
    expect(tally([...gone, ...elsewhere]).unanswered, 'answered in another one').toBe(0);
    // Rules judge what was cut short in a session that went on.
    expect(
      tally([
        ...called,
        ...inSession('x3', 3, 'ping'),
        ...reply('x3', answer(3)),
        ...inSession('x4', 4, 'ping'),
        status('x4', 404),
      ]).unanswered,
    ).toBe(0);
    expect(tally(called).unanswered).toBe(0);
  });

  it('a stream that is cut and resumed, and then answers, has answered', () => {
    const cut: Input[] = [
      ...post('x1', ask(1)),
      { from: 'server', kind: 'http-response', exchange: 'x1', http: { status: 200, headers: {} } },
      { from: 'server', kind: 'sse-open', exchange: 'x1' },
      { from: 'server', kind: 'sse-close', exchange: 'x1', reason: 'ECONNRESET: aborted' },
    ];
    expect(tally(cut).unanswered).toBe(1);
    expect(
      tally([
        ...cut,
        { from: 'client', kind: 'http-request', exchange: 'x2', http: { method: 'GET', path: '/mcp', headers: {} } },
        { from: 'server', kind: 'message', exchange: 'x2', message: answer(1) },
      ]).unanswered,
    ).toBe(0);
  });

  it('what the client drops, or loses while it deletes its session, is given up', () => {
    expect(
      tally([...post('x1', ask(1)), { from: 'client', kind: 'closed', exchange: 'x1', what: 'connection' }]).unanswered,
    ).toBe(0);
    const deleted: Input[] = [
      ...post('x1', ask(1)),
      { from: 'client', kind: 'http-request', exchange: 'x2', http: { method: 'DELETE', path: '/mcp', headers: {} } },
      { from: 'server', kind: 'closed', exchange: 'x1', what: 'connection', reason: 'aborted' },
    ];
    expect(tally(deleted).unanswered).toBe(0);
  });

  it('a request that was sent once more counts by its last try', () => {
    const first: Input[] = [...post('x1', ask(1)), status('x1', 429)];
    expect(tally([...first, ...post('x2', ask(2), { repeats: 2 }), ...reply('x2', answer(2))])).toMatchObject({
      sent: 1,
      unanswered: 0,
      causes: [],
    });
    expect(tally([...first, ...post('x2', ask(2), { repeats: 2 }), status('x2', 429)])).toMatchObject({
      sent: 1,
      unanswered: 1,
      causes: [{ cause: '429', count: 1 }],
    });
  });

  it('in a capture the same request tells that it was sent once more; another one does not', () => {
    const first: Input[] = [...post('x1', ask(1, 'tools/call', { name: 'a' })), status('x1', 503)];
    const again = (name: string): Input[] => [
      ...post('x2', ask(2, 'tools/call', { name, _meta: { progressToken: 9 } })),
      ...reply('x2', answer(2)),
    ];
    expect(tally([...first, ...again('a')], { own: false })).toMatchObject({ sent: 1, unanswered: 0 });
    expect(tally([...first, ...again('b')], { own: false })).toMatchObject({ sent: 2, unanswered: 1 });
    expect(tally([...first, ...again('a')], { own: true })).toMatchObject({ sent: 2, unanswered: 1 });
  });
});

describe('over HTTP+SSE', () => {
  it('the stream that is lost takes the answers with it', () => {
    const { causes } = tally(
      [
        { from: 'client', kind: 'http-request', exchange: 'x0', http: { method: 'GET', path: '/sse', headers: {} } },
        status('x0', 200, { bodyBytes: undefined }),
        ...post('x1', ask(1)),
        status('x1', 202),
        { from: 'server', kind: 'sse-close', exchange: 'x0', reason: 'ended by the server' },
      ],
      { transport: 'sse' },
    );
    expect(causes).toEqual([{ cause: 'the event stream was lost', count: 1 }]);
  });
});

describe('on stdio', () => {
  const stdio = { transport: 'stdio' } as const;
  const message = (text: object, more: Partial<EventInput> = {}): Input => ({
    from: 'client',
    kind: 'message',
    message: text,
    ...more,
  });
  const exit: Input = { from: 'server', kind: 'exit', exit: { code: 1, signal: null } };

  it('a process that ends takes what it was asked with it, and is counted itself', () => {
    expect(
      tally(
        [
          message(ask(1)),
          message(ask(2)),
          { from: 'server', kind: 'message', message: answer(1) },
          { from: 'server', kind: 'closed', what: 'stdout' },
          exit,
        ],
        stdio,
      ),
    ).toEqual({
      sent: 2,
      unanswered: 1,
      causes: [{ cause: 'the process ended', count: 1 }],
      ended: 1,
      events: [2],
    });
  });

  it('an end is no breakdown when the client closed stdin, when the checker stopped it, or after a deliberate fault', () => {
    expect(tally([message(ask(1)), { from: 'client', kind: 'closed', what: 'stdin' }, exit], stdio)).toMatchObject({
      unanswered: 0,
      ended: 0,
    });
    expect(tally([message(ask(1)), { ...exit, from: 'harness' }], stdio)).toMatchObject({ unanswered: 0, ended: 0 });
    expect(
      tally([{ from: 'client', kind: 'unparsable', raw: '{', deviation: 'no JSON' }, message(ask(1)), exit], stdio),
    ).toMatchObject({ unanswered: 0, ended: 0 });
    expect(
      tally(
        [
          { from: 'client', kind: 'unparsable', raw: '{', deviation: 'no JSON' },
          message(ask(1)),
          { from: 'server', kind: 'message', message: answer(1) },
          message(ask(2)),
          exit,
        ],
        stdio,
      ),
    ).toMatchObject({ unanswered: 1, ended: 1 });
  });

  it('the first process of a server that bears one only may end when a second is tried', () => {
    expect(
      tally(
        [
          message(ask(1)),
          { from: 'server', kind: 'message', message: answer(1) },
          { from: 'harness', kind: 'spawn', session: 's2', trial: true },
          exit,
        ],
        stdio,
      ),
    ).toMatchObject({ ended: 0 });
  });

  it('a request that timed out, or that was cancelled, is for rules to judge', () => {
    expect(tally([message(ask(1)), { from: 'harness', kind: 'timeout', awaited: 1 }, exit], stdio)).toMatchObject({
      unanswered: 0,
      ended: 1,
    });
    expect(
      tally(
        [
          message(ask(1)),
          message({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
          exit,
        ],
        stdio,
      ),
    ).toMatchObject({ unanswered: 0 });
  });

  it('a line over the limit costs what was asked', () => {
    expect(
      tally(
        [message(ask(1)), { from: 'server', kind: 'limit', raw: '{', reason: 'a line on stdout is too long' }],
        stdio,
      ).causes,
    ).toEqual([{ cause: 'a reply over the limit', count: 1 }]);
    // Its log, and what the checker let go.
    expect(
      tally(
        [
          message(ask(1)),
          { from: 'server', kind: 'limit', reason: 'too much log output' },
          { from: 'harness', kind: 'limit', reason: 'too many requests' },
          exit,
        ],
        stdio,
      ).causes,
    ).toEqual([{ cause: 'the process ended', count: 1 }]);
  });
});

it('holds no more than it has to of a long trace, and counts all of it', () => {
  const count = createUnansweredRequests({ transport: 'http', own: true });
  let seq = 0;
  for (let n = 0; n < 30_000; n += 1) {
    for (const event of [...post(`x${n}`, ask(n)), status(`x${n}`, 502)])
      count.push({ seq: (seq += 1), t: 0, session: `s${n % 5000}`, ...event } as TraceEvent);
  }
  expect(count.finish()).toMatchObject({ sent: 30_000, unanswered: 30_000 });
});
