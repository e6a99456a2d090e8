/** Whether a server of the stateless era made tasks. */
import { asObject } from '../../src/core/model/json.ts';
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';
import { storeOf } from '../../src/core/facts/state/store.ts';

const notesOf = storeOf(() => ({ madeTask: false }));

const connectionFacts: Definitions<SessionState> = {
  madeTask: {
    says: 'A result of the server had the resultType task (tasks extension of 2026-07-28).',
    read: (session) => notesOf(session).madeTask,
  },
};

export const feature: Feature = {
  name: 'made-tasks',
  facts: { connection: connectionFacts },
  create: () => ({
    answered({ session, reply }) {
      if (asObject(asObject(reply)?.result)?.resultType === 'task') notesOf(session).madeTask = true;
      return undefined;
    },
  }),
};
