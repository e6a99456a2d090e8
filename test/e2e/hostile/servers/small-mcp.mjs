/**
 * A small sound MCP server, for hostile ones that differ from it in one thing. `serve` speaks on stdio without a port,
 * else over Streamable HTTP at any path and over HTTP+SSE at /sse.
 */
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const tool = {
  name: 'echo',
  description: 'Says what it is told',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true },
};

/** What a sound server answers, by method. */
export const sound = {
  initialize: ({ params }) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'hostile', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ params }) => ({ content: [{ type: 'text', text: String(params.arguments?.text) }] }),
};

/** The answer to a message; undefined for none, a promise where it takes time. */
export function answerOf(answers, message) {
  if (message.id === undefined || message.method === undefined) return undefined;
  const answer = answers[message.method];
  if (answer === undefined)
    return { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } };
  const result = answer(message);
  if (result instanceof Promise)
    return result.then((value) => value && { jsonrpc: '2.0', id: message.id, result: value });
  return result && { jsonrpc: '2.0', id: message.id, result };
}

/**
 * @param port as in argv; stdio without one
 * @param how.answers by method, `sound` by default; an answer of undefined is never sent
 * @param how.post takes a POST in place of answering it: (message, request, response)
 * @param how.started called with a function that sends a message on stdio or the event stream
 */
export function serve(port, { answers = sound, post, started, closing = () => process.exit(0) } = {}) {
  if (port === undefined) serveStdio(answers, started, closing);
  else serveHttp(Number(port), answers, { post, started });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const refusal = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } };

function serveStdio(answers, started, closing) {
  const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
  const lines = createInterface({ input: process.stdin });
  lines.on('line', async (line) => {
    const message = parsed(line);
    const answer = message === undefined ? refusal : await answerOf(answers, message);
    if (answer !== undefined) say(answer);
  });
  lines.on('close', closing);
  started?.(say);
}

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

function sendJson(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function serveHttp(port, answers, { post, started }) {
  const streams = new Map();
  createServer(async (request, response) => {
    const url = new URL(request.url, 'http://127.0.0.1');
    if (request.method === 'GET' && url.pathname === '/sse') return openStream(streams, response, started);
    if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end();
    const message = parsed(await bodyOf(request));
    const stream = streams.get(url.searchParams.get('session'));
    if (message === undefined) return sendJson(response, 400, refusal);
    if (post !== undefined && post(message, request, response) === true) return undefined;
    // Responses of the client are taken, too.
    if (stream !== undefined || message.id === undefined || message.method === undefined) {
      response.writeHead(202).end();
      if (stream === undefined) return undefined;
    }
    const answer = await answerOf(answers, message);
    // No answer at all: the connection stays open.
    if (answer === undefined) return undefined;
    if (stream === undefined) sendJson(response, 200, answer);
    else stream.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
    return undefined;
  }).listen(port, '127.0.0.1');
}

function openStream(streams, response, started) {
  const id = String(streams.size + 1);
  streams.set(id, response);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`event: endpoint\ndata: /messages?session=${id}\n\n`);
  started?.((message) => response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`));
}
