/** Decides which kind of trace event a block of an event stream is. Pure; it reads no stream. */
import type { EventInput, SsePart } from '../../../core/model/trace.ts';
import { textPayload, type JsonLimits } from '../../../core/trace/payload.ts';
import type { SseBlock } from './sse-reader.ts';

/**
 * Data of an event named "message", or without a name, is a message (or `unparsable`). With another event name it is
 * one only if it says that it is JSON-RPC: servers send heartbeats and similar JSON under their own names. All else is
 * `sse-event`.
 */
export function sseEvent(block: SseBlock, json: JsonLimits): Omit<EventInput, 'session' | 'exchange' | 'from'> {
  const { data, invalidUtf8, ...fields } = block;
  const sse: SsePart = fields;
  const bad = invalidUtf8 ? { invalidUtf8 } : {};
  if (data === undefined) return { kind: 'sse-event', sse, ...bad };
  const named = fields.event !== undefined && fields.event !== 'message';
  if (data.trim() === '' || fields.event === 'endpoint') return { kind: 'sse-event', sse: { ...sse, data }, ...bad };
  const payload = textPayload(data, json);
  if (named && !(payload.kind === 'message' && claimsJsonRpc(payload.message)))
    return { kind: 'sse-event', sse: { ...sse, data }, ...bad };
  return { ...payload, sse, ...(invalidUtf8 ? { invalidUtf8, raw: payload.raw ?? data } : {}) };
}

function claimsJsonRpc(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(claimsJsonRpc);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'jsonrpc');
}
