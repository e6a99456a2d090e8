/**
 * A client with a command for each act: act-client.mjs ADDRESS (info | tools [--cursor=CURSOR] | call TOOL ARGUMENTS). On the
 * official SDK; with STATELESS=1 by a bare request of 2026-07-28.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [address, act, ...words] = process.argv.slice(2);
const cursor = words.find((word) => word.startsWith('--cursor='))?.slice('--cursor='.length);
const page = cursor === undefined ? {} : { cursor };
const call = () => ({ name: words[0], arguments: JSON.parse(words[1]) });

if (process.env.STATELESS === '1') {
  const version = '2026-07-28';
  const method = { info: 'server/discover', tools: 'tools/list', call: 'tools/call' }[act];
  const params = { info: () => ({}), tools: () => page, call }[act]();
  const reply = await fetch(address, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': version,
      'Mcp-Method': method,
      ...(params.name === undefined ? {} : { 'Mcp-Name': params.name }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientInfo': { name: 'act-client', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  console.log(await reply.text());
} else {
  const client = new Client({ name: 'act-client', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  if (act === 'tools') console.log(JSON.stringify(await client.listTools(page)));
  if (act === 'call') console.log(JSON.stringify(await client.callTool(call())));
  await client.transport.terminateSession();
  await client.close();
}
