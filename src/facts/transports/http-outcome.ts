/** What the HTTP reply tells of a request: what becomes of it where no response comes, and whether an error is about the session. */
import { asObject, type JsonObject } from '../../model/json.ts';
import type { Outcome } from '../jsonrpc/rpc-record.ts';
import type { HttpState } from './http-state.ts';

/** Codes of errors that are about what was asked for, whatever the status: the method, its params or the resource. */
const aboutTheRequest: ReadonlySet<unknown> = new Set([-32601, -32602, -32002]);

/**
 * Whether the error of a reply says that the server has ended the session, as it may at any time, rather than anything
 * of the request (2025-11-25: basic/transports, session management, where 404 says so). Its `id` may be that of the request.
 */
export function saysSessionEnded({ status, session, sessionHeader }: HttpState, reply: JsonObject | undefined): boolean {
  return status === 404 && session.era === 'stateful' && sessionHeader === 'current' && reply?.error !== undefined && !aboutTheRequest.has(asObject(reply.error)?.code);
}

/** @returns undefined where the response may still come */
export function outcomeOf(http: HttpState): Outcome | undefined {
  const { overLimit, status, closed, session, stream, bodyBytes } = http;
  if (overLimit) return 'unanswered';
  if (status === undefined) return closed === 'server' ? 'closed' : 'unanswered';
  if (status >= 400) return http.replies.some(({ message }) => saysSessionEnded(http, asObject(message))) ? 'unanswered' : 'http-error';
  if (session.transport === 'sse') return undefined;
  // A body of which no size is known broke off; another protocol (101) has none.
  if (!stream) return bodyBytes === undefined && status !== 101 ? 'unanswered' : 'missing';
  // A stream that gave event ids can be resumed: the response may still come.
  if (stream.closedBy === 'client' || stream.sawId) return undefined;
  // What broke off with its connection may have held it.
  return stream.closedBy === 'lost' || stream.closedBy === 'harness' ? 'unanswered' : 'missing';
}
