/** Clients whose subscriptions ended with the process of their server: what they do at the next process. */
import type { Definitions, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';
import { stdioConnections } from '../../src/core/facts/state/stdio-connections.ts';
import { endsByItself } from '../../src/core/facts/values/client-end.ts';
import { openers } from '../../src/core/facts/values/openers.ts';
import { metaOf, paramsOf, typedKey, type IdKey } from '../../src/core/facts/values/rpc.ts';
import { BoundedMap } from '../../src/core/model/bounded.ts';
import { asObject, type JsonObject } from '../../src/core/model/json.ts';

interface Subscription {
  /** Filter of the acknowledgement; absent before it. */
  granted?: JsonObject;
  events: number[];
}

/** Acts of a client at a process that it started after the loss. */
interface Later {
  session: SessionState;
  answered: number;
  /** It asked for something whose changes the lost subscription had announced. */
  interested: boolean;
  /** Times of the first result and of the newest request, milliseconds since the trace began. */
  first?: number;
  last?: number;
}

interface Loss {
  granted: JsonObject[];
  alone: boolean;
  waited: boolean;
  later: Later[];
  renewed: boolean;
  left: boolean;
  events: number[];
}

interface Connection {
  subscriptions: Map<IdKey, Subscription>;
  /** Other requests without an answer. */
  waiting: Map<IdKey, true>;
  /** Its process has ended, or the client has. */
  over: boolean;
  /** Another process ran at some time while this one did: they may end together, and either may go on for the other. */
  shared: boolean;
  loss?: Loss;
  /** Earlier losses that had not been made up for when it began. */
  follows: { loss: Loss; later: Later }[];
}

const mostKept = 100;
const listen = 'subscriptions/listen';
/** The list whose changes a flag of the filter is about. */
const listedBy: Readonly<Record<string, string>> = {
  'tools/list': 'toolsListChanged',
  'prompts/list': 'promptsListChanged',
  'resources/list': 'resourcesListChanged',
};

const sessionFacts: Definitions<SessionState> = {
  lostSubscriptions: {
    says: 'stdio: the process crashed while subscriptions of the client were open. Facts of the crash: granted (kinds of notifications, never none), alone (no other process ran at the same time), waited (other requests were open). Of what followed: restarts (processes that the client started before its end), renewed (one of them got subscriptions/listen), left (the client ended by itself). Where one process followed, of the same revision: answered (results of other requests), interested (one was about what a subscription names). There also: spanMs (from the first of these results to the last request).',
    rests: ['bytes', 'start', 'order'],
  },
};

export const feature: Feature = {
  name: 'lost-subscriptions',
  after: ['session'],
  facts: { session: sessionFacts },
  create: createLosses,
};

function createLosses(): Hooks {
  const connections = stdioConnections<Connection>(() => ({
    subscriptions: new BoundedMap(mostKept),
    waiting: new BoundedMap(mostKept),
    over: false,
    shared: false,
    follows: [],
  }));
  /** Losses in this start of the client. */
  let losses: Loss[] = [];

  function begin(connection: Connection, session: SessionState, seq: number): void {
    for (const other of connections.values()) {
      if (other === connection || other.over) continue;
      other.shared = true;
      connection.shared = true;
    }
    for (const loss of losses) {
      if (loss.renewed) continue;
      const later: Later = { session, answered: 0, interested: false };
      loss.later.push(later);
      loss.events.push(seq);
      connection.follows.push({ loss, later });
    }
  }

  function end(connection: Connection, isCrash: boolean, seq: number): void {
    const wasOver = connection.over;
    connection.over = true;
    const open = [...connection.subscriptions.values()].filter(({ granted }) => kindsOf(granted).length > 0);
    if (wasOver || !isCrash || open.length === 0 || losses.length >= mostKept) return;
    connection.loss = {
      granted: open.map(({ granted = {} }) => granted),
      alone: !connection.shared,
      waited: connection.waiting.size > 0,
      later: [],
      renewed: false,
      left: false,
      events: [...open.flatMap(({ events }) => events), seq],
    };
    losses.push(connection.loss);
  }

  return {
    trace(event) {
      const isOwn = endsByItself(event);
      if (isOwn === undefined) return undefined;
      for (const loss of losses) {
        // Once mcpc has ended the client nothing shows what it would have done.
        loss.left = isOwn;
        loss.events.push(event.seq);
      }
      losses = [];
      for (const connection of connections.values()) connection.over = true;
      return undefined;
    },
    event({ event, session }) {
      const connection = connections.of(session);
      if (connection === undefined) return undefined;
      if (event.kind === 'spawn') begin(connection, session, event.seq);
      if (event.kind === 'exit') {
        const { code } = event.exit ?? {};
        const unasked = event.from === 'server' && !session.stdinClosed && !session.askedToEnd;
        end(connection, unasked && typeof code === 'number' && code !== 0, event.seq);
      }
      return undefined;
    },
    request(record) {
      const connection = record.from === 'client' ? connections.of(record.session) : undefined;
      if (connection === undefined) return undefined;
      if (record.method === listen) {
        connection.subscriptions.set(typedKey(record.id), { events: [record.seq] });
        for (const { loss } of connection.follows) {
          if (!loss.renewed) loss.events.push(record.seq);
          loss.renewed = true;
        }
      } else {
        connection.waiting.set(typedKey(record.id), true);
        if (!openers.has(record.method)) for (const { later } of connection.follows) later.last = record.t;
      }
      return undefined;
    },
    message({ item, method, session }) {
      const own = connections.find(session)?.subscriptions;
      if (own === undefined || own.size === 0) return undefined;
      const { requestId, notifications } = paramsOf(item.message) ?? {};
      if (method === 'notifications/cancelled') own.delete(typedKey(requestId));
      if (method !== 'notifications/subscriptions/acknowledged' || item.from !== 'server') return undefined;
      const one = own.get(typedKey(metaOf(item.message)?.['io.modelcontextprotocol/subscriptionId']));
      if (one === undefined || one.granted !== undefined) return undefined;
      one.granted = asObject(notifications) ?? {};
      one.events.push(item.seq);
      return undefined;
    },
    answered(record) {
      const connection = record.from === 'client' ? connections.of(record.session) : undefined;
      // A request of a process that has ended is over as well.
      if (connection === undefined || (record.outcome !== 'result' && record.outcome !== 'error')) return undefined;
      if (record.method === listen) {
        connection.subscriptions.delete(typedKey(record.id));
        return undefined;
      }
      connection.waiting.delete(typedKey(record.id));
      if (record.outcome === 'result' && !openers.has(record.method))
        for (const { loss, later } of connection.follows) noteResult(later, loss, record);
      return undefined;
    },
    sessionOver(session) {
      const loss = connections.find(session)?.loss;
      if (loss === undefined) return undefined;
      const { events } = loss;
      return { facts: { lostSubscriptions: factOf(loss, session) }, events, cites: { lostSubscriptions: events } };
    },
  };
}

function noteResult(later: Later, { granted }: Loss, record: RpcRecord): void {
  later.answered += 1;
  later.first ??= record.replyT;
  later.interested ||= granted.some((filter) => isAbout(filter, record));
}

function isAbout(filter: JsonObject, { method, message }: RpcRecord): boolean {
  if (method !== 'resources/read') return filter[listedBy[String(method)] ?? ''] === true;
  const { resourceSubscriptions: uris } = filter;
  return Array.isArray(uris) && uris.includes(paramsOf(message)?.uri);
}

/** Names of what a filter asks for or grants. */
function kindsOf(filter: JsonObject = {}): string[] {
  return Object.entries(filter).flatMap(([kind, value]) =>
    value === true || (Array.isArray(value) && value.length > 0) ? [kind] : [],
  );
}

function factOf({ granted, alone, waited, later, renewed, left }: Loss, { revision }: SessionState): JsonObject {
  const [only, ...more] = later;
  const isSame = only !== undefined && more.length === 0 && only.session.era === 'stateless';
  const same = isSame && only.session.revision === revision ? only : undefined;
  const { answered = 0, interested = false, first, last } = same ?? {};
  return {
    granted: [...new Set(granted.flatMap(kindsOf))],
    alone,
    waited,
    restarts: later.length,
    renewed,
    left,
    answered,
    interested,
    spanMs: first === undefined || last === undefined ? 0 : Math.max(0, last - first),
  };
}
