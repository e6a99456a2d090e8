/** The official SDK's client over stdio; FAULT=kill ends its server by a signal, without a word before; FAULT=hang never ends by itself nor by SIGTERM. */
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const words = process.argv.slice(2);
const config = words[0]?.startsWith('--config=') ? words[0].slice('--config='.length) : undefined;
const server =
  config === undefined
    ? { command: words[0], args: words.slice(1) }
    : Object.values(JSON.parse(readFileSync(config, 'utf8')).mcpServers)[0];
const transport = new StdioClientTransport({ command: server.command, args: server.args });
const client = new Client({ name: 'stdio', version: '1.0.0' });
await client.connect(transport);
const { tools } = await client.listTools();
if (tools.length > 0) await client.callTool({ name: 'add_numbers', arguments: { a: 5, b: 3 } });
if (process.env.FAULT === 'hang') {
  process.on('SIGTERM', () => {});
  await new Promise(() => setInterval(() => {}, 1000));
}
if (process.env.FAULT === 'kill') {
  process.kill(transport.pid, 'SIGTERM');
  await new Promise((resolve) => (transport.onclose = resolve));
}
await client.close();
