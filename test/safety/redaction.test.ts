/** What the redactor finds: values in every usual form, at every place, split over texts; in time that grows with the text alone. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventInput, TraceEvent } from '../../src/core/model/trace.ts';
import { createRedactor } from '../../src/core/trace/redaction/redact.ts';
import { growthOf } from './cpu.ts';
import { thorough } from '../support/run/options.ts';

const secret = 'Zx9-Qv7/Lm3+Kd5 pT1';
const plain = 'k7Wm2Rt9Xb4Nc6Hd8';

let seq = 0;
const event = (more: Partial<EventInput>): TraceEvent => ({
  seq: (seq += 1),
  t: 0,
  session: 's1',
  from: 'server',
  kind: 'message',
  ...more,
});

/** Every way in which the tests look for a secret: as a human or a small program would. */
function leaks(text: string, value: string): boolean {
  const flat = (one: string): string => one.toLowerCase().replace(/[\r\n]/g, '');
  const all = flat(text);
  if (all.includes(flat(value)) || all.includes(Buffer.from(value).toString('hex'))) return true;
  const open = flat(
    text.replace(/%([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  );
  if (open.includes(flat(value))) return true;
  for (const run of text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? []) {
    for (let skip = 0; skip < 4; skip += 1)
      if (Buffer.from(run.slice(skip), 'base64').toString('latin1').includes(value)) return true;
  }
  return false;
}

const forms: Record<string, (value: string) => string> = {
  'as it is': (value) => `the key is ${value}.`,
  'in capitals': (value) => value.toUpperCase(),
  'in small letters': (value) => `x${value.toLowerCase()}y`,
  'base64, first alignment': (value) => Buffer.from(`${value} and more`).toString('base64'),
  'base64, second alignment': (value) => Buffer.from(`a${value} and more`).toString('base64'),
  'base64, third alignment': (value) => Buffer.from(`ab${value} and more`).toString('base64'),
  'base64 to its end': (value) => Buffer.from(`user:${value}`).toString('base64'),
  'base64 for addresses': (value) => Buffer.from(`?>${value}??>>`).toString('base64url'),
  hexadecimal: (value) => `0x${Buffer.from(value).toString('hex')}00`,
  'hexadecimal in capitals': (value) => Buffer.from(value).toString('hex').toUpperCase(),
  'escaped as a component': (value) => `https://h.example/${encodeURIComponent(value)}/x`,
  'escaped throughout': (value) => [...Buffer.from(value)].map((byte) => `%${byte.toString(16)}`).join(''),
  'escaped here and there': (value) => `${value.slice(0, 3)}%${value.charCodeAt(3).toString(16)}${value.slice(4)}`,
  'escaped twice': (value) =>
    encodeURIComponent([...Buffer.from(value)].map((byte) => `%${byte.toString(16)}`).join('')),
  'as a form': (value) => `a=1&v=${encodeURIComponent(value).replaceAll('%20', '+')}&b=2`,
  'in a literal of JavaScript': (value) => `"\\u00${value.charCodeAt(0).toString(16)}${value.slice(1)}"`,
  'in HTML': (value) => `<b>${value.replaceAll('+', '+')}</b>`,
  wrapped: (value) => `${value.slice(0, 7)}\r\n${value.slice(7, 12)}\n${value.slice(12)}`,
};

test.each(Object.keys(forms))(
  'a given value is found %s, in values, names, raw text, log lines, headers and addresses',
  (form) => {
    for (const value of [secret, plain]) {
      const redactor = createRedactor({ secrets: [value] });
      const written = forms[form]!(value);
      // Without the redactor the test would see it.
      expect(
        leaks(
          form === 'escaped twice'
            ? decodeURIComponent(written)
            : form === 'as a form'
              ? written.replaceAll('+', ' ')
              : form === 'in a literal of JavaScript'
                ? (JSON.parse(written) as string)
                : written,
          value,
        ),
      ).toBe(true);
      const events = [
        event({
          message: {
            id: 1,
            result: {
              content: [{ type: 'text', text: written }],
              [written]: 1,
              deep: [{ [`pre ${written}`]: [written] }],
            },
          },
        }),
        event({ message: {}, raw: JSON.stringify({ [written]: written, text: JSON.stringify({ inner: written }) }) }),
        event({ kind: 'unparsable', raw: `oops ${written} {` }),
        event({ kind: 'stderr', raw: written }),
        event({
          kind: 'http-response',
          http: {
            status: 500,
            headers: {
              [`x-${plain.toLowerCase() === value.toLowerCase() && /^[\w%-]+$/.test(written) ? written : 'none'}`]: 'y',
              'x-debug': written,
              location: `/a/${written}`,
            },
            body: `<p>${written}</p>`,
          },
        }),
        event({ kind: 'http-request', from: 'client', http: { method: 'GET', path: `/p?state=${written}` } }),
        event({ kind: 'sse-event', sse: { event: 'note', id: written, data: written } }),
        event({ kind: 'closed', what: 'connection', reason: written }),
      ].map((one) => JSON.stringify(redactor.event(one)));
      for (const one of events) {
        const shown = one.replaceAll('\\\\', '\\');
        for (const text of [
          shown,
          shown.replaceAll('\\n', '\n').replaceAll('\\r', '\r'),
          shown.replace(/%25/g, '%'),
          shown.replace(/\\u([0-9a-f]{4})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
        ]) {
          expect(leaks(text, value), `${form}: ${one}`).toBe(false);
        }
      }
      expect(leaks(redactor.text(written), value)).toBe(false);
    }
  },
);

test.each<[string, (text: string) => Partial<EventInput>]>([
  [
    'messages',
    (data) => ({
      message: { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', logger: 'app', data } },
    }),
  ],
  ['lines of a log', (raw) => ({ kind: 'stderr', raw })],
  ['lines that are no JSON', (raw) => ({ kind: 'unparsable', raw })],
  ['events of a stream', (data) => ({ kind: 'sse-event', sse: { event: 'note', data } })],
])('a value that is split over two or three %s does not stand there in whole', (_what, make) => {
  for (const encode of [
    (value: string) => value,
    (value: string) => Buffer.from(value).toString('base64'),
    (value: string) => Buffer.from(value).toString('hex'),
  ]) {
    const written = encode(plain);
    const parts = [
      ...Array.from({ length: written.length - 1 }, (_, at) => [written.slice(0, at + 1), written.slice(at + 1)]),
      [written.slice(0, 5), written.slice(5, 9), written.slice(9)],
    ];
    for (const pieces of parts) {
      const redactor = createRedactor({ secrets: [plain] });
      const texts = pieces.map((piece, index) =>
        index === 0 ? `out: ${piece}` : index === pieces.length - 1 ? `${piece} done` : piece,
      );
      const shown = texts.map((text) => JSON.stringify(redactor.event(event(make(text))))).join('');
      // At most the beginning may stand there: a part that would be found in text by chance.
      const longest = Math.max(...pieces.map((piece) => (shown.includes(piece) ? piece.length : 0)));
      expect(longest, `${pieces.join(' | ')}: ${shown}`).toBeLessThan(Math.max(8, written.length / 2));
      expect(shown).not.toContain(` ${pieces.at(-1)!} done`);
      if (pieces.at(-1)!.length > 2) expect(shown).not.toContain(`${pieces.at(-1)!} done`);
    }
  }
});

test('what only begins like a value stays, and so does what follows', () => {
  const redactor = createRedactor({ secrets: [plain, 'development-db-01', '/home/user/project'] });
  const tell = (data: string): unknown =>
    (redactor.event(event({ message: { params: { data } } })).message as { params: { data: string } }).params.data;
  for (const text of ['k7', 'nothing of it', 'development', 'is fine', '/home/user', '/other', 'k', '7'])
    expect(tell(text)).toBe(text);
});

test('words of the protocol are never hidden, even where a user gave them as values', () => {
  const redactor = createRedactor({
    secrets: ['tools', 'description', 'inputSchema', 'properties', 'streamable-http', 'resources/read'],
  });
  const message = {
    id: 1,
    result: {
      tools: [
        {
          name: 'a',
          description: 'description of properties',
          inputSchema: { type: 'object', properties: { required: { type: 'string' } } },
        },
      ],
      uri: 'resources/read',
    },
  };
  expect(redactor.event(event({ message })).message).toBe(message);
});

test("the user's own addresses: credentials, every value of the query and random parts of the path", () => {
  const address =
    'https://mona:octo%21cat99@h.example/s/9f8e7d6c5b4a39281706/mcp?tavilyApiKey=tvly-Ab3dE6&subscription-key=sub77x&v=1&pass=pw';
  const redactor = createRedactor({ addresses: [address] });
  const header = redactor.header({
    format: 'mcpc-trace',
    version: 1,
    origin: 'live',
    transport: 'http',
    target: { url: address, name: 'h.example/s/9f8e7d6c5b4a39281706/mcp' },
  });
  const { http } = redactor.event(
    event({
      kind: 'http-request',
      from: 'client',
      http: {
        method: 'POST',
        path: '/s/9f8e7d6c5b4a39281706/mcp?tavilyApiKey=tvly-Ab3dE6&subscription-key=sub77x&v=1&pass=pw',
      },
    }),
  );
  const shown = JSON.stringify([header, http, redactor.text('octo!cat99 or mona gave tvly-Ab3dE6; 1 page')]);
  for (const value of ['octo', 'mona', 'tvly', 'sub77x', '9f8e7d', '"v=1', '=pw', 'v=1'])
    expect(shown).not.toContain(value);
  expect(http?.path).toMatch(
    /^\/s\/[a-z0-9]{20}\/mcp\?tavilyApiKey=[a-z]{4}-\w{6}&subscription-key=\w{6}&v=\d&pass=[a-z]{2}$/,
  );
  expect(shown).toContain('1 page');
  for (const segment of ['mcp-server-2025-11-25', 'streamable-http-endpoint', 'organizations', 'v1.2.3-beta']) {
    const path = `/${segment}/mcp`;
    expect(createRedactor({ addresses: [`http://127.0.0.1:3000${path}`] }).text(path)).toBe(path);
  }
});

test('words of a command line behind a flag or a name that says secret', () => {
  const words = [
    'node',
    'server.js',
    '--api-key',
    'ak-11aa22',
    '--token=tk-33bb44',
    'API_KEY=ek-55cc66',
    '--openaiApiKey',
    'oa-77dd88',
    '-e',
    'DB_PASSWORD=dp-99ee00',
    '--header',
    'Authorization: Bearer hb-12ff34',
    'postgres://app:pq-56aa78@db.example/x',
    '--port',
    '3000',
    '--root',
    '/srv/data',
  ];
  const redactor = createRedactor({ commands: [words] });
  const { detail } = redactor.event(
    event({ kind: 'spawn', from: 'harness', detail: { command: 'node', args: words.slice(1) } }),
  );
  const shown =
    JSON.stringify(detail) +
    redactor.text(`started with ${words.join(' ')}`) +
    JSON.stringify(
      redactor.event(
        event({
          message: {
            result: { ak: 'ak-11aa22', 'tk-33bb44': 'x', more: 'ek-55cc66 oa-77dd88 dp-99ee00 hb-12ff34 pq-56aa78' },
          },
        }),
      ),
    );
  for (const value of words.join(' ').match(/[a-z]{2}-\d\d[a-z]{2}\d\d/g)!) expect(shown).not.toContain(value);
  for (const kept of ['server.js', '3000', '/srv/data', '--api-key', 'API_KEY=']) expect(shown).toContain(kept);
});

test('a text without a given value is untouched, and every value is found wherever it stands', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_%\\\n '), maxLength: 12 });
  const value = fc
    .string({ unit: fc.constantFrom(...'abcdefgXYZ0123456789-_'), minLength: 10, maxLength: 24 })
    .filter((one) => new Set(one).size > 5);
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), word, word, (values, before, behind) => {
      const redactor = createRedactor({ secrets: values });
      const ordinary = `${before} it ${behind}`;
      for (const one of values) {
        const out = redactor.text(`${before} ${one} ${behind}`);
        expect(out.includes(one) && out !== ordinary).toBe(false);
      }
    }),
  );
});

const filler = 'the quick brown fox jumps over it; ';
const worst: Record<string, string> = {
  'letters and =': 'a',
  'letters, dots and plus signs': 'a.+-',
  schemes: 'a://',
  'user names': 'a://bcdefgh:',
  'beginnings of web tokens': 'eyJ-',
  'parts of web tokens': 'eyJaaaaaaaa.eyJaaaaaaaa',
  'blanks behind bearer': 'bearer  ',
  'quotation marks': '"abc" ',
  escapes: '%2541',
  backslashes: '\\u0041\\',
  'line breaks': '\n\r',
  'beginnings of values': 'k7Wm2Rt9Xb4Nc6Hd',
  values: `${plain}${plain} `,
  'one letter that a learned value repeats': 'q',
  arrays: '[',
  'open objects': '{"a":',
  cookies: 'cookie',
  'private keys': '-----BEGIN A PRIVATE KEY-----',
  'plain words': filler,
};

test.runIf(thorough).each(Object.keys(worst))(
  'ten times the text takes at most fifteen times the CPU: %s',
  async (name) => {
    const part = worst[name]!;
    const redactor = createRedactor({
      secrets: [
        plain,
        secret,
        ...Array.from({ length: 50 }, (_, index) => `value-${index}-${'xyz'.repeat(index % 7)}`),
      ],
    });
    redactor.event(
      event({
        kind: 'http-response',
        http: {
          status: 200,
          headers: { 'x-api-key': 'q'.repeat(2000), 'mcp-session-id': '3f2b8c1e-9d47-4a60-b1c2-7e5d4f3a2b10' },
        },
      }),
    );
    const text = (length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length - 1);
    for (const made of [
      (length: number) => redactor.text(`${text(length)}=`),
      (length: number) =>
        redactor.event(
          event({
            message: { result: { text: text(length), list: Array.from({ length: length / 200 }, () => text(100)) } },
          }),
        ),
    ]) {
      const { smallMs, largeMs, linear } = await growthOf(made, 40_000);
      expect(linear, `${name}: ${smallMs} ms, then ${largeMs} ms`).toBe(true);
    }
  },
  60_000,
);

test('strings in deeply nested JSON within a string cost no more for their depth', async () => {
  const redactor = createRedactor();
  const nested = (length: number): string => {
    const depth = length / 4;
    return `${'['.repeat(depth)}${'"a",'.repeat(length / 8)}"b"${']'.repeat(depth)}`;
  };
  const { smallMs, largeMs, linear } = await growthOf(
    (length) => redactor.event(event({ message: { text: nested(length) } })),
    40_000,
  );
  expect(linear, `${smallMs} ms, then ${largeMs} ms`).toBe(true);
});

test('what is no JSON is cut to the limit of a line before it is looked at', () => {
  const redactor = createRedactor({ secrets: [plain] });
  const long = `${'x'.repeat(8190)}${plain} ${'y'.repeat(4_000_000)}`;
  for (const kind of ['unparsable', 'sse-close', 'stderr'] as const) {
    const { raw } = redactor.event(event({ kind, raw: long }));
    expect(raw).toHaveLength(8192);
  }
  expect(redactor.event(event({ kind: 'http-response', http: { status: 500, body: long } })).http?.body).toHaveLength(
    8192,
  );
  const json = JSON.stringify({ a: 'z'.repeat(20_000) });
  expect(redactor.event(event({ message: JSON.parse(json), raw: ` ${json}` })).raw).toHaveLength(json.length + 1);
});
