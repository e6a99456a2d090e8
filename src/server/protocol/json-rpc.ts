/**
 * The JSON-RPC vocabulary of the reference server: message shapes, error codes and the sorting of what arrives. It is
 * independent of methods, transports and revisions.
 */

export type JsonObject = { [member: string]: unknown };
export type RequestId = string | number;

export interface RpcRequest extends JsonObject {
  jsonrpc: '2.0';
  id: RequestId;
  method: string;
  params?: JsonObject;
}

export interface RpcNotification extends JsonObject {
  jsonrpc: '2.0';
  method: string;
  params?: JsonObject;
}

export interface RpcResponse extends JsonObject {
  jsonrpc: '2.0';
  id: RequestId;
  result?: JsonObject;
  error?: JsonObject;
}

export type Incoming =
  | { kind: 'request'; message: RpcRequest }
  | { kind: 'notification'; message: RpcNotification }
  | { kind: 'response'; message: RpcResponse }
  | { kind: 'invalid'; id: RequestId | undefined };

/** Numeric error codes of JSON-RPC and of the Model Context Protocol. */
export const errorCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  resourceNotFound: -32002,
  urlElicitationRequired: -32042,
  headerMismatch: -32020,
  capabilityMissing: -32021,
  versionUnsupported: -32022,
} as const;

/** A protocol error that becomes the `error` member of a response. `reason` names its cause for the seams. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  readonly reason: string;
  /** HTTP status where the revision fixes one; otherwise the transport decides. */
  readonly status: number | undefined;

  constructor(code: number, message: string, extra: { data?: unknown; reason?: string; status?: number } = {}) {
    super(message);
    this.code = code;
    this.data = extra.data;
    this.reason = extra.reason ?? '';
    this.status = extra.status;
  }

  /** The error as it goes on the wire. */
  toObject(): JsonObject {
    return { code: this.code, message: this.message, ...(this.data === undefined ? {} : { data: this.data }) };
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** MCP ids are strings or whole numbers, never null. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value));
}

/** A map key that keeps 1 and "1" apart. */
export function idKey(id: unknown): string {
  return `${typeof id}:${String(id)}`;
}

/** Sorts one parsed JSON value into request, notification, response or none of these. */
export function classify(value: unknown): Incoming {
  if (!isObject(value)) return { kind: 'invalid', id: undefined };
  const id = isRequestId(value.id) ? value.id : undefined;
  if (value.jsonrpc !== '2.0') return { kind: 'invalid', id };
  if ('method' in value) {
    const sound = typeof value.method === 'string' && (value.params === undefined || isObject(value.params));
    if (!sound) return { kind: 'invalid', id };
    if (!('id' in value)) return { kind: 'notification', message: value as RpcNotification };
    if (id === undefined) return { kind: 'invalid', id };
    return { kind: 'request', message: value as RpcRequest };
  }
  const oneOutcome = 'result' in value !== 'error' in value;
  if (oneOutcome && id !== undefined) return { kind: 'response', message: value as RpcResponse };
  return { kind: 'invalid', id };
}

/** Whatever a handler threw, as an error for the wire. Unexpected faults become -32603 without details. */
export function asRpcError(thrown: unknown): RpcError {
  return thrown instanceof RpcError ? thrown : new RpcError(errorCode.internal, 'Internal error');
}
