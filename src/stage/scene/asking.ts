/** Sends what a situation asks for while a request of the client is under way, one after another. */
import type { SituationAsk } from '../../core/model/rules/situation.ts';
import type { JsonObject } from '../../server/protocol/json-rpc.ts';
import type { ReplySink } from '../../server/protocol/reply-sink.ts';
import type { Remember } from './remember.ts';
import { ClientRefusal, type Session } from '../../server/session/session.ts';

/** Longest wait for an answer of the client, before the request that it holds up is answered. */
const answerMs = 3_000;

export async function askAll(
  asks: readonly SituationAsk[],
  session: Session,
  sink: ReplySink,
  remember: Remember,
): Promise<void> {
  for (const ask of asks) {
    if (ask.message !== undefined) {
      remember(ask.message, ask.deviation);
      session.relate(ask.message as JsonObject, sink);
    } else if (ask.batch !== undefined) await batched(ask.method!, ask.batch, session, sink);
    else await request(ask, session, sink, remember);
    if (ask.ping === true) await request({ method: 'ping' }, session, sink, remember);
  }
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
  session: Session,
  sink: ReplySink,
  remember: Remember,
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
