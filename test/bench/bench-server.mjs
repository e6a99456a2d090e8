/**
 * A server for measuring: one that starts slowly, answers slowly, or has many tools, over stdio or Streamable HTTP.
 *
 *   node bench-server.mjs stdio|PORT [--start-ms N] [--reply-ms N] [--tools N]
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'start-ms': { type: 'string', default: '0' },
    'reply-ms': { type: 'string', default: '0' },
    tools: { type: 'string', default: '3' },
  },
});
const [startMs, replyMs, count] = [Number(values['start-ms']), Number(values['reply-ms']), Number(values.tools)];
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const pause = (ms) => (ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined);
const tools = Array.from({ length: count }, (_, at) => ({
  name: `get_item_${at}`,
  description: `Gives item ${at}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true },
}));

/** The answer to a message; undefined where none is due. */
function answerTo(message) {
  if (
    typeof message !== 'object' ||
    message === null ||
    Array.isArray(message) ||
    message.jsonrpc !== '2.0' ||
    (message.method !== undefined && typeof message.method !== 'string')
  )
    return { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request' } };
  const { id, method, params = {} } = message;
  if (id === undefined || method === undefined) return undefined;
  const result = (value) => ({ jsonrpc: '2.0', id, result: value });
  switch (method) {
    case 'initialize':
      return result({
        protocolVersion: versions.includes(params.protocolVersion) ? params.protocolVersion : versions[0],
        capabilities: { tools: {} },
        serverInfo: { name: 'bench-server', version: '1.0.0' },
      });
    case 'ping':
      return result({});
    case 'tools/list':
      return params.cursor === undefined
        ? result({ tools })
        : { jsonrpc: '2.0', id, error: { code: -32602, message: 'Unknown cursor' } };
    case 'tools/call':
      return tools.some(({ name }) => name === params.name)
        ? result({ content: [{ type: 'text', text: String(params.arguments?.text ?? '') }] })
        : { jsonrpc: '2.0', id, error: { code: -32602, message: `Unknown tool: ${String(params.name)}` } };
    default:
      return { jsonrpc: '2.0', id, error: { code: -32601, message: `Method not found: ${method}` } };
  }
}

function parsed(text) {
  try {
    return { message: JSON.parse(text) };
  } catch {
    return {};
  }
}

const parseError = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } };

function stdio() {
  createInterface({ input: process.stdin }).on('line', async (line) => {
    if (line.trim() === '') return;
    const one = parsed(line);
    const answer = 'message' in one ? answerTo(one.message) : parseError;
    if (answer === undefined) return;
    await pause(replyMs);
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  });
}

function http(port) {
  const sessions = new Set();
  const end = (response, status, body, headers = {}) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(body === undefined ? undefined : JSON.stringify(body));
  createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { origin, host } = request.headers;
    if (origin !== undefined && !/^https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(origin))
      return end(response, 403);
    if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host ?? '')) return end(response, 403);
    const version = request.headers['mcp-protocol-version'];
    if (version !== undefined && !versions.includes(version))
      return end(response, 400, {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: 'Unsupported protocol version' },
      });
    const session = request.headers['mcp-session-id'];
    if (session !== undefined && !sessions.has(session)) return end(response, 404);
    if (request.method === 'DELETE') {
      sessions.delete(session);
      return end(response, session === undefined ? 400 : 204);
    }
    if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST, DELETE' }).end();
    const one = parsed(text);
    if (!('message' in one)) return end(response, 400, parseError);
    const opens = one.message?.method === 'initialize';
    if (!opens && session === undefined)
      return end(response, 400, {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: 'Mcp-Session-Id is missing' },
      });
    const answer = answerTo(one.message);
    if (answer === undefined) return response.writeHead(202).end();
    await pause(replyMs);
    if (answer.error?.code === -32600 && answer.id === null) return end(response, 400, answer);
    if (!opens) return end(response, 200, answer);
    const made = randomUUID();
    sessions.add(made);
    return end(response, 200, answer, { 'mcp-session-id': made });
  }).listen(Number(port), '127.0.0.1');
}

await pause(startMs);
if (positionals[0] === 'stdio') stdio();
else http(positionals[0]);
