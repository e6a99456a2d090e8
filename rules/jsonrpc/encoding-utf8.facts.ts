/** The encoding of a message. */
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { MessageView } from '../../src/core/facts/requests/message-view.ts';

const messageFacts: Definitions<MessageView> = {
  utf8: { says: 'Its bytes were valid UTF-8.', rests: ['bytes'], read: (m) => m.item.event.invalidUtf8 !== true },
};

export const feature: Feature = { name: 'encodings', facts: { message: messageFacts } };
