/** The listening stream beside a session over HTTP: servers ask on it what belongs to no request, and some have none. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { expect, test } from 'vitest';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { noPermission } from '../../src/core/permission/decide.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import { detect } from '../../src/client/reach/detect.ts';
import { runProbes } from '../../src/client/schedule/run-probes.ts';
import { defaultTiming, type Timing } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { listening } from '../support/small-mcp.ts';

/** A server on the SDK with one tool, which asks for the client's roots on its own account. */
function askingServer(): (request: IncomingMessage, response: ServerResponse) => void {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return (request, response) =>
    void (async () => {
      let transport = sessions.get(String(request.headers['mcp-session-id']));
      if (!transport) {
        const server = new McpServer({ name: 'asks', version: '1' });
        server.registerTool(
          'get_roots',
          { description: 'Reads the roots of the client.', annotations: { readOnlyHint: true } },
          async () => {
            const { roots } = await server.server.listRoots();
            return { content: [{ type: 'text', text: String(roots.length) }] };
          },
        );
        const made = new StreamableHTTPServerTransport({
          sessionIdGenerator: randomUUID,
          onsessioninitialized: (id) => void sessions.set(id, made),
        });
        transport = made;
        await server.connect(made as Parameters<typeof server.connect>[0]);
      }
      await transport.handleRequest(request, response);
    })();
}

/** Calls the tool that asks, on the shared session. */
async function probed(url: string, timing: Timing = defaultTiming): Promise<readonly TraceEvent[]> {
  const recorder = createRecorder({ keep: true });
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const open: Parameters<typeof detect>[0]['open'] = (target, era, revision) =>
    hub.open({ target, era, revision, timing, toolVersion: '0' });
  const found = await detect({ target: { kind: 'http', url, headers: [] }, spec: '2025-11-25', fallback: false, open });
  await runProbes({
    plan: { shared: [{ steps: ['survey', { callTool: 'asks-client' }, 'sentinel'], rules: [] }], chains: [] },
    first: found.peer,
    open: () => open(found.target, 'stateful', '2025-11-25'),
    closeAll: () => found.peer.close(),
    sink: recorder.sink,
    timing,
    jobs: 1,
    permission: noPermission,
    recordListening: () => {},
  });
  return recorder.events;
}

const bodyOf = ({ message }: TraceEvent): Record<string, unknown> => (message ?? {}) as Record<string, unknown>;
const methodOf = (event: TraceEvent): unknown => bodyOf(event).method;

test('what a server asks on its own account is answered', async () => {
  await listening(createServer(askingServer()), async (port) => {
    const events = await probed(`http://127.0.0.1:${port}/mcp`);
    const question = events.find((event) => event.from === 'server' && methodOf(event) === 'roots/list');
    expect(
      events.find(({ kind, exchange }) => kind === 'http-request' && exchange === question?.exchange)?.http?.method,
    ).toBe('GET');
    const call = events.find((event) => event.from === 'client' && methodOf(event) === 'tools/call')!;
    const answer = events.find(
      (event) => event.from === 'server' && 'result' in bodyOf(event) && bodyOf(event).id === bodyOf(call).id,
    )!;
    expect(bodyOf(answer).result).toMatchObject({ content: [{ type: 'text' }] });
    expect(events.filter(({ kind }) => kind === 'timeout')).toEqual([]);
  });
});

test('a server that knows no GET keeps its session', async () => {
  const sdk = askingServer();
  const server = createServer((request, response) =>
    request.method === 'GET' ? void response.writeHead(404).end() : sdk(request, response),
  );
  await listening(server, async (port) => {
    // Its question finds no way to the client, so the call is never answered.
    const events = await probed(`http://127.0.0.1:${port}/mcp`, { ...defaultTiming, answerMs: 1_500 });
    expect(events.filter((event) => event.from === 'client' && methodOf(event) === 'initialize')).toHaveLength(1);
    expect(events.filter(({ kind, http }) => kind === 'http-request' && http?.method === 'GET')).toHaveLength(1);
  });
});
