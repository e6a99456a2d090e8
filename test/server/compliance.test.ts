/** Raw checks of the compliant server: what the SDK's client hides, and the era that it does not speak. */
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/server/protocol/json-rpc.ts';
import type { Revision } from '../../src/server/protocol/revisions.ts';
import { ask } from './harness/http-wire.ts';
import type { HttpPeer, Peer } from './harness/peer.ts';
import { startPeer } from './harness/peer.ts';
import { initializeParams, modern } from './harness/scenario.ts';

const peers: Peer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

async function open(
  transport: 'stdio' | 'http' | 'sse',
  revision?: Revision,
  capabilities: JsonObject = {},
): Promise<Peer> {
  const peer = await startPeer(transport, {});
  peers.push(peer);
  if (revision === undefined) return peer;
  const answer = await peer.call('init', 'initialize', initializeParams(revision, capabilities));
  expect(answer).toMatchObject({ result: { protocolVersion: revision } });
  await peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return peer;
}

const openHttp = async (revision?: Revision): Promise<HttpPeer> => (await open('http', revision)) as HttpPeer;
const ping = (id: number): JsonObject => ({ jsonrpc: '2.0', id, method: 'ping' });
const slow = (id: number, ms: number): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'slow', arguments: { ms }, _meta: { progressToken: id } },
});

describe.each(['stdio', 'http', 'sse'] as const)('over %s', (transport) => {
  it('answers an unknown version with the newest, and declares by revision', async () => {
    const peer = await open(transport);
    const answer = await peer.call(1, 'initialize', initializeParams('1999-01-01'));
    expect(answer).toMatchObject({ result: { protocolVersion: '2025-11-25', capabilities: { completions: {} } } });
    const old = await open(transport);
    const { result } = await old.call(1, 'initialize', initializeParams('2024-11-05'));
    expect((result as JsonObject).capabilities).not.toHaveProperty('completions');
    await old.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const { result: listed } = await old.call(2, 'tools/list');
    expect(((listed as JsonObject).tools as JsonObject[])[0]).not.toHaveProperty('title');
  });

  it('takes batches in 2025-03-26 only', async () => {
    const peer = await open(transport, '2025-03-26');
    await peer.send([ping(1), { jsonrpc: '2.0', method: 'notifications/unknown' }, ping(2)]);
    for (const id of [1, 2])
      expect(await peer.seen(`answer ${id}`, (message) => message.id === id)).toMatchObject({ result: {} });
    const later = await open(transport, '2025-06-18');
    await later.send([ping(1)]);
    expect(await later.seen('refusal', (message) => 'error' in message)).toMatchObject({ error: { code: -32600 } });
  });

  it('asks only clients that declared what it needs, and only when they are ready', async () => {
    const peer = await open(transport, '2025-11-25');
    expect(await peer.call(1, 'tools/call', { name: 'list-roots' })).toMatchObject({ result: { isError: true } });
    expect(await peer.call(2, 'tools/call', { name: 'ask-user' })).toMatchObject({ result: { isError: true } });
    expect(peer.messages.filter((message) => (message as JsonObject).method === 'roots/list')).toEqual([]);
    const early = await startPeer(transport, {});
    peers.push(early);
    await early.call(1, 'initialize', initializeParams('2025-11-25'));
    await early.call(2, 'ping');
    expect(early.messages).toHaveLength(transport === 'sse' ? 3 : 2); // the SSE peer counts the endpoint event
  });

  it('answers faults with their codes', async () => {
    const peer = await open(transport, '2025-11-25');
    expect(await peer.call(1, 'no/such')).toMatchObject({ error: { code: -32601 } });
    expect(await peer.call(2, 'resources/read', {})).toMatchObject({ error: { code: -32602 } });
    expect(await peer.call(3, 'resources/read', { uri: 'demo://no' })).toMatchObject({ error: { code: -32002 } });
    // Over HTTP another initialize begins another session.
    const again = await peer.call(4, 'initialize', initializeParams('2025-11-25'));
    expect(again).toMatchObject(transport === 'http' ? { result: {} } : { error: { code: -32600 } });
    await peer.send({ jsonrpc: '1.0', id: 5, method: 'ping' });
    expect(await peer.seen('refusal', (message) => message.id === 5)).toMatchObject({ error: { code: -32600 } });
    await peer.send('{not json');
    if (transport !== 'sse')
      expect(
        await peer.seen('parse error', (message) => (message.error as JsonObject | undefined)?.code === -32700),
      ).not.toHaveProperty('id');
    expect(await peer.call(6, 'ping')).toMatchObject({ result: {} });
  });

  it('stops cancelled work without an answer, and reports no progress unasked', async () => {
    const peer = await open(transport, '2025-11-25');
    await peer.send(slow(1, 60_000));
    await peer.seen('progress', (message) => message.method === 'notifications/progress');
    await peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await peer.call(2, 'tools/call', { name: 'slow', arguments: { ms: 30 } });
    expect(peer.messages.filter((message) => (message as JsonObject).id === 1)).toEqual([]);
    expect(peer.messages.filter((message) => (message as JsonObject).method === 'notifications/progress')).toHaveLength(
      1,
    );
  });
});

describe('Streamable HTTP', () => {
  it('minds sessions, versions, origins and verbs', async () => {
    const peer = await openHttp('2025-11-25');
    const status = async (message: unknown, headers: Record<string, string>): Promise<number> =>
      (await peer.post(message, headers)).status;
    const own = new URL(peer.url).origin;
    const { 'mcp-session-id': _, ...outside } = peer.headers();
    expect(await status(ping(1), outside)).toBe(400);
    expect(await status(ping(2), peer.headers({ 'mcp-session-id': 'made-up' }))).toBe(404);
    expect(await status(ping(3), peer.headers({ 'mcp-protocol-version': 'bogus' }))).toBe(400);
    expect(await status(ping(4), peer.headers({ 'mcp-protocol-version': '2025-11-25' }))).toBe(200);
    expect(await status(ping(5), peer.headers({ origin: 'http://rebind.attacker.example' }))).toBe(403);
    expect(await status(ping(6), peer.headers({ origin: own }))).toBe(200);
    expect(await status(ping(7), peer.headers({ accept: 'text/html' }))).toBe(406);
    expect(await status('x', peer.headers({ 'content-type': 'text/plain' }))).toBe(415);
    const accepted = await peer.post({ jsonrpc: '2.0', method: 'notifications/unknown' }, peer.headers());
    expect([accepted.status, await accepted.text]).toEqual([202, '']);
    expect(await status({ jsonrpc: '2.0', id: 'never-asked', result: {} }, peer.headers())).toBe(400);
    expect((await ask(peer.url, { verb: 'PUT', headers: peer.headers() })).status).toBe(405);
    expect(peer.sessionId).toMatch(/^[\x21-\x7e]{16,}$/);
    expect((await ask(peer.url, { verb: 'DELETE', headers: peer.headers() })).status).toBe(204);
    expect(await status(ping(8), peer.headers())).toBe(404);
  });

  it('primes its streams from 2025-11-25, numbers events without repetition, and ends with the response', async () => {
    const peer = await openHttp('2025-11-25');
    const replies = await Promise.all([1, 2].map((id) => peer.post(slow(id, 12), peer.headers())));
    await Promise.all(replies.map((reply) => reply.text));
    for (const reply of replies) {
      expect(reply.events[0]).toMatchObject({ data: '', retry: '100' });
      expect(JSON.parse(reply.events.at(-1)?.data ?? '')).toHaveProperty('result');
      expect(reply.complete).toBe(true);
    }
    const ids = replies.flatMap((reply) => reply.events.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    const older = await openHttp('2025-06-18');
    const reply = await older.post(slow(1, 12), older.headers());
    await reply.text;
    expect(reply.events[0]?.data).toContain('notifications/progress');
  });

  it('resumes a lost stream, and only that', async () => {
    const peer = await openHttp('2025-11-25');
    const [lost, other] = await Promise.all([1, 2].map((id) => peer.post(slow(id, 60), peer.headers())));
    if (lost === undefined || other === undefined) throw new Error('unreachable');
    lost.drop();
    await Promise.all([lost.text, other.text]);
    const resumed = await peer.listen({ 'last-event-id': lost.events.at(-1)?.id ?? 's1-e0' });
    await peer.seen('the late answer', (message) => message.id === 1 && 'result' in message);
    for (const { data } of resumed.events.filter((event) => event.data !== '')) {
      const message = JSON.parse(data) as JsonObject;
      expect(message.id ?? (message.params as JsonObject).progressToken).toBe(1);
    }
  });

  it('pushes each message on one of two listening streams', async () => {
    const peer = await openHttp('2025-11-25');
    const streams = [await peer.listen(), await peer.listen()];
    await peer.seen('the first ping', (message) => message.method === 'ping');
    await peer.call(1, 'tools/call', { name: 'ping-client' });
    await peer.seen('the second ping', (message) => message.id === 'server-2');
    const pings = streams.flatMap((stream) =>
      stream.events.filter(({ data }) => data.includes('"ping"')).map(({ data }) => data),
    );
    expect(pings.sort()).toEqual(
      ['server-1', 'server-2'].map((id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })),
    );
  });
});

describe.each(['stdio', 'http'] as const)('the stateless era over %s', (transport) => {
  const go = async (peer: Peer, request: ReturnType<typeof modern>): Promise<JsonObject> =>
    peer.call(request.message.id, request.message.method, request.message.params, request.headers);
  const meta = (capabilities: JsonObject): JsonObject => ({
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  });

  it('discovers, lists and reads without a handshake', async () => {
    const peer = await open(transport);
    expect(await go(peer, modern(1, 'tools/list'))).toMatchObject({
      result: { resultType: 'complete', cacheScope: 'public' },
    });
    expect(await go(peer, modern(2, 'server/discover'))).toMatchObject({
      result: {
        supportedVersions: ['2026-07-28'],
        ttlMs: 1000,
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'mcpc-reference' } },
      },
    });
    expect(await go(peer, modern(3, 'resources/read', { uri: 'demo://no' }))).toMatchObject({
      error: { code: -32602 },
    });
    expect(await go(peer, modern(4, 'ping'))).toMatchObject({ error: { code: -32601 } });
    expect(await go(peer, modern(5, 'server/discover', {}, null))).toMatchObject({ error: { code: -32602 } });
    expect(peer.lines.some((line) => line.includes('session=UUID'))).toBe(false);
  });

  it('asks by result and takes the answers with the retry', async () => {
    const peer = await open(transport);
    const call = { name: 'ask-user', arguments: {} };
    expect(await go(peer, modern(1, 'tools/call', call, meta({})))).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } },
    });
    const { result } = await go(peer, modern(2, 'tools/call', call, meta({ elicitation: {} })));
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { answer: { method: 'elicitation/create' } },
    });
    const retry = {
      ...call,
      inputResponses: { answer: { action: 'accept', content: { team: 'blue' } } },
      requestState: (result as JsonObject).requestState,
    };
    expect(JSON.stringify(await go(peer, modern(3, 'tools/call', retry, meta({ elicitation: {} }))))).toContain('blue');
    expect(
      await go(peer, modern(4, 'tools/call', { ...retry, requestState: 'forged' }, meta({ elicitation: {} }))),
    ).toMatchObject({ error: { code: -32602 } });
  });

  it('acknowledges a subscription first and tags what it sends', async () => {
    const peer = await open(transport);
    const listen = modern(7, 'subscriptions/listen', { notifications: { toolsListChanged: true, unknown: true } });
    await peer.send(listen.message, listen.headers);
    const tagged = { _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } };
    expect(await peer.seen('acknowledgement', (message) => 'method' in message)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, ...tagged },
    });
    await go(peer, modern(8, 'tools/call', { name: 'change-lists', arguments: {} }));
    expect(
      await peer.seen('the change', (message) => message.method === 'notifications/tools/list_changed'),
    ).toMatchObject({ params: tagged });
    await go(peer, modern(9, 'tools/call', { name: 'change-lists', arguments: {} }));
    expect(peer.messages.filter((message) => String((message as JsonObject).method).includes('resources'))).toEqual([]);
  });
});

it('gives stateless faults the statuses of the revision', async () => {
  const peer = await openHttp();
  const status = async (
    request: ReturnType<typeof modern>,
    more: Record<string, string> = {},
  ): Promise<[number, unknown]> => {
    const reply = await ask(peer.url, {
      headers: { ...request.headers, ...more },
      body: JSON.stringify(request.message),
    });
    return [reply.status, ((JSON.parse(await reply.text) as JsonObject).error as JsonObject | undefined)?.code];
  };
  const discover = modern(1, 'server/discover');
  expect(await status(discover)).toEqual([200, undefined]);
  expect(await status(discover, { 'mcp-protocol-version': '2025-11-25' })).toEqual([400, -32020]);
  expect(await status(discover, { 'mcp-method': 'tools/list' })).toEqual([400, -32020]);
  expect(await status(modern(2, 'no/such'))).toEqual([404, -32601]);
  expect(await status(modern(3, 'server/discover', {}, null))).toEqual([400, -32602]);
  const old = modern(
    4,
    'tools/list',
    {},
    { 'io.modelcontextprotocol/protocolVersion': '1900-01-01', 'io.modelcontextprotocol/clientCapabilities': {} },
  );
  expect(await status(old, { 'mcp-protocol-version': '1900-01-01' })).toEqual([400, -32022]);
  const named = modern(5, 'tools/call', { name: 'about', arguments: {} });
  expect(await status(named, { 'mcp-name': 'echo' })).toEqual([400, -32020]);
  expect(await status(named, { 'mcp-name': '=?base64?YWJvdXQ=?=' })).toEqual([200, undefined]);
});
