/** A client on the official SDK 2.x as functions, for `checkClient` of mcpc/client; it speaks the newest revision that the server has. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const client = {
  async connect(server) {
    const session = { server, sdk: undefined, watched: [] };
    await open(session);
    return session;
  },
  // It reads all pages by itself.
  listTools: (session) => use(session, (sdk) => sdk.listTools()),
  listPrompts: (session) => use(session, (sdk) => sdk.listPrompts()),
  listResources: (session) => use(session, (sdk) => sdk.listResources()),
  callTool: (session, call) => use(session, (sdk) => sdk.callTool(call)),
  readResource: (session, resource) => use(session, (sdk) => sdk.readResource(resource)),
  async subscribeResource(session, { uri }) {
    session.watched.push(uri);
    await listen(session);
  },
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
    { name: 'sdk-2-client', version: '1.0.0' },
    { capabilities: { roots: {} }, versionNegotiation: { mode: 'auto' } },
  );
  sdk.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///project' }] }));
  await sdk.connect(
    transport === 'stdio'
      ? new StdioClientTransport({ command, args })
      : new StreamableHTTPClientTransport(new URL(url)),
  );
  session.sdk = sdk;
}

/** Servers of the newest revision send what a connection listens to, older ones what a session has subscribed to. */
async function listen({ sdk, watched }) {
  if (sdk.getProtocolEra() === 'modern') await sdk.listen({ resourceSubscriptions: watched });
  else for (const uri of watched) await sdk.subscribeResource({ uri });
}

const closed = ['CONNECTION_CLOSED', 'NOT_CONNECTED'];

/**
 * Servers of older revisions have sessions; the SDK leaves it to its user to begin a new one where the old one is lost. The same
 * holds for processes that have crashed.
 */
async function use(session, request) {
  try {
    return await request(session.sdk);
  } catch (error) {
    const crashed = session.server.transport === 'stdio' && closed.includes(error.code);
    if (error.data?.status !== 404 && !crashed) throw error;
    await session.sdk.close();
    await open(session);
    if (session.watched.length > 0) await listen(session);
    return request(session.sdk);
  }
}
