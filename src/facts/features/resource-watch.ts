/**
 * Follows what a client can know of changing resources: what each read gave, which URIs are subscribed, which
 * updates came and which tools were called in between. Gives facts about reads; judges nothing.
 */
import { asObject } from '../../model/json.ts';
import { perSession } from '../core/per-session.ts';
import type { RpcRecord } from '../jsonrpc/rpc-record.ts';
import { paramsOf } from '../jsonrpc/rpc.ts';
import { hasHeardSince, type SessionState } from '../session/session-state.ts';

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
  /** How often the subscription had changed. */
  changes: number;
}

interface Watched {
  reads: Map<string, Read>;
  subscriptions: Map<string, { state: Subscription; changes: number }>;
  updates: number;
  updatesOf: Map<string, number>;
}

const keptUris = 2000;

export interface ResourceWatch {
  /** Facts about an answered resources/read, to be joined to those of its exchange. */
  observe(record: RpcRecord): Record<string, unknown> | undefined;
  /** A notification of the server. */
  notified(session: SessionState, method: unknown, message: unknown): void;
  endSession(session: SessionState): void;
}

export function createResourceWatch(): ResourceWatch {
  const watched = perSession<Watched>(() => ({ reads: new Map(), subscriptions: new Map(), updates: 0, updatesOf: new Map() }));

  function subscribe(record: RpcRecord, uri: string, state: Subscription): void {
    const { subscriptions } = watched.of(record.session);
    const before = subscriptions.get(uri);
    if (before || subscriptions.size < keptUris) subscriptions.set(uri, { state, changes: (before?.changes ?? 0) + 1 });
  }

  function read(record: RpcRecord, uri: string): Record<string, unknown> | undefined {
    const contents = asObject(asObject(record.reply)?.result)?.contents;
    if (!Array.isArray(contents)) return undefined;
    const { session } = record;
    const { reads, subscriptions, updates, updatesOf } = watched.of(session);
    const text = JSON.stringify(contents);
    const before = reads.get(uri);
    const { state, changes } = subscriptions.get(uri) ?? { state: 'none', changes: 0 };
    const equal = before?.text === text;
    const calls = session.toolResults;
    const now: Read = {
      text,
      seq: record.seq,
      steady: before !== undefined && equal && before.calls === calls,
      calls,
      updates,
      ownUpdates: updatesOf.get(uri) ?? 0,
      subscription: state,
      changes,
    };
    if (before || reads.size < keptUris) reads.set(uri, now);
    if (!before) return undefined;
    return {
      equalsEarlierRead: equal,
      steadyBefore: before.steady,
      callsSinceRead: calls - before.calls,
      updatesSinceRead: now.updates - before.updates,
      ownUpdatesSinceRead: now.ownUpdates - before.ownUpdates,
      subscription: before.changes === changes ? state : 'changed',
      heardSinceRead: hasHeardSince(session, before.seq),
    };
  }

  return {
    observe(record) {
      if (record.from !== 'client' || record.outcome !== 'result') return undefined;
      const uri = paramsOf(record.message)?.uri;
      if (typeof uri !== 'string') return undefined;
      if (record.method === 'resources/subscribe') subscribe(record, uri, 'active');
      if (record.method === 'resources/unsubscribe') subscribe(record, uri, 'ended');
      // Reads tell something only where the server says that it announces changes.
      return record.method === 'resources/read' && asObject(record.session.serverCapabilities?.resources)?.subscribe === true ? read(record, uri) : undefined;
    },
    notified(session, method, message) {
      if (method !== 'notifications/resources/updated') return;
      const seen = watched.of(session);
      seen.updates += 1;
      const uri = paramsOf(message)?.uri;
      if (typeof uri !== 'string') return;
      const before = seen.updatesOf.get(uri);
      if (before !== undefined || seen.updatesOf.size < keptUris) seen.updatesOf.set(uri, (before ?? 0) + 1);
    },
    endSession(session) {
      watched.forget(session);
    },
  };
}
