/**
 * Checks if a server finds request headers with any letter case. A request with a name in letters of an unusual case is
 * held against the same one with usual names, which was served before and is served again.
 */
import { BoundedSet } from '../../src/core/model/bounded.ts';
import type { Definitions, Feature, Given } from '../../src/core/facts/core/plugin.ts';
import { storeOf } from '../../src/core/facts/state/store.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import { paramsOf } from '../../src/core/facts/values/rpc.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';

/** A request with a name in unusual letters that was not served. */
interface Refusal {
  names: readonly string[];
  events: readonly number[];
}

interface Spellings {
  /** Requests with usual names that were answered with a result. */
  served: Set<string>;
  waiting: { key: string; refusal: Refusal }[];
  refused: Refusal[];
  found: number[];
}

const kept = 200;
const longestKey = 10_000;
/** Statuses of a rejection or a failure, by a server or an intermediary. */
const turningAway = new Set([401, 403, 407, 408, 421, 429]);

const spellingsOf = storeOf<Spellings>(() => ({ served: new BoundedSet(kept), waiting: [], refused: [], found: [] }));

const spellingFacts: Definitions<SessionState> = {
  letterCase: {
    says: 'HTTP/1.1: requests with header names in letters of an unusual case, where the same with usual names was served before. served: how many were answered with a result. refused: the names, as written, of those that were refused although the same with usual names was served again later.',
    rests: ['exchanges', 'order', 'start'],
  },
};

/** A request without its id and client identity. */
function keyOf({ method, message }: RpcRecord): string {
  const { _meta, ...params } = paramsOf(message) ?? {};
  return JSON.stringify([method, params]);
}

function take(spellings: Spellings, record: RpcRecord): void {
  const { served, waiting, refused, found } = spellings;
  const key = keyOf(record);
  if (key.length > longestKey) return;
  const names = record.http?.spelled ?? [];
  if (record.outcome === 'result' && names.length === 0) {
    served.add(key);
    for (const one of waiting) if (one.key === key && refused.length < kept) refused.push(one.refusal);
    spellings.waiting = waiting.filter((one) => one.key !== key);
  } else if (names.length > 0 && served.has(key)) {
    if (record.outcome === 'result') {
      if (found.length < kept) found.push(record.seq);
    } else if (isRefused(record) && waiting.length < kept)
      waiting.push({ key, refusal: { names, events: record.events.slice() } });
  }
}

function isRefused({ outcome, http, replyHttp }: RpcRecord): boolean {
  const { status = 0 } = replyHttp ?? http ?? {};
  return (outcome === 'error' || outcome === 'http-error') && status < 500 && !turningAway.has(status);
}

export const feature: Feature = {
  name: 'header-spelling',
  facts: { session: spellingFacts },
  create: () => ({
    answered(record): Given | undefined {
      if (
        record.from === 'client' &&
        record.http !== undefined &&
        record.session.transport === 'http' &&
        record.session.era === 'stateful'
      )
        take(spellingsOf(record.session), record);
      return undefined;
    },

    sessionOver(session): Given | undefined {
      const { refused, found } = spellingsOf(session);
      if (refused.length + found.length === 0) return undefined;
      const events = refused.flatMap((one) => one.events).slice(0, 12);
      return {
        facts: { letterCase: { served: found.length, refused: [...new Set(refused.flatMap(({ names }) => names))] } },
        events: events.length > 0 ? events : found.slice(0, 12),
        cites: { spelledServed: found.slice(0, 12), spelledRefused: events },
      };
    },
  }),
};
