/** The messages of the default handshake before an example, and the request metadata of the stateless era. */
import type { RuleExample } from '../../model/rules/rule.ts';

type Json = Record<string, unknown>;

/** Id under which the default handshake asks, which no example needs to avoid. */
export const handshakeId = 'handshake';
const clientInfo = { name: 'example-client', version: '1.0.0' };

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function initializeRequest(example: RuleExample, revision: string): Json {
  const params = { protocolVersion: revision, capabilities: example.clientCapabilities ?? {}, clientInfo };
  return { jsonrpc: '2.0', id: handshakeId, method: 'initialize', params };
}

export function discoverRequest(example: RuleExample, revision: string): Json {
  return {
    jsonrpc: '2.0',
    id: handshakeId,
    method: 'server/discover',
    params: { _meta: statelessMeta(example, revision) },
  };
}

function statelessMeta(example: RuleExample, revision: string): Json {
  return {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': example.clientCapabilities ?? {},
    'io.modelcontextprotocol/clientInfo': clientInfo,
  };
}

/** Stateless requests carry the _meta of a correct client, unless they bring one; `"_meta": null` leaves it out. */
export function withMeta(message: unknown, example: RuleExample, revision: string): unknown {
  const isRequest =
    isRecord(message) && typeof message.method === 'string' && 'id' in message && message.method !== 'initialize';
  if (!isRequest) return message;
  const params = message.params ?? {};
  if (!isRecord(params) || isRecord(params._meta)) return message;
  const { _meta, ...rest } = params;
  return { ...message, params: _meta === null ? rest : { ...rest, _meta: statelessMeta(example, revision) } };
}

/** The initialize result of the default handshake. */
export function initializeReply(example: RuleExample, revision: string): Record<string, unknown> {
  return {
    jsonrpc: '2.0',
    id: handshakeId,
    result: {
      protocolVersion: revision,
      capabilities: example.serverCapabilities ?? { tools: {} },
      serverInfo: { name: 'example-server', version: '1.0.0' },
    },
  };
}

/** The server/discover result of the default handshake in the stateless era. */
export function discoverReply(example: RuleExample): Record<string, unknown> {
  return {
    jsonrpc: '2.0',
    id: handshakeId,
    result: {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: example.serverCapabilities ?? { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'example-server', version: '1.0.0' } },
    },
  };
}
