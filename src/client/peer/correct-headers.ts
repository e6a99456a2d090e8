/**
 * The HTTP headers of a correct client for a message: media types, session id, protocol version, and in the stateless
 * era those that mirror the body (2026-07-28: basic/transports/streamable-http).
 */
import { headerValue } from '../../core/json-schema/header-parameters.ts';
import type { TransportKind } from '../../core/model/trace.ts';
import { nameMembers, type HeaderChanges } from '../../core/model/request-headers.ts';

type Json = Record<string, unknown>;

export interface HeaderSituation {
  /** The message, or undefined for GET and DELETE. */
  message: unknown;
  transport: TransportKind;
  era: 'stateful' | 'stateless';
  /** Negotiated or declared; undefined before initialize was answered. */
  version: string | undefined;
  sessionId: string | undefined;
}

export function correctHeaders({ message, transport, era, version, sessionId }: HeaderSituation): [string, string][] {
  const headers: [string, string][] = [['Content-Type', 'application/json']];
  headers.push(['Accept', 'application/json, text/event-stream']);
  if (transport === 'sse') return headers;
  const body = typeof message === 'object' && message !== null ? (message as Json) : {};
  const starts = body.method === 'initialize';
  if (era === 'stateless') return [...headers, ...mirrorHeaders(body, version)];
  if (sessionId !== undefined && !starts) headers.push(['Mcp-Session-Id', sessionId]);
  if (version !== undefined && version >= '2025-06-18' && !starts) headers.push(['MCP-Protocol-Version', version]);
  return headers;
}

function mirrorHeaders(body: Json, version: string | undefined): [string, string][] {
  const headers: [string, string][] = [];
  if (version !== undefined) headers.push(['MCP-Protocol-Version', version]);
  if (typeof body.method !== 'string') return headers;
  headers.push(['Mcp-Method', body.method]);
  const member = nameMembers[body.method];
  const name = member === undefined ? undefined : (body.params as Json | undefined)?.[member];
  if (typeof name === 'string') headers.push(['Mcp-Name', headerValue(name)]);
  return headers;
}

/** Changes for a GET that opens a stream: it has no body, and accepts only a stream. */
export const streamHeaders: HeaderChanges = { 'content-type': null, accept: 'text/event-stream' };

/** Changes by name in any case; null leaves a header out, true keeps the spelling of its name. */
export function changeHeaders(headers: [string, string][], changes: HeaderChanges): [string, string][] {
  const names = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
  const kept = headers.filter(([name]) => !names.has(name.toLowerCase()));
  const added = Object.entries(changes).flatMap(([name, value]): [string, string][] => {
    const given = value === true ? headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1] : value;
    return typeof given === 'string' ? [[name, given]] : [];
  });
  return [...kept, ...added];
}
