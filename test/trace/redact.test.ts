import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventInput, TraceEvent, TraceHeader } from '../../src/core/model/trace.ts';
import { mapStrings, mapStringsInText } from '../../src/core/trace/redaction/json-strings.ts';
import { createMasker } from '../../src/core/trace/redaction/mask.ts';
import { secretsOfEnvironment } from '../../src/check/run-redactor.ts';
import { createRedactor, type Redactor } from '../../src/core/trace/redaction/redact.ts';
import { thorough } from '../support/run/options.ts';

const key = Buffer.alloc(32, 7);
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
const uuid = '3f2b8c1e-9d47-4a60-b1c2-7e5d4f3a2b10';

let seq = 0;
const event = (more: Partial<EventInput>): TraceEvent => ({
  seq: (seq += 1),
  t: 0,
  session: 's1',
  from: 'server',
  kind: 'message',
  ...more,
});
const message = (redactor: Redactor, value: unknown): unknown => redactor.event(event({ message: value })).message;
const shape = (text: string): string => text.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/[0-9]/g, '0');

test('headers that carry credentials keep their name and scheme only', () => {
  const redactor = createRedactor({ key });
  const { http } = redactor.event(
    event({
      kind: 'http-request',
      http: {
        method: 'POST',
        path: '/mcp?api_key=topsecret1&page=2&access_token=abc123def',
        headers: {
          authorization: 'Bearer verysecret99',
          'proxy-authorization': 'Basic dXNlcjpwdw==',
          cookie: 'sid=s3cr3t; theme=dark',
          'x-api-key': ['key-one-11', 'key-two-22'],
          'x-goog-api-key': 'AIzaXXXX',
          accept: 'application/json, text/event-stream',
          origin: 'http://localhost:3000',
          'mcp-protocol-version': '2025-06-18',
          'mcp-param-token': 'plain',
        },
      },
    }),
  );
  expect(http).toEqual({
    method: 'POST',
    path: '/mcp?api_key=redactedr0&page=2&access_token=red012act',
    headers: {
      authorization: 'Bearer [redacted-1]',
      'proxy-authorization': 'Basic [redacted-2]',
      cookie: 'sid=[redacted-3]; theme=[redacted-4]',
      'x-api-key': ['[redacted-5]', '[redacted-6]'],
      'x-goog-api-key': '[redacted-7]',
      accept: 'application/json, text/event-stream',
      origin: 'http://localhost:3000',
      'mcp-protocol-version': '2025-06-18',
      'mcp-param-token': 'plain',
    },
  });
  // What a header taught is also hidden elsewhere.
  expect(redactor.event(event({ kind: 'stderr', raw: 'client said verysecret99!' })).raw).toBe(
    'client said redactedre01!',
  );
  const reply = redactor.event(
    event({
      kind: 'http-response',
      http: {
        status: 401,
        headers: {
          'set-cookie': ['sid=abc; Path=/; HttpOnly', 'b=c'],
          'www-authenticate':
            'Bearer resource_metadata="https://h.example/.well-known/oauth-protected-resource1", scope="a"',
          location: 'https://h.example/cb?code=q1w2e3&state=x',
          'content-type': 'text/html',
        },
        body: '<p>Bearer abc123def456 is wrong</p>',
      },
    }),
  ).http;
  expect(reply).toEqual({
    status: 401,
    headers: {
      'set-cookie': ['sid=[redacted-8]; Path=/; HttpOnly', 'b=[redacted-9]'],
      'www-authenticate':
        'Bearer resource_metadata="https://h.example/.well-known/oauth-protected-resource1", scope="a"',
      location: expect.stringMatching(/^https:\/\/h\.example\/cb\?code=(?!q1w2e3)[a-z]\d[a-z]\d[a-z]\d&state=x$/),
      'content-type': 'text/html',
    },
    body: expect.stringMatching(/^<p>Bearer (?!abc123def456)[a-z]{3}\d{3}[a-z]{3}\d{3} is wrong<\/p>$/),
  });
});

test('the CORS header about credentials says true, which is none', () => {
  const redactor = createRedactor({ key });
  const headers = { 'access-control-allow-credentials': 'true', 'x-api-token': 'true' };
  const { http } = redactor.event(event({ kind: 'http-response', http: { status: 200, headers } }));
  expect(http?.headers?.['access-control-allow-credentials']).toBe('true');
  expect(http?.headers?.['x-api-token']).not.toBe('true');
});

test('session ids: the same id has the same stand-in everywhere, of equal length and kind', () => {
  const redactor = createRedactor({ key });
  const of = (id: string): string => {
    const out = redactor.event(
      event({ kind: 'http-response', http: { status: 200, headers: { 'mcp-session-id': id } } }),
    );
    return out.http?.headers?.['mcp-session-id'] as string;
  };
  const standIn = of(uuid);
  expect(standIn).not.toBe(uuid);
  expect(standIn).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  expect(of(uuid)).toBe(standIn);
  // Elsewhere too: in a query, in a log, in a body, in an event id.
  expect(
    redactor.event(event({ kind: 'http-request', http: { method: 'POST', path: `/messages?sessionId=${uuid}` } })).http
      ?.path,
  ).toBe(`/messages?sessionId=${standIn}`);
  expect(redactor.text(`session ${uuid} opened`)).toBe(`session ${standIn} opened`);
  expect(redactor.event(event({ sse: { id: `${uuid}_7` }, message: {} })).sse?.id).toBe(`${standIn}_7`);
  const endpoint = redactor.event(
    event({ kind: 'sse-event', sse: { event: 'endpoint', data: `/messages?session_id=${'ab12'.repeat(4)}cdef90` } }),
  );
  const path = redactor.event(
    event({ kind: 'http-request', http: { path: `/messages?session_id=${'ab12'.repeat(4)}cdef90` } }),
  );
  expect(path.http?.path).toBe(endpoint.sse?.data);
  // Another run, another stand-in: the trace alone does not tell the id.
  const other = createRedactor().event(event({ kind: 'http-response', http: { headers: { 'mcp-session-id': uuid } } }));
  expect(other.http?.headers?.['mcp-session-id']).not.toBe(standIn);
});

test('session ids that are bad stay as they are, so that the trace still shows what is bad', () => {
  const { sessionId } = createMasker(key);
  for (const bad of [
    '1',
    'session-1',
    'aaaaaaaaaaaaaaaaaaaaaaaa',
    'with blank 0123456789abc',
    'caf\u00e9-0123456789-abcdef',
    '',
  ])
    expect(sessionId(bad)).toBe(bad);
});

test('stand-ins of session ids are distinct, and keep how far ids agree', () => {
  const id = fc.string({
    unit: fc.constantFrom(...'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.~'),
    minLength: 16,
    maxLength: 40,
  });
  const { sessionId } = createMasker(key);
  const common = (a: string, b: string): number => {
    let at = 0;
    while (at < a.length && a[at] === b[at]) at += 1;
    return at;
  };
  fc.assert(
    fc.property(id, id, fc.nat(15), (a, b, shared) => {
      const second = a.slice(0, shared) + b.slice(shared);
      fc.pre(new Set(a).size >= 10 && new Set(second).size >= 10);
      const [x, y] = [sessionId(a), sessionId(second)];
      expect(x.length).toBe(a.length);
      expect(x === y).toBe(a === second);
      expect(common(x, y)).toBe(common(a, second));
      expect(shape(x)).toBe(shape(a));
    }),
  );
});

test('what ties messages together is never altered', () => {
  const secret = 'hunter2hunter2';
  const redactor = createRedactor({ secrets: [secret, 'info', 'tools/list'], key });
  for (const tied of [
    { jsonrpc: '2.0', id: secret, method: secret },
    { jsonrpc: '2.0', id: jwt, result: { nextCursor: jwt } },
    { method: 'tools/list', params: { cursor: secret, _meta: { progressToken: secret } } },
    { method: 'notifications/progress', params: { progressToken: secret, progress: 1 } },
    { method: 'notifications/cancelled', params: { requestId: secret } },
    { method: 'notifications/message', params: { level: 'info', data: 'info' } },
    [{ id: secret, method: 'ping' }],
  ]) {
    expect(message(redactor, tied)).toBe(tied);
  }
  // An id further in is data.
  expect(message(redactor, { id: 1, result: { id: secret } })).toEqual({ id: 1, result: { id: 'redact0edreda1' } });
});

test('secret members, tokens and given values in messages, and as names of members', () => {
  const redactor = createRedactor({ secrets: ['Bearer given-value-42', 'p/w & x'], key });
  const out = message(redactor, {
    id: 1,
    result: {
      client_secret: 'abc',
      apiKey: 'K1',
      token: { type: 'string', default: '' },
      password: '',
      'given-value-42': 'given-value-42',
      url: 'https://user:pass1word@h.example/x?sig=AbC%2F12&q=ok#access_token=zz99',
      uri: 'db://table?key={key}',
      text: `{"refresh_token": "r-1", "count": 3} ${jwt}`,
      encoded: 'p%2Fw%20%26%20x',
      number: 42,
    },
  }) as { result: Record<string, unknown> };
  const text = JSON.stringify(out);
  for (const secret of ['"abc"', '"K1"', 'pass1word', 'AbC%2F12', 'zz99', 'r-1', jwt, 'p%2Fw'])
    expect(text).not.toContain(secret);
  expect(out.result).toMatchObject({
    token: { type: 'string', default: '' },
    password: '',
    number: 42,
    uri: 'db://table?key={key}',
    url: expect.stringMatching(
      /^https:\/\/user:[a-z]{4}\d[a-z]{4}@h\.example\/x\?sig=[A-Z][a-z][A-Z]%\d[A-Z]\d\d&q=ok#access_token=[a-z]{2}\d\d$/,
    ),
  });
  // A value as a name has the stand-in that it has as a value.
  expect(Object.keys(out.result)).not.toContain('given-value-42');
  expect(out.result['redac-tedre-01']).toBe('redac-tedre-01');
  expect(String(out.result['text'])).toContain('"count": 3');
});

test.each([
  'Bearer authentication is required here',
  'Basic authentication',
  'The token: see the manual',
  'max_tokens=100 is fine',
  'https://example.org/path?page=2&sort=asc',
  'git clone ssh://git@github.com/a/b',
  'e=mc2, a==b, x => y',
  'sk-short',
  'data:image/png;base64,iVBORw0KGgo=',
  'password must have 8 characters',
  'Tokens used: 512',
])('ordinary text stays: %s', (text) => {
  expect(createRedactor({ secrets: ['true', 'test', '3000', 'production', 'abc'], key }).text(text)).toBe(text);
});

test.each([
  ['Authorization: Bearer abc123def456ghi', 'abc123def456ghi'],
  ['curl -H "X-API-Key: 8f7d6e5c"', '8f7d6e5c'],
  ['GITHUB_TOKEN=ghx_something node server.js', 'ghx_something'],
  ['DB_PASSWORD="pa55"', 'pa55'],
  ["config { 'api_key': 'a1b2' }", 'a1b2'],
  [`sk-ant-${'a1B2'.repeat(8)}`, `sk-ant-${'a1B2'.repeat(8)}`],
  [`ghp_${'a1B2'.repeat(9)}`, `ghp_${'a1B2'.repeat(9)}`],
  ['AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
  ['xoxb-1234567890-abc', 'xoxb-1234567890-abc'],
  ['postgres://app:s3cr3t@db/x', 's3cr3t'],
  ['https://9f8e7d6c5b4a39281706@host/x', '9f8e7d6c5b4a39281706'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----', 'MIIEow'],
])('secrets in free text go: %s', (text, secret) => {
  const out = createRedactor({ key }).event(event({ kind: 'stderr', raw: text })).raw as string;
  expect(out).not.toContain(secret);
  expect(out).toHaveLength(text.length);
  expect(shape(out)).toBe(shape(text));
});

test('different secrets stay different, equal ones equal', () => {
  const { mask } = createMasker(key);
  const values = ['alpha', 'bravo', 'delta', 'ABCDE', '11111', '22222', '33333', 'a1', 'b2', 'tacos'];
  const masks = values.map(mask);
  expect(new Set(masks).size).toBe(values.length);
  expect(values.map(mask)).toEqual(masks);
  values.forEach((value, at) => {
    expect(masks[at]).not.toBe(value);
    expect(shape(masks[at] as string)).toBe(shape(value));
  });
});

test('raw text and parsed message are redacted alike, and the rest of raw stays as written', () => {
  const redactor = createRedactor({ secrets: ['hunter2hunter2'], key });
  const raw =
    ' {"id" : 1.0, "a":"x", "a":"say hunter2hunter2", "password":"p\\u0061ss", "list":["hunter2hunter2",2] , "hunter2hunter2":null}\r';
  const out = redactor.event(event({ message: JSON.parse(raw), raw }));
  expect(JSON.parse(out.raw as string)).toEqual(out.message);
  expect(out.raw).toMatch(
    /^ \{"id" : 1\.0, "a":"x", "a":"say \w+", "password":"reda", "list":\["\w+",2\] , "\w+":null\}\r$/,
  );
  expect(JSON.stringify(out.message)).toContain('"redact0edreda1":null');
  expect(out.raw).not.toContain('hunter2');
  expect(redactor.event(event({ kind: 'unparsable', raw: 'oops hunter2hunter2 {' })).raw).not.toContain('hunter2');
});

test('strings are replaced in text as in values, whatever the JSON', () => {
  const replace = (value: string, path: readonly (string | number)[]): string =>
    value.length % 2 === 0 ? `${path.join('/')}|${value}"\\` : value;
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (text, indent) => {
      const value: unknown = JSON.parse(text);
      const written = JSON.stringify(value, null, indent);
      expect(JSON.parse(mapStringsInText(written, replace))).toEqual(mapStrings(value, replace));
      expect(mapStringsInText(written, (one) => one)).toBe(written);
    }),
  );
});

test('redacting twice changes nothing more', () => {
  const redactor = createRedactor({ secrets: ['hunter2hunter2'], key });
  const first = redactor.event(
    event({
      kind: 'http-request',
      http: { path: '/mcp?token=abcdefgh1', headers: { authorization: 'Bearer abcdefgh1', cookie: 'a=b' } },
      raw: `hunter2hunter2 ${jwt} API_KEY=abc123xyz`,
      message: { password: 'correct horse battery' },
    }),
  );
  expect(redactor.event(first)).toEqual(first);
});

test('JSON in a text and the same data as structured content stay equal', () => {
  const redactor = createRedactor({ secrets: ['hunter2hunter2'], key });
  const data = {
    id: 'hunter2hunter2',
    token: 'it\'s "quoted"\n',
    next_token: 'n-1',
    list: [{ apiKey: 'k', url: 'https://h/?sig=abc1' }],
    type: 'hunter2hunter2',
    nested: '{"password":"p"}',
  };
  const out = message(redactor, {
    id: 1,
    result: { content: [{ type: 'text', text: JSON.stringify(data, null, 2) }], structuredContent: data },
  }) as {
    result: { content: { text: string }[]; structuredContent: unknown };
  };
  expect(JSON.parse(out.result.content[0]?.text as string)).toEqual(out.result.structuredContent);
  expect(JSON.stringify(out)).not.toMatch(/quoted|abc1|\bp\\*"/);
  expect(out.result.structuredContent).toMatchObject({
    next_token: 'n-1',
    type: 'hunter2hunter2',
    id: expect.not.stringContaining('hunter'),
  });
});

test('command lines and targets', () => {
  const redactor = createRedactor({ secrets: ['from-the-env-1'], key });
  const { detail } = redactor.event(
    event({
      kind: 'spawn',
      from: 'harness',
      detail: {
        command: 'node',
        args: [
          'server.js',
          '--api-key',
          'k-1',
          '--token=t-1',
          '--port',
          '3000',
          'SECRET_KEY=s-1',
          'from-the-env-1',
          '--key-file',
          'a.pem',
        ],
      },
    }),
  );
  expect(detail).toEqual({
    command: 'node',
    args: [
      'server.js',
      '--api-key',
      expect.not.stringContaining('k-1'),
      expect.stringMatching(/^--token=(?!t-1)/),
      '--port',
      '3000',
      expect.stringMatching(/^SECRET_KEY=(?!s-1)/),
      expect.not.stringContaining('env'),
      '--key-file',
      'a.pem',
    ],
  });
  const header: TraceHeader = {
    format: 'mcpc-trace',
    version: 1,
    origin: 'live',
    transport: 'http',
    target: {
      url: 'https://h.example/mcp?key=abc123',
      env: { NODE_ENV: 'production', DSN: 'some:dsn:9' },
      headers: { Authorization: 'Bearer zzz' },
    },
  };
  expect(redactor.header(header).target).toEqual({
    url: expect.not.stringContaining('abc123'),
    env: { NODE_ENV: 'production', DSN: expect.not.stringContaining('dsn') },
    headers: { Authorization: 'Bearer [redacted-1]' },
  });
});

test('kept secrets are kept, and an event without secrets is equal to itself', () => {
  const keeping = createRedactor({ secrets: ['hunter2hunter2'], keepSecrets: true });
  const secret = event({ message: { password: 'hunter2hunter2' } });
  expect(keeping.event(secret)).toBe(secret);
  const plain = event({
    message: {
      id: 1,
      result: {
        tools: [
          {
            name: 'echo',
            inputSchema: { type: 'object', properties: { token: { type: 'string' } }, required: ['token'] },
          },
        ],
      },
    },
    raw: '{ }',
    sse: { id: '1' },
  });
  expect(createRedactor().event(plain)).toEqual(plain);
});

test.runIf(thorough)('of very many session ids all are hidden in headers, and the first of them in text too', () => {
  const redactor = createRedactor({ key });
  const id = (n: number): string => `${n.toString(16).padStart(8, '0')}-9d47-4a60-b1c2-7e5d4f3a2b10`;
  const seen = new Set<unknown>();
  for (let n = 0; n < 2500; n += 1)
    seen.add(
      redactor.event(event({ kind: 'http-response', http: { headers: { 'mcp-session-id': id(n) } } })).http?.headers?.[
        'mcp-session-id'
      ],
    );
  expect(seen.size).toBe(2500);
  for (const n of [10, 2400]) expect(seen.has(id(n))).toBe(false);
  expect(redactor.text(`about ${id(10)}`)).not.toContain(id(10));
});

test('the working directory that every shell keeps is no secret; variables that name one are', () => {
  const folder = '/home/mona/projects/notes';
  expect(
    secretsOfEnvironment({ PWD: folder, OLDPWD: folder, DB_PASSWORD: 'pw-of-the-database', HOME: folder }),
  ).toEqual(['pw-of-the-database']);
  expect(createRedactor({ key, secrets: secretsOfEnvironment({ PWD: folder }) }).text(`node ${folder}/server.js`)).toBe(
    `node ${folder}/server.js`,
  );
});
