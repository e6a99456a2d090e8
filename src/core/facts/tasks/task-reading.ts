/** Reads what single messages and listings say of tasks (2025-11-25: basic/utilities/tasks). Keeps no state. */
import { asObject, asText, isObject } from '../../model/json.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { paramsOf, type RpcItem } from '../values/rpc.ts';

export type Side = 'client' | 'server';

const metaKey = 'io.modelcontextprotocol/related-task';

export function otherSide(side: RpcItem['from']): Side {
  return side === 'client' ? 'server' : 'client';
}

/** The taskId of related-task metadata: in the params of a request or notification, in the result of a response. */
export function relatedTaskOf(message: unknown): unknown {
  const holder = paramsOf(message) ?? asObject(asObject(message)?.result);
  return asObject(asObject(holder?._meta)?.[metaKey])?.taskId;
}

/** True if a request asks to run as a task. */
export function isAsTask({ message }: RpcRecord): boolean {
  return paramsOf(message)?.task !== undefined;
}

/** True if the receiver of a request had declared that it runs requests of the method as tasks. */
export function isTaskDeclared({ session, from, method }: RpcRecord): boolean {
  const capabilities = from === 'client' ? session.serverCapabilities : session.clientCapabilities;
  let at: unknown = asObject(capabilities?.tasks)?.requests;
  if (at === undefined) return false;
  for (const part of asText(method).split('/')) at = asObject(at)?.[part];
  return at !== undefined && at !== false && at !== null;
}

/** The listing's declaration for the called tool: without one, tasks are forbidden. */
export function taskSupportOf({ from, method }: RpcRecord, listed: unknown): string | undefined {
  if (from !== 'client' || method !== 'tools/call' || !isObject(listed)) return undefined;
  const support = asObject(listed.execution)?.taskSupport;
  return typeof support === 'string' ? support : 'forbidden';
}
