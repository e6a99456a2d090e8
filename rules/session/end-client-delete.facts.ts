/** The end of sessions by a client that goes away in order (2025-11-25: basic/transports, session management). */
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';
import { storeOf } from '../../src/core/facts/state/store.ts';
import { endsByItself } from '../../src/core/facts/values/client-end.ts';

interface Leaving {
  /** A DELETE named the session, whatever came of it. */
  asked: boolean;
  /** The server had ended it. */
  over: boolean;
  /** The client ended by itself, or was closed. */
  gone: boolean;
}

const leavingOf = storeOf<Leaving>(() => ({ asked: false, over: false, gone: false }));

const connectionFacts: Definitions<SessionState> = {
  farewell: {
    says: 'Session with an id that the client was done with: delete (it sent DELETE), or none (it ended in order without). Absent for a session that the server had ended.',
    rests: ['exchanges', 'order', 'start'],
    read: (session) => {
      const { asked, over, gone } = leavingOf(session);
      if (session.sessionId === undefined || over) return undefined;
      return asked ? 'delete' : gone ? 'none' : undefined;
    },
  },
};

export const feature: Feature = {
  name: 'farewells',
  facts: { connection: connectionFacts },
  create() {
    const open = new Set<SessionState>();
    return {
      trace(event) {
        if (endsByItself(event) !== true || event.exit?.code !== 0) return undefined;
        const name = event.session;
        // The client of a start is named like its connections.
        const start = name.slice(0, name.lastIndexOf('-') + 1);
        for (const session of open) if (session.name.startsWith(start)) leavingOf(session).gone = true;
        return undefined;
      },
      event({ event, session, http }) {
        open.add(session);
        if (event.kind === 'http-request' && http?.method === 'DELETE' && http.sessionHeader === 'current')
          leavingOf(session).asked = true;
        if (event.kind === 'http-response' && event.http?.status === 404 && http?.sessionHeader === 'current')
          leavingOf(session).over = true;
        return undefined;
      },
      sessionOver(session) {
        open.delete(session);
        return undefined;
      },
    };
  },
};
