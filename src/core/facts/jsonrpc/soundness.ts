/**
 * Decides if a server must answer a request correctly. Malformed and cancelled requests, and requests behind unreadable
 * input, are judged only by rules that name such requests with `soundness` in `given`. It makes no judgement.
 */
import { asObject } from '../../model/json.ts';
import type { FactDefinition } from '../core/plugin.ts';
import { hasHeaderFault, mirrorsWrongly } from '../http/header-fault.ts';
import type { HttpState } from '../http/http-state.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import type { Sent } from './window.ts';
import { isIdType, paramsOf } from '../values/rpc.ts';

/** In this order: the first that holds is the word for a request. */
export const soundnesses = ['cancelled', 'wrong-headers', 'deviating', 'disturbed', 'sound'] as const;
export type Soundness = (typeof soundnesses)[number];

const words =
  'sound; deviating (it carries the mark of a deliberate fault, or is malformed: no JSON-RPC 2.0, an id or params of a wrong type, a required member of params missing); wrong-headers (HTTP: a foreign origin, an unknown version, a session that is none or over, an unknown token, in the stateless era headers that differ from the body); cancelled (its sender took it back)';
const byDefault = 'Only rules whose given names this fact get what is not sound.';

/** The fact of an exchange. */
export const exchangeSoundness: FactDefinition<RpcRecord> = {
  says: `Soundness of the request: ${words}; disturbed (it was answered by no result, and sent while something unreadable of its sender had not been outlived). ${byDefault}`,
  rests: [],
  read: soundnessOf,
};

/** The fact of an HTTP exchange. */
export const httpSoundness: FactDefinition<HttpState> = {
  says: `Soundness of the HTTP request: ${words}. ${byDefault}`,
  rests: ['exchanges'],
  read: httpSoundnessOf,
};

export function soundnessOf(record: RpcRecord): Soundness {
  if (record.cancelSeq !== undefined || record.dropSeq !== undefined) return 'cancelled';
  const { http, message } = record;
  if (http !== undefined && record.from === 'client' && (hasHeaderFault(http) || mirrorsWrongly(http, message)))
    return 'wrong-headers';
  if (record.deviates || isMalformed(message)) return 'deviating';
  return record.disturbed && record.outcome !== 'result' ? 'disturbed' : 'sound';
}

export function httpSoundnessOf(http: HttpState): Soundness {
  if (http.cancelled === true) return 'cancelled';
  const { carries, deviates, rpcMessage } = http;
  if (hasHeaderFault(http) || (rpcMessage !== undefined && mirrorsWrongly(http, rpcMessage))) return 'wrong-headers';
  if (deviates || carries === 'unparsable' || carries === 'other') return 'deviating';
  return rpcMessage !== undefined && isMalformed(rpcMessage) ? 'deviating' : 'sound';
}

/** The same of what is no request. */
export function soundnessOfSent({ deviates, http, message, of }: Sent): Soundness {
  if (http !== undefined && hasHeaderFault(http)) return 'wrong-headers';
  if (deviates || of === 'unparsable' || of === 'other') return 'deviating';
  return of === 'notification' && isMalformed(message) ? 'deviating' : 'sound';
}

/** Members that params of these methods must have, with their types, in every revision that has the method. */
const required: Readonly<Record<string, Readonly<Record<string, 'string' | 'object'>>>> = {
  'tools/call': { name: 'string' },
  'prompts/get': { name: 'string' },
  'resources/read': { uri: 'string' },
  'resources/subscribe': { uri: 'string' },
  'resources/unsubscribe': { uri: 'string' },
  'completion/complete': { ref: 'object', argument: 'object' },
  'logging/setLevel': { level: 'string' },
};

/** True if a request or notification is certainly not JSON-RPC 2.0, or lacks something that its method requires. */
export function isMalformed(message: unknown): boolean {
  const { jsonrpc, method, params } = asObject(message) ?? {};
  if (jsonrpc !== '2.0' || typeof method !== 'string') return true;
  const body = asObject(message)!;
  if ('id' in body && !isIdType(body.id)) return true;
  if (params !== undefined && asObject(params) === undefined) return true;
  if (!Object.hasOwn(required, method)) return false;
  return Object.entries(required[method]!).some(([name, type]) => {
    const value = paramsOf(message)?.[name];
    return type === 'string' ? typeof value !== 'string' : asObject(value) === undefined;
  });
}
