/**
 * Servers that nobody would write: legal JSON of an odd kind, schemas and ids made to be worked on for ever, streams and
 * headers that lead round in circles.
 *
 *   node odd.mjs <id> [port] <mark>
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { serve, sound } from './small-mcp.mjs';

const words = process.argv.slice(2);
const [id] = words;
const port = words.length > 2 ? words[1] : undefined;

const readOnly = { readOnlyHint: true };
const tool = (name, inputSchema = { type: 'object' }) => ({ name, inputSchema, annotations: readOnly });
const withTools = (tools) => serve(port, { answers: { ...sound, 'tools/list': () => ({ tools }) } });
/** A tool whose results have structured content. */
const withOutput = (properties, structuredContent) =>
  serve(port, {
    answers: {
      ...sound,
      'tools/list': () => ({ tools: [{ ...tool('get_a'), outputSchema: { type: 'object', properties } }] }),
      'tools/call': () => ({ content: [{ type: 'text', text: 'x' }], structuredContent }),
    },
  });
const nested = (levels) =>
  levels === 0 ? { type: 'string' } : { type: 'object', required: ['a'], properties: { a: nested(levels - 1) } };
/** Doubles at each level. */
const doubling = (levels) => ({
  type: 'object',
  $defs: Object.fromEntries(
    Array.from({ length: levels }, (_, n) => [
      `d${n}`,
      n === 0 ? { type: 'object' } : { allOf: [{ $ref: `#/$defs/d${n - 1}` }, { $ref: `#/$defs/d${n - 1}` }] },
    ]),
  ),
  allOf: [{ $ref: `#/$defs/d${levels - 1}` }],
});

/** Takes each line of stdin and writes what it likes. */
function lines(answer) {
  createInterface({ input: process.stdin })
    .on('line', (line) => answer(JSON.parse(line.startsWith('{') || line.startsWith('[') ? safe(line) : '{}'), line))
    .on('close', () => process.exit(0));
}
function safe(text) {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return '{}';
  }
}
const resultOf = (message) =>
  message.id === undefined
    ? undefined
    : { jsonrpc: '2.0', id: message.id, result: sound[message.method]?.(message) ?? {} };
const say = (value) => value && process.stdout.write(`${JSON.stringify(value)}\n`);
/** Takes each POST. */
function web(handle) {
  createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    handle(JSON.parse(safe(text || '{}')), request, response);
  }).listen(Number(port), '127.0.0.1');
}
const reply = (response, message, headers = {}) => {
  if (message === undefined) return response.writeHead(202).end();
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(message));
};

const behaviours = {
  'names-of-objects': () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then'];
    const schema = JSON.parse(
      `{"type":"object","required":["__proto__"],"properties":{${names.map((name) => `"${name}":{"type":"string"}`).join(',')}}}`,
    );
    serve(port, {
      answers: {
        ...sound,
        'tools/list': () => ({ tools: names.map((name) => tool(name, schema)) }),
        'tools/call': () =>
          JSON.parse(
            '{"content":[{"type":"text","text":"x","__proto__":{"a":1}}],"_meta":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}',
          ),
      },
    });
  },
  'schema-doubles': () => withTools([tool('read', doubling(40))]),
  'schema-of-itself': () =>
    withTools([
      tool('read', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'], allOf: [{ $ref: '#' }] }),
    ]),
  'schema-elsewhere': () =>
    withTools([
      tool('read', {
        type: 'object',
        properties: { a: { $ref: 'file:///etc/passwd' }, b: { $ref: 'http://127.0.0.1:9/schema.json' } },
        required: ['a', 'b'],
      }),
    ]),
  'schema-slow-pattern': () =>
    withTools([
      tool('read', {
        type: 'object',
        properties: {
          a: { type: 'string', pattern: '^(a+)+$', minLength: 40 },
          b: { type: 'string', pattern: '(x+x+)+y'.repeat(20) },
        },
        required: ['a', 'b'],
      }),
    ]),
  'schema-large-pattern': () =>
    withOutput(
      { a: { type: 'string', pattern: '((a|b|ab|ba|aab){1,30}[ab]{1,30}){1,30}c$' } },
      { a: `${Array.from({ length: 440_000 }, (_, n) => 'ab'[Math.floor(Math.sin(n) ** 2 * 2) % 2]).join('')}cab` },
    ),
  'schema-many-patterns': () =>
    withOutput(
      Object.fromEntries(
        Array.from({ length: 500 }, (_, n) => [
          `p${n}`,
          { type: 'string', pattern: `(?:${'ab'.repeat(148)}${1000 + n}){1000}` },
        ]),
      ),
      { p0: 'x' },
    ),
  'schema-endless-values': () =>
    withTools([
      tool('read', {
        type: 'object',
        properties: {
          a: { type: 'string', minLength: 1e12 },
          b: { type: 'array', minItems: 1e12, items: { type: 'array', minItems: 1e9 } },
          c: { type: 'number', multipleOf: 1e-300 },
          d: { type: 'object', minProperties: 1e9 },
        },
        required: ['a', 'b', 'c', 'd'],
      }),
    ]),
  'schema-deep': () => withTools([tool('read', nested(230))]),
  'schema-wide': () =>
    withTools([
      tool('read', {
        type: 'object',
        oneOf: Array.from({ length: 4000 }, (_, n) => ({
          required: [`k${n}`],
          properties: { [`k${n}`]: { enum: Array.from({ length: 20 }, (_unused, value) => value) } },
        })),
      }),
    ]),
  'many-tools': () => withTools(Array.from({ length: 15_000 }, (_, n) => tool(`get_${n % 100}`))),
  'giant-names': () =>
    serve(port, {
      answers: {
        ...sound,
        initialize: (message) => ({
          ...sound.initialize(message),
          serverInfo: { name: 'n'.repeat(3_000_000), version: 'v'.repeat(3_000_000) },
        }),
        'tools/list': () => ({
          tools: [
            tool(`get_${'x'.repeat(1_000_000)}`),
            tool('\ud800\udfff\ud83d\u202e\u001b[2J\u001b]52;c;eA==\u0007'),
          ],
        }),
      },
    }),
  'capabilities-of-no-kind': () =>
    serve(port, {
      answers: {
        ...sound,
        initialize: ({ params }) => ({
          protocolVersion: params.protocolVersion,
          capabilities: [[{ tools: 1 }], 'x', null],
          serverInfo: 7,
          instructions: { a: [] },
        }),
      },
    }),
  'version-of-no-kind': () =>
    serve(port, {
      answers: {
        ...sound,
        initialize: () => ({
          protocolVersion: { toString: null, length: 1e9 },
          capabilities: { tools: {} },
          serverInfo: { name: 'x', version: '1' },
        }),
      },
    }),
  'echoes-requests': () =>
    lines((message, line) => {
      if (message.method === 'initialize') return say(resultOf(message));
      process.stdout.write(`${line}\n`);
      return message.method === 'ping' && say(resultOf(message));
    }),
  'answers-a-thousandfold': () =>
    lines((message) => {
      for (let n = 0; n < (message.method === 'initialize' ? 1 : 1000); n += 1) say(resultOf(message));
    }),
  'answers-of-others': () =>
    lines((message) =>
      say(
        message.id === undefined
          ? undefined
          : { ...resultOf(message), id: message.method === 'initialize' ? message.id : Number(message.id) + 1 },
      ),
    ),
  'ids-out-of-range': () =>
    lines((message) => {
      say(resultOf(message));
      process.stdout.write(
        '{"jsonrpc":"2.0","id":1e400,"result":{}}\n{"jsonrpc":"2.0","id":-0,"result":{}}\n{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}\n{"jsonrpc":"2.0","id":1,"id":2,"result":{}}\n',
      );
    }),
  'marks-and-nuls': () =>
    lines((message) => {
      const answer = resultOf(message);
      if (answer)
        process.stdout.write(
          message.method === 'initialize'
            ? `${JSON.stringify(answer)}\n`
            : `\ufeff${JSON.stringify(answer)}\u0000\r\r\n\u2028\n`,
        );
    }),
  'sixteen-bits': () =>
    lines((message) => {
      const answer = resultOf(message);
      if (answer)
        process.stdout.write(
          message.method === 'initialize'
            ? `${JSON.stringify(answer)}\n`
            : Buffer.from(`${JSON.stringify(answer)}\n`, 'utf16le'),
        );
    }),
  'samples-in-twos': () => {
    let count = 0;
    lines((message) => {
      if (message.method !== undefined) say(resultOf(message));
      if (message.method === 'notifications/initialized' || message.method === undefined)
        for (let n = 0; n < 2; n += 1)
          say({
            jsonrpc: '2.0',
            id: `s${(count += 1)}`,
            method: 'sampling/createMessage',
            params: { maxTokens: 5, messages: [{ role: 'user', content: { type: 'text', text: 'x'.repeat(1000) } }] },
          });
    });
  },
  'changes-its-lists': () => {
    lines((message) => {
      say(resultOf(message));
      for (let n = 0; n < 500; n += 1) say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    });
  },
  'floods-stderr': () => {
    serve(port, {});
    const flood = () => {
      let ready = true;
      while (ready) ready = process.stderr.write('e'.repeat(65_536));
      process.stderr.once('drain', flood);
    };
    flood();
  },
  'never-reads': () => {
    process.stdin.pause();
    setInterval(() => {}, 1000);
  },
  'starts-hundreds': () => {
    const call = () => {
      for (let n = 0; n < 30; n += 1)
        spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
          stdio: 'ignore',
          detached: n % 2 === 0,
        }).unref();
      return { content: [] };
    };
    let once = false;
    serve(port, {
      answers: { ...sound, 'tools/call': (message) => (once ? sound['tools/call'](message) : ((once = true), call())) },
    });
  },
  'session-of-a-megabyte': () =>
    web((message, _request, response) => reply(response, resultOf(message), { 'mcp-session-id': 's'.repeat(60_000) })),
  'session-each-time': () => {
    let count = 0;
    web((message, _request, response) => reply(response, resultOf(message), { 'mcp-session-id': `s${(count += 1)}` }));
  },
  'resumes-for-ever': () => {
    let count = 0;
    web((message, request, response) => {
      if (request.method === 'DELETE') return response.writeHead(405).end();
      if (message.method === 'initialize' || (message.id === undefined && request.method === 'POST'))
        return reply(response, resultOf(message));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.end(`id: e${(count += 1)}\nretry: 0\ndata:\n\n`);
    });
  },
  'codings-of-codings': () =>
    web((message, _request, response) =>
      reply(response, resultOf(message), { 'content-encoding': Array.from({ length: 500 }, () => 'gzip').join(', ') }),
    ),
  'never-lets-go': () =>
    web((message, request, response) =>
      request.method === 'POST' ? reply(response, resultOf(message), { 'mcp-session-id': 'one' }) : undefined,
    ),
  'challenges-without-end': () =>
    web((_message, request, response) => {
      const here = `http://127.0.0.1:${port}`;
      if (request.url.includes('.well-known'))
        return response.writeHead(200, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            resource: `${here}/mcp`,
            authorization_servers: Array.from({ length: 5000 }, (_, n) => `${here}/as${n}`),
          }),
        );
      return response
        .writeHead(401, {
          'www-authenticate': Array.from(
            { length: 200 },
            (_, n) => `Bearer resource_metadata="${here}/.well-known/m${n}"`,
          ),
        })
        .end();
    }),
  'two-lengths': () => {
    createServer()
      .on('connection', (socket) => {
        socket.on('error', () => {});
        socket.on('data', () =>
          socket.write(
            'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\nContent-Length: 500\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
          ),
        );
      })
      .listen(Number(port), '127.0.0.1');
  },
  'answers-unasked': () =>
    web((message, _request, response) => {
      reply(response, resultOf(message));
      const { socket } = response;
      setImmediate(
        () =>
          socket.destroyed ||
          socket.write(
            'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 38\r\n\r\n{"jsonrpc":"2.0","id":99,"result":{} }',
          ),
      );
    }),
  'endpoint-of-no-kind': () =>
    createServer((request, response) => {
      if (request.method !== 'GET') return response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.write(
        `event: endpoint\ndata: javascript:${'x'.repeat(1_000_000)}\n\nevent: endpoint\ndata: //\n\n`,
      );
    }).listen(Number(port), '127.0.0.1'),
  'endpoints-without-end': () =>
    createServer((request, response) => {
      if (request.method !== 'GET') return response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let count = 0;
      const timer = setInterval(() => response.write(`event: endpoint\ndata: /messages?n=${(count += 1)}\n\n`), 5);
      return response.on('close', () => clearInterval(timer));
    }).listen(Number(port), '127.0.0.1'),
};

behaviours[id]();
