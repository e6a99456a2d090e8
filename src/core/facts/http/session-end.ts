/**
 * Replies by which a server may have ended a session, as it may at any time: 404 for its id, and the end of a reply
 * without the response (2025-11-25: basic/transports, session management). Later service in the session disproves it,
 * so such a reply is not judged before.
 */
import { asObject } from '../../model/json.ts';
import { perSession } from '../state/per-session.ts';
import { typedKey, type RpcItem } from '../values/rpc.ts';
import type { SessionState } from '../state/session-state.ts';
import type { HttpState } from './http-state.ts';

/** Codes of errors that are about what was asked for, whatever the status: the method, its params or the resource. */
const aboutTheRequest: ReadonlySet<unknown> = new Set([-32601, -32602, -32002]);

/** True if the finished reply is a 404 that may mean the end of the session rather than a fault of the request. */
export function mayEndSession(exchange: HttpState): boolean {
  return (
    isNotFound(exchange) &&
    !exchange.replies.some(({ message }) => aboutTheRequest.has(asObject(asObject(message)?.error)?.code))
  );
}

function isNotFound({ status, session, sessionHeader, method }: HttpState): boolean {
  return status === 404 && session.era === 'stateful' && sessionHeader === 'current' && method !== 'DELETE';
}

/** True if the server ended its reply to a request, which cannot be resumed, without the response. */
function isCutShort({ carries, rpcIds, stream, status = 0, bodyBytes, session, sessionHeader }: HttpState): boolean {
  if (carries !== 'request' && carries !== 'batch') return false;
  if (session.era !== 'stateful' || sessionHeader !== 'current' || status < 200 || status >= 300) return false;
  return stream ? stream.closedBy === 'server' && !stream.sawId && stream.responses < rpcIds.length : bodyBytes === 0;
}

/** Such replies of a session that wait for another one; of more nothing is said. */
const keptWaiting = 100;

/** The error of status 404 that answers the request after all, since its session went on. */
export function errorInSession({ sessionEnded, replies }: HttpState, id: unknown): RpcItem | undefined {
  return sessionEnded === false
    ? replies.find(({ message, shape }) => shape === 'error' && typedKey(asObject(message)?.id) === typedKey(id))
    : undefined;
}

export interface SessionEnds {
  /**
   * An exchange is over.
   * @returns exchanges that can be judged now, in order, with the effect of their replies on sessions
   */
  over(exchange: HttpState): HttpState[];
  /** Waiting for an exchange that never came. */
  end(session: SessionState): HttpState[];
}

interface Waiting {
  held: HttpState[];
  /** The session was not found when it was to be deleted. */
  notThere?: true;
}

export function createSessionEnds(): SessionEnds {
  const waiting = perSession((): Waiting => ({ held: [] }));

  /** Exchanges that were over before another one began that shows a living session. */
  function goneOn(kept: Waiting | undefined, { sessionHeader, method, status = 0, seq }: HttpState): HttpState[] {
    // DELETE may be granted for what is not there.
    if (kept === undefined || sessionHeader !== 'current' || method === 'DELETE' || status < 200 || status >= 300)
      return [];
    // Earlier messages are no evidence about later times.
    const alive = kept.held.filter(({ events }) => events.at(-1)! < seq);
    for (const one of alive) {
      one.sessionEnded = false;
      if (one.resumed) one.resumed.resumptionRefused = true;
    }
    kept.held = kept.held.filter(({ sessionEnded }) => sessionEnded === undefined);
    return alive;
  }

  return {
    over(exchange) {
      const { session, sessionHeader, method, status } = exchange;
      const mayEnd = mayEndSession(exchange);
      if (isNotFound(exchange) && !mayEnd) exchange.sessionEnded = false;
      const alive = goneOn(waiting.find(session), exchange);
      if (mayEnd || isCutShort(exchange)) {
        const { held } = waiting.of(session);
        if (held.length >= keptWaiting) {
          if (!mayEnd) exchange.sessionEnded = true;
          return [...alive, exchange];
        }
        held.push(exchange);
        return alive;
      }
      const kept = waiting.find(session);
      if (kept !== undefined && method === 'DELETE' && status === 404 && sessionHeader === 'current')
        kept.notThere = true;
      return [...alive, exchange];
    },
    end(session) {
      const kept = waiting.find(session);
      waiting.forget(session);
      if (kept === undefined) return [];
      const notFound = kept.held.filter(isNotFound).length;
      for (const one of kept.held) {
        // Only 404 from here on: the session is over. Of an interrupted reply one of them is evidence.
        if (isNotFound(one) ? notFound > 1 : notFound > 0 || kept.notThere) one.sessionEnded = true;
      }
      return kept.held;
    },
  };
}
