/** The session ids that a server issued. */
import { append } from '../../src/core/model/lists.ts';
import type { Definitions, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';

const kept = 2000;

const traceFacts: Definitions = {
  sessionIds: { says: 'Session ids that were issued.', rests: ['start', 'exchanges'] },
};

export const feature: Feature = {
  name: 'session-ids',
  after: ['target'],
  facts: { trace: traceFacts },
  create: createSessionIds,
};

function createSessionIds(): Hooks {
  const sessionIds: string[] = [];
  const seqs: number[] = [];
  return {
    sessionOver(session) {
      if (session.sessionId !== undefined && sessionIds.length < kept) {
        sessionIds.push(session.sessionId);
        append(seqs, session.handshake.slice(0, 2));
      }
      return undefined;
    },
    traceOver: () => ({ facts: { sessionIds }, cites: { sessionIds: seqs }, events: seqs }),
  };
}
