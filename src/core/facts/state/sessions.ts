/** Which connections are followed: by name, the youngest thousand; what comes late for others begins no new ones. */
import type { TraceEvent, TransportKind } from '../../model/trace.ts';
import { createSessionState, joinMidway, type SessionState } from './session-state.ts';

/** Maximum number of followed connections, and of ended ones remembered by name. */
const keptSessions = 1000;
const keptNames = 1_000_000;

export interface Sessions {
  /** The connection of an event; undefined for one that is not followed, or not yet. */
  find(event: TraceEvent): SessionState | undefined;
  /** Begins the connection of an event; undefined where it is followed no more. */
  open(event: TraceEvent): SessionState | undefined;
  /** The connection that has to go before another one can begin; it is let go if it had not ended by itself. */
  crowdedOut(event: TraceEvent): SessionState | undefined;
  /** A connection is over. */
  close(session: SessionState): void;
  all(): SessionState[];
  /** Connections that had not ended when a thousand younger ones were there, and such as were never begun. */
  readonly letGo: number;
}

/** @param midway the revision of a conversation without a recorded handshake */
export function createSessions(transport: TransportKind, midway: string | undefined): Sessions {
  const sessions = new Map<string, SessionState>();
  /** Names of connections that were let go, so that what comes late begins no new one. */
  const gone = new Set<string>();
  let letGo = 0;
  let first = true;
  /** Nearly always the one of the event before. */
  let last: SessionState | undefined;

  return {
    find({ session: name }) {
      if (last?.name !== name) last = sessions.get(name);
      return last;
    },
    open({ session: name }) {
      if (gone.has(name)) return undefined;
      // Connections beyond the remembered names are ignored: their late events would start them again.
      if (gone.size >= keptNames) {
        letGo += 1;
        return undefined;
      }
      const session = createSessionState(name, transport);
      if (midway !== undefined && first) joinMidway(session, midway);
      first = false;
      sessions.set(name, session);
      return session;
    },
    crowdedOut({ session: name }) {
      if (sessions.size < keptSessions || gone.has(name) || gone.size >= keptNames) return undefined;
      const [oldest] = sessions.values();
      if (!oldest) return undefined;
      gone.add(oldest.name);
      if (!oldest.ended && oldest.phase !== 'closing') {
        oldest.letGo = true;
        letGo += 1;
      }
      return oldest;
    },
    close(session) {
      sessions.delete(session.name);
      if (last === session) last = undefined;
    },
    all: () => [...sessions.values()],
    get letGo() {
      return letGo;
    },
  };
}
