/**
 * Requests of clients that resume an event stream (the `resumption` subjects): with which of the ids that it gave, and how
 * long after its end (2025-11-25: basic/transports#resumability-and-redelivery).
 */
import { BoundedMap } from '../../model/bounded.ts';
import { header } from '../values/header.ts';
import { perSession } from '../state/per-session.ts';
import type { Definitions, Feature, Hooks } from '../core/plugin.ts';
import type { HttpState } from '../http/http-state.ts';

const keptIds = 10_000;

/** A stream, with all that resumed it. */
interface Chain {
  newest: string;
  retry?: number;
  closedBy?: string;
  closedAt?: number;
  events: number[];
}

const resumptionFacts: Definitions = {
  closedBy: {
    says: 'Who had closed the stream: server, client, harness, or lost where it broke off; absent while it is open.',
    rests: ['exchanges', 'streams'],
  },
  stream: {
    says: 'Of the stream: place (newest or older: which of its ids was sent), retry (the announced milliseconds), waited (whole, nearly, or hardly: less than half of them had passed).',
    rests: ['order', 'streams', 'timing'],
  },
};

export const resumptions: Feature = {
  name: 'resumptions',
  kinds: {
    resumption: 'A GET with the Last-Event-ID that an event stream of the connection gave. Complete when it is sent.',
  },
  facts: { resumption: resumptionFacts },
  create: createResumptions,
};

function createResumptions(): Hooks {
  const sessions = perSession(() => ({
    byId: new BoundedMap<string, Chain>(keptIds),
    byStream: new WeakMap<HttpState, Chain>(),
  }));
  return {
    eventOver({ event, session, http }) {
      if (http === undefined) return undefined;
      if (event.kind === 'http-request') {
        const id = http.method === 'GET' ? header(http.requestHeaders, 'last-event-id') : undefined;
        const chain = id === undefined ? undefined : sessions.find(session)?.byId.get(id);
        if (id === undefined || chain === undefined) return undefined;
        sessions.of(session).byStream.set(http, chain);
        const { newest, retry, closedBy, closedAt, events } = chain;
        delete chain.closedBy;
        return {
          subjects: [
            {
              kind: 'resumption',
              session,
              events: [...events.slice(-10), event.seq],
              facts: {
                ...(closedBy === undefined ? {} : { closedBy }),
                stream: {
                  place: id === newest ? 'newest' : 'older',
                  ...(retry === undefined ? {} : { retry }),
                  ...(retry === undefined || closedBy === undefined || closedAt === undefined
                    ? {}
                    : { waited: wordFor(event.t - closedAt, retry) }),
                },
              },
            },
          ],
        };
      }
      if (event.from === 'server' && event.sse !== undefined) {
        const { byId, byStream } = sessions.of(session);
        const { id, retry } = event.sse;
        const chain = byStream.get(http) ?? { newest: '', events: [] };
        byStream.set(http, chain);
        if (retry !== undefined) chain.retry = retry;
        if (id) chain.newest = id;
        if (id) byId.set(id, chain);
        if (chain.events.length < keptIds) chain.events.push(event.seq);
      }
      if (event.kind === 'sse-close') {
        const chain = sessions.find(session)?.byStream.get(http);
        if (chain === undefined) return undefined;
        chain.closedAt = event.t;
        chain.events.push(event.seq);
      }
      return undefined;
    },
    exchangeOver(http) {
      const chain = sessions.find(http.session)?.byStream.get(http);
      const closedBy = http.stream?.closedBy;
      if (chain !== undefined && closedBy !== undefined) chain.closedBy = closedBy;
      return undefined;
    },
    sessionOver(session) {
      sessions.forget(session);
      return undefined;
    },
  };
}

function wordFor(ms: number, retry: number): 'whole' | 'nearly' | 'hardly' {
  return ms >= retry ? 'whole' : ms < retry / 2 ? 'hardly' : 'nearly';
}
