/** The contract of the import formats, rule by rule: what each format may hold, and that they mean the same. */
import { describe, expect, test } from 'vitest';
import { answer, call, envelope, imported, refusal, rows, type Line } from './harness.ts';

/** Lines without what differs because the formats tell different times. */
const timeless = (lines: Line[]): unknown[] => lines.map(({ timestamp: _time, ...rest }) => rest);

describe('documented examples', () => {
  const json = envelope('streamable-http', [
    { timestamp_ms: 1000, request: call('call-1') },
    { timestamp_ms: 1001, response: answer('call-1') },
  ]);
  const stream = envelope('streamable-http', [
    { timestamp_ms: 1000, request: call('call-1') },
    { timestamp_ms: 1001, sse: { event: 'message', id: 'evt-1', data: answer('call-1') } },
  ]);
  const legacy = envelope('http-sse', [
    { timestamp_ms: 999, sse: { event: 'endpoint', id: 'evt-0', data: '/mcp/messages?session=legacy-session' } },
    { timestamp_ms: 1000, request: call('call-1') },
    { timestamp_ms: 1001, sse: { event: 'message', id: 'evt-1', data: JSON.stringify(answer('call-1')) } },
  ]);
  const lines = rows(call('call-1'), answer('call-1'));

  test('JSON reply, SSE reply, legacy SSE, lines and list give one episode', async () => {
    const expected = timeless((await imported(lines, 'jsonrpc')).lines);
    expect(expected).toHaveLength(4);
    for (const [input, format] of [
      [json, 'streamable-http'],
      [stream, 'streamable-http'],
      [legacy, 'http-sse'],
      [[call('call-1'), answer('call-1')], 'inspector'],
    ] as const) {
      expect(timeless((await imported(input, format)).lines)).toEqual(expected);
      // And the format is found without being named.
      expect((await imported(input, undefined)).result.format).toBe(format);
    }
    expect((await imported(lines, undefined)).result.format).toBe('jsonrpc');
  });

  test('transport context changes nothing in the episode', async () => {
    const dressed = structuredClone(stream) as { entries: Line[]; transport_context?: unknown; headers?: unknown };
    dressed.transport_context = { headers: { 'MCP-Protocol-Version': '2025-06-18', 'Mcp-Session-Id': 'session-123' } };
    dressed.headers = { 'X-Other': 'thing' };
    dressed.entries[1]!.transport_context = { status: 200, headers: { 'Last-Event-ID': 'evt-9' } };
    dressed.entries.push({
      timestamp_ms: 1001,
      sse: {
        event: 'message',
        id: 'evt-10',
        data: { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 50 } },
      },
    });
    const { text, wire } = await imported(dressed, 'streamable-http');
    expect(text).toBe((await imported(stream, 'streamable-http')).text);
    // It is kept in the trace of mcpc.
    const events = wire.slice(1, -1);
    expect(events[0]!.http.headers).toMatchObject({ 'mcp-protocol-version': '2025-06-18', 'x-other': 'thing' });
    expect(events[1]).toMatchObject({
      http: { status: 200, headers: { 'last-event-id': 'evt-9' } },
      sse: { event: 'message', id: 'evt-1' },
    });
    expect(events[2]!.sse.id).toBe('evt-10');
  });
});

describe('jsonrpc', () => {
  test('blanks around lines and between them do not matter', async () => {
    const { calls } = await imported(
      `\n  ${JSON.stringify(call(1))}\t\r\n\n   \r\n${JSON.stringify(answer(1))}`,
      'jsonrpc',
    );
    expect(calls[0]).toMatchObject({ result: { sum: 3 } });
  });

  test.each([
    ['a line that is no object', '"text"', /line 3: the message must be a JSON object/],
    ['a batch', JSON.stringify([call(2)]), /line 3: the message is a batch/],
  ])('refused with its line: %s', async (_title, line, text) => {
    expect(await refusal(rows(call(1), '', line), 'jsonrpc')).toMatch(text);
  });
});

describe('inspector', () => {
  test('an object with events', async () => {
    expect((await imported({ events: [call(1), answer(1)] }, 'inspector')).calls[0]).toMatchObject({
      result: { sum: 3 },
    });
  });

  test.each([
    ['a number', 5],
    ['an object without events', { a: 1 }],
    ['an empty list', []],
    ['events that are no list', { events: 3 }],
  ])('%s: no events, and a warning', async (_title, document) => {
    const { lines, result } = await imported(document, 'inspector');
    expect(lines).toHaveLength(2);
    expect(result.warnings.join()).toContain('no events found');
  });

  test('the export of the Inspector itself', async () => {
    const entries = [
      {
        id: 'n',
        timestamp: '2026-03-01T10:00:00.050Z',
        direction: 'notification',
        message: { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } },
      },
      {
        id: 'a',
        timestamp: '2026-03-01T10:00:00.000Z',
        direction: 'request',
        message: call(1, 'slow'),
        response: answer(1, { slow: true }),
        duration: 100,
      },
      {
        id: 'b',
        timestamp: '2026-03-01T10:00:00.010Z',
        direction: 'request',
        origin: 'client',
        message: call(2, 'quick'),
        response: answer(2, { quick: true }),
        duration: 5,
      },
    ];
    const { calls, start, wire } = await imported(entries, undefined);
    expect(calls.map(({ tool_name, result, timestamp }) => [tool_name, result, timestamp - start.timestamp])).toEqual([
      ['quick', { quick: true }, 15],
      ['slow', { slow: true }, 100],
    ]);
    expect(start.timestamp).toBe(Date.parse('2026-03-01T10:00:00.000Z'));
    expect(wire.slice(1, -1).map(({ from, t }) => [from, t])).toEqual([
      ['client', 0],
      ['client', 10],
      ['server', 15],
      ['server', 50],
      ['server', 100],
    ]);
  });

  test('invalid JSON', async () => {
    expect(await refusal('[{"jsonrpc":', 'inspector')).toMatch(
      /failed to parse MCP transcript .*invalid inspector JSON/,
    );
  });

  test('other things in the list are told', async () => {
    expect((await imported([{ foo: 1 }, call(1)], 'inspector')).result.warnings.join()).toContain(
      '1 of 2 entries are no JSON-RPC messages',
    );
  });
});

describe('envelopes', () => {
  test.each([
    [
      'another transport',
      { transport: 'http-sse', entries: [] },
      'transport must be "streamable-http", found "http-sse"',
    ],
    ['no transport', { entries: [] }, 'found "missing"'],
    ['a transport that is no text', { transport: 5, entries: [] }, '"transport" must be a string'],
    ['entries that are no list', { transport: 'streamable-http', entries: {} }, '"entries" must be a list'],
    ['a list in place of the envelope', [], 'it must be an object'],
  ])('refused: %s', async (_title, document, text) => {
    expect(await refusal(document, 'streamable-http')).toContain(text);
  });

  test('no entries are none', async () => {
    expect((await imported({ transport: 'http-sse' }, 'http-sse')).lines).toHaveLength(2);
  });

  test.each([
    [
      'two payloads',
      { request: call(2), response: answer(2) },
      'entry 2 must contain exactly one of request, response, or sse',
    ],
    ['no payload', { timestamp_ms: 4 }, 'entry 2 must contain exactly one'],
    ['payloads of null are none', { request: null, sse: null }, 'entry 2 must contain exactly one'],
    ['a negative time', { timestamp_ms: -1, request: call(2) }, 'entry 2: "timestamp_ms"'],
    ['a time with a fraction', { timestamp_ms: 1.5, request: call(2) }, 'entry 2: "timestamp_ms"'],
    ['a time that is text', { timestamp_ms: '1', request: call(2) }, 'entry 2: "timestamp_ms"'],
    ['an event name that is no text', { sse: { event: 5, data: 'x' } }, 'entry 2: "event"'],
    ['an event id that is no text', { sse: { id: 5, data: 'x' } }, 'entry 2: "id"'],
    ['an event without data', { sse: { event: 'message' } }, 'entry 2: a server-sent event must have "data"'],
    ['a batch', { request: [call(2)] }, 'entry 2: the message is a batch'],
    ['a payload that is no object', { response: 'text' }, 'entry 2: the message must be a JSON object'],
    ['an entry that is no object', 'text', 'entry 2: the entry of a streamable-http transcript must be an object'],
  ])('refused with the entry: %s', async (_title, entry, text) => {
    expect(await refusal(envelope('streamable-http', [{ request: call(1) }, entry]), 'streamable-http')).toContain(
      text,
    );
  });

  test.each([
    ['null as name of the event', { event: null, data: answer(1) }],
    ['no name of the event', { data: answer(1) }],
    ['null as id', { id: null, data: answer(1) }],
    ['data as text', { data: JSON.stringify(answer(1)) }],
    ['data as text of text', { data: JSON.stringify(JSON.stringify(answer(1))) }],
    ['unknown members', { data: answer(1), more: 1 }],
  ])('an event is a message: %s', async (_title, sse) => {
    for (const format of ['streamable-http', 'http-sse'] as const) {
      const { calls } = await imported(
        envelope(format, [{ request: call(1), extra: true }, { sse }], { extra: 1 }),
        format,
      );
      expect(calls[0]).toMatchObject({ result: { sum: 3 }, error: null });
    }
  });

  test.each([
    ['endpoint', { event: 'endpoint', data: '/messages?session=1' }],
    ['ping', { event: 'ping', data: '' }],
    ['a message under another name', { event: 'keep-alive', data: answer(1) }],
    ['text that is no JSON', { data: 'hello' }],
    ['JSON that is no message', { data: { a: 1 } }],
    ['a list', { data: [answer(1)] }],
    ['null', { data: null }],
  ])('an event means nothing: %s', async (_title, sse) => {
    for (const format of ['streamable-http', 'http-sse'] as const) {
      const { calls, wire } = await imported(envelope(format, [{ request: call(1) }, { sse }]), format);
      expect(calls[0]).toMatchObject({ result: null, error: 'timeout/no_response' });
      // It stays visible in the trace of mcpc.
      expect(wire[2]).toMatchObject({ kind: 'sse-event', from: 'server' });
    }
  });
});

describe('authorization discovery', () => {
  const challenge = 'Bearer resource_metadata="https://rs.example/.well-known/x", scope="files:read"';
  const visible = (flags: [boolean, boolean]): Line => ({
    visible: true,
    source_kind: 'www_authenticate',
    resource_metadata_visible: flags[0],
    authorization_servers_visible: false,
    scope_challenge_visible: flags[1],
  });
  const hidden = {
    visible: false,
    source_kind: 'unknown',
    resource_metadata_visible: false,
    authorization_servers_visible: false,
    scope_challenge_visible: false,
  };
  const discovered = async (
    entry: Line,
    format: 'streamable-http' | 'http-sse' = 'streamable-http',
    more: Line = {},
  ): Promise<Line> => {
    const { start, text } = await imported(envelope(format, [{ request: call(1) }, entry], more), format);
    expect(text).not.toContain('rs.example');
    expect(text).not.toContain('files:read');
    return start.meta.mcp.authorization_discovery as Line;
  };
  const reply = { response: { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'unauthorized' } } };

  test.each<[string, Line, [boolean, boolean]]>([
    [
      'both parameters',
      { transport_context: { status: 401, headers: { 'WWW-Authenticate': challenge } } },
      [true, true],
    ],
    [
      'one of them',
      { transport_context: { status: 401, headers: { 'www-authenticate': 'Bearer realm="x", SCOPE="y"' } } },
      [false, true],
    ],
    [
      'at the start of the value',
      { transport_context: { status: 401, headers: { 'www-authenticate': 'resource_metadata="x"' } } },
      [true, false],
    ],
    [
      'status_code, as text',
      { transport_context: { status_code: '401', headers: { 'Www-Authenticate': challenge } } },
      [true, true],
    ],
    [
      'http_status',
      { transport_context: { http_status: 401, headers: { 'WWW-AUTHENTICATE': challenge } } },
      [true, true],
    ],
    [
      'within response',
      { transport_context: { response: { status: 401, headers: { 'www-authenticate': challenge } } } },
      [true, true],
    ],
    ['beside the headers', { transport_context: { status: 401, 'www-authenticate': challenge } }, [true, true]],
    [
      'headers of the entry',
      { transport_context: { status: 401 }, headers: { 'www-authenticate': challenge } },
      [true, true],
    ],
    [
      'status among the headers of the entry',
      { headers: { status: 401, 'www-authenticate': challenge } },
      [true, true],
    ],
  ])('seen: %s', async (_title, context, flags) => {
    expect(await discovered({ ...reply, ...context })).toEqual(visible(flags));
    expect(await discovered({ ...reply, ...context }, 'http-sse')).toEqual(visible(flags));
  });

  test.each<[string, Line]>([
    ['another status', { ...reply, transport_context: { status: 403, headers: { 'www-authenticate': challenge } } }],
    ['no status', { ...reply, transport_context: { headers: { 'www-authenticate': challenge } } }],
    [
      'no parameter',
      { ...reply, transport_context: { status: 401, headers: { 'www-authenticate': 'Bearer realm="x"' } } },
    ],
    [
      'a parameter with a longer name',
      { ...reply, transport_context: { status: 401, headers: { 'www-authenticate': 'Bearer x_scope="y"' } } },
    ],
    [
      'on an event',
      { sse: { data: reply.response }, transport_context: { status: 401, headers: { 'www-authenticate': challenge } } },
    ],
    [
      'on a request',
      {
        request: { jsonrpc: '2.0', id: 2, method: 'ping' },
        transport_context: { status: 401, headers: { 'www-authenticate': challenge } },
      },
    ],
  ])('not seen: %s', async (_title, entry) => {
    expect(await discovered(entry)).toEqual(hidden);
  });

  test('not seen on the level of the transcript', async () => {
    expect(
      await discovered(reply, 'streamable-http', {
        transport_context: { status: 401, headers: { 'www-authenticate': challenge } },
      }),
    ).toEqual(hidden);
  });

  test('flags of several entries add up', async () => {
    const entries = [
      {
        response: reply.response,
        transport_context: { status: 401, headers: { 'www-authenticate': 'Bearer scope="a"' } },
      },
      {
        response: { ...reply.response, id: 2 },
        transport_context: { status: 401, headers: { 'www-authenticate': 'Bearer resource_metadata="b"' } },
      },
    ];
    expect(
      (await imported(envelope('streamable-http', entries), 'streamable-http')).start.meta.mcp.authorization_discovery,
    ).toEqual(visible([true, true]));
  });
});
