/**
 * Follows what a client can know of changing resources: what each read gave, which URIs are subscribed, which updates
 * came and which tools were called in between. Supplies facts about reads, without judgement.
 */
import { BoundedMap } from '../../model/bounded.ts';
import { asObject } from '../../model/json.ts';
import { perSession } from '../state/per-session.ts';
import type { Definitions, Facts, Feature, Given, Hooks } from '../core/plugin.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { paramsOf } from '../values/rpc.ts';
import { hasHeardSince } from '../transports/listening/listening.ts';
import { isWatchedSince } from './subscription-facts.ts';
import { toolResultsOf } from './tool-call.ts';

type Subscription = 'none' | 'active' | 'ended';

interface Read {
  text: string;
  seq: number;
  /** It gave what the read before had given, and no tool was called in between. */
  steady: boolean;
  /** Counts of the session at that moment. */
  calls: number;
  updates: number;
  ownUpdates: number;
  subscription: Subscription;
  /** Number of changes of the subscription. */
  changes: number;
  /** Its request and reply. */
  events: readonly number[];
  /** When the reply came. */
  t: number;
  /** The content changed without a notification, although a tool was called and one was possible. */
  untold?: { ms: number; events: readonly number[] };
}

interface Watched {
  reads: Map<string, Read>;
  subscriptions: Map<string, { state: Subscription; changes: number }>;
  updates: number;
  updatesOf: Map<string, number>;
}

const keptUris = 2000;

const readFacts: Definitions<RpcRecord> = {
  equalsEarlierRead: {
    says: 'resources/read: the contents equal those of the last read of the uri in the session; this and the next ones are absent at a first read.',
  },
  steadyBefore: {
    says: 'resources/read: that last read had given what the one before it gave, without a tool call in between.',
  },
  untoldBefore: {
    says: 'resources/read: that last read had given something else than the one before it, with a tool call in between and a subscription all the time, but none of notifications/resources/updated that could have come; and half as long as that took or longer has passed since.',
  },
  callsSinceRead: { says: 'resources/read: results of tools/call since that read.' },
  updatesSinceRead: { says: 'resources/read: notifications/resources/updated for whatever uri since that read.' },
  ownUpdatesSinceRead: { says: 'resources/read: those for this very uri.' },
  subscription: {
    says: 'resources/read: none, active or ended (unsubscribed) all the time since that read, or changed; in the stateless era active where a subscription that was granted the uri has been open all the time, else none.',
  },
  heardSinceRead: {
    says: 'resources/read: a notification could reach the client all the time since that read (over HTTP: a listening stream was open, or the server had refused one with 405; in the stateless era: such a subscription).',
  },
};

export const resources: Feature = {
  name: 'resources',
  after: ['tool-calls', 'listening', 'subscriptions'],
  facts: { exchange: readFacts },
  create: createResourceWatch,
};

function createResourceWatch(): Hooks {
  const watched = perSession<Watched>(() => ({
    reads: new BoundedMap(keptUris),
    subscriptions: new BoundedMap(keptUris),
    updates: 0,
    updatesOf: new BoundedMap(keptUris),
  }));

  function subscribe(record: RpcRecord, uri: string, state: Subscription): void {
    const { subscriptions } = watched.of(record.session);
    const before = subscriptions.get(uri);
    subscriptions.set(uri, { state, changes: (before?.changes ?? 0) + 1 });
  }

  function read(record: RpcRecord, uri: string): Given | undefined {
    const contents = asObject(asObject(record.reply)?.result)?.contents;
    if (!Array.isArray(contents)) return undefined;
    const { session } = record;
    const { reads, subscriptions, updates, updatesOf } = watched.of(session);
    const text = JSON.stringify(contents);
    const before = reads.get(uri);
    const { state, changes } = subscriptions.get(uri) ?? { state: 'none', changes: 0 };
    const equal = before?.text === text;
    const calls = toolResultsOf(session);
    const stateless = session.era === 'stateless';
    const heardSinceRead =
      before && (stateless ? isWatchedSince(session, uri, before.seq) : hasHeardSince(session, before.seq));
    const subscribed = stateless
      ? heardSinceRead
        ? 'active'
        : 'none'
      : before?.changes === changes
        ? state
        : 'changed';
    const t = record.replyT ?? record.t;
    const events = record.replySeq === undefined ? [record.seq] : [record.seq, record.replySeq];
    const isUntold =
      before &&
      !equal &&
      heardSinceRead &&
      subscribed === 'active' &&
      calls > before.calls &&
      updates === before.updates;
    const now: Read = {
      text,
      seq: record.seq,
      steady: before !== undefined && equal && before.calls === calls,
      calls,
      updates,
      ownUpdates: updatesOf.get(uri) ?? 0,
      subscription: state,
      changes,
      events,
      t,
      ...(isUntold ? { untold: { ms: t - before.t, events: [...before.events, ...events] } } : {}),
    };
    reads.set(uri, now);
    if (!before) return undefined;
    const { untold } = before;
    const untoldBefore = untold !== undefined && t - before.t >= untold.ms / 2;
    const facts: Facts = {
      equalsEarlierRead: equal,
      steadyBefore: before.steady,
      untoldBefore,
      callsSinceRead: calls - before.calls,
      updatesSinceRead: now.updates - before.updates,
      ownUpdatesSinceRead: now.ownUpdates - before.ownUpdates,
      subscription: subscribed,
      heardSinceRead,
    };
    return untoldBefore ? { facts, events: untold.events, cites: { untoldBefore: untold.events } } : { facts };
  }

  return {
    answered(record) {
      if (record.from !== 'client' || record.outcome !== 'result') return undefined;
      const uri = paramsOf(record.message)?.uri;
      if (typeof uri !== 'string') return undefined;
      if (record.method === 'resources/subscribe') subscribe(record, uri, 'active');
      if (record.method === 'resources/unsubscribe') subscribe(record, uri, 'ended');
      // Reads are evidence only if the server says that it announces changes.
      const reported =
        record.method === 'resources/read' &&
        asObject(record.session.serverCapabilities?.resources)?.subscribe === true;
      return reported ? read(record, uri) : undefined;
    },
    message({ item, session, method, replay }) {
      if (replay) return undefined;
      if (item.from !== 'server' || item.shape !== 'notification' || method !== 'notifications/resources/updated')
        return undefined;
      const seen = watched.of(session);
      seen.updates += 1;
      const uri = paramsOf(item.message)?.uri;
      if (typeof uri !== 'string') return undefined;
      const before = seen.updatesOf.get(uri);
      seen.updatesOf.set(uri, (before ?? 0) + 1);
      return undefined;
    },
    sessionOver(session) {
      watched.forget(session);
      return undefined;
    },
  };
}
