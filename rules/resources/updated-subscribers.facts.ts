/** Whether a client that is told of a changed resource had subscribed to one. */
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { MessageView } from '../../src/core/facts/requests/message-view.ts';
import { storeOf } from '../../src/core/facts/state/store.ts';

const subscribesOf = storeOf(() => ({ count: 0 }));

const messageFacts: Definitions<MessageView> = {
  subscribed: {
    says: 'notifications/resources/updated: the client had sent resources/subscribe in the session.',
    rests: ['order', 'start'],
    read: ({ method, session }) =>
      method === 'notifications/resources/updated' ? subscribesOf(session).count > 0 : undefined,
  },
};

export const feature: Feature = {
  name: 'subscribed-resources',
  facts: { message: messageFacts },
  create: () => ({
    message({ item, session, method, replay }) {
      if (!replay && item.from === 'client' && item.shape === 'request' && method === 'resources/subscribe')
        subscribesOf(session).count += 1;
      return undefined;
    },
  }),
};
