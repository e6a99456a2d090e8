/** The operators of faults on values alone: which messages and replies they befall, and what becomes of those. */
import { describe, expect, test } from 'vitest';
import { describeFault } from '../../src/core/faults/describe.ts';
import { removeAt, setAt } from '../../src/core/faults/edit-path.ts';
import { createFaultEngine, type Outgoing } from '../../src/core/faults/engine.ts';
import type { Fault } from '../../src/core/model/rules/mutation.ts';

type Json = Record<string, unknown>;

const connection = {};
const tools = { tools: [{ name: 'echo', inputSchema: { type: 'object' } }, { name: 'add' }] };
const result = (method: string, value: unknown = {}): Outgoing => ({
  message: { jsonrpc: '2.0', id: 1, result: value },
  kind: 'result',
  method,
  connection,
});
const error = (method: string, code: number): Outgoing => ({
  message: { jsonrpc: '2.0', id: 1, error: { code, message: 'no' } },
  kind: 'error',
  method,
  connection,
});
const notification = (method: string, params?: Json): Outgoing => ({
  message: { jsonrpc: '2.0', method, ...(params ? { params } : {}) },
  kind: 'notification',
  method,
  connection,
});

function sent(fault: Fault, ...messages: Outgoing[]): Json[] {
  const engine = createFaultEngine(fault);
  return messages.flatMap((one) => engine.send(one)).map(({ message }) => message);
}

describe('a JSONPath', () => {
  test.each<[string, string, unknown]>([
    ['a member', '$.a.b', { a: { b: 'new', c: [1, 2] }, list: [{ n: 1 }, { n: 2 }] }],
    ['a member that is missing', '$.a.x', { a: { b: 0, c: [1, 2], x: 'new' }, list: [{ n: 1 }, { n: 2 }] }],
    ['an item', '$.a.c[1]', { a: { b: 0, c: [1, 'new'] }, list: [{ n: 1 }, { n: 2 }] }],
    ['what a filter chooses', '$.list[?@.n==2].n', { a: { b: 0, c: [1, 2] }, list: [{ n: 1 }, { n: 'new' }] }],
    [
      'all of them',
      '$.list[*].m',
      {
        a: { b: 0, c: [1, 2] },
        list: [
          { n: 1, m: 'new' },
          { n: 2, m: 'new' },
        ],
      },
    ],
    ['at any depth, where it is there', '$..n', { a: { b: 0, c: [1, 2] }, list: [{ n: 'new' }, { n: 'new' }] }],
    [
      'nothing where there is no such object',
      '$.no.such.member',
      { a: { b: 0, c: [1, 2] }, list: [{ n: 1 }, { n: 2 }] },
    ],
    ['the whole', '$', 'new'],
  ])('sets %s', (_title, path, wanted) => {
    const value = { a: { b: 0, c: [1, 2] }, list: [{ n: 1 }, { n: 2 }] };
    const before = structuredClone(value);
    expect(setAt(value, path, () => 'new')).toEqual(wanted);
    expect(value).toEqual(before);
  });

  test('removes members and items, several of one list too', () => {
    expect(removeAt({ list: [1, 2, 3], a: { b: 1 } }, '$.list[0,2]')).toEqual({ list: [2], a: { b: 1 } });
    expect(removeAt({ list: [{ n: 1 }, { n: 2, m: 3 }] }, '$.list[*].n')).toEqual({ list: [{}, { m: 3 }] });
  });

  test('never reaches the prototype', () => {
    const set = setAt({ a: {} }, "$.a['__proto__']", () => ({ polluted: true })) as { a: object };
    expect(Object.keys(set.a)).toEqual(['__proto__']);
    expect(({} as Json).polluted).toBeUndefined();
  });
});

describe('a fault', () => {
  test.each<[string, Fault, Outgoing, Json[]]>([
    [
      'sets a value',
      { on: { reply: 'tools/list' }, set: '$.result.tools[0].inputSchema', to: 'text' },
      result('tools/list', tools),
      [{ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'echo', inputSchema: 'text' }, { name: 'add' }] } }],
    ],
    [
      'adds to a number',
      { on: { result: '*' }, set: '$.id', plus: 5 },
      result('ping'),
      [{ jsonrpc: '2.0', id: 6, result: {} }],
    ],
    [
      'adds to a text, and leaves what is none',
      { on: { result: '*' }, set: '$.id', plus: '-x' },
      result('ping'),
      [{ jsonrpc: '2.0', id: 1, result: {} }],
    ],
    [
      'makes a string of a number',
      { on: { result: '*' }, set: '$.id', as: 'string' },
      result('ping'),
      [{ jsonrpc: '2.0', id: '1', result: {} }],
    ],
    [
      'makes a number of a text that says one, and leaves what says none',
      { on: { result: '*' }, set: '$.result.values[*]', as: 'number' },
      result('ping', { values: ['7', 'x', ' ', true] }),
      [{ jsonrpc: '2.0', id: 1, result: { values: [7, 'x', ' ', true] } }],
    ],
    [
      'keeps 32 bits of a number',
      { on: { result: '*' }, set: '$.result.values[*]', as: 'int32' },
      result('ping', { values: [4_294_967_299, -1, 'x'] }),
      [{ jsonrpc: '2.0', id: 1, result: { values: [3, -1, 'x'] } }],
    ],
    [
      'removes a member',
      { on: { error: 'x' }, remove: '$.error.message' },
      error('x', -32601),
      [{ jsonrpc: '2.0', id: 1, error: { code: -32601 } }],
    ],
    [
      'repeats',
      { on: { notification: ['a', 'b'] }, repeat: 2 },
      notification('b'),
      [notification('b').message, notification('b').message, notification('b').message],
    ],
    ['drops', { on: { notification: '*' }, drop: true }, notification('b'), []],
    [
      'does several things',
      { on: { result: 'ping' }, set: '$.jsonrpc', to: '1.0', remove: '$.id', repeat: 1 },
      result('ping'),
      [
        { jsonrpc: '1.0', result: {} },
        { jsonrpc: '1.0', result: {} },
      ],
    ],
    [
      'befalls no other method',
      { on: { result: 'ping' }, drop: true },
      result('tools/list'),
      [result('tools/list').message],
    ],
    [
      'befalls no error where it names results',
      { on: { result: 'ping' }, drop: true },
      error('ping', 1),
      [error('ping', 1).message],
    ],
    ['befalls results and errors where it names replies', { on: { reply: 'ping' }, drop: true }, error('ping', 1), []],
    [
      'befalls no request where it names notifications',
      { on: { notification: 'ping' }, drop: true },
      { ...result('ping'), kind: 'request' },
      [result('ping').message],
    ],
    [
      'looks at values',
      { on: { error: '*', where: { '$.error.code': -32601 } }, drop: true },
      error('x', -32602),
      [error('x', -32602).message],
    ],
    [
      'looks at objects as a whole',
      { on: { notification: '*', where: { '$.params': { a: [1] } } }, drop: true },
      notification('b', { a: [1] }),
      [],
    ],
  ])('%s', (_title, fault, message, wanted) => {
    expect(sent(fault, message)).toEqual(wanted);
  });

  test('befalls the n-th message of each connection', () => {
    const fault: Fault = { on: { result: 'ping', nth: 2 }, drop: true };
    const other = { ...result('ping'), connection: {} };
    expect(sent(fault, result('ping'), other, result('tools/list'), result('ping'), result('ping'))).toHaveLength(4);
  });

  test('holds back, and sends other bytes', () => {
    const [sending] = createFaultEngine({
      on: { result: 'ping' },
      delay: 40,
      raw: '\ufeff{{message}}',
      encoding: 'utf16le',
      end: '',
    }).send(result('ping'));
    expect(sending).toEqual({
      message: result('ping').message,
      delayMs: 40,
      raw: { text: '\ufeff{{message}}', encoding: 'utf16le', end: '' },
    });
  });

  test('marks what is to go out on each listening stream', () => {
    const engine = createFaultEngine({ on: { notification: 'b' }, copy: true });
    expect(engine.send(notification('b'))).toEqual([{ message: notification('b').message, everywhere: true }]);
    expect(engine.send(notification('a'))).toEqual([{ message: notification('a').message }]);
  });

  test('changes status and headers of the replies that it names', () => {
    const reply = {
      verb: 'POST',
      posted: 'notification' as const,
      status: 202,
      headers: { 'Content-Type': 'a', keep: 'b' },
    };
    const engine = createFaultEngine({
      on: { http: { method: 'POST', status: 202 } },
      status: 200,
      header: { 'content-type': null, Extra: 'c' },
    });
    expect(engine.head(reply)).toEqual({ status: 200, headers: { keep: 'b', extra: 'c' } });
    expect(engine.head({ ...reply, status: 400 })).toEqual({ status: 400, headers: reply.headers });
    expect(engine.send(result('ping'))).toEqual([{ message: result('ping').message }]);
  });

  test('changes the reply that carries an answer', () => {
    const engine = createFaultEngine({ on: { error: 'tools/call' }, status: 418 });
    const reply = { verb: 'POST', posted: 'request' as const, method: 'tools/call', status: 200, headers: {} };
    expect(engine.head({ ...reply, message: { error: {} } }).status).toBe(418);
    expect(engine.head({ ...reply, message: { result: {} } }).status).toBe(200);
    expect(engine.head({ ...reply, method: 'ping', message: { error: {} } }).status).toBe(200);
  });

  test('hides headers of the requests that it names from the server', () => {
    const request = {
      verb: 'GET',
      headers: { origin: 'http://a.example', 'mcp-session-id': 's', accept: 'text/event-stream' },
      names: ['Origin', 'mcp-session-id', 'Accept'],
    };
    const engine = createFaultEngine({ on: { http: { method: 'GET' } }, hears: { origin: null, accept: '*/*' } });
    expect(engine.hear(request)).toEqual({ 'mcp-session-id': 's', accept: '*/*' });
    expect(engine.hear({ ...request, verb: 'POST' })).toEqual(request.headers);
    const inSession = createFaultEngine({ on: { http: { session: true } }, hears: { origin: null } });
    expect(inSession.hear(request)).toEqual({ 'mcp-session-id': 's', accept: 'text/event-stream' });
    expect(inSession.hear({ ...request, headers: { origin: 'http://a.example' } })).toEqual({
      origin: 'http://a.example',
    });
  });

  test('takes a request without a session for one of the session that was given last', () => {
    const engine = createFaultEngine({
      on: { http: { method: 'DELETE' } },
      hears: { 'mcp-session-id': '{{session}}' },
    });
    expect(engine.hear({ verb: 'DELETE', headers: {}, names: [] })).toEqual({});
    engine.head({ verb: 'POST', status: 200, headers: { 'Mcp-Session-Id': 'one' } });
    expect(engine.hear({ verb: 'DELETE', headers: {}, names: [] })).toEqual({ 'mcp-session-id': 'one' });
    expect(engine.hear({ verb: 'DELETE', headers: { 'mcp-session-id': 'two' }, names: ['Mcp-Session-Id'] })).toEqual({
      'mcp-session-id': 'two',
    });
  });

  test('sees headers only as it spells them', () => {
    const engine = createFaultEngine({ on: { http: { method: 'POST' } }, spelling: { 'mcp-name': 'Mcp-Name' } });
    const headers = { 'mcp-name': 'echo' };
    expect(engine.hear({ verb: 'POST', headers, names: ['Mcp-Name'] })).toEqual(headers);
    expect(engine.hear({ verb: 'POST', headers, names: ['mcp-name'] })).toEqual({});
  });

  test.each<[Fault, string]>([
    [
      { on: { http: { method: 'GET', session: true } }, hears: { origin: null } },
      'HTTP request by GET of a session: origin is not seen.',
    ],
    [
      { on: { http: { method: 'POST' } }, spelling: { 'mcp-name': 'Mcp-Name' } },
      'HTTP request by POST: Mcp-Name is seen only when written so.',
    ],
    [{ on: { notification: '*' }, copy: true }, 'Notification any method: is sent on each listening stream.'],
    [
      { on: { reply: 'tools/list' }, set: '$.result.tools', to: 5, repeat: 1 },
      'Answer to tools/list: $.result.tools is 5, is sent 2 times.',
    ],
    [
      { on: { error: '*', where: { '$.error.code': -32601 }, nth: 2 }, drop: true },
      'Error for any method with $.error.code -32601, number 2: is not sent.',
    ],
    [
      { on: { http: { method: 'POST', posted: 'notification' } }, status: 200, header: { allow: null } },
      'HTTP reply to POST of a notification: has status 200, has no header allow.',
    ],
  ])('is described: %j', (fault, text) => {
    expect(describeFault(fault)).toBe(text);
  });
});
