/** Requests that a situation answers before the server sees them: the first of all, and calls that need input first. */
import type { Situation, SituationAnswer } from '../../core/model/rules/situation.ts';
import { answer } from '../../server/dispatch/running-request.ts';
import type { JsonObject, RpcRequest } from '../../server/protocol/json-rpc.ts';
import { RpcError } from '../../server/protocol/json-rpc.ts';
import type { ReplySink } from '../../server/protocol/reply-sink.ts';
import type { Session } from '../../server/session/session.ts';
import type { Remember } from './remember.ts';

/** Returns true where the request is answered. */
export type Immediate = (request: RpcRequest, session: Session, sink: ReplySink) => boolean;

/** @param answerTo how the situation has a request answered */
export function createImmediate(
  { answers = [], offers }: Situation,
  remember: Remember,
  answerTo: (method: string, request: unknown) => SituationAnswer | undefined,
): Immediate {
  const refusal = answers.find(({ first }) => first === true);
  let refused = false;

  function refuse(
    { error, httpStatus, deviation }: SituationAnswer,
    ...[request, session, sink]: Parameters<Immediate>
  ): void {
    const { code, message, data } = error!;
    remember({ jsonrpc: '2.0', id: request.id, error }, deviation);
    const status = httpStatus === undefined ? {} : { status: httpStatus };
    answer(session, request, new RpcError(code, message, { data, reason: 'staged', ...status }), sink, 'stateless');
  }

  return (request, session, sink) => {
    if (refusal?.error !== undefined && !refused) {
      refused = true;
      refuse(refusal, request, session, sink);
      return true;
    }
    const own = answerTo(request.method, request);
    if (own?.error !== undefined && own.httpStatus !== undefined) {
      refuse(own, request, session, sink);
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
