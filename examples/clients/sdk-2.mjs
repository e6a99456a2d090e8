/** A client on the official SDK 2.x as functions, for `checkClient` of mcpc/client; it speaks the newest revision that the server has. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const client = {
  async connect({ url, command: [command = '', ...args], transport }) {
    const it = new Client(
      { name: 'sdk-2-client', version: '1.0.0' },
      { capabilities: { roots: {} }, versionNegotiation: { mode: 'auto' } },
    );
    it.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///project' }] }));
    await it.connect(
      transport === 'stdio'
        ? new StdioClientTransport({ command, args })
        : new StreamableHTTPClientTransport(new URL(url)),
    );
    return it;
  },
  // It reads all pages by itself.
  listTools: (it) => it.listTools(),
  listPrompts: (it) => it.listPrompts(),
  listResources: (it) => it.listResources(),
  callTool: (it, call) => it.callTool(call),
  readResource: (it, resource) => it.readResource(resource),
  getPrompt: (it, prompt) => it.getPrompt(prompt),
  close: (it) => it.close(),
};
