/** Outcome of a request whose HTTP reply ended without a response. */
import type { Outcome } from './rpc-record.ts';
import type { HttpState } from '../http/http-state.ts';
import { mayEndSession } from '../http/session-end.ts';

/** @returns undefined where the response may still come */
export function outcomeOf(http: HttpState): Outcome | undefined {
  const { overLimit, status, closed, session, stream, bodyBytes } = http;
  if (overLimit) return 'unanswered';
  if (status === undefined) return closed === 'server' ? 'closed' : 'unanswered';
  if (status >= 400) return mayEndSession(http) && http.sessionEnded !== false ? 'unanswered' : 'http-error';
  if (session.transport === 'sse') return undefined;
  // With its session a server ends what was going on in it.
  if (http.sessionEnded) return 'unanswered';
  // A body of unknown size broke off; another protocol (101) has none.
  if (!stream) return bodyBytes === undefined && status !== 101 ? 'unanswered' : 'missing';
  // A stream that gave event ids can be resumed: the response may still come.
  if (stream.closedBy === 'client' || stream.sawId) return undefined;
  // A reply that broke off with its connection may have contained it.
  return stream.closedBy === 'lost' || stream.closedBy === 'harness' ? 'unanswered' : 'missing';
}
