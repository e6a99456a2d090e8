/** A client on the official SDK 1.x as functions, for `checkClient` of mcpc/client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export const client = {
  async connect(server) {
    const session = { server, sdk: undefined };
    await open(session);
    return session;
  },
  listTools: (session) => allPages(session, (sdk, page) => sdk.listTools(page)),
  listPrompts: (session) => allPages(session, (sdk, page) => sdk.listPrompts(page)),
  listResources: (session) => allPages(session, (sdk, page) => sdk.listResources(page)),
  callTool: (session, call) => use(session, (sdk) => sdk.callTool(call)),
  readResource: (session, resource) => use(session, (sdk) => sdk.readResource(resource)),
  getPrompt: (session, prompt) => use(session, (sdk) => sdk.getPrompt(prompt)),
  async close({ sdk }) {
    await sdk.transport?.terminateSession?.();
    await sdk.close();
  },
};

async function open(session) {
  const { transport, url, command: words } = session.server;
  const [command = '', ...args] = words;
  const sdk = new Client(
    { name: 'sdk-1-client', version: '1.0.0' },
    { capabilities: { roots: {}, elicitation: { form: { applyDefaults: true } } } },
  );
  sdk.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///project' }] }));
  sdk.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
  await sdk.connect(
    transport === 'stdio'
      ? new StdioClientTransport({ command, args })
      : new StreamableHTTPClientTransport(new URL(url)),
  );
  session.sdk = sdk;
}

/** The SDK leaves it to its user to begin a new session where the server has lost the old one. */
async function use(session, request) {
  try {
    return await request(session.sdk);
  } catch (error) {
    if (error.code !== 404) throw error;
    await session.sdk.close();
    await open(session);
    return request(session.sdk);
  }
}

/** From the beginning where the session is lost: cursors end with it. */
const allPages = (session, list) =>
  use(session, async (sdk) => {
    let cursor;
    do {
      ({ nextCursor: cursor } = await list(sdk, cursor === undefined ? {} : { cursor }));
    } while (cursor !== undefined);
  });
