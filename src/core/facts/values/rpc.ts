/**
 * Reads JSON-RPC out of trace events: shapes of messages, typed ids, the elements of batches. It is stateless and
 * independent of sessions.
 */
import { asNumber, asObject, asText, isObject, type JsonObject } from '../../model/json.ts';
import type { Party, TraceEvent } from '../../model/trace.ts';

/**
 * - `request`, `notification`: has a method, with or without an id member
 * - `result`, `error`: has that member; `both`: has the two
 * - `empty`: has an id, but neither method, result nor error
 * - `invalid`: none of these, or no object
 */
export type RpcShape = 'request' | 'notification' | 'result' | 'error' | 'both' | 'empty' | 'invalid';

export function shapeOf(message: unknown): RpcShape {
  if (!isObject(message)) return 'invalid';
  if ('method' in message) return 'id' in message ? 'request' : 'notification';
  const hasResult = 'result' in message;
  const hasError = 'error' in message;
  if (hasResult && hasError) return 'both';
  if (hasResult) return 'result';
  if (hasError) return 'error';
  return 'id' in message ? 'empty' : 'invalid';
}

export function isResponse(shape: RpcShape): boolean {
  return shape === 'result' || shape === 'error' || shape === 'both' || shape === 'empty';
}

/** Stands for an id or a token in maps. */
export type IdKey = string | number;

/** Key under which 1 and "1" differ (ids and progress tokens keep their JSON type); a number, which takes little room, is its own. */
export function typedKey(id: unknown): IdKey {
  return typeof id === 'number' ? id : `${typeof id}:${typeof id === 'object' ? JSON.stringify(id) : asText(id)}`;
}

/** Key of what differs in its JSON type alone: of "1" for 1. */
export function twinKey(id: unknown): IdKey {
  return typedKey(typeof id === 'number' ? String(id) : asNumber(id));
}

/** True for an id or token of the two JSON types that MCP allows; 1.0 counts as an integer. */
export function isIdType(id: unknown): boolean {
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id));
}

/** One JSON-RPC message: an event's message, or one element of its batch. */
export interface RpcItem {
  event: TraceEvent;
  seq: number;
  from: Party;
  message: unknown;
  shape: RpcShape;
  inBatch: boolean;
}

/** The messages of an event; a batch yields its elements. */
export function itemsOf(event: TraceEvent): RpcItem[] {
  const { seq, from, message } = event;
  if (Array.isArray(message)) {
    return message.map((element) => ({ event, seq, from, message: element, shape: shapeOf(element), inBatch: true }));
  }
  return [{ event, seq, from, message, shape: shapeOf(message), inBatch: false }];
}

/** JSON that no server can read as a message. */
export function isUnreadable({ shape, message }: RpcItem): boolean {
  if (shape === 'request' || shape === 'notification') return typeof methodOf(message) !== 'string';
  return !isResponse(shape) || asObject(message) === undefined;
}

/**
 * Class of a client message for the server: a response without an object, a method that is not a string, or a request
 * or notification of another version than 2.0 is not a message.
 */
export type SentShape = 'request' | 'notification' | 'response' | 'other';

export function sentShape({ shape, message }: RpcItem): SentShape {
  if (shape === 'request' || shape === 'notification')
    return typeof methodOf(message) === 'string' && asObject(message)?.jsonrpc === '2.0' ? shape : 'other';
  return isResponse(shape) && asObject(message) ? 'response' : 'other';
}

export function methodOf(message: unknown): unknown {
  return asObject(message)?.method;
}

export function paramsOf(message: unknown): JsonObject | undefined {
  return asObject(asObject(message)?.params);
}

/** The `_meta` of the params of a message, if it is an object. */
export function metaOf(message: unknown): JsonObject | undefined {
  return asObject(paramsOf(message)?._meta);
}

/** The progress token that a request carries in `params._meta`, if any. */
export function progressTokenOf(message: unknown): unknown {
  return metaOf(message)?.progressToken;
}

/** Version that a stateless request declares in `params._meta` (2026-07-28: basic/index, _meta). */
export function declaredVersionOf(message: unknown): unknown {
  return metaOf(message)?.['io.modelcontextprotocol/protocolVersion'];
}

/** Member of `params._meta` with the client identity of a stateless request. */
export const clientInfoKey = 'io.modelcontextprotocol/clientInfo';

/** Capabilities that a stateless request declares in `params._meta`. */
export function declaredCapabilitiesOf(message: unknown): JsonObject | undefined {
  return asObject(metaOf(message)?.['io.modelcontextprotocol/clientCapabilities']);
}

/** Longest request that is compared with others. */
const longest = 1000;

/** Content of a request, without its id and _meta; empty if it is long. */
export function wordsOf(message: unknown): string {
  const { method, params } = asObject(message) ?? {};
  const { _meta, ...rest } = asObject(params) ?? {};
  const text = JSON.stringify([method, rest]);
  return text.length > longest ? '' : text;
}
