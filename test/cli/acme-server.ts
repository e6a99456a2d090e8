/** The server of the README's reader, as text of a script: one tool, on stdio, or with --port over Streamable HTTP. */
export const acmeServer = `
import { createInterface } from 'node:readline';
import { createServer } from 'node:http';
const at = process.argv.indexOf('--port');
const tool = { name: 'acme_add', description: 'Adds two numbers.', inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] }, annotations: { readOnlyHint: true } };
const wrong = (message) => ({ error: { code: -32602, message } });
const known = ['2024-11-05', '2025-03-26', '2025-06-18'];
const methods = {
  initialize: ({ protocolVersion } = {}) => ({ result: { protocolVersion: known.includes(protocolVersion) ? protocolVersion : known.at(-1), capabilities: { tools: {} }, serverInfo: { name: 'acme', version: '1' } } }),
  ping: () => ({ result: {} }),
  'tools/list': ({ cursor } = {}) => (cursor === undefined ? { result: { tools: [tool] } } : wrong('Unknown cursor')),
  'tools/call': ({ name, arguments: values = {} } = {}) => {
    if (name !== tool.name) return wrong('Unknown tool');
    const sound = typeof values.a === 'number' && typeof values.b === 'number';
    return { result: { content: [{ type: 'text', text: sound ? String(values.a + values.b) : 'a and b have to be numbers' }], ...(sound ? {} : { isError: true }) } };
  },
};
function answerOf(message) {
  if (message === null || typeof message !== 'object' || Array.isArray(message)) return { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request' } };
  if (message.id === undefined || message.method === undefined) return undefined;
  const method = Object.hasOwn(methods, message.method) ? methods[message.method] : undefined;
  return { jsonrpc: '2.0', id: message.id, ...(method === undefined ? { error: { code: -32601, message: 'Method not found' } } : method(message.params)) };
}
function answerText(text) {
  try { return answerOf(JSON.parse(text)); } catch { return { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }; }
}
if (at === -1) {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => { const answer = answerText(line); if (answer) process.stdout.write(JSON.stringify(answer) + '\\n'); });
  lines.on('close', () => process.exit(0));
} else {
  const server = createServer((request, response) => {
    const reply = (status, headers, body = '') => { response.writeHead(status, headers); response.end(body); };
    const { origin = '', 'mcp-protocol-version': version } = request.headers;
    if (origin !== '' && new URL(origin).hostname !== '127.0.0.1') return reply(403, {});
    if (request.method !== 'POST') return reply(405, { allow: 'POST' });
    if (version !== undefined && !known.includes(version)) return reply(400, {});
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const answer = answerText(text);
      if (answer === undefined) return reply(202, {});
      reply(answer.id === null ? 400 : 200, { 'content-type': 'application/json' }, JSON.stringify(answer));
    });
  });
  server.listen(Number(process.argv[at + 1]), '127.0.0.1', () => process.stderr.write('listening on ' + server.address().port + '\\n'));
}
`;
