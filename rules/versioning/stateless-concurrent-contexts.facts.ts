/**
 * Follows requests that wait in parallel with those of another client: in the stateless era a connection belongs to no
 * conversation (2026-07-28: basic/index#statelessness). It makes no judgement.
 */
import { BoundedMap } from '../../src/core/model/bounded.ts';
import { asText } from '../../src/core/model/json.ts';
import type { Definitions, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';
import { perSession } from '../../src/core/facts/state/per-session.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import { clientInfoKey, declaredCapabilitiesOf, metaOf, paramsOf } from '../../src/core/facts/values/rpc.ts';
import { listMethods } from '../../src/core/facts/values/lists.ts';

/** Methods whose answers depend on nothing else, and that any server has at hand. */
const plainMethods: ReadonlySet<unknown> = new Set(['server/discover', ...listMethods]);
const keptOpen = 1000;
const keptClients = 1000;
const keptRequests = 1000;
const longestKey = 10_000;

/** Requests of the same clientInfo and capabilities. */
interface Client {
  open: number;
  sent: number;
}

/** A waiting request, and the number of requests before it: a comparison with later ones shows those in parallel. */
interface Waiting {
  client: Client;
  open: number;
  openOfClient: number;
  sent: number;
  sentOfClient: number;
}

/** Outcome of a request, by method and parameters. */
interface History {
  servedAlone: number;
  /** Rejections in parallel with others, each after service alone. */
  refused: number;
}

const exchangeFacts: Definitions<RpcRecord> = {
  besideOthers: {
    says: 'server/discover and list methods in the stateless era, while requests with another clientInfo or other capabilities waited on the connection: refusedBefore (how often the same was refused so), servedBetween (it was served alone since).',
    rests: ['order', 'start'],
  },
};

export const feature: Feature = { name: 'contexts', facts: { exchange: exchangeFacts }, create: createContexts };

function createContexts(): Hooks {
  const sessions = perSession(() => ({
    open: new Map<RpcRecord, Waiting>(),
    clients: new BoundedMap<string, Client>(keptClients),
    sent: 0,
    histories: new BoundedMap<string, History>(keptRequests),
  }));

  /** Removes a request from the waiting ones. */
  function take(record: RpcRecord): { waiting: Waiting; sent: number } | undefined {
    const { open, sent } = sessions.of(record.session);
    const waiting = open.get(record);
    if (!waiting) return undefined;
    open.delete(record);
    waiting.client.open -= 1;
    return { waiting, sent };
  }

  return {
    request(record) {
      if (record.from !== 'client' || record.session.era === 'stateful') return undefined;
      const all = sessions.of(record.session);
      const { open, clients } = all;
      const name = clientOf(record);
      let client = clients.get(name);
      if (!client && !clients.isFull) clients.set(name, (client = { open: 0, sent: 0 }));
      if (client && open.size < keptOpen) {
        open.set(record, {
          client,
          open: open.size,
          openOfClient: client.open,
          sent: all.sent,
          sentOfClient: client.sent,
        });
        client.open += 1;
      }
      all.sent += 1;
      if (client) client.sent += 1;
      return undefined;
    },

    answered(record) {
      if (record.from !== 'client' || record.session.era === 'stateful') return undefined;
      const taken = take(record);
      if (!taken || record.session.era !== 'stateless' || !plainMethods.has(record.method)) return undefined;
      const { waiting, sent } = taken;
      /** Requests that waited when it was sent, and those sent while it waited. */
      const others = waiting.open + sent - waiting.sent - 1;
      const ofSameClient = waiting.openOfClient + waiting.client.sent - waiting.sentOfClient - 1;
      const { histories } = sessions.of(record.session);
      const key = keyOf(record);
      if (key.length > longestKey) return undefined;
      const history = histories.get(key) ?? { servedAlone: 0, refused: 0 };
      histories.set(key, history);
      if (others === ofSameClient) {
        if (others === 0 && record.outcome === 'result') history.servedAlone += 1;
        return undefined;
      }
      const besideOthers = { refusedBefore: history.refused, servedBetween: history.servedAlone > 0 };
      if (record.outcome === 'error' && history.servedAlone > 0) {
        history.refused += 1;
        history.servedAlone = 0;
      }
      return { facts: { besideOthers } };
    },

    letGo(record) {
      if (record.session.era !== 'stateful') take(record);
      return undefined;
    },

    sessionOver(session) {
      sessions.forget(session);
      return undefined;
    },
  };
}

function clientOf({ message }: RpcRecord): string {
  return JSON.stringify([metaOf(message)?.[clientInfoKey] ?? null, declaredCapabilitiesOf(message) ?? null]);
}

/** Identifies a request, without its _meta. */
function keyOf({ method, message }: RpcRecord): string {
  const { _meta, ...params } = paramsOf(message) ?? {};
  return `${asText(method)} ${JSON.stringify(params)}`;
}
