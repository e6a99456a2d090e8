/** Requests that a situation answers before the server sees them: the first of all, and calls that need input first. */
import type { Situation } from '../../core/model/rules/situation.ts';
import { answer } from '../../server/dispatch/running-request.ts';
import type { JsonObject, RpcRequest } from '../../server/protocol/json-rpc.ts';
import { RpcError } from '../../server/protocol/json-rpc.ts';
import type { ReplySink } from '../../server/protocol/reply-sink.ts';
import type { Session } from '../../server/session/session.ts';
import type { Remember } from './remember.ts';

/** Returns true where the request is answered. */
export type Immediate = (request: RpcRequest, session: Session, sink: ReplySink) => boolean;

export function createImmediate({ answers = [], offers }: Situation, remember: Remember): Immediate {
  const refusal = answers.find(({ first }) => first === true);
  let refused = false;
  return (request, session, sink) => {
    if (refusal?.error !== undefined && !refused) {
      refused = true;
      const { code, message, data } = refusal.error;
      remember({ jsonrpc: '2.0', id: request.id, error: refusal.error }, refusal.deviation);
      const status = refusal.httpStatus === undefined ? {} : { status: refusal.httpStatus };
      answer(session, request, new RpcError(code, message, { data, reason: 'staged', ...status }), sink, 'stateless');
      return true;
    }
    const tool = offers?.tools?.find(({ name }) => name === request.params?.name);
    if (request.method !== 'tools/call' || tool?.input === undefined) return false;
    const outcome =
      request.params?.inputResponses === undefined && request.params?.requestState === undefined
        ? { resultType: 'input_required', ...tool.input }
        : { resultType: 'complete', ...tool.result };
    answer(session, request, outcome as JsonObject, sink, 'stateless');
    return true;
  };
}
