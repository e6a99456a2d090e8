/**
 * An odd server on Streamable HTTP, at /mcp of a port on the loopback address. Replies are JSON, unless something
 * comes before the response: then they are event streams. There is no listening stream.
 *
 *   node odd-http-server.mjs <habit> <port>
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { connect, startDelay } from './odd-behaviour.mjs';

const habit = process.argv[2] ?? 'none';
const port = Number(process.argv[3] ?? 0);
const sessions = new Map();
let events = 0;

function refuse(response, status, message, code = -32600) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
}

/** Carries what belongs to one POST: the response alone as JSON, more than that as a stream. */
function carrier(response, headers) {
  let streaming = false;
  return (message) => {
    const isLast = !('method' in message);
    if (!streaming && isLast) {
      response.writeHead(200, { ...headers, 'content-type': 'application/json' });
      response.end(JSON.stringify(message));
      return;
    }
    if (!streaming) {
      streaming = true;
      response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      response.write(`id: ${(events += 1)}\ndata: \n\n`);
    }
    response.write(`id: ${(events += 1)}\ndata: ${JSON.stringify(message)}\n\n`);
    if (isLast) response.end();
  };
}

async function post(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let message;
  try {
    message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    refuse(response, 400, 'That is no JSON.', -32700);
    return;
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message) || message.jsonrpc !== '2.0') {
    refuse(response, 400, 'That is no JSON-RPC message.');
    return;
  }
  let id = request.headers['mcp-session-id'];
  const opens = message.method === 'initialize' && id === undefined;
  if (opens) sessions.set((id = randomUUID()), connect(habit));
  else if (id === undefined) return refuse(response, 400, 'The session id is missing.');
  else if (!sessions.has(id)) return refuse(response, 404, 'There is no such session.');
  const isRequest = message.method !== undefined && message.id !== undefined;
  const send = carrier(response, { 'mcp-session-id': id });
  if (isRequest) return sessions.get(id)(message, send);
  response.writeHead(202).end();
  return sessions.get(id)(message, () => {});
}

const server = createServer((request, response) => {
  const { origin } = request.headers;
  if (origin !== undefined && new URL(origin).hostname !== '127.0.0.1') return refuse(response, 403, 'Not from there.');
  if (new URL(request.url, 'http://127.0.0.1').pathname !== '/mcp') return response.writeHead(404).end();
  const version = request.headers['mcp-protocol-version'];
  if (version !== undefined && !/^(2024-11-05|2025-03-26|2025-06-18|2025-11-25)$/.test(version))
    return refuse(response, 400, 'That version is not spoken here.');
  if (request.method === 'POST') return void post(request, response);
  if (request.method === 'DELETE' && sessions.delete(request.headers['mcp-session-id']))
    return response.writeHead(204).end();
  return response.writeHead(405, { allow: 'POST, DELETE' }).end();
});

setTimeout(
  () => server.listen(port, '127.0.0.1', () => process.stderr.write(`listening on ${server.address().port}\n`)),
  startDelay(habit),
);
