/** A server for a container: tells what it sees around it, writes files, and never ends a call that waits. */
import { readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { createInterface } from 'node:readline';

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (one) => ({ content: [{ type: 'text', text: typeof one === 'string' ? one : JSON.stringify(one) }] });
const tools = ['look', 'read', 'write', 'wait'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const calls = {
  look: () =>
    text({
      pid: process.pid,
      network: Object.keys(networkInterfaces()).toSorted(),
      home: process.env.MCPC_OF_HOST ?? 'none',
      given: process.env.GIVEN ?? 'none',
    }),
  read: ({ path }) => text(readFileSync(path, 'utf8')),
  write: ({ path, content }) => {
    writeFileSync(path, content);
    return text('written');
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize')
    say({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'boxed', version: '1' },
      },
    });
  else if (method === 'tools/list') say({ id, result: { tools } });
  else if (method !== 'tools/call') say({ id, error: { code: -32601, message: 'Method not found' } });
  else if (params.name in calls) say({ id, result: calls[params.name](params.arguments ?? {}) });
});
