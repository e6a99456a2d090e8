/**
 * One long conversation that touches whatever a mutation may change. Its notes are compared
 * between the compliant server and a mutated one.
 */
import type { JsonObject } from '../../../src/server/protocol/json-rpc.ts';
import type { Revision } from '../../../src/server/protocol/revisions.ts';
import { statelessRevision } from '../../../src/server/protocol/revisions.ts';
import type { Peer } from './peer.ts';
import { HttpPeer, Unanswered } from './peer.ts';

const clientInfo = { name: 'test', version: '1' };

/** Plays the scenario of the revision's era, with one or two peers. */
export async function play(start: () => Promise<Peer>, revision: Revision): Promise<string[]> {
  if (revision === statelessRevision) return playOne(start, playStateless);
  const lines = await playOne(start, (peer) => playStateful(peer, revision));
  return lines.includes(gaveUp) ? lines : [...lines, ...(await playOne(start, playUnknownVersion))].sort();
}

const gaveUp = 'gave up';

/** Plays one part with a peer of its own, up to the first request without an answer. */
async function playOne(start: () => Promise<Peer>, part: (peer: Peer) => Promise<void>): Promise<string[]> {
  const peer = await start();
  try {
    await part(peer);
  } catch (thrown) {
    if (!(thrown instanceof Unanswered)) throw thrown;
    peer.note(gaveUp);
  } finally {
    await peer.close();
  }
  return peer.lines.sort();
}

export function initializeParams(protocolVersion: string, capabilities: JsonObject = { roots: {} }): JsonObject {
  return { protocolVersion, capabilities, clientInfo };
}

async function playStateful(peer: Peer, revision: Revision): Promise<void> {
  const http = peer instanceof HttpPeer ? peer : undefined;
  await peer.call(1, 'initialize', initializeParams(revision));
  const listening = http === undefined ? [] : [await http.listen(), await http.listen()];
  await peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await peer.seen('ping', (message) => message.method === 'ping' || message.method === 42);
  await peer.call(2, 'ping');
  await peer.call(3, 'ping', { _meta: {} });
  await peer.call(4, 'unknown/method');
  await peer.call(5, 'prompts/list');
  const first = await peer.call(6, 'tools/list');
  const cursor = (first.result as JsonObject | undefined)?.nextCursor;
  for (const id of [7, 8]) await peer.call(id, 'tools/list', { cursor });
  await peer.call(9, 'prompts/list', {
    cursor: ((await peer.call(10, 'prompts/list')).result as JsonObject | undefined)?.nextCursor,
  });
  await peer.call(11, 'tools/list', { cursor: 'checker-invalid' });
  await peer.call(12, 'prompts/get', {});
  await peer.send({ jsonrpc: '2.0', method: 'notifications/unknown' });
  await peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
  await peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'made-up' } });
  await peer.call(13, 'tools/call', { name: 'slow', arguments: { ms: 30 }, _meta: { progressToken: 13 } });
  await Promise.all(
    [14, 15].map((id) =>
      peer.call(id, 'tools/call', { name: 'slow', arguments: { ms: 60 }, _meta: { progressToken: id } }),
    ),
  );
  await peer.call(16, 'tools/call', { name: 'list-roots', arguments: {} });
  await peer.call(17, 'tools/call', { name: 'ping-client', arguments: {} });
  await peer.send({
    jsonrpc: '2.0',
    id: 18,
    method: 'tools/call',
    params: { name: 'slow', arguments: { ms: 120 }, _meta: { progressToken: 18 } },
  });
  await peer.seen('progress', (message) => (message.params as JsonObject | undefined)?.progressToken === 18);
  await peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 18 } });
  await peer.call(19, 'tools/call', { name: 'slow', arguments: { ms: 330 } });
  await peer.send([
    { jsonrpc: '2.0', id: 30, method: 'ping' },
    { jsonrpc: '2.0', id: 31, method: 'ping' },
  ]);
  if (http !== undefined) return playHttp(http, listening);
  await peer.send({ jsonrpc: '2.0', id: 32, method: 'ping' }, { origin: 'http://rebind.attacker.example' });
  await peer.send('{not json');
  await peer.call(33, 'ping');
}

/** A client with no capabilities that offers a version which does not exist. */
async function playUnknownVersion(peer: Peer): Promise<void> {
  await peer.call(1, 'initialize', initializeParams('1999-01-01', {}));
  if (peer instanceof HttpPeer) await peer.listen();
  await peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await peer.call(2, 'ping');
}

async function playHttp(peer: HttpPeer, listening: { drop(): void }[]): Promise<void> {
  const ping = (id: number): JsonObject => ({ jsonrpc: '2.0', id, method: 'ping' });
  await peer.send(ping(40), peer.headers({ 'mcp-protocol-version': '1999-01-01' }));
  await peer.send(ping(41), peer.headers({ origin: 'http://rebind.attacker.example' }));
  await peer.send(ping(42), { ...peer.headers(), 'mcp-session-id': 'made-up' });
  const { 'mcp-session-id': _, ...withoutSession } = peer.headers();
  await peer.send(ping(43), withoutSession);
  await peer.send({ jsonrpc: '2.0', id: 'never-asked', result: {} });
  await peer.send({ jsonrpc: '2.0', method: 'notifications/x' }, { ...peer.headers(), 'mcp-session-id': 'made-up' });
  const slow = {
    jsonrpc: '2.0',
    id: 44,
    method: 'tools/call',
    params: { name: 'slow', arguments: { ms: 60 }, _meta: { progressToken: 44 } },
  };
  const dropped = await peer.post(slow, peer.headers());
  await peer.seen('progress', (message) => (message.params as JsonObject | undefined)?.progressToken === 44);
  dropped.drop();
  await dropped.text;
  const resumed = await peer.listen({ 'last-event-id': dropped.events.at(-1)?.id ?? 'none' });
  await peer.seen('resumed answer', (message) => message.id === 44 && !('method' in message));
  resumed.drop();
  for (const stream of listening) stream.drop();
  const ended = await peer.post(ping(45), peer.headers());
  await ended.text;
  await peer.send('{not json');
  await peer.delete();
  await peer.send(ping(46));
}

const metaOf = (more: JsonObject = {}): JsonObject => ({
  'io.modelcontextprotocol/protocolVersion': statelessRevision,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': clientInfo,
  ...more,
});

/** A request of the stateless era with its headers. */
export function modern(id: number, method: string, params: JsonObject = {}, meta: JsonObject | null = metaOf()) {
  const name = params.name ?? params.uri;
  const named: Record<string, string> =
    method === 'completion/complete' || name === undefined ? {} : { 'mcp-name': String(name) };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': statelessRevision,
    'mcp-method': method,
    ...named,
  };
  return {
    message: { jsonrpc: '2.0', id, method, params: { ...params, ...(meta === null ? {} : { _meta: meta }) } },
    headers,
  };
}

async function playStateless(peer: Peer): Promise<void> {
  const go = async (
    request: ReturnType<typeof modern>,
    change: (headers: Record<string, string>) => Record<string, string> = (same) => same,
  ): Promise<JsonObject> => {
    const { id, method, params } = request.message;
    return peer.call(id, method, params as JsonObject, change({ ...request.headers }));
  };
  const less = (name: string) => (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
  const plus = (more: Record<string, string>) => (headers: Record<string, string>) => ({ ...headers, ...more });
  await go(modern(90, 'tools/list'));
  await go(modern(1, 'server/discover'));
  await go(modern(2, 'prompts/list'));
  const first = await go(modern(3, 'tools/list'));
  for (const id of [4, 5])
    await go(modern(id, 'tools/list', { cursor: (first.result as JsonObject | undefined)?.nextCursor }));
  await go(modern(6, 'prompts/list', { cursor: 'checker-invalid' }));
  await go(modern(7, 'unknown/method'));
  await go(modern(8, 'ping'));
  await go(modern(9, 'tools/call', { name: 'echo', arguments: { text: 'x' } }));
  await go(modern(10, 'tools/call', { name: 'slow', arguments: { ms: 30 } }, metaOf({ progressToken: 10 })));
  await go(modern(11, 'tools/call', { name: 'log', arguments: {} }));
  await go(modern(12, 'tools/call', { name: 'ask-user', arguments: {} }));
  await go(modern(13, 'tools/call', { name: 'unknown-tool', arguments: {} }));
  await go(modern(14, 'resources/read', { uri: 'demo://nothing' }));
  await go(modern(15, 'prompts/get', {}));
  await go(modern(16, 'server/discover', {}, null));
  const bare = metaOf();
  for (const [index, key] of ['protocolVersion', 'clientCapabilities', 'clientInfo'].entries()) {
    const meta = Object.fromEntries(Object.entries(bare).filter(([name]) => !name.endsWith(key)));
    await go(modern(17 + index, 'server/discover', {}, meta));
  }
  const old = metaOf({ 'io.modelcontextprotocol/protocolVersion': '1900-01-01' });
  for (const [index, method] of ['server/discover', 'prompts/list'].entries())
    await go(modern(20 + index, method, {}, old), plus({ 'mcp-protocol-version': '1900-01-01' }));
  if (peer instanceof HttpPeer) {
    await go(modern(30, 'server/discover', {}, metaOf({ 'io.modelcontextprotocol/protocolVersion': '2025-11-25' })));
    await go(modern(31, 'server/discover'), less('mcp-protocol-version'));
    await go(modern(32, 'server/discover'), less('mcp-method'));
    await go(modern(33, 'server/discover'), plus({ 'mcp-method': 'tools/list' }));
    await go(modern(34, 'tools/list'), plus({ 'mcp-method': 'TOOLS/LIST' }));
    await go(modern(35, 'tools/call', { name: 'about', arguments: {} }), less('mcp-name'));
    await go(
      modern(36, 'tools/call', { name: 'about', arguments: {} }),
      plus({ 'mcp-name': `=?base64?${Buffer.from('about').toString('base64')}?=` }),
    );
    await peer.send(modern(37, 'server/discover').message, {
      ...modern(37, 'server/discover').headers,
      origin: 'http://rebind.attacker.example',
    });
    await peer.listen();
    await peer.delete();
  }
  await peer.send('{not json');
  await peer.call(
    40,
    'server/discover',
    modern(40, 'server/discover').message.params,
    modern(40, 'server/discover').headers,
  );
}
