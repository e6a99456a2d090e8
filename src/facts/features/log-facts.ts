/**
 * Facts of log messages: the level that logging/setLevel had set before, where it is certain that the server
 * had taken it in, and the text that is logged. A fold per connection; judges nothing.
 */
import type { RpcRecord } from '../jsonrpc/rpc-record.ts';
import { methodOf, paramsOf, type RpcItem } from '../jsonrpc/rpc.ts';
import type { SessionState } from '../session/session-state.ts';
import type { HttpState } from '../transports/http-state.ts';

/** Mildest first (RFC 5424; 2024-11-05 and later: server/utilities/logging, log levels). */
const levels: readonly unknown[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const keptText = 20_000;

interface LevelSet {
  level: string;
  /** Seq of the response that accepted it. */
  since: number;
  /** A request that was sent afterwards; messages before it may have been on their way. */
  asked: boolean;
  /** One of those has been answered. */
  settled: boolean;
}

export interface LogFacts {
  /** A request of the client, as it is sent. */
  sent(record: RpcRecord): void;
  /** A request of the client has its outcome. @param replySeq the event that brought it */
  answered(record: RpcRecord): void;
  /** Facts of a message of the server beside its own; none unless it is a log message. */
  observe(item: RpcItem, session: SessionState, http: HttpState | undefined): Record<string, unknown> | undefined;
  endSession(session: SessionState): void;
}

export function createLogFacts(): LogFacts {
  const set = new Map<SessionState, LevelSet>();
  return {
    sent(record) {
      const state = record.from === 'client' ? set.get(record.session) : undefined;
      if (state) state.asked = true;
    },
    answered(record) {
      if (record.from !== 'client') return;
      const state = set.get(record.session);
      if (state && record.seq > state.since) state.settled = true;
      if (record.method !== 'logging/setLevel') return;
      const level = paramsOf(record.message)?.level;
      if (record.outcome === 'result' && levels.includes(level)) {
        set.set(record.session, { level: level as string, since: record.replySeq ?? record.seq, asked: false, settled: false });
      } else if (record.outcome !== 'error') set.delete(record.session);
    },
    observe(item, session, http) {
      if (item.from !== 'server' || methodOf(item.message) !== 'notifications/message') return undefined;
      const params = paramsOf(item.message);
      const state = set.get(session);
      const logText = textOf(params?.data);
      if (!state || !isCertain(state, session, http)) return { logText };
      const rank = levels.indexOf(params?.level);
      return { logText, setLevel: state.level, belowSetLevel: rank === -1 ? undefined : rank < levels.indexOf(state.level) };
    },
    endSession(session) {
      set.delete(session);
    },
  };
}

/** Over HTTP, streams have no common order: the reply to a later request counts, or any stream once one was answered. */
function isCertain({ since, asked, settled }: LevelSet, session: SessionState, http: HttpState | undefined): boolean {
  if (session.transport !== 'http') return asked;
  return settled || (http?.method === 'POST' && http.seq > since);
}

function textOf(data: unknown): string | undefined {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return text?.slice(0, keptText);
}
