/** A small server that keeps notes: tools with and without an output schema, one that changes, one that never ends, resources. */
import { createInterface } from 'node:readline';

const notes = new Map();
let count = 0;
const pending = new Map();
const tools = [
  {
    name: 'add_note',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  },
  {
    name: 'add_badly',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  },
  { name: 'get_note', inputSchema: { type: 'object' } },
  { name: 'count', inputSchema: { type: 'object' } },
  { name: 'slow', inputSchema: { type: 'object' } },
  { name: 'die', inputSchema: { type: 'object' } },
];

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (one) => ({ content: [{ type: 'text', text: String(one) }] });

const calls = {
  add_note: ({ text: note }) => {
    count += 1;
    notes.set(count, note);
    return { ...text('added'), structuredContent: { id: count } };
  },
  add_badly: () => ({ ...text('added'), structuredContent: { id: 'seven' } }),
  get_note: ({ id }) =>
    notes.has(id)
      ? text(notes.get(id))
      : { error: { code: -32602, message: 'Unknown note', data: { id, hint: 'none' } } },
  count: () => text((count += 1)),
  env: ({ name }) => text(process.env[name]),
  die: () => process.exit(7),
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'notifications/cancelled') clearTimeout(pending.get(params.requestId));
    if (id === undefined) return;
    const answer = (result) => say('error' in result ? { id, error: result.error } : { id, result });
    if (method === 'initialize')
      answer({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'notes', version: '1' },
        instructions: 'Take notes.',
      });
    else if (method === 'ping') answer({});
    else if (method === 'tools/list') answer({ tools });
    else if (method === 'resources/read') {
      const note = notes.get(Number(params.uri.slice('notes://'.length)));
      answer(
        note === undefined
          ? { error: { code: -32002, message: 'Unknown note' } }
          : { contents: [{ uri: params.uri, text: note }] },
      );
    } else if (method === 'tools/call' && params.name === 'slow')
      pending.set(
        id,
        setTimeout(() => answer(text('done')), 60_000),
      );
    else if (method === 'tools/call' && params.name in calls) answer(calls[params.name](params.arguments));
    else answer({ error: { code: -32601, message: 'Method not found' } });
  })
  .on('close', () => process.exit(0));
