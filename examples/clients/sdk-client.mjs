/** A small client on the official SDK: connects to the address in its last argument, lists the tools, calls one, ends. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const address = process.argv.at(-1);
const client = new Client({ name: 'example-client', version: '1.0.0' });
const transport = new StreamableHTTPClientTransport(new URL(address));
await client.connect(transport);
let cursor;
do {
  const page = await client.listTools(cursor === undefined ? {} : { cursor });
  for (const { name } of page.tools) console.log(name);
  cursor = page.nextCursor;
} while (cursor !== undefined);
console.log(await client.callTool({ name: 'add_numbers', arguments: { a: 5, b: 3 } }));
await transport.terminateSession();
await client.close();
