/** Names of HTTP exchanges in a trace. */
import type { EventSink } from '../../../core/model/trace.ts';

const counters = new WeakMap<EventSink, Map<string, number>>();

/** Numbers exchanges by session, also over several connections that record into one trace. */
export function exchangeNames(sink: EventSink, session: string): () => string {
  const sessions = counters.get(sink) ?? new Map<string, number>();
  counters.set(sink, sessions);
  return () => {
    const number = (sessions.get(session) ?? 0) + 1;
    sessions.set(session, number);
    return `${session}.x${number}`;
  };
}
