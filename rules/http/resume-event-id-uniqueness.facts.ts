/** SSE event ids of a connection that were given twice. */
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import { notesOf } from '../../src/core/facts/session/connection-notes.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';

const eventIdFacts: Definitions<SessionState> = {
  eventIds: {
    says: 'SSE event ids: count (how many different ones) and repeated (those given twice, except replays).',
    rests: ['exchanges', 'streams'],
    read: (session) => {
      const { seen, repeated } = notesOf(session).eventIds;
      return { count: seen.size, repeated: repeated.map(({ id }) => id) };
    },
  },
};

export const feature: Feature = {
  name: 'event-ids',
  after: ['session'],
  facts: { session: eventIdFacts },
  create: () => ({
    sessionOver(session) {
      const repeated = notesOf(session)
        .eventIds.repeated.slice(0, 10)
        .map(({ seq }) => seq);
      return { events: repeated, cites: { repeatedEventIds: repeated } };
    },
  }),
};
