/** A server on stdio with the tools of the variable TOOLS; it writes the methods that it gets to the file SEEN. */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const tools = JSON.parse(process.env.TOOLS ?? '[]');
let calls = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (process.env.SEEN) appendFileSync(process.env.SEEN, `${method}\n`);
  if (id === undefined) continue;
  const answer = (result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...result })}\n`);
  if (method === 'initialize') {
    const { protocolVersion } = params;
    answer({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'advised', version: '1' } } });
  } else if (method === 'tools/list') answer({ result: { tools } });
  else if (method === 'tools/call') {
    calls += 1;
    const text = params.name === 'large' ? 'x'.repeat(200_000) : String(calls);
    answer({ result: { content: [{ type: 'text', text }] } });
  } else if (method === 'ping') answer({ result: {} });
  else answer({ error: { code: -32601, message: 'Method not found' } });
}
