/**
 * The level that logging/setLevel had set before a log message, where it is certain that the server had taken it in. A
 * fold per connection, without judgement.
 */
import type { Definitions, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';
import type { HttpState } from '../../src/core/facts/http/http-state.ts';
import type { MessageView } from '../../src/core/facts/requests/message-view.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';
import { paramsOf } from '../../src/core/facts/values/rpc.ts';

/** Mildest first (RFC 5424; 2024-11-05 and later: server/utilities/logging, log levels). */
const levels: readonly unknown[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

interface LevelSet {
  level: string;
  /** Seq of the response that accepted it. */
  since: number;
  /** A request that was sent afterwards; messages before it may have been on their way. */
  asked: boolean;
  /** One of those has been answered. */
  settled: boolean;
}

const messageFacts: Definitions<MessageView> = {
  threshold: {
    says: 'notifications/message, where the server must have known a level that logging/setLevel had set. level: that one. below: the level of the message is below it (absent where it is none).',
    rests: ['order', 'start'],
  },
};

export const feature: Feature = { name: 'log-thresholds', facts: { message: messageFacts }, create: createThresholds };

function createThresholds(): Hooks {
  const set = new Map<SessionState, LevelSet>();
  return {
    request(record) {
      const state = record.from === 'client' ? set.get(record.session) : undefined;
      if (state) state.asked = true;
    },
    answered(record) {
      if (record.from === 'client') take(set, record);
      return undefined;
    },
    message({ item, session, http, method, replay }) {
      if (replay || item.from !== 'server' || method !== 'notifications/message') return undefined;
      const state = set.get(session);
      if (!state || !isCertain(state, session, http)) return undefined;
      const rank = levels.indexOf(paramsOf(item.message)?.level);
      const below = rank === -1 ? undefined : rank < levels.indexOf(state.level);
      return { facts: { threshold: { level: state.level, below } } };
    },
    sessionOver(session) {
      set.delete(session);
      return undefined;
    },
  };
}

function take(set: Map<SessionState, LevelSet>, record: RpcRecord): void {
  const { session, method, outcome, seq, replySeq, message } = record;
  const state = set.get(session);
  if (state && seq > state.since) state.settled = true;
  if (method !== 'logging/setLevel') return;
  const level = paramsOf(message)?.level;
  if (outcome === 'result' && levels.includes(level))
    set.set(session, { level: level as string, since: replySeq ?? seq, asked: false, settled: false });
  else if (outcome !== 'error') set.delete(session);
}

/** Over HTTP, streams have no common order: the reply to a later request counts, or any stream once one was answered. */
function isCertain({ since, asked, settled }: LevelSet, session: SessionState, http: HttpState | undefined): boolean {
  if (session.transport !== 'http') return asked;
  return settled || (http?.method === 'POST' && http.seq > since);
}
