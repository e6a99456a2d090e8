/** Where a log message came in the stream that answers a request. */
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { MessageView } from '../../src/core/facts/requests/message-view.ts';

const messageFacts: Definitions<MessageView> = {
  afterResponse: {
    says: 'notifications/message on the event stream that answers a POST: the response had come before it on that stream.',
    rests: ['exchanges', 'streams', 'order'],
    read: ({ method, http }) =>
      method === 'notifications/message' &&
      http?.method === 'POST' &&
      http.carries === 'request' &&
      http.stream !== undefined
        ? http.stream.responses > 0
        : undefined,
  },
};

export const feature: Feature = { name: 'log-order', facts: { message: messageFacts } };
