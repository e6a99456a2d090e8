/** The _meta of a client's requests. Pure. */
import { clientInfo } from './client-answers.ts';

type Json = Record<string, unknown>;

/** Metadata of every request of the stateless era (2026-07-28: basic, request metadata). */
export function statelessMeta(revision: string, capabilities: Json, toolVersion: string, name?: string): Json {
  return {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': clientInfo(toolVersion, name),
  };
}

/** Params with the members in their _meta; null leaves one out. Params that are no object stay as they are. */
export function withMeta(params: unknown, meta: Json): unknown {
  const members = Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== null));
  if (Object.keys(members).length === 0) return params;
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))) return params;
  return { ...params, _meta: { ...((params as Json | undefined)?._meta as Json), ...members } };
}
