/** Which era a server is found to speak, where it binds itself to the era of its first request, ends at a question that it does not know, or stays silent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import type { Peer } from '../../src/client/peer/peer.ts';
import { detect } from '../../src/client/reach/detect.ts';
import type { Detected } from '../../src/client/reach/detected.ts';
import type { Target } from '../../src/client/target/target.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { serveInMemory, startReferenceServer } from '../../src/testkit/example-server/start.ts';
import { smallMcp } from '../support/small-mcp.ts';

const peers = new Set<Peer>();
afterEach(async () => {
  await Promise.all([...peers].map((peer) => peer.close()));
  peers.clear();
});

async function detected(target: Target): Promise<{ found: Detected; events: readonly TraceEvent[] }> {
  const recorder = createRecorder({ keep: true });
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const found = await detect({
    target,
    spec: 'auto',
    fallback: false,
    async open(wanted, era, revision, how = {}) {
      const peer = await hub.open({ ...how, target: wanted, era, revision, timing: defaultTiming, toolVersion: '0' });
      peers.add(peer);
      return peer;
    },
  });
  return { found, events: recorder.events };
}

/** A server in this process, as the command of a target would be. */
function inMemory(options: Parameters<typeof serveInMemory>[0]): Target {
  return { kind: 'stdio', command: 'reference', args: [], serve: serveInMemory(options) };
}

/** A server of the stateful era in a process of its own, that does what the code says at any other first request than initialize. */
function strict(otherwise: string): Target {
  const code = `
    let done = false;
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (id === undefined) return;
      if (method !== 'initialize' && !done) { ${otherwise} return; }
      done = true;
      const result = method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'strict', version: '1' } } : {};
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
    });`;
  return { kind: 'stdio', command: process.execPath, args: ['-e', code] };
}

const asked = (events: readonly TraceEvent[], session: string): string[] =>
  events.flatMap(({ from, kind, message, session: of }) =>
    from === 'client' && kind === 'message' && of === session ? [String((message as { method?: string }).method)] : [],
  );

test.each(['both eras in one process', 'era-of-the-process'])(
  'a server of both eras on stdio is found to speak the newest revision: %s',
  async (variant) => {
    const { found, events } = await detected(inMemory(variant === 'era-of-the-process' ? { variant } : {}));
    expect(found).toMatchObject({ era: 'stateless', revision: '2026-07-28' });
    // Each question has a process of its own.
    expect(asked(events, 's1')[0]).toBe('initialize');
    expect(asked(events, 's1')).not.toContain('server/discover');
    expect(asked(events, 's2')).toEqual(['server/discover']);
  },
);

test('and so over HTTP', async () => {
  const server = await startReferenceServer({ transport: 'http' });
  try {
    const { found } = await detected({ kind: 'http', url: server.url, headers: [] });
    expect(found).toMatchObject({ era: 'stateless', revision: '2026-07-28' });
  } finally {
    await Promise.all([...peers].map((peer) => peer.close()));
    await server.close();
  }
});

test.each([
  ['ends at it', 'process.exit(3);'],
  ['is silent', ''],
  [
    'answers with a result of its own',
    'process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: { ok: true } }) + "\\n");',
  ],
])('a server that does not know server/discover and %s is one of the stateful era', async (_name, otherwise) => {
  const { found } = await detected(strict(otherwise));
  expect(found).toMatchObject({ era: 'stateful', revision: '2025-06-18' });
  expect(found.peer.alive).toBe(true);
  expect(found.peer.onTrial).toBe(false);
});

test('a server over HTTP of the stateful era alone keeps its session', async () => {
  const server = createServer(smallMcp);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { found } = await detected({
      kind: 'http',
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
      headers: [],
    });
    expect(found).toMatchObject({ era: 'stateful', revision: '2025-11-25' });
    expect(await found.peer.request('ping').answer).toMatchObject({ kind: 'response', message: { result: {} } });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
