/** The name of the server-sent event that carried a message. */
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { MessageView } from '../../src/core/facts/requests/message-view.ts';

const messageFacts: Definitions<MessageView> = {
  eventName: {
    says: 'Name of the server-sent event that carried it; absent means message.',
    rests: ['exchanges', 'transport'],
    read: (m) => m.item.event.sse?.event,
  },
};

export const feature: Feature = { name: 'event-names', facts: { message: messageFacts } };
