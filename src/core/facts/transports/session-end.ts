/**
 * Replies by which a server may have ended a session, as it may at any time: 404 to what bears its id, and the end of a
 * reply that was still without the response (2025-11-25: basic/transports, session management). That it has not is told
 * by whatever it serves in the session later, so that nothing is said of such a reply before.
 */
import { asObject } from '../../model/json.ts';
import { perSession } from '../core/per-session.ts';
import { typedKey, type RpcItem } from '../jsonrpc/rpc.ts';
import type { SessionState } from '../session/session-state.ts';
import type { HttpState } from './http-state.ts';

/** Codes of errors that are about what was asked for, whatever the status: the method, its params or the resource. */
const aboutTheRequest: ReadonlySet<unknown> = new Set([-32601, -32602, -32002]);

/** Whether the reply, which is over, is a 404 that may say that the session has ended rather than anything of what was sent. */
export function mayEndSession(exchange: HttpState): boolean {
  return (
    isNotFound(exchange) &&
    !exchange.replies.some(({ message }) => aboutTheRequest.has(asObject(asObject(message)?.error)?.code))
  );
}

function isNotFound({ status, session, sessionHeader, method }: HttpState): boolean {
  return status === 404 && session.era === 'stateful' && sessionHeader === 'current' && method !== 'DELETE';
}

/** Whether the server ended its reply to a request, which cannot be resumed, without the response. */
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
  /** An exchange is over. @returns those of which something can be said now, in order, with what its reply tells of their sessions */
  over(exchange: HttpState): HttpState[];
  /** What waited for an exchange that did not come. */
  end(session: SessionState): HttpState[];
}

interface Waiting {
  held: HttpState[];
  /** The session was not found when it was to be deleted. */
  notThere?: true;
}

export function createSessionEnds(): SessionEnds {
  const waiting = perSession((): Waiting => ({ held: [] }));

  /** Those that were over before an exchange began which shows that the session went on. */
  function goneOn(kept: Waiting | undefined, { sessionHeader, method, status = 0, seq }: HttpState): HttpState[] {
    // DELETE may be granted for what is not there.
    if (kept === undefined || sessionHeader !== 'current' || method === 'DELETE' || status < 200 || status >= 300)
      return [];
    // What was sent before tells nothing of the time after.
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
        // Nothing but 404 any more: nobody is there. Of a reply that was cut short one of them tells.
        if (isNotFound(one) ? notFound > 1 : notFound > 0 || kept.notThere) one.sessionEnded = true;
      }
      return kept.held;
    },
  };
}
