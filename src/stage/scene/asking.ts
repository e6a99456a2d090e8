/** Sends what a situation asks for while a request of the client is under way, one after another. */
import { asObject } from '../../core/model/json.ts';
import type { SituationAsk } from '../../core/model/rules/situation.ts';
import type { JsonObject, RpcRequest } from '../../server/protocol/json-rpc.ts';
import type { ReplySink } from '../../server/protocol/reply-sink.ts';
import type { Remember } from './remember.ts';
import { ClientRefusal, type Session } from '../../server/session/session.ts';
import { relatedMeta } from '../../server/session/task.ts';

/** Longest wait for an answer of the client, before the request that it holds up is answered. */
const answerMs = 3_000;

/** Way to the client, and what is noted of the messages that take it. */
interface Asking {
  session: Session;
  /** The reply to the request that is interrupted. */
  sink: ReplySink;
  remember: Remember;
}

/** @param interrupted the request that waits meanwhile */
export async function askAll(asks: readonly SituationAsk[], interrupted: RpcRequest, asking: Asking): Promise<void> {
  const { session, sink, remember } = asking;
  for (const ask of asks) {
    if (ask.message !== undefined) {
      remember(ask.message, ask.deviation);
      session.relate(ask.message as JsonObject, sink);
    } else if (ask.batch !== undefined) await batched(ask.method!, ask.batch, session, sink);
    else if (ask.onListeningStream === true)
      await request(inTask(ask, interrupted), { ...asking, sink: listeningStreamOf(session) });
    else await request(ask, asking);
    if (ask.ping === true) await request({ method: 'ping' }, asking);
  }
}

/** The same request, marked as part of the task that the other one names. */
function inTask(ask: SituationAsk, { params }: RpcRequest): SituationAsk {
  return { ...ask, params: { ...ask.params, _meta: relatedMeta(asObject(params)?.taskId) } };
}

/** The listening stream of a client. */
function listeningStreamOf(session: Session): ReplySink {
  return { related: (message) => session.deliver(message), finish() {} };
}

/** Requests in one batch. */
async function batched(method: string, count: number, session: Session, sink: ReplySink): Promise<void> {
  const parts: JsonObject[] = [];
  const late = new AbortController();
  const collecting: ReplySink = { related: (message) => void parts.push(message), finish() {} };
  const asked = Array.from({ length: count }, () =>
    session.request(method, undefined, { sink: collecting, signal: late.signal }),
  );
  // A sink writes whatever it is given, as one message.
  sink.related([...parts] as unknown as JsonObject);
  const timer = setTimeout(() => late.abort(), answerMs);
  await Promise.allSettled(asked);
  clearTimeout(timer);
}

async function request(
  { method, params, cancelled, deviation }: SituationAsk,
  { session, sink, remember }: Asking,
): Promise<void> {
  const late = new AbortController();
  let id: unknown;
  const asked = session.request(method!, params as JsonObject | undefined, {
    sink,
    signal: late.signal,
    mark(message) {
      id ??= message.id;
      if (cancelled !== 'late') remember(message, deviation);
      return message;
    },
  });
  if (cancelled === 'at-once') late.abort();
  const timer = setTimeout(() => late.abort(), answerMs);
  const answered = await asked.then(
    () => true,
    (error: unknown) => error instanceof ClientRefusal,
  );
  clearTimeout(timer);
  if (cancelled !== 'late' || !answered) return;
  const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } } as JsonObject;
  remember(notice, deviation);
  session.relate(notice, sink);
}
