/** A request at work, in either era: it can be cancelled, and gets one answer. */
import { whenDue } from '../session/due.ts';
import type { JsonObject, RpcRequest } from '../protocol/json-rpc.ts';
import { asRpcError, errorCode, idKey, RpcError } from '../protocol/json-rpc.ts';
import type { ReplySink } from '../protocol/reply-sink.ts';
import type { Running, Session } from '../session/session.ts';

/** Delay of the answer that a server sends which wrongly answers cancelled requests, in ms. */
const lateAnswerDelay = 450;

/** Sends the answer to a request, a result or an error, through the outgoing seam. */
export function answer(
  session: Session,
  request: RpcRequest,
  outcome: JsonObject | RpcError,
  sink: ReplySink,
  era: 'stateful' | 'stateless' = 'stateful',
): void {
  const failed = outcome instanceof RpcError;
  const body = failed ? { error: outcome.toObject() } : { result: outcome };
  const reason = failed ? outcome.reason : 'answer';
  const about = { kind: failed ? 'error' : 'result', method: request.method, asked: request, reason, era } as const;
  const messages = session.prepare({ jsonrpc: '2.0', id: request.id, ...body }, about);
  whenDue(messages, () =>
    sink.finish(messages, { status: failed ? outcome.status : undefined, reason, method: request.method }),
  );
}

/**
 * Runs a request while it can be cancelled.
 * @returns its result or error; undefined once it was cancelled (then the sink is finished)
 */
export async function runRegistered(
  session: Session,
  request: RpcRequest,
  sink: ReplySink,
  run: (running: Running) => Promise<JsonObject>,
): Promise<JsonObject | RpcError | undefined> {
  const key = idKey(request.id);
  if (session.running.has(key))
    return new RpcError(errorCode.invalidRequest, 'This id is in use', { reason: 'invalid' });
  const running: Running = { abort: new AbortController(), sink, cancelled: false };
  session.running.set(key, running);
  let outcome: JsonObject | RpcError;
  try {
    outcome = await run(running);
  } catch (thrown) {
    outcome = asRpcError(thrown);
  } finally {
    session.running.delete(key);
  }
  if (!running.cancelled) return outcome;
  if (session.host.keeps('silence-cancelled-requests') || session.phase === 'closed') {
    sink.finish([], { reason: 'cancelled', method: request.method });
    return undefined;
  }
  await new Promise((resolve) => setTimeout(resolve, lateAnswerDelay));
  return outcome;
}
