/** The text that a log message has, and whether the client has given the server a made-up credential. */
import { isMadeUpToken } from '../../src/core/model/made-up-tokens.ts';
import type { Definitions, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';
import type { MessageView } from '../../src/core/facts/requests/message-view.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';
import { storeOf } from '../../src/core/facts/state/store.ts';
import { metaOf, paramsOf } from '../../src/core/facts/values/rpc.ts';

const keptText = 20_000;

const notesOf = storeOf(() => ({ gaveCredential: false }));

const messageFacts: Definitions<MessageView> = {
  logText: {
    says: 'notifications/message: its data as text, JSON unless it is a text, cut at 20000 characters.',
    rests: [],
    read: ({ item, method, replay }) =>
      replay || item.from !== 'server' || method !== 'notifications/message'
        ? undefined
        : textOf(paramsOf(item.message)?.data),
  },
};

const connectionFacts: Definitions<SessionState> = {
  gaveCredential: {
    says: 'The client has handed over a credential that mcpc made up (src/core/model/made-up-tokens.ts) in the _meta of a request.',
    read: (session) => notesOf(session).gaveCredential,
  },
};

export const feature: Feature = {
  name: 'log-secrets',
  facts: { message: messageFacts, connection: connectionFacts },
  create: (): Hooks => ({
    message({ item, replay, session }) {
      if (replay || item.from !== 'client' || notesOf(session).gaveCredential) return undefined;
      const values = Object.values(metaOf(item.message) ?? {});
      notesOf(session).gaveCredential = values.some((value) => typeof value === 'string' && isMadeUpToken(value));
      return undefined;
    },
  }),
};

function textOf(data: unknown): string | undefined {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return text?.slice(0, keptText);
}
