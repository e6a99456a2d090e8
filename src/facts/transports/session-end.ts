/**
 * Replies by which a server may have ended a session, as it may at any time: 404 to what bears its id (2025-11-25:
 * basic/transports, session management). That it has not is told by whatever it serves in the session later, so that
 * nothing is said of such a reply before.
 */
import { asObject } from '../../model/json.ts';
import { perSession } from '../core/per-session.ts';
import { typedKey, type RpcItem } from '../jsonrpc/rpc.ts';
import type { SessionState } from '../session/session-state.ts';
import type { HttpState } from './http-state.ts';

/** Codes of errors that are about what was asked for, whatever the status: the method, its params or the resource. */
const aboutTheRequest: ReadonlySet<unknown> = new Set([-32601, -32602, -32002]);

/** Whether the reply, which is over, may say that the session has ended rather than anything of what was sent. */
export function mayEndSession(exchange: HttpState): boolean {
  return isNotFound(exchange) && !exchange.replies.some(({ message }) => aboutTheRequest.has(asObject(asObject(message)?.error)?.code));
}

function isNotFound({ status, session, sessionHeader, method }: HttpState): boolean {
  return status === 404 && session.era === 'stateful' && sessionHeader === 'current' && method !== 'DELETE';
}

/** Such replies of a session that wait for another one; of more nothing is said. */
const keptWaiting = 100;

/** The error of status 404 that answers the request after all, since its session went on. */
export function errorInSession({ sessionEnded, replies }: HttpState, id: unknown): RpcItem | undefined {
  return sessionEnded === false ? replies.find(({ message, shape }) => shape === 'error' && typedKey(asObject(message)?.id) === typedKey(id)) : undefined;
}

export interface SessionEnds {
  /** An exchange is over. @returns those of which something can be said now, in order, with what its reply tells of their sessions */
  over(exchange: HttpState): HttpState[];
  /** What waited for an exchange that did not come. */
  end(session: SessionState): HttpState[];
}

export function createSessionEnds(): SessionEnds {
  const waiting = perSession((): { held: HttpState[] } => ({ held: [] }));

  return {
    over(exchange) {
      const { session, sessionHeader, seq, method, status = 0 } = exchange;
      if (mayEndSession(exchange)) {
        const { held } = waiting.of(session);
        if (held.length >= keptWaiting) return [exchange];
        held.push(exchange);
        return [];
      }
      if (isNotFound(exchange)) exchange.sessionEnded = false;
      const kept = waiting.find(session);
      // DELETE may be granted for what is not there.
      if (kept === undefined || sessionHeader !== 'current' || method === 'DELETE' || status < 200 || status >= 300) return [exchange];
      // What was sent before tells nothing of the time after.
      const alive = kept.held.filter(({ events }) => events.at(-1)! < seq);
      for (const one of alive) one.sessionEnded = false;
      kept.held = kept.held.filter(({ sessionEnded }) => sessionEnded === undefined);
      return [...alive, exchange];
    },
    end(session) {
      const { held = [] } = waiting.find(session) ?? {};
      waiting.forget(session);
      // Nothing but 404 any more: nobody is there.
      if (held.length > 1) for (const one of held) one.sessionEnded = true;
      return held;
    },
  };
}
