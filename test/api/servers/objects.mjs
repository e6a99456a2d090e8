/**
 * One server as an object of SDK 1.x and of SDK 2.x, sound or broken, for tests that connect to it in this process. Run as a program it serves
 * the same on stdio: `objects.mjs 1|2 sound|broken`.
 */
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport as Stdio1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { McpServer as McpServer2 } from '@modelcontextprotocol/server';
import { StdioServerTransport as Stdio2 } from '@modelcontextprotocol/server/stdio';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';

const kinds = { 1: [McpServer1, Stdio1], 2: [McpServer2, Stdio2] };

/** @param {1 | 2} major of the SDK @param {boolean} broken empty results are answered with lists */
export function createServer(major, broken = false) {
  const [McpServer] = kinds[major];
  const server = new McpServer({ name: `object-${major}`, version: '1.0.0' }, { capabilities: { logging: {} } });
  server.registerTool(
    'greet',
    {
      description: 'Greets somebody by name.',
      inputSchema: z.object({ name: z.string().describe('Who is greeted.') }),
      outputSchema: z.object({ greeting: z.string(), length: z.number() }),
      annotations: { readOnlyHint: true },
    },
    async ({ name }) => {
      const structuredContent = { greeting: `Hello, ${name}!`, length: name.length };
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  server.registerTool('refuse', { description: 'Always fails.', annotations: { readOnlyHint: true } }, async () => ({
    content: [{ type: 'text', text: 'it cannot be done' }],
    isError: true,
  }));
  server.registerTool('announce', { description: 'Logs a line.', annotations: { readOnlyHint: true } }, async () => {
    await server.server.sendLoggingMessage({ level: 'info', data: 'announced' });
    return { content: [{ type: 'text', text: 'announced' }] };
  });
  server.registerResource(
    'note',
    'note:first',
    { description: 'The first note.', mimeType: 'text/plain' },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'a note' }] }),
  );
  server.registerPrompt(
    'welcome',
    { description: 'A welcome.', argsSchema: major === 1 ? { name: z.string() } : z.object({ name: z.string() }) },
    async ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Welcome ${name}` } }] }),
  );
  if (broken) breakIt(server.server);
  return server;
}

/** Whatever has an empty result, as ping, is answered with a list. */
function breakIt(protocol) {
  const { connect } = protocol;
  protocol.connect = async (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) =>
      send(message.result && Object.keys(message.result).length === 0 ? { ...message, result: [] } : message, options);
    await connect.call(protocol, transport);
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [major = '1', kind] = process.argv.slice(2);
  await createServer(Number(major), kind === 'broken').connect(new kinds[major][1]());
}
