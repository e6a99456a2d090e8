/**
 * A small sound server over stdio, Streamable HTTP (/mcp) and HTTP+SSE (/sse), with hooks where a hostile one does
 * something else. It answers the handshake, ping, tools/list and one tool, `echo`.
 */
import { createServer } from 'node:http';

const revisions = ['2025-03-26', '2025-06-18', '2025-11-25'];
export const capabilities = { tools: {} };
export const tool = {
  name: 'echo',
  description: 'Gives back its text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true },
};

/** The sound answer to a message of the client; undefined where none is due. */
export function soundAnswer(message) {
  const { id, method, params } = message ?? {};
  if (typeof method !== 'string' || id === undefined) return undefined;
  const result = (value) => ({ jsonrpc: '2.0', id, result: value });
  if (method === 'initialize')
    return result({ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'flood', version: '1.0.0' } });
  if (method === 'ping') return result({});
  if (method === 'tools/list')
    return params?.cursor === undefined ? result({ tools: [tool] }) : refusal(id, -32602, 'no such cursor');
  if (method === 'tools/call') {
    if (params?.name !== 'echo') return refusal(id, -32602, 'no such tool');
    const text = params.arguments?.text ?? '';
    if (typeof text !== 'string')
      return result({ content: [{ type: 'text', text: 'text must be a string' }], isError: true });
    return result({ content: [{ type: 'text', text }] });
  }
  return refusal(id, -32601, 'no such method');
}

function refusal(id, code, message) {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** Writes what the generator yields, as fast as the reader takes it. */
export async function pour(stream, parts) {
  let open = true;
  stream.once('close', () => (open = false));
  stream.on('error', () => (open = false));
  for (const part of parts) {
    if (!open) return;
    if (!stream.write(part))
      await new Promise((resolve) => {
        stream.once('drain', resolve);
        stream.once('close', resolve);
      });
  }
}

/**
 * @param hooks what is done otherwise:
 *  - `text(message, answer)`: the text of an answer instead of its JSON
 *  - `stdio(text, send)`: writes an answer to stdout otherwise
 *  - `body(response, text)`: writes the reply to a POST otherwise; returns true when it did
 *  - `stream(response)`: does something on a stream of the server's own (GET /mcp, GET /sse) once it is open
 *  - `initialized(out)`: stdio: the handshake is over
 */
export function serve(hooks) {
  const port = Number(process.argv[3]);
  const text = hooks.text ?? ((_message, answer) => JSON.stringify(answer));
  if (Number.isInteger(port)) serveHttp(port, hooks, text);
  else serveStdio(hooks, text);
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function serveStdio(hooks, text) {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdout.on('error', () => process.exit(0));
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const message = parse(line);
      const answer =
        message === undefined
          ? { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no JSON' } }
          : soundAnswer(message);
      if (answer !== undefined) {
        const out = text(message, answer);
        if (!hooks.stdio?.(out, process.stdout)) process.stdout.write(`${out}\n`);
      }
      if (message?.method === 'notifications/initialized') hooks.initialized?.(process.stdout);
    }
  });
  process.stdin.on('end', () => process.exit(0));
}

const json = { 'content-type': 'application/json' };
export const eventStream = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

function serveHttp(port, hooks, text) {
  /** HTTP+SSE: the stream of each session. */
  const streams = [];
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const { pathname: path, searchParams } = new URL(request.url, 'http://localhost');
    const origin = request.headers.origin;
    if (origin !== undefined && !origin.includes('127.0.0.1') && !origin.includes('localhost'))
      return void response.writeHead(403).end();
    const version = request.headers['mcp-protocol-version'];
    if (path === '/mcp' && version !== undefined && !revisions.includes(version))
      return void response.writeHead(400).end();
    if (request.method === 'GET' && (path === '/mcp' || path === '/sse')) {
      response.writeHead(200, eventStream);
      if (path === '/sse') {
        streams.push(response);
        response.write(`event: endpoint\ndata: /messages?session=${streams.length - 1}\n\n`);
      } else response.flushHeaders();
      hooks.stream?.(response);
      return;
    }
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'GET, POST' }).end();
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const message = parse(body);
    if (message === undefined)
      return void response
        .writeHead(400, json)
        .end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no JSON' } }));
    const answer = soundAnswer(message);
    if (answer === undefined) return void response.writeHead(202).end();
    const out = text(message, answer);
    if (path === '/messages') {
      response.writeHead(202).end();
      const legacy = streams[Number(searchParams.get('session'))];
      if (!hooks.legacy?.(legacy, out)) legacy?.write(`data: ${out}\n\n`);
      return;
    }
    if (!hooks.body?.(response, out, message)) response.writeHead(200, json).end(out);
  });
  server.listen(port, '127.0.0.1');
}
