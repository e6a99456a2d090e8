/** logging/setLevel of the stateful era. */
import type { JsonObject } from '../protocol/json-rpc.ts';
import { errorCode, RpcError } from '../protocol/json-rpc.ts';
import { isLevel } from '../protocol/log-levels.ts';
import type { RequestContext } from '../session/request-context.ts';

/** @throws RpcError -32602 for a level that is none of the eight */
export function setLevel(params: JsonObject, context: RequestContext): JsonObject {
  if (!isLevel(params.level)) throw new RpcError(errorCode.invalidParams, 'Unknown log level', { reason: 'params' });
  context.session.logLevel = params.level;
  return {};
}
