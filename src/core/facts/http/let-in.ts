/**
 * True if the credentials of a request (its Authorization header, or none) were accepted elsewhere since its session
 * ended: it was refused for the session then, whatever the status.
 */
import type { SessionState } from '../state/session-state.ts';
import { header } from '../values/header.ts';
import type { HttpState } from './http-state.ts';

export interface LetIn {
  /** Called when the reply to an exchange is over. */
  note(state: HttpState): void;
}

/** Latest success of one Authorization header, in the newest connection and in the newest before that. */
interface Accepted {
  session: SessionState;
  seq: number;
}

const mostCredentials = 100;

export function createLetIn(): LetIn {
  const accepted = new Map<string, Accepted[]>();
  return {
    note(state) {
      const { method, requestHeaders, seq, session, sessionHeader, status = 0 } = state;
      const shown = header(requestHeaders, 'authorization') ?? '';
      const known = accepted.get(shown) ?? [];
      if (sessionHeader === 'ended') {
        const ended = session.deletedSeq ?? Infinity;
        state.letInElsewhere = known.some((one) => one.session !== session && one.seq > ended);
        return;
      }
      if (method !== 'POST' || status < 200 || status > 299) return;
      if (!accepted.has(shown) && accepted.size >= mostCredentials) return;
      accepted.set(shown, [{ session, seq }, ...known.filter((one) => one.session !== session)].slice(0, 2));
    },
  };
}
