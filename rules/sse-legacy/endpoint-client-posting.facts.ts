/** Where a client of HTTP+SSE posts, compared with the address that the event stream named (2024-11-05: basic/transports). */
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { MessageView } from '../../src/core/facts/requests/message-view.ts';
import { storeOf } from '../../src/core/facts/state/store.ts';

const named = storeOf<{ path?: string }>(() => ({}));

const messageFacts: Definitions<MessageView> = {
  postedTo: {
    says: 'HTTP+SSE, messages of the client once the event stream had named an address: endpoint (posted there) or elsewhere.',
    rests: ['exchanges', 'streams', 'order', 'start'],
  },
};

export const feature: Feature = {
  name: 'posting-address',
  facts: { message: messageFacts },
  create: () => ({
    event({ event: { sse }, session }) {
      if (sse?.event === 'endpoint' && sse.data !== undefined) named(session).path ??= pathOf(sse.data);
      return undefined;
    },
    message({ item, session, http }) {
      const { path } = named(session);
      if (item.from !== 'client' || session.transport !== 'sse' || http?.method !== 'POST' || path === undefined)
        return undefined;
      return { facts: { postedTo: pathOf(http.path) === path ? 'endpoint' : 'elsewhere' } };
    },
  }),
};

/** Path and query of an address, which may lack its origin. */
function pathOf(address: string): string | undefined {
  try {
    const { pathname, search } = new URL(address.trim(), 'http://localhost/');
    return pathname + search;
  } catch {
    return undefined;
  }
}
