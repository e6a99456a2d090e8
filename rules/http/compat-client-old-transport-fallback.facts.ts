/** The search for a server of the older HTTP transport, once initialize was refused (2025-11-25: basic/transports). */
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';
import { storeOf } from '../../src/core/facts/state/store.ts';
import { header } from '../../src/core/facts/values/header.ts';

interface Search {
  /** Where initialize was refused. */
  refused?: string;
  found?: 'same-address' | 'other-address';
}

const searchOf = storeOf<Search>(() => ({}));

const connectionFacts: Definitions<SessionState> = {
  oldTransport: {
    says: 'Address of the GET for an event stream that followed on the refusal of initialize: same-address (as that POST) or other-address. A refusal is a status from 400 to 499, other than 401 and 403.',
    rests: ['exchanges', 'order', 'start'],
    read: (session) => searchOf(session).found,
  },
};

export const feature: Feature = {
  name: 'old-transport-search',
  facts: { connection: connectionFacts },
  create: () => ({
    event({ event, session, http }) {
      if (http === undefined || session.phase === 'operating') return undefined;
      const search = searchOf(session);
      if (event.kind === 'http-response' && http.rpcMethod === 'initialize' && isRefusal(event.http?.status))
        search.refused = http.path;
      const isSearch =
        event.kind === 'http-request' &&
        http.method === 'GET' &&
        header(http.requestHeaders, 'accept')?.includes('text/event-stream') === true;
      if (isSearch && search.refused !== undefined && search.found !== 'same-address')
        search.found = http.path === search.refused ? 'same-address' : 'other-address';
      return undefined;
    },
  }),
};

function isRefusal(status = 0): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 403;
}
