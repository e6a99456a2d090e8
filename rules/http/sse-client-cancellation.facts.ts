/**
 * Requests whose reply the client closed before the response came (2025-11-25: basic/transports). Follows if the client
 * says that it cancels them, or comes back for the stream. It makes no judgement.
 */
import { BoundedSet } from '../../src/core/model/bounded.ts';
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { HttpState } from '../../src/core/facts/http/http-state.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';
import { storeOf } from '../../src/core/facts/state/store.ts';

const keptExchanges = 500;

interface Abandonment {
  /** Closed by the client without a response. */
  exchanges: BoundedSet<HttpState>;
  /** Those of them that a GET took up again. */
  resumed: WeakSet<HttpState>;
  cancelled: number;
  /** Seq of the newest request that was answered. */
  answered: number;
}

const abandonmentOf = storeOf<Abandonment>(() => ({
  exchanges: new BoundedSet(keptExchanges),
  resumed: new WeakSet(),
  cancelled: 0,
  answered: 0,
}));

const connectionFacts: Definitions<SessionState> = {
  abandoned: {
    says: 'Streamable HTTP: cancelled (how many requests the client cancelled by notifications/cancelled), and silently (methods of requests whose reply it closed without a response or that notification). It resumed none of these streams, and a later request was answered. Requests about tasks do not count.',
    rests: ['exchanges', 'streams', 'order', 'start'],
    read: (session) => {
      const { exchanges, resumed, cancelled, answered } = abandonmentOf(session);
      const silent = [...exchanges].filter(
        (one) => one.cancelled !== true && !resumed.has(one) && (one.events.at(-1) ?? one.seq) < answered,
      );
      return { cancelled, silently: silent.map(({ rpcMethod }) => rpcMethod) };
    },
  },
};

export const feature: Feature = {
  name: 'abandoned-requests',
  facts: { connection: connectionFacts },
  create: () => ({
    message({ session, method, item, place: { record } }) {
      if (item.from === 'client' && method === 'notifications/cancelled' && record?.from === 'client')
        abandonmentOf(session).cancelled += 1;
      return undefined;
    },
    answered({ session, from, outcome, seq }) {
      const left = abandonmentOf(session);
      if (from === 'client' && (outcome === 'result' || outcome === 'error'))
        left.answered = Math.max(left.answered, seq);
      return undefined;
    },
    exchangeOver(http) {
      const left = abandonmentOf(http.session);
      if (http.resumed) left.resumed.add(http.resumed);
      const isClosed = http.stream
        ? http.stream.closedBy === 'client' && http.stream.responses === 0
        : http.closed === 'client';
      // A client may leave the streams of these at any time (2025-11-25: basic/utilities/tasks).
      const isOfTask = String(http.rpcMethod).startsWith('tasks/');
      if (http.carries === 'request' && isClosed && !isOfTask && http.session.era === 'stateful')
        left.exchanges.add(http);
      return undefined;
    },
  }),
};
