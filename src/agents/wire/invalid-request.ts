/** What is no JSON-RPC message of MCP, and how it is answered. */
import { JSONRPCMessageSchema, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isObject } from '../../core/model/json.ts';

export interface ErrorReply {
  jsonrpc: '2.0';
  id: RequestId | null;
  error: { code: number; message: string };
}

export function errorReply(id: RequestId | null, code: number, message: string): ErrorReply {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** Undefined for a message, null for what is malformed and gets no answer: a notification or a response. */
export function replyToInvalid(value: unknown): ErrorReply | null | undefined {
  if (JSONRPCMessageSchema.safeParse(value).success) return undefined;
  if (isObject(value)) {
    const isNotification = !('id' in value) && typeof value['method'] === 'string';
    const isResponse = ('result' in value || 'error' in value) && !('method' in value);
    if (isNotification || isResponse) return null;
  }
  const id = isObject(value) ? value['id'] : undefined;
  const known = typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : null;
  return errorReply(known, -32600, 'Invalid request: this is no JSON-RPC request of MCP.');
}
