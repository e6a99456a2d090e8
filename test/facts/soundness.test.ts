/** Which requests a server is held to, and which only rules judge that ask for them. */
import { describe, expect, it } from 'vitest';
import { createFold } from '../../src/core/facts/fold/fold.ts';
import type { Subject } from '../../src/core/facts/state/subject.ts';
import type { EventInput, TraceEvent, TransportKind } from '../../src/core/model/trace.ts';

type Input = Partial<EventInput> & Pick<EventInput, 'from' | 'kind'>;

/** The word for each exchange, by its id; of an HTTP exchange without a message under its method. */
function words(events: readonly Input[], transport: TransportKind = 'stdio'): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const fold = createFold({ transport, methods: {}, knownRevisions: ['2025-11-25', '2026-07-28'] });
  const keep = (subjects: Iterable<Subject>): void => {
    for (const { kind, facts } of subjects) {
      if (kind === 'exchange') found[String(facts.id)] = facts.soundness;
      if (kind === 'http' && facts.carries === 'none') found[String(facts.method)] = facts.soundness;
    }
  };
  events.forEach((event, at) => keep(fold.push({ seq: at + 1, t: at, session: 's1', ...event } as TraceEvent)));
  keep(fold.end());
  return found;
}

const says = (from: 'client' | 'server', message: object, more: Partial<EventInput> = {}): Input => ({
  from,
  kind: 'message',
  message: { jsonrpc: '2.0', ...message },
  ...more,
});
const asks = (id: unknown, method = 'ping', params?: unknown, more: Partial<EventInput> = {}): Input =>
  says('client', { id, method, ...(params === undefined ? {} : { params }) }, more);
const serves = (id: unknown): Input => says('server', { id, result: {} });
const refuses = (id: unknown): Input => says('server', { id, error: { code: -32603, message: 'No' } });
const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', host: 'a:1' };

function post(
  id: number,
  message: object,
  more: Record<string, string> = {},
  marks: Partial<EventInput> = {},
): Input[] {
  const exchange = `x${id}`;
  return [
    {
      from: 'client',
      kind: 'http-request',
      exchange,
      http: { method: 'POST', path: '/mcp', headers: { ...headers, ...more } },
      ...marks,
    },
    says('client', { id, ...message }, { exchange, ...marks }),
    { from: 'server', kind: 'http-response', exchange, http: { status: 200, headers: {}, bodyBytes: 9 } },
    says('server', { id, result: {} }, { exchange }),
  ];
}

describe('a request is', () => {
  it('sound where nothing is wrong with it, whatever becomes of it', () => {
    const asked = [asks(1), serves(1), asks(2, 'tools/call', { name: 'a' }), refuses(2), asks(3)];
    expect(words(asked)).toEqual({ 1: 'sound', 2: 'sound', 3: 'sound' });
  });

  it('deviating where the checker says so', () => {
    expect(words([asks(1, 'tools/call', { name: 'none' }, { deviation: 'calls no tool' }), refuses(1)])).toEqual({
      1: 'deviating',
    });
  });

  it.each([
    ['of another version', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['with a method that is no string', { id: 1, method: 7 }],
    ['with params that are no object', { id: 1, method: 'ping', params: ['a'] }],
    ['with an id of a wrong type', { id: 1.5, method: 'ping' }],
    ['without the name of the tool', { id: 1, method: 'tools/call', params: { arguments: {} } }],
    ['without the address', { id: 1, method: 'resources/read' }],
    ['without what is to be completed', { id: 1, method: 'completion/complete', params: { ref: {} } }],
  ])('deviating by itself: %s', (_, message) => {
    expect(Object.values(words([says('client', message), refuses(message.id)]))).toEqual(['deviating']);
  });

  it('cancelled where it was taken back before its answer, and not after', () => {
    const cancel = (requestId: number): Input =>
      says('client', { method: 'notifications/cancelled', params: { requestId } });
    expect(words([asks(1), cancel(1), refuses(1), asks(2), serves(2), cancel(2)])).toEqual({
      1: 'cancelled',
      2: 'sound',
    });
  });

  it('disturbed where it got no result while something unreadable had not been outlived', () => {
    const garbage: Input = { from: 'client', kind: 'unparsable', raw: '{not json' };
    const asked = [asks(1), garbage, refuses(1), asks(2), refuses(2), asks(3), refuses(3)];
    expect(words(asked)).toEqual({ 1: 'disturbed', 2: 'disturbed', 3: 'sound' });
    expect(words([garbage, asks(1), serves(1)])).toEqual({ 1: 'sound' });
  });
});

describe('over HTTP a request has wrong headers', () => {
  const init = {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  };

  it.each([
    ['a foreign origin', { origin: 'http://evil.example' }],
    ['a version that does not exist', { 'mcp-protocol-version': '1999-01-01' }],
    ['a session that there is not', { 'mcp-session-id': 'other' }],
    ['a token without its text', { authorization: 'Bearer' }],
    ['types that MCP does not have', { accept: 'text/html' }],
    ['a body that is called a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ])('with %s', (_, more: Record<string, string>) => {
    expect(words([...post(1, init), ...post(2, { method: 'ping' }, more)], 'http')).toEqual({
      1: 'sound',
      2: 'wrong-headers',
    });
  });

  it('also where it has no body', () => {
    const get: Input = {
      from: 'client',
      kind: 'http-request',
      exchange: 'g',
      http: { method: 'GET', path: '/mcp', headers: { accept: 'text/event-stream', 'mcp-protocol-version': 'abc' } },
    };
    const gone: Input = { from: 'server', kind: 'http-response', exchange: 'g', http: { status: 404, headers: {} } };
    expect(words([...post(1, init), get, gone], 'http')).toMatchObject({ GET: 'wrong-headers' });
  });

  it('before it is malformed, so that one request has one fault', () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const right = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'prompts/get', 'mcp-name': 'a' };
    const ask = (params: object): object => ({ method: 'prompts/get', params: { _meta, ...params } });
    const { 'mcp-name': _name, ...nameless } = right;
    const asked = [
      ...post(1, ask({ name: 'a' }), right),
      ...post(2, ask({ name: 'a' }), nameless),
      ...post(3, ask({ name: 'b' }), right, { deviation: 'names another prompt' }),
      ...post(4, ask({ name: 'ä' }), { ...right, 'mcp-name': '=?base64?w6Q=?=' }),
      ...post(5, ask({ name: 'a', arguments: {} }), right, { deviation: 'leaves out an argument' }),
    ];
    expect(words(asked, 'http')).toEqual({
      1: 'sound',
      2: 'wrong-headers',
      3: 'wrong-headers',
      4: 'sound',
      5: 'deviating',
    });
  });
});
