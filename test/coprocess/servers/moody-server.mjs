/**
 * An MCP server that does what its tools are named after: echoes, refuses, faults, dies, hangs, floods, asks. On stdio, or
 * over HTTP with a port of its own: `node moody-server.mjs http`, which prints the port to stderr.
 */
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const tools = [
  ['echo', true],
  ['count', true],
  ['bump', false],
  ['refuse', false],
  ['fault', false],
  ['die', false],
  ['hang', false],
  ['deaf', false],
  ['flood', false],
  ['ask', false],
  ['digits', true],
  ['secret', true],
].map(([name, readOnlyHint]) => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  ...(readOnlyHint ? { annotations: { readOnlyHint } } : {}),
}));

let deaf = false;
let calls = 0;
let asked = 1000;
const waiting = new Map();

const text = (value) => ({ content: [{ type: 'text', text: value }] });

/** @returns a result, an error, raw text of a result, or undefined for no response */
function call({ name, arguments: args = {} }, send) {
  switch (name) {
    case 'echo':
      return { result: text(String(args.message)) };
    case 'count':
      return { result: text(String((calls += 1))) };
    case 'bump':
      return { result: text('bumped') };
    case 'refuse':
      return { result: { ...text('I would rather not'), isError: true } };
    case 'fault':
      return { error: { code: -32050, message: 'tool refused', data: { why: 'on principle' } } };
    case 'die':
      process.stderr.write('dying\n');
      process.exit(3);
      break;
    case 'deaf':
      deaf = true;
      return undefined;
    case 'hang':
      return undefined;
    case 'flood':
      for (let n = 0; n < 2000; n += 1) {
        send({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: `wave ${n}` } });
        process.stderr.write(`wave ${n}\n`);
      }
      return { result: text('flooded') };
    case 'ask':
      return new Promise((resolve) => {
        waiting.set((asked += 1), (response) =>
          resolve({ result: text(JSON.stringify(response.result ?? response.error)) }),
        );
        send({
          jsonrpc: '2.0',
          id: asked,
          method: 'sampling/createMessage',
          params: { messages: [{ role: 'user', content: { type: 'text', text: 'well?' } }], maxTokens: 10 },
        });
      });
    case 'digits':
      return {
        raw: `{"content": [], "structuredContent": {"n": 12345678901234567890, "got": ${JSON.stringify(args.n ?? null)}, "price": 1.50}}`,
      };
    case 'secret':
      process.stderr.write(`the token is ${process.env.API_TOKEN}\n`);
      return { result: text(`${process.env.API_TOKEN}`) };
    default:
      return { error: { code: -32602, message: `Unknown tool: ${name}` } };
  }
}

function handle({ method, params = {} }, send) {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {}, resources: {}, prompts: {} },
          serverInfo: { name: 'moody', version: '1.0.0' },
        },
      };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      // Two pages.
      return params.cursor === undefined
        ? { result: { tools: tools.slice(0, 5), nextCursor: 'second' } }
        : { result: { tools: tools.slice(5) } };
    case 'tools/call':
      return call(params, send);
    case 'resources/list':
      return { result: { resources: [{ uri: 'moody:mood', name: 'mood' }] } };
    case 'resources/read':
      return params.uri === 'moody:mood'
        ? { result: { contents: [{ uri: params.uri, text: 'fair' }] } }
        : { error: { code: -32002, message: 'Resource not found', data: { uri: params.uri } } };
    case 'prompts/get':
      return params.name === 'greet'
        ? {
            result: {
              messages: [{ role: 'user', content: { type: 'text', text: `Greet ${params.arguments?.name ?? 'all'}` } }],
            },
          }
        : { error: { code: -32602, message: 'no such prompt' } };
    default:
      return { error: { code: -32601, message: `Method not found: ${method}` } };
  }
}

async function respond(message, send) {
  if (message.method === undefined) {
    waiting.get(message.id)?.(message);
    return undefined;
  }
  if (message.id === undefined || deaf) return undefined;
  const came = await handle(message, send);
  if (came === undefined) return undefined;
  return came.raw === undefined
    ? JSON.stringify({ jsonrpc: '2.0', id: message.id, ...came })
    : `{"jsonrpc": "2.0", "id": ${JSON.stringify(message.id)}, "result": ${came.raw}}`;
}

if (process.argv[2] === 'http') {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end();
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', async () => {
      const message = JSON.parse(body);
      if (message.id === undefined || message.method === undefined) {
        await respond(message, () => {});
        return response.writeHead(202).end();
      }
      if (message.method !== 'tools/call') {
        const line = await respond(message, () => {});
        if (line !== undefined) response.writeHead(200, { 'content-type': 'application/json' }).end(line);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const line = await respond(message, (one) => response.write(`data: ${JSON.stringify(one)}\n\n`));
      if (line !== undefined) response.end(`data: ${line}\n\n`);
    });
  });
  server.listen(0, '127.0.0.1', () => process.stderr.write(`listening on ${server.address().port}\n`));
} else {
  const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const answer = await respond(JSON.parse(line), send);
    if (answer !== undefined) process.stdout.write(`${answer}\n`);
  });
}
