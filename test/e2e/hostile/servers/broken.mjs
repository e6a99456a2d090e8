/**
 * A sound server that breaks down in one way each: over stdio, Streamable HTTP and HTTP+SSE.
 *
 *   node broken.mjs <id> [port] [mark]
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const [id, port] = process.argv.slice(2);

const revisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const tools = [
  {
    name: 'echo',
    description: 'Gives the text back.',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'get-time',
    description: 'Tells the time.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: { readOnlyHint: true },
  },
];

const fault = (code, message) => ({ error: { code, message } });

/** The answer of a sound server; undefined for what is not answered. */
function answer(message) {
  if (typeof message !== 'object' || message === null || Array.isArray(message) || message.jsonrpc !== '2.0')
    return { jsonrpc: '2.0', id: null, ...fault(-32600, 'Invalid request') };
  if (typeof message.method !== 'string') return undefined;
  if (!('id' in message)) return undefined;
  if (typeof message.id !== 'string' && !Number.isInteger(message.id))
    return { jsonrpc: '2.0', id: null, ...fault(-32600, 'Invalid request') };
  return { jsonrpc: '2.0', id: message.id, ...outcome(message.method, message.params ?? {}) };
}

function outcome(method, params) {
  if (method === 'initialize') {
    if (typeof params.protocolVersion !== 'string') return fault(-32602, 'protocolVersion is missing');
    const protocolVersion = revisions.includes(params.protocolVersion) ? params.protocolVersion : revisions[0];
    return {
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'broken', version: '1.0.0' } },
    };
  }
  if (method === 'ping') return { result: {} };
  if (method === 'tools/list')
    return params.cursor === undefined ? { result: { tools } } : fault(-32602, 'There is no such page');
  if (method !== 'tools/call') return fault(-32601, 'There is no such method');
  const tool = tools.find(({ name }) => name === params.name);
  if (!tool) return fault(-32602, 'There is no such tool');
  const given = params.arguments ?? {};
  const said = tool.name === 'get-time' ? new Date().toISOString() : given.text;
  if (typeof said !== 'string')
    return { result: { content: [{ type: 'text', text: 'The text is missing.' }], isError: true } };
  return { result: { content: [{ type: 'text', text: said }] } };
}

const isRequest = (message) => typeof message?.method === 'string' && 'id' in message;
const isSound = (message) => isRequest(message) && answer(message).result !== undefined;

// stdio

/** What becomes of a line: the text to write, or nothing where the process has ended. */
const lineHabits = {
  'exits-in-mid-call': (message, say) => (message.method === 'tools/call' ? process.exit(1) : say()),
  'exits-on-second-call': (message, say) => {
    calls += message.method === 'tools/call' ? 1 : 0;
    return calls === 2 ? process.exit(0) : say();
  },
  'serves-three-requests': (message, say) => {
    say();
    if ((served += isRequest(message) ? 1 : 0) === 3) setImmediate(() => process.exit(0));
  },
  'aborts-in-mid-answer': (message, say) => {
    if (message.method !== 'tools/list') return say();
    process.stdout.write(JSON.stringify(answer(message)).slice(0, 60), () => process.abort());
  },
  'closes-stdout': (message, say) => (message.method === 'tools/call' ? process.stdout.end() : say()),
  'line-over-limit': (message, say) => {
    if (message.method !== 'tools/call') return say();
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: 'x'.repeat(20_000_000) }] } })}\n`,
    );
  },
};
let calls = 0;
let served = 0;

function serveStdio() {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, ...fault(-32700, 'Parse error') })}\n`);
      return;
    }
    const reply = answer(message);
    const say = () => void (reply && process.stdout.write(`${JSON.stringify(reply)}\n`));
    const habit = lineHabits[id];
    if (habit) habit(message, say);
    else say();
  });
  lines.on('close', () => process.exit(0));
}

// HTTP

const sessions = new Map();
let posts = 0;
let seed = 7;
/** The same numbers in every run. */
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
const bucket = { tokens: 12, at: Date.now() };

/** Whether the client asks faster than so many requests a second. */
function tooFast(rate) {
  const now = Date.now();
  bucket.tokens = Math.min(12, bucket.tokens + ((now - bucket.at) * rate) / 1000);
  bucket.at = now;
  if (bucket.tokens < 1) return true;
  bucket.tokens -= 1;
  return false;
}

const refuse =
  (code, headers = {}, body = '') =>
  (response) =>
    void response.writeHead(code, headers).end(body);
const page = '<!doctype html><title>Sign in</title><h1>Welcome to the corporate gateway</h1>';

/** In place of the answer to a POST that a sound server would answer with a result; true where it took the request over. */
const postHabits = {
  'always-502': () => refuse(502, { 'content-type': 'text/html' }, '<h1>502 Bad Gateway</h1>'),
  '502-after-ten': () => posts > 10 && refuse(502, { 'content-type': 'text/html' }, '<h1>502 Bad Gateway</h1>'),
  '500-on-calls': (message) =>
    message.method === 'tools/call' && refuse(500, { 'content-type': 'text/plain' }, 'Internal Server Error'),
  '504-now-and-then': () => posts > 3 && random() < 0.1 && refuse(504),
  '429-for-ever': () => posts > 10 && refuse(429, { 'retry-after': '3600' }),
  '429-with-retry-after': () => posts > 5 && tooFast(8) && refuse(429, { 'retry-after': '1' }),
  '429-without-retry-after': () => posts > 5 && tooFast(8) && refuse(429),
  '429-with-error-body': (message) =>
    posts > 10 &&
    refuse(
      429,
      { 'content-type': 'application/json', 'retry-after': '9999' },
      JSON.stringify({ jsonrpc: '2.0', id: message.id, ...fault(-32000, 'Too many requests') }),
    ),
  '503-with-date': () =>
    posts > 5 &&
    (unavailableFrom ??= Date.now()) + 1500 > Date.now() &&
    refuse(503, { 'retry-after': new Date(unavailableFrom + 2000).toUTCString() }),
  '503-with-nonsense': () => posts > 10 && refuse(503, { 'retry-after': 'tomorrow, perhaps; Infinity' }),
  '503-with-past-date': () => posts > 10 && refuse(503, { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }),
  'cuts-bodies': (message) =>
    message.method === 'tools/call' &&
    ((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
      response.write(JSON.stringify(answer(message)).slice(0, 30), () => response.destroy());
    }),
  resets: (message) => message.method === 'tools/list' && ((response) => void response.socket.resetAndDestroy()),
  'truncates-streams': (message) =>
    message.method === 'tools/call' &&
    ((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(answer(message)).slice(0, 30)}`, () => response.destroy());
    }),
  'cuts-streams': (message) =>
    message.method === 'tools/call' &&
    ((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': at work\n\n', () => response.destroy());
    }),
  'ends-streams-early': (message) =>
    message.method === 'tools/call' &&
    ((response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': at work\n\n')),
  'leaves-events-open': (message) =>
    message.method === 'tools/call' &&
    ((response) =>
      void response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: ${JSON.stringify(answer(message))}\n`)),
  'html-gateway': () => posts > 6 && refuse(200, { 'content-type': 'text/html' }, page),
  'html-gateway-at-once': () => refuse(200, { 'content-type': 'text/html' }, page),
  'body-over-limit': (message) =>
    message.method === 'tools/call' &&
    ((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(1024 * 1024, 0x20);
      const write = () => {
        while (!response.destroyed && response.write(chunk));
        response.once('drain', write);
      };
      write();
    }),
  'process-dies-on-calls': (message) => message.method === 'tools/call' && (() => process.exit(1)),
};
let unavailableFrom;

/** In place of the reply to what HTTP alone answers, and to anything at all. */
const requestHabits = {
  '502-on-notifications': (request, message) => message?.method !== undefined && !('id' in message) && refuse(502),
  '502-on-streams': (request) => request.method === 'GET' && refuse(502),
  '500-on-session-ends': (request) => request.method === 'DELETE' && refuse(500),
  '429-on-everything': () => (requests += 1) > 5 && tooFast(8) && refuse(429, { 'retry-after': '1' }),
  '503-on-first-notification': (request, message) =>
    message?.method === 'notifications/initialized' && (requests += 1) === 1 && refuse(503),
};
let requests = 0;

/** Whether a session is over, though the client has not ended it. */
const sessionHabits = {
  'sessions-of-eight': (session) => session.count > 8,
  'sessions-end-at-random': (session) => session.count > 1 && random() < 0.05,
  'sessions-never-live': () => true,
  'sessions-of-two': (session) => session.count > 1,
};

function serveHttp() {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => onHttp(request, response, text));
  });
  server.listen(Number(port), '127.0.0.1');
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function onHttp(request, response, text) {
  // What a sound server would refuse as well.
  if (id === 'always-502') return postHabits[id]()(response);
  const rude = requestHabits[id]?.(request, parsed(text));
  if (rude) return rude(response);
  const { host, origin } = request.headers;
  const json = (code, body, headers = {}) =>
    void response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  if (new URL(request.url, 'http://x').pathname !== '/mcp') return void response.writeHead(404).end();
  if (
    !/^(127\.0\.0\.1|localhost)(:|$)/.test(host ?? '') ||
    (origin !== undefined && !/\/\/(127\.0\.0\.1|localhost)(:|$)/.test(origin))
  )
    return void response.writeHead(403).end();
  if (request.method !== 'POST' && request.method !== 'DELETE')
    return void response.writeHead(405, { allow: 'POST, DELETE' }).end();
  const version = request.headers['mcp-protocol-version'];
  if (version !== undefined && !revisions.includes(version))
    return json(400, { jsonrpc: '2.0', id: null, ...fault(-32600, 'There is no such revision') });
  let message;
  if (request.method === 'POST') {
    try {
      message = JSON.parse(text);
    } catch {
      return json(400, { jsonrpc: '2.0', id: null, ...fault(-32700, 'Parse error') });
    }
  }
  const sound = message !== undefined && isSound(message);
  if (sound) posts += 1;
  const instead = sound && postHabits[id]?.(message);
  if (instead) return instead(response);
  const reply = message === undefined ? undefined : answer(message);
  if (message?.method === 'initialize') {
    const session = randomUUID();
    if (reply.result) sessions.set(session, { count: 0 });
    return json(200, reply, reply.result ? { 'mcp-session-id': session } : {});
  }
  const name = request.headers['mcp-session-id'];
  if (name === undefined) return json(400, { jsonrpc: '2.0', id: null, ...fault(-32600, 'Mcp-Session-Id is missing') });
  const session = sessions.get(name);
  if (session && sessionHabits[id]?.(session)) sessions.delete(name);
  if (!sessions.has(name)) return json(404, { jsonrpc: '2.0', id: null, ...fault(-32001, 'Session not found') });
  session.count += sound ? 1 : 0;
  if (message?.method === 'notifications/initialized') session.ready = true;
  // It serves nothing before it has been told that the handshake is over.
  if (id === '503-on-first-notification' && sound && message.method !== 'ping' && !session.ready)
    return json(200, { jsonrpc: '2.0', id: message.id, ...fault(-32600, 'Not initialized') });
  if (request.method === 'DELETE') {
    sessions.delete(name);
    return void response.writeHead(200).end();
  }
  if (reply === undefined) return void response.writeHead(202).end();
  return json(reply.id === null ? 400 : 200, reply);
}

// HTTP+SSE

const streamHabits = {
  'sse-502-on-posts': (message, { response }) =>
    message.method === 'tools/list' && response.writeHead(502).end('Bad Gateway'),
  'sse-429': (message, { response }) =>
    posts > 5 && tooFast(8) && response.writeHead(429, { 'retry-after': '1' }).end(),
  'sse-stream-dies': (message, { response, stream }) =>
    message.method === 'tools/call' && (response.writeHead(202).end(), stream.destroy()),
  'sse-stream-cut-in-event': (message, { response, stream }) =>
    message.method === 'tools/call' &&
    (response.writeHead(202).end(), stream.write('event: message\ndata: {"jsonrpc":"2.', () => stream.destroy())),
};

function serveSse() {
  const streams = new Map();
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://x');
    const { host, origin } = request.headers;
    if (
      !/^(127\.0\.0\.1|localhost)(:|$)/.test(host ?? '') ||
      (origin !== undefined && !/\/\/(127\.0\.0\.1|localhost)(:|$)/.test(origin))
    )
      return void response.writeHead(403).end();
    if (request.method === 'GET' && url.pathname === '/sse') {
      const name = randomUUID();
      streams.set(name, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: /messages?s=${name}\n\n`);
      response.on('close', () => streams.delete(name));
      return;
    }
    const stream = streams.get(url.searchParams.get('s'));
    if (request.method !== 'POST' || url.pathname !== '/messages' || !stream) return void response.writeHead(404).end();
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      let message;
      let reply;
      try {
        message = JSON.parse(text);
        reply = answer(message);
      } catch {
        reply = { jsonrpc: '2.0', id: null, ...fault(-32700, 'Parse error') };
      }
      if (isSound(message)) posts += 1;
      if (isSound(message) && streamHabits[id]?.(message, { response, stream })) return;
      response.writeHead(202).end('Accepted');
      if (reply !== undefined) stream.write(`event: message\ndata: ${JSON.stringify(reply)}\n\n`);
    });
  });
  server.listen(Number(port), '127.0.0.1');
}

if (port === undefined || Number.isNaN(Number(port))) serveStdio();
else if (id.startsWith('sse-')) serveSse();
else serveHttp();
