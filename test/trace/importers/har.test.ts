/** HAR files: which exchanges count, what becomes of them, and in which order their events stand. */
import { describe, expect, test } from 'vitest';
import { answer, call, imported, type Line } from './harness.ts';

const began = Date.UTC(2026, 0, 1);

interface Exchange {
  at?: number;
  took?: number;
  method?: string;
  url?: string;
  sent?: unknown;
  headers?: Line;
  status?: number;
  type?: string;
  reply?: Line;
  body?: string | undefined;
  size?: number;
  base64?: boolean;
}

function entry({
  at = 0,
  took = 10,
  method = 'POST',
  url = 'http://127.0.0.1:3000/mcp',
  sent,
  headers = {},
  status = 200,
  type = 'application/json',
  reply,
  body,
  size,
  base64,
}: Exchange): Line {
  const text = body ?? (reply === undefined ? undefined : JSON.stringify(reply));
  const list = (map: Line): Line[] => Object.entries(map).map(([name, value]) => ({ name, value }));
  return {
    startedDateTime: new Date(began + at).toISOString(),
    time: took,
    request: {
      method,
      url,
      headers: list({ ':authority': 'x', ...headers }),
      ...(sent === undefined ? {} : { postData: { text: JSON.stringify(sent) } }),
    },
    response: {
      status,
      headers: list({ 'Content-Type': type }),
      content: {
        size: size ?? text?.length ?? 0,
        ...(text === undefined ? {} : { text: base64 === true ? Buffer.from(text).toString('base64') : text }),
        ...(base64 === true ? { encoding: 'base64' } : {}),
      },
    },
  };
}

const har = (...entries: Line[]): Line => ({ log: { version: '1.2', entries } });
const kinds = (wire: Line[]): string[] =>
  wire
    .slice(1, -1)
    .map(
      ({ kind, from, message }) =>
        `${from} ${kind}${message === undefined ? '' : ` ${message.method ?? JSON.stringify(message.id)}`}`,
    );
const event = (data: unknown, more = ''): string => `${more}data: ${JSON.stringify(data)}\n\n`;

describe('exchanges', () => {
  test('a request with a JSON reply', async () => {
    const { wire, calls } = await imported(
      har(entry({ sent: call(1), reply: answer(1), headers: { 'MCP-Protocol-Version': '2025-06-18' } })),
      undefined,
    );
    expect(kinds(wire)).toEqual([
      'client http-request',
      'client message tools/call',
      'server http-response',
      'server message 1',
    ]);
    expect(wire[0]).toMatchObject({
      origin: 'import:har',
      transport: 'http',
      revision: '2025-06-18',
      recorded: { exchanges: true, timing: false, start: false },
    });
    expect(wire[1]!.http).toEqual({
      method: 'POST',
      path: '/mcp',
      headers: { host: '127.0.0.1:3000', 'mcp-protocol-version': '2025-06-18' },
    });
    expect(wire[3]!.http).toMatchObject({ status: 200, bodyBytes: JSON.stringify(answer(1)).length });
    expect(calls[0]).toMatchObject({ result: { sum: 3 } });
  });

  test('a body in base64', async () => {
    expect(
      (await imported(har(entry({ sent: call(1), reply: answer(1), base64: true })), 'har')).calls[0],
    ).toMatchObject({ result: { sum: 3 } });
  });

  test('what is no MCP is left out, and told', async () => {
    const page = entry({ method: 'GET', url: 'http://h/', type: 'text/html', body: '<p>' });
    const rest = entry({ sent: { a: 1 }, reply: { b: 2 } });
    const stream = entry({
      method: 'GET',
      url: 'http://h/live',
      type: 'text/event-stream',
      body: event({ price: 1 }),
      headers: { accept: 'text/event-stream' },
    });
    const { result, wire } = await imported(har(page, rest, stream, entry({ sent: call(1), reply: answer(1) })), 'har');
    expect(result.warnings.join()).toContain('3 of 4 exchanges carry no MCP');
    expect(kinds(wire)).toHaveLength(4);
    expect((await imported(har(page), 'har')).result.warnings.join()).toContain('no MCP found');
  });

  test('a reply whose body the archive left out is no reply at all', async () => {
    const { wire, result } = await imported(har(entry({ sent: call(1), size: 40 })), 'har');
    expect(kinds(wire)).toEqual(['client http-request', 'client message tools/call']);
    expect(result.warnings.join()).toContain('does not hold the body of 1 reply');
  });

  test('an accepted notification, an error page and a DELETE', async () => {
    const { wire } = await imported(
      har(
        entry({ sent: { jsonrpc: '2.0', method: 'notifications/initialized' }, status: 202, type: '' }),
        entry({ at: 20, sent: call(1), status: 500, type: 'text/html', body: '<h1>no</h1>' }),
        entry({ at: 40, method: 'DELETE', headers: { 'mcp-session-id': 'abc' } }),
      ),
      'har',
    );
    expect(kinds(wire)).toEqual([
      'client http-request',
      'client message notifications/initialized',
      'server http-response',
      'client http-request',
      'client message tools/call',
      'server http-response',
      'client http-request',
      'server http-response',
    ]);
    expect(wire[3]!.http.bodyBytes).toBe(0);
    expect(wire[6]!.http).toMatchObject({ status: 500, body: '<h1>no</h1>' });
  });

  test('a challenge is seen, its values are not told', async () => {
    const refused = entry({ sent: call(1), status: 401, body: '' });
    refused.response.headers.push({
      name: 'WWW-Authenticate',
      value: 'Bearer resource_metadata="https://rs.example/x"',
    });
    const { start, text } = await imported(har(refused), 'har');
    expect(start.meta.mcp.authorization_discovery).toMatchObject({
      visible: true,
      resource_metadata_visible: true,
      scope_challenge_visible: false,
    });
    expect(text).not.toContain('rs.example');
  });
});

describe('order', () => {
  test('exchanges that overlap stand as they happened', async () => {
    const { calls } = await imported(
      har(
        entry({ at: 0, took: 100, sent: call(1, 'slow'), reply: answer(1) }),
        entry({ at: 10, took: 5, sent: call(2, 'quick'), reply: answer(2) }),
      ),
      'har',
    );
    expect(calls.map(({ tool_name }) => tool_name)).toEqual(['quick', 'slow']);
  });

  test('a question on a stream stands before the answer to it, the rest of the stream behind', async () => {
    const question = { jsonrpc: '2.0', id: 's1', method: 'elicitation/create', params: {} };
    const note = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
    const body = `: hello\n\n${event(note)}${event(question, 'id: 5\n')}${event(answer(1))}`;
    const { wire } = await imported(
      har(
        entry({ sent: call(1), took: 200, type: 'text/event-stream', body }),
        entry({ at: 50, sent: answer('s1', { action: 'accept' }), status: 202 }),
      ),
      'har',
    );
    const order = kinds(wire);
    expect(order.indexOf('server message elicitation/create')).toBeGreaterThan(
      order.indexOf('server message notifications/message'),
    );
    expect(order.indexOf('client message "s1"')).toBeGreaterThan(order.indexOf('server message elicitation/create'));
    expect(wire.find(({ message }) => message?.method === 'elicitation/create')!.sse).toEqual({ id: '5' });
  });

  test('HTTP+SSE: what comes on the one stream stands behind what it answers', async () => {
    const first = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2024-11-05' } };
    const body = `event: endpoint\ndata: /messages?sessionId=1\n\n${event(answer(0, { protocolVersion: '2024-11-05' }), 'event: message\n')}${event(answer(1), 'event: message\n')}`;
    const post = {
      url: 'http://127.0.0.1:3000/messages?sessionId=1',
      status: 202,
      type: 'text/plain',
      body: 'Accepted',
    };
    const { wire, calls } = await imported(
      har(
        entry({ method: 'GET', url: 'http://127.0.0.1:3000/sse', took: 900, type: 'text/event-stream', body }),
        entry({ ...post, at: 10, sent: first }),
        entry({ ...post, at: 100, sent: call(1) }),
      ),
      undefined,
    );
    expect(wire[0]).toMatchObject({ transport: 'sse', recorded: { start: true } });
    const order = kinds(wire);
    expect(order.filter((one) => one.includes('message'))).toEqual([
      'client message initialize',
      'server message 0',
      'client message tools/call',
      'server message 1',
    ]);
    expect(calls).toHaveLength(1);
  });
});

describe('connections', () => {
  test('are told by session ids, and by initialize', async () => {
    const hello = (id: number): Line => ({ jsonrpc: '2.0', id, method: 'initialize', params: {} });
    const { wire } = await imported(
      har(
        entry({ at: 0, sent: hello(0), reply: answer(0) }),
        entry({ at: 20, sent: hello(0), reply: answer(0) }),
        entry({ at: 40, sent: call(1), reply: answer(1), headers: { 'mcp-session-id': 'a' } }),
        entry({ at: 60, sent: call(2), reply: answer(2), headers: { 'mcp-session-id': 'b' } }),
      ),
      'har',
    );
    expect([...new Set(wire.slice(1, -1).map(({ session }) => session))]).toEqual(['s1', 's2', 's3', 's4']);
    for (let at = 0; at < 4; at += 1)
      expect(new Set(wire.slice(1 + at * 4, 5 + at * 4).map(({ session }) => session)).size).toBe(1);
  });
});
