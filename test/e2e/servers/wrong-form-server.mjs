/**
 * A small server that answers, but not in MCP's form.
 *
 *   node wrong-form-server.mjs <form> [port]
 *
 * Without a port it speaks on stdio; with one over Streamable HTTP at /mcp and over HTTP+SSE at /sse.
 */
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const form = process.argv[2] ?? 'sound';
const port = process.argv[3];

const versions = {
  'version-latest': 'latest',
  'version-number': 20251125,
  'version-newer': '2031-01-01',
  'version-none': undefined,
};
const known = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const tool = {
  name: 'get_time',
  description: 'Tells the time.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};

function resultOf({ method, params }) {
  if (method === 'initialize') {
    const asked = params?.protocolVersion;
    const protocolVersion = form in versions ? versions[form] : known.includes(asked) ? asked : '2025-11-25';
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'wrong-form', version: '1' } };
  }
  if (method === 'ping') return {};
  if (method === 'tools/list') return { tools: [tool] };
  if (method === 'tools/call' && params?.name === tool.name) return { content: [{ type: 'text', text: '12:00' }] };
  return undefined;
}

const ids = { 'id-as-text': String, 'id-null': () => null, 'id-of-another': () => 4711, 'id-none': () => undefined };

const invalid = (id) => ({ jsonrpc: '2.0', id, error: { code: -32600, message: 'Invalid Request' } });

/** The answer to a message; undefined where none is due. */
function answerTo(message) {
  if (typeof message !== 'object' || message === null) return invalid(null);
  if (message.id === undefined || !('method' in message)) return undefined;
  if (typeof message.method !== 'string') return invalid(message.id);
  const id = form in ids ? ids[form](message.id) : message.id;
  if (form === 'neither') return { jsonrpc: '2.0', id };
  if (form === 'refuses-all') return { jsonrpc: '2.0', id, error: { code: -32603, message: 'not today' } };
  const result = resultOf(message);
  if (result) return { jsonrpc: '2.0', id, result };
  const unknown = message.method === 'tools/call';
  return {
    jsonrpc: '2.0',
    id,
    error: { code: unknown ? -32602 : -32601, message: unknown ? 'Unknown tool' : 'Method not found' },
  };
}

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
const refusal = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } };

const frames = {
  'content-length': (text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  'several-lines': (text) => `${JSON.stringify(JSON.parse(text), null, 2)}\n`,
  'no-newline': (text) => text,
  'behind-a-prefix': (text) => `[send] ${text}\n`,
  'two-in-a-line': (text) =>
    `${text}${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })}\n`,
  'logs-and-messages': (text) => `handling a request\n${text}\n`,
  'logs-alone': () => 'handling a request\n',
  'utf-16': (text) => Buffer.from(`${text}\n`, 'utf16le'),
};

function onStdio() {
  if (form === 'logs-alone') process.stdout.write('server starting\nlistening on stdin\n');
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const message = parsed(line);
      const answer = message === undefined ? refusal : answerTo(message);
      if (answer) process.stdout.write((frames[form] ?? ((text) => `${text}\n`))(JSON.stringify(answer)));
    })
    .on('close', () => process.exit(0));
}

const page = '<!doctype html><title>Hello</title><p>Nothing here but a page.';
const event = (text, name) => `${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`;

/** A whole reply to a POST of a request. */
const replies = {
  'text-plain': (text) => [200, 'text/plain', text],
  'no-media-type': (text) => [200, undefined, text],
  page: () => [200, 'text/html', page],
  empty: () => [200, 'application/json', ''],
  'accepted-only': () => [202, undefined, ''],
  'events-as-json': (text) => [200, 'application/json', event(text, 'message')],
  'json-as-events': (text) => [200, 'text/event-stream', text],
  'no-json': () => [200, 'application/json', 'ok'],
  'error-500': () => [500, 'text/plain', 'Internal Server Error'],
  'error-400': () => [400, 'text/html', page],
  'not-found': () => [404, 'text/html', page],
};

function send(response, [status, type, body]) {
  response.writeHead(status, type === undefined ? {} : { 'content-type': type });
  response.end(body);
}

const endpoints = {
  'endpoint-of-another-name': () => event('/messages', 'url'),
  'endpoint-as-json': () => event('{"uri":"/messages"}', 'endpoint'),
  'endpoint-none': () => ': connected\n\n',
  'endpoint-no-address': () => event('http://[', 'endpoint'),
  'endpoint-elsewhere': () => event(`http://localhost:${port}/messages`, 'endpoint'),
};

function onHttp() {
  const streams = new Map();
  createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const { pathname: path, search: own } = new URL(request.url, 'http://x');
    if (form === 'endpoint-elsewhere' && path === '/messages') process.stderr.write('posted to the other origin\n');
    if (form === 'breaks-down') return send(response, [500, 'text/plain', 'Internal Server Error']);
    const { origin, 'mcp-protocol-version': version } = request.headers;
    if (origin !== undefined && new URL(origin).host !== request.headers.host)
      return send(response, [403, 'text/plain', 'not from there']);
    if (path === '/sse') {
      if (request.method !== 'GET') return send(response, [405, 'text/plain', 'GET only']);
      if (form === 'sse-page') return send(response, [200, 'text/html', page]);
      response.writeHead(200, { 'content-type': form === 'sse-as-text' ? 'text/plain' : 'text/event-stream' });
      const name = `?session=${streams.size + 1}`;
      streams.set(name, response);
      return response.write((endpoints[form] ?? (() => event(`/messages${name}`, 'endpoint')))());
    }
    const message = parsed(text);
    if (path === '/mcp' && version !== undefined && !known.includes(version))
      return send(response, [400, 'text/plain', 'unknown version']);
    if (message === undefined && request.method === 'POST')
      return send(response, [400, 'application/json', JSON.stringify(refusal)]);
    const answer = answerTo(message);
    const body = JSON.stringify(answer);
    if (path === '/messages') {
      if (form === 'answers-in-post' && answer) return send(response, [200, 'application/json', body]);
      send(response, [202, undefined, '']);
      if (answer && form !== 'silent-stream')
        streams.get(own)?.write(event(body, form === 'event-of-another-name' ? 'response' : 'message'));
      return undefined;
    }
    if (path !== '/mcp') return send(response, [404, 'text/plain', 'not here']);
    if (request.method !== 'POST') return send(response, [405, undefined, '']);
    if (!answer) return send(response, [202, undefined, '']);
    return send(response, replies[form]?.(body) ?? [200, 'application/json', body]);
  }).listen(Number(port), '127.0.0.1');
}

if (port === undefined) onStdio();
else onHttp();
