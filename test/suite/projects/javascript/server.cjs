// A small server without an SDK. Its ping answers what it should not, which the baseline takes in.
const { createInterface } = require('node:readline');

const replies = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: ['2025-06-18', '2025-11-25'].includes(protocolVersion) ? protocolVersion : '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'clock', version: '0.3.0' },
  }),
  ping: () => 'pong',
  'tools/list': () => ({
    tools: [
      {
        name: 'time_zone',
        description: 'The time zone of a city',
        inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        annotations: { readOnlyHint: true },
      },
    ],
  }),
  'tools/call': ({ name, arguments: { city } = {} }) => {
    if (name !== 'time_zone') throw Object.assign(new Error(`Unknown tool: ${name}`), { code: -32602 });
    if (typeof city !== 'string') return { content: [{ type: 'text', text: 'city is missing' }], isError: true };
    return { content: [{ type: 'text', text: `${city} is in UTC` }] };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  let id = null;
  const answer = (rest) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...rest })}\n`);
  try {
    const request = JSON.parse(line);
    if (request.id === undefined || request.method === undefined) return;
    id = request.id;
    const reply = replies[request.method];
    if (reply === undefined) return answer({ error: { code: -32601, message: 'Method not found' } });
    answer({ result: reply(request.params ?? {}) });
  } catch (error) {
    answer({ error: { code: error.code ?? -32700, message: error.message } });
  }
});
